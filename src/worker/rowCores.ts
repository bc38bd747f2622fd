import * as Comlink from 'comlink';
import { CORES_TRIED } from '../core/marks.ts';
import type { MakeBackend } from '../engine/backend.ts';
import { LOOK_MS } from '../engine/cpu/rows/board.ts';
import type { Others } from '../engine/cpu/rows/crew.ts';
import { governed, mostFor, type Around } from '../engine/cpu/rows/governed.ts';
import { choicesOf } from '../engine/cpu/rows/governor.ts';
import type { RowLink, RowMessage } from '../engine/cpu/rows/rowHand.ts';
import { sharedColumns } from '../engine/cpu/rows/rowMemory.ts';
import { sentCores, type SentLink } from '../engine/cpu/rows/sentCrew.ts';
import { buffersOfJob } from '../engine/cpu/rows/sentRows.ts';
import { sharedCores } from '../engine/cpu/rows/sharedCrew.ts';
import type { Plan } from '../engine/plan.ts';
import type { CpuWay } from './contest.ts';
import type { Far } from './cores.ts';
import { hire, type Hired } from './hiring.ts';

/** Whoever waits for a silent core says so before the page, after ten seconds, takes the one that waits for silent. */
const SILENT_MS = 8000;

/** Workers on other cores: used again as long as they answer, and ended when nobody uses them. */
type Pool = { take(n: number): Others; rest(): void };

/**
 * The cores of this machine for the rows of one seed. Workers are started when they are first needed, used again by the next
 * run, and ended where a run was found to be faster alone.
 */
export class RowCores {
  readonly make: MakeBackend;
  private readonly around: Around;
  private readonly pool: Pool;

  /**
   * `most`: cores that a run may use, this one among them; `isFixed`: it uses them all, in tests; `starts`: who starts workers that see
   * only what is sent to them, where cores share no memory
   */
  constructor(most: number, isFixed: boolean, starts: { start(): Far } | null) {
    this.pool = starts ? new SentPool(starts) : new SharedPool();
    this.around = {
      most,
      isFixed,
      share: starts ? (columns) => columns : sharedColumns,
      sends: starts !== null,
      take: (n) => this.pool.take(n),
      rest: () => this.rest(),
      now: () => performance.now(),
      // the page starts again from the last state that it has, with workers that all answer
      lost: (error) => reportError(error),
      tried: (detail) => performance.mark(CORES_TRIED, { detail }),
    };
    this.make = governed(this.around);
  }

  /** What a trial compares: one core, half of those that a plan may use, and all, each from the start. */
  ways(plan: Plan): readonly CpuWay[] {
    const { around } = this;
    const on = (most: number): CpuWay => ({ cores: most, make: governed({ ...around, most, isFixed: true }) });
    return choicesOf(mostFor(plan, around)).map(on);
  }

  /** Ends the workers that nobody uses. */
  rest(): void {
    this.pool.rest();
  }
}

/** A worker that sees the memory of this one. */
type Row = { readonly hired: Hired; isGone: boolean; fails(message: string): void };

class SharedPool implements Pool {
  private readonly free: Row[] = [];

  take(n: number): Others {
    const links = Array.from({ length: n }, () => this.linkOn(this.free.pop() ?? startRow()));
    return sharedCores({ links, looks: SILENT_MS / LOOK_MS });
  }

  rest(): void {
    for (const { hired } of this.free.splice(0)) hired.end();
  }

  private linkOn(row: Row): RowLink {
    const { port, end } = row.hired;
    const say = (message: RowMessage): void => port.postMessage(message);
    let isOpen = false;
    return {
      open: (config, seen) =>
        new Promise((resolve, reject) => {
          port.onmessage = ({ data }) => {
            if (data !== 'open') return;
            isOpen = true;
            resolve();
          };
          row.fails = (message) => reject(new Error(message));
          say({ row: 'open', config, seen });
        }),
      enter: (session) => say({ row: 'enter', session }),
      close: () => {
        if (row.isGone || !isOpen) return end();
        say({ row: 'close' });
        this.free.push(row);
      },
    };
  }
}

function startRow(): Row {
  const hired = hire((message) => {
    // whoever waits for it is told by the board
    row.isGone = true;
    row.fails(message);
  });
  const row: Row = { hired, isGone: false, fails: () => undefined };
  return row;
}

/** Whether these workers live is known to whoever starts them. */
class SentPool implements Pool {
  private readonly free: Far[] = [];
  private readonly starts: { start(): Far };

  constructor(starts: { start(): Far }) {
    this.starts = starts;
  }

  take(n: number): Others {
    return sentCores(Array.from({ length: n }, () => this.linkOn(this.free.pop() ?? this.starts.start())));
  }

  rest(): void {
    for (const { end } of this.free.splice(0)) end();
  }

  private linkOn(of: Far): SentLink {
    const { far } = of;
    return {
      open: (config) => far.openRows(config),
      do: (sent) => far.doRows(Comlink.transfer(sent, buffersOfJob(sent))),
      close: () => {
        // this comes after all that it was sent before
        void far.closeRows();
        this.free.push(of);
      },
    };
  }
}
