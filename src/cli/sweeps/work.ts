import type { CellResult, Finished } from '../../lab/sweep/cell.ts';
import type { Cell } from '../../lab/sweep/expand.ts';
import type { AtWork } from './progress.ts';
import type { Trainer } from './trainer.ts';

/** How work on the cells is done and followed. */
export type Work = {
  /** one for each cell that is trained at the same time */
  readonly trainers: readonly Trainer[];
  /** keeps a result; null, or the sentence of why it could not be kept */
  readonly keep: (cell: Cell, finished: Finished) => Promise<string | null>;
  /** seconds on a clock that does not go back */
  readonly now: () => number;
  /** a cell has ended: with its result, or the sentence of why it has none */
  readonly ended: (cell: Cell, outcome: CellResult | string, seconds: number) => void;
  /** true once no further cell is to be begun */
  readonly isAsked: () => boolean;
};

/** What there is to say while cells are trained. */
export class Working {
  /** seconds that finished cells took */
  readonly took: number[] = [];
  waiting: number;
  private readonly cells = new Map<Cell, { from: number; share: number }>();

  constructor(waiting: number) {
    this.waiting = waiting;
  }

  begin(cell: Cell, now: number): void {
    this.waiting--;
    this.cells.set(cell, { from: now, share: 0 });
  }

  tell(cell: Cell, share: number): void {
    this.cells.get(cell)!.share = share;
  }

  /** Seconds that it took. */
  end(cell: Cell, now: number): number {
    const seconds = now - this.cells.get(cell)!.from;
    this.cells.delete(cell);
    return seconds;
  }

  at(now: number): AtWork[] {
    return [...this.cells].map(([{ name }, { from, share }]) => ({ name, seconds: now - from, share }));
  }
}

/**
 * Trains the cells in their order, as many at a time as there are trainers. A cell that fails leaves the others alone; a
 * result that cannot be kept ends the work, as those that follow could not be kept either. Resolves with the sentence of
 * that, or null.
 */
export async function train(cells: readonly Cell[], working: Working, work: Work): Promise<string | null> {
  const queue = [...cells];
  let problem: string | null = null;
  const lane = async (trainer: Trainer): Promise<void> => {
    while (problem === null && !work.isAsked()) {
      const cell = queue.shift();
      if (!cell) return;
      working.begin(cell, work.now());
      const trained = await trainer.train(cell, (share) => working.tell(cell, share));
      const seconds = working.end(cell, work.now());
      if ('problem' in trained) {
        work.ended(cell, trained.problem, seconds);
        continue;
      }
      const refused = await work.keep(cell, trained);
      if (refused !== null) {
        problem ??= refused;
        return;
      }
      working.took.push(seconds);
      work.ended(cell, trained.result, seconds);
    }
  };
  await Promise.all(work.trainers.map(lane));
  return problem;
}
