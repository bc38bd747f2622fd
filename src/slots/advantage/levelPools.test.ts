import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import type { Estimator } from '../types.ts';
import { gigpo } from './gigpo.ts';
import { grpo } from './grpo.ts';
import { hgpo } from './hgpo.ts';
import { withLevelPools } from './levelPools.ts';
import { sampleBatch } from './sampleBatch.ts';

/** Three tasks of two episodes; the first and the last play the same level. All begin in state 7 and go on in 8. */
const plain = sampleBatch([
  { task: 0, reward: [0, 1], state: [7, 8], action: [0, 0] },
  { task: 0, reward: [0, 1], state: [7, 8], action: [1, 0] },
  { task: 1, reward: [0, 1], state: [7, 8], action: [0, 0] },
  { task: 1, reward: [0, 0], state: [7, 8], action: [1, 0] },
  { task: 2, reward: [0, 0], state: [7, 8], action: [0, 0] },
  { task: 2, reward: [0, 0], state: [7, 8], action: [1, 0] },
]);
const batch = { ...plain, levelPool: Uint32Array.of(0, 0, 1, 1, 0, 0) };

const creditOf = (estimator: Estimator) =>
  estimator.run(batch, { ...defaultsOf(estimator.params), gamma: 1, mode: 'mean' } as never);

test('a state is compared over tasks of one level, an episode within its task', () => {
  const alone = creditOf(gigpo as Estimator);
  const pooled = creditOf(withLevelPools(gigpo as Estimator, true));
  // by themselves the tasks 0 and 2 are silent; together their returns are 1, 1, 0, 0 with mean 1/2
  expect([...alone.parts!['step']!]).toEqual([0, 0, 0, 0, 0.5, 0.5, -0.5, -0.5, 0, 0, 0, 0]);
  expect([...pooled.parts!['step']!]).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, -0.5, -0.5, -0.5, -0.5, -0.5, -0.5]);
  expect(pooled.parts!['episode']).toEqual(alone.parts!['episode']);
});

test('windows of HGPO span tasks as well, and what each task has for itself pools to the same', () => {
  const made = withLevelPools(hgpo as Estimator, true);
  expect(creditOf(made).A).not.toEqual(creditOf(hgpo as Estimator).A);
  const own = { ...batch, levelPool: batch.taskIndex };
  const params = { ...defaultsOf(hgpo.params) } as never;
  expect(made.run(own, params).A).toEqual(hgpo.run(own, params).A);
});

test('an estimator that compares no states is what it was, and so is any without pools', () => {
  expect(withLevelPools(grpo as Estimator, true)).toBe(grpo);
  expect(withLevelPools(gigpo as Estimator, false)).toBe(gigpo);
});
