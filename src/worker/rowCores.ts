import { CORES_TRIED } from '../core/marks.ts';
import type { MakeBackend } from '../engine/backend.ts';
import { LOOK_MS } from '../engine/cpu/rows/board.ts';
import { governed, mostFor, type Around } from '../engine/cpu/rows/governed.ts';
import { choicesOf } from '../engine/cpu/rows/governor.ts';
import type { RowLink, RowMessage } from '../engine/cpu/rows/rowHand.ts';
import type { Others } from '../engine/cpu/rows/rows.ts';
import type { Plan } from '../engine/plan.ts';
import type { CpuWay } from './contest.ts';

/** Whoever waits for a silent core says so before the page, after ten seconds, takes the one that waits for silent. */
const SILENT_MS = 8000;

/** A worker on another core: it is used again as long as it answers. */
type Row = { readonly worker: Worker; isGone: boolean };

/**
 * The cores of this machine for the rows of one seed, in memory that all of them see. Workers are started when they are first
 * needed, used again by the next run, and ended where a run was found to be faster alone.
 */
export class RowCores {
  readonly make: MakeBackend;
  private readonly around: Around;
  private readonly free: Row[] = [];

  /** `most`: cores that a run may use, this one among them; `isFixed`: it uses them all, in tests */
  constructor(most: number, isFixed: boolean) {
    this.around = {
      most,
      isFixed,
      looks: SILENT_MS / LOOK_MS,
      take: (n) => this.take(n),
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

  private take(n: number): Others {
    return { links: Array.from({ length: n }, () => this.linkOn(this.free.pop() ?? start())) };
  }

  /** Ends the workers that nobody uses. */
  rest(): void {
    for (const { worker } of this.free.splice(0)) worker.terminate();
  }

  private linkOn(row: Row): RowLink {
    const { worker } = row;
    const say = (message: RowMessage): void => worker.postMessage(message);
    let isOpen = false;
    return {
      open: (config, memory) =>
        new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => {
            if (data !== 'open') return;
            isOpen = true;
            resolve();
          };
          worker.onerror = (event) => {
            // whoever waits for it is told by the board
            event.preventDefault();
            row.isGone = true;
            reject(new Error(event.message));
          };
          say({ row: 'open', config, memory });
        }),
      enter: (session, played) => say({ row: 'enter', session, played }),
      close: () => {
        if (row.isGone || !isOpen) return worker.terminate();
        say({ row: 'close' });
        this.free.push(row);
      },
    };
  }
}

function start(): Row {
  const worker = new Worker(new URL('./replicas.worker.ts', import.meta.url), { type: 'module' });
  return { worker, isGone: false };
}
