import { expect, test } from 'vitest';
import { presetById } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan } from './plan.ts';
import { Run } from './run.ts';
import { Snapshots } from '../lab/snapshot.ts';

test('as its experiment says, each written word learns with the credit of its step', async () => {
  expect(presetById('maze-written')!.look).toContain('each word learns from the credit of its step');
  // refused commands cost something, so that episodes differ from the first update on
  const written = {
    'reward.textmaze.invalid': -100,
    'task.method': 'textmaze',
    'policy.method': 'transformer',
    'policy.transformer.width': 16,
  };
  const plan = must(
    makePlan(
      configWith({
        ...{ ...written, 'policy.transformer.layers': 1, 'run.seeds': 1, 'analysis.evalEvery': 0 },
        ...{ 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 4, 'objective.epochs': 1, 'objective.minibatches': 1 },
      }),
    ),
  );
  const learned: number[] = [];
  const coefficient: typeof plan.objective.coefficient = (unit, params, out) => {
    learned.push(Math.fround(unit.A));
    plan.objective.coefficient(unit, params, out);
  };
  const run = await Run.create({ ...plan, objective: { ...plan.objective, coefficient } }, makeCpuBackend);
  await run.submit();
  const { A, T, length, written: words } = await new Snapshots().make(run, 0);
  expect(A.some((x) => x !== 0)).toBe(true);
  const expected = Array.from(length).flatMap((n, i) =>
    Array.from({ length: n }, (_, t) => i * T + t).flatMap((k) =>
      words!.commands[words!.command[k]!]!.decided.filter(Boolean).map(() => A[k]!),
    ),
  );
  expect(expected.length).toBeGreaterThan(length.reduce((a, b) => a + b, 0));
  const sorted = (x: readonly number[]): number[] => [...x].sort((a, b) => a - b);
  // the batch is looked at once more at the end of the update
  expect(sorted(learned.slice(0, expected.length))).toEqual(sorted(expected));
});
