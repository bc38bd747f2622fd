import { expect } from 'vitest';
import { trainCell, type CellResult, type Trained } from '../../lab/sweep/cell.ts';
import type { Cell, Sweep } from '../../lab/sweep/expand.ts';
import { SweepFolder } from './folder.ts';

type Train = (cell: Cell, between: () => Promise<void>) => Promise<Trained>;

/** For tests: trains all cells of a sweep and keeps them in a folder, as the command line does; their results. */
export async function fillFolder(at: string, sweep: Sweep, train: Train = trainCell): Promise<CellResult[]> {
  const folder = new SweepFolder(at);
  expect(await folder.enter(sweep)).toBeNull();
  expect(await folder.open(sweep, () => undefined)).toBeNull();
  const results: CellResult[] = [];
  for (const cell of sweep.cells) {
    const trained = await train(cell, () => Promise.resolve());
    if ('problem' in trained) throw new Error(trained.problem);
    expect(await folder.keep(cell, trained)).toBeNull();
    results.push(trained.result);
  }
  await folder.leave();
  return results;
}
