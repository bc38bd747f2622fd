import type { SweepRuns } from '../../lab/runs/ofSweep.ts';
import type { RunCurves, RunRecord } from '../../lab/runs/record.ts';
import type { KeptSweep } from '../../lab/runs/sweep.ts';
import type { Slot } from '../../store/slots.ts';
import type { KeepRuns } from './ends.ts';
import type { Places } from './midway.ts';
import type { SweepStatus } from './status.ts';
import { Sweeping, type Around } from './sweeping.ts';

/** What a browser keeps, in memory, for tests: records, curves, files. */
export class Shelf {
  readonly runs = new Map<string, RunRecord>();
  readonly curves = new Map<string, RunCurves>();
  readonly files = new Map<string, Uint8Array>();
  sweep: KeptSweep | null = null;
  isFull = false;

  /** With everything that a sweep begins with. */
  static with({ kept, runs }: SweepRuns): Shelf {
    const shelf = new Shelf();
    shelf.sweep = structuredClone(kept);
    for (const run of runs) shelf.runs.set(run.id, run);
    return shelf;
  }

  readonly keepRuns: KeepRuns = (runs, curves) => {
    if (this.isFull && curves.length > 0) return Promise.reject(new Error('the quota has been exceeded'));
    const there = runs.filter(({ id }) => this.runs.has(id));
    for (const run of there) this.runs.set(run.id, run);
    for (const part of curves) if (this.runs.has(part.id)) this.curves.set(part.id, part);
    return Promise.resolve(there.map(({ id }) => id));
  };

  readonly keepSweep = (sweep: KeptSweep): Promise<void> => {
    this.sweep = structuredClone(sweep);
    return Promise.resolve();
  };

  private slot(id: string, k: number): Slot {
    return {
      read: () => Promise.resolve(this.files.get(`${id}-${k}`) ?? new Uint8Array()),
      write: (bytes) => Promise.resolve(void this.files.set(`${id}-${k}`, bytes.slice())),
    };
  }

  readonly places: Places = {
    bytes: (id, k) => this.slot(id, k).read(),
    slots: (id) => Promise.resolve([this.slot(id, 0), this.slot(id, 1)]),
    remove: (id) => Promise.resolve([0, 1].forEach((k) => this.files.delete(`${id}-${k}`))),
    pauseMs: 0,
  };

  all(): SweepRuns {
    return { kept: this.sweep!, runs: [...this.runs.values()] };
  }

  /** As a database hands it out, in the order of ids. */
  byId(): SweepRuns {
    const { kept, runs } = this.all();
    return { kept, runs: runs.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
  }

  states(): string[] {
    return [...this.runs.values()].map(({ state }) => state);
  }
}

export type Watched = {
  readonly sweeping: Sweeping;
  until(is: (status: SweepStatus) => boolean): Promise<SweepStatus>;
};

/** Continues with what is on the shelf, `from` in this order, and tells when it stands as it is waited for. */
export function watched(
  shelf: Shelf,
  around: Pick<Around, 'startLane' | 'lanes'> & Partial<Around>,
  from = shelf.all(),
): Watched {
  const waiting = new Set<{ is: (status: SweepStatus) => boolean; done: (status: SweepStatus) => void }>();
  const changed = (status: SweepStatus): void => {
    for (const one of [...waiting]) {
      if (!one.is(status)) continue;
      waiting.delete(one);
      one.done(status);
    }
  };
  const { keepRuns, keepSweep } = shelf;
  const sweeping = new Sweeping(from, { keepRuns, keepSweep, changed, ...around });
  return {
    sweeping,
    until: (is) =>
      is(sweeping.status())
        ? Promise.resolve(sweeping.status())
        : new Promise((done) => void waiting.add({ is, done })),
  };
}
