import type { MakeBackend } from '../../engine/backend.ts';
import { nextBatch } from '../../lab/sweep/batches.ts';
import type { Cell } from '../../lab/sweep/expand.ts';
import { trainTogether } from '../../lab/sweep/together.ts';
import type { Work, Working } from './work.ts';

/**
 * Trains the cells on a graphics device in this process: those of one kind as replicas of one run, batch after batch, as
 * far as possible in their order. As `train`: resolves with the sentence of a result that could not be kept, or null.
 */
export async function trainOnGpu(
  cells: readonly Cell[],
  working: Working,
  work: Omit<Work, 'trainers'>,
  makeBackend: MakeBackend,
): Promise<string | null> {
  let rest = cells;
  let problem: string | null = null;
  while (rest.length > 0 && problem === null && !work.isAsked()) {
    const batch = nextBatch(rest, (cell) => cell);
    rest = rest.filter((cell) => !batch.includes(cell));
    const open = new Set(batch);
    const from = work.now();
    for (const cell of batch) working.begin(cell, from);
    const end = (cell: Cell): number => {
      open.delete(cell);
      return working.end(cell, work.now());
    };
    try {
      await trainTogether(batch, {
        makeBackend,
        async between(shares) {
          for (const [k, cell] of batch.entries()) if (open.has(cell)) working.tell(cell, shares[k]!);
          await new Promise((resolve) => setImmediate(resolve)); // signals are heard here
        },
        async ended(k, ended) {
          const cell = batch[k]!;
          const seconds = end(cell);
          if ('problem' in ended) return work.ended(cell, ended.problem, seconds);
          const csv = ended.series.csv(Uint32Array.of(cell.seed));
          const refused = await work.keep(cell, { result: ended.result, csv });
          if (refused !== null) {
            problem ??= refused;
            return;
          }
          // a batch takes as long as all of its cells: each has its share of it
          working.took.push(seconds / batch.length);
          work.ended(cell, ended.result, seconds);
        },
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      for (const cell of [...open]) work.ended(cell, `Its batch on the GPU stopped: ${why}`, end(cell));
    }
  }
  return problem;
}
