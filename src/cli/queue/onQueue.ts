import type { Cell } from '../../lab/sweep/expand.ts';
import type { Work, Working } from '../sweeps/work.ts';
import { keyOf, type CellQueue, type Outage } from './cellQueue.ts';

/** Milliseconds between two looks at where every cell stands: what was said while the connection was lost is found here. */
const LOOK_MS = 5000;

export type QueueWork = Omit<Work, 'trainers' | 'isAsked'> & {
  /** resolves when no further cell is to be begun */
  readonly asked: Promise<unknown>;
};
type At = { readonly queue: CellQueue; readonly outage: Outage; readonly work: QueueWork };

/**
 * Lets workers of a queue train the cells and keeps what comes back. Cells that are asked for no longer leave the queue,
 * and those that are being trained are waited for. As `train`: resolves with the sentence of a result that could not be
 * kept, or null.
 */
export async function trainOnQueue(
  cells: readonly Cell[],
  working: Working,
  { queue, outage, work }: At,
): Promise<string | null> {
  const open = new Map(cells.map((cell) => [keyOf(cell), cell]));
  const begun = new Set<string>();
  const busy = new Set<string>();
  let isAsked = false;
  let problem: string | null = null;
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));

  const close = (cell: Cell): void => {
    open.delete(keyOf(cell));
    if (open.size === 0) finish();
  };
  const begin = (cell: Cell): void => {
    if (begun.has(keyOf(cell))) return;
    begun.add(keyOf(cell));
    working.begin(cell, work.now());
  };

  /** Keeps the result of a cell, or does what its standing asks for. */
  const settle = async (cell: Cell): Promise<void> => {
    const standing = await queue.standing(cell);
    switch (standing.kind) {
      case 'training':
        begin(cell);
        return;
      case 'waiting':
        if (isAsked && (await queue.take(cell))) close(cell);
        return;
      case 'gone':
        // the server has lost it, or another sweep has taken it
        if (isAsked) return close(cell);
        await queue.put([cell]);
        return;
      case 'ended': {
        const { trained } = standing;
        if ('problem' in trained && !begun.has(keyOf(cell))) {
          // of an earlier command: as without a queue, it is tried again
          await queue.take(cell);
          await queue.put([cell]);
          return;
        }
        begin(cell);
        const seconds = working.end(cell, work.now());
        if ('problem' in trained) {
          await queue.take(cell);
          work.ended(cell, trained.problem, seconds);
          return close(cell);
        }
        const refused = await work.keep(cell, trained);
        if (refused !== null) {
          problem ??= refused; // the result stays in the queue, and the same command finds it there
          return finish();
        }
        await queue.take(cell);
        working.took.push(seconds);
        work.ended(cell, trained.result, seconds);
        return close(cell);
      }
    }
  };
  const look = async (key: string): Promise<void> => {
    const cell = open.get(key);
    if (!cell || busy.has(key)) return;
    busy.add(key);
    try {
      await settle(cell);
      outage.back();
    } catch {
      outage.lost(); // the next look finds it
    } finally {
      busy.delete(key);
    }
  };
  const lookAtAll = (): void => {
    for (const key of open.keys()) void look(key);
  };

  await queue.listen({
    began: (key) => void (open.has(key) && begin(open.get(key)!)),
    told: (key, share) => {
      const cell = open.get(key);
      if (!cell || busy.has(key) || problem !== null) return;
      begin(cell);
      working.tell(cell, share);
    },
    ended: (key) => void look(key),
  });
  await queue.put(cells);
  lookAtAll(); // what workers have trained since an earlier command
  const looking = setInterval(lookAtAll, LOOK_MS).unref();
  void work.asked.then(() => {
    isAsked = true;
    lookAtAll();
  });
  if (open.size > 0) await finished;
  clearInterval(looking);
  return problem;
}
