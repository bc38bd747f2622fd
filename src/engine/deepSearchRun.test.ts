import { expect, test } from 'vitest';
import { originOf } from '../contract/rows.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { createRun } from './run.ts';

test('in a run every task grows one tree: its openings share their parent and step, and only fresh episodes are measured', async () => {
  const config = configWith({ 'run.seeds': 1, 'analysis.evalEvery': 0 }, presetConfig(presetById('key-door-search')!));
  const run = must(await createRun(config));
  for (let u = 0; u < 3; u++) await run.submit();
  const { batch } = await run.backend.view(0);
  const { B, taskIndex, branchParent, branchStep, origin, measured } = batch as typeof batch &
    Record<string, Uint32Array>;
  const { P, G } = run.plan;
  for (let task = 0; task < P; task++) {
    const rows = Array.from({ length: B }, (_, i) => i).filter((i) => taskIndex[i] === task);
    expect(rows).toHaveLength(G);
    rows.forEach((i, k) => {
      const isFresh = k < 2;
      expect(origin![i]).toBe(originOf(isFresh ? 'own' : 'search'));
      expect(measured![i]).toBe(isFresh ? 1 : 0);
      const twin = rows[k - (k % 2)]!;
      if (!isFresh) expect([branchParent![i], branchStep![i]]).toEqual([branchParent![twin], branchStep![twin]]);
      if (!isFresh) expect(branchParent![i]).toBeGreaterThanOrEqual(0);
    });
  }
});
