import { trainRun } from '../sweep/cell.ts';
import type { Cell } from '../sweep/expand.ts';
import { isRepeatable } from '../sweep/limit.ts';
import { lastBatch } from './lastBatch.ts';
import type { Final } from './weightLimit.ts';

/**
 * Weights and last batch of a finished cell. A sweep keeps neither: the CPU path repeats every bit, so the cell trains
 * again, and only what comes to the digest that was kept counts as its own. A text is the sentence of why there are none.
 */
export async function finalOf(
  cell: Cell,
  digest: string,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<Final | string> {
  if (cell.config.run['backend'] !== 'cpu') return 'it was trained on a GPU, which another training may not repeat';
  if (!isRepeatable(cell.limit)) return 'seconds ended it, which another training does not repeat';
  const trained = await trainRun(cell, { between });
  if ('problem' in trained) return trained.problem;
  const { result, run } = trained;
  if (result.digest !== digest) return 'trained again it has another digest than it had';
  if (result.diverged !== undefined) return `it diverged in update ${result.diverged}`;
  // the arrays of the CPU path are there as long as the run is
  const { perSeed } = await run.digest();
  return { state: (await run.checkpoint()).state, batch: await lastBatch(run, 0), perSeed };
}
