import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TAG } from '../../contract/tags.ts';
import { defaultsOf } from '../../core/settings.ts';
import { tagRewards, validTags } from '../reward/earnedTags.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { rlvmr } from './rlvmr.ts';
import { sampleBatch } from './sampleBatch.ts';

const { plan, explore, reflect, monitor } = TAG;
const usual = defaultsOf(rlvmr.params);

test('two episodes by hand: what each tag earns, and how steps with the same tag compare', () => {
  const batch = sampleBatch([
    // succeeds: a plan, a step that finds something, a bump, a reflection on it
    {
      reward: [0, 0, 0, 1],
      tag: [plan, explore, explore, reflect],
      action: [0, 1, 2, 3],
      novel: [1, 1, 0, 1],
      invalid: [0, 0, 1, 0],
    },
    // fails: a plan, a reflection on nothing, a step that finds nothing, and the same bump again that is no reflection
    { reward: [0, 0, 0, 0], tag: [plan, reflect, explore, monitor], action: [0, 1, 2, 2], novel: [1, 1, 0, 1] },
  ]);
  expect([...validTags(batch)]).toEqual([plan, explore, 0, reflect, plan, reflect, explore, monitor]);
  expect([...tagRewards(batch, 'state')]).toEqual([1, 1, 0, 1, 0, 0, 0, 0]);
  const { A, parts } = rlvmr.run(batch, { ...usual, mode: 'mean', alpha: 0.5 });
  // R: 1 and 0, mean ½. plan, explore and reflect: 1 and 0 each; none and monitor: one step each
  const step = [0.25, 0.25, 0, 0.25, -0.25, -0.25, -0.25, 0];
  expect([...parts!['episode']!]).toEqual([0.5, 0.5, 0.5, 0.5, -0.5, -0.5, -0.5, -0.5]);
  expect([...parts!['step']!]).toEqual(step);
  expect([...A]).toEqual(step.map((x, k) => x + (k < 4 ? 0.5 : -0.5)));
});

test('at step 0 there is nothing to reflect on, and doing the refused thing again is no reflection', () => {
  const batch = sampleBatch([
    { reward: [0, 0, 0], tag: [reflect, reflect, reflect], action: [1, 2, 2], invalid: [0, 1, 0] },
    { reward: [0, 0, 0], tag: [reflect, reflect, reflect], action: [1, 2, 3], invalid: [0, 1, 0] },
  ]);
  expect([...tagRewards(batch, 'state')]).toEqual([0, 0, 0, 0, 0, 1]);
});

test('a new action is one that was not possible before in this episode', () => {
  const batch = sampleBatch([
    { reward: [0, 0, 0, 0], tag: [explore, explore, explore, explore], action: [1, 1, 2, 2], invalid: [0, 0, 1, 0] },
  ]);
  expect([...tagRewards(batch, 'action')]).toEqual([1, 0, 0, 1]);
});

test('law: within a task, the steps of each tag share out nothing: their parts sum to 0, so no tag pays for being chosen', () => {
  fc.assert(
    fc.property(
      arbitraryBatch,
      fc.constantFrom('std', 'mean'),
      fc.constantFrom('state', 'action'),
      (batch, mode, news) => {
        const { step } = rlvmr.run(batch, { ...usual, mode, news, alpha: 1 }).parts as { step: Float32Array };
        const tag = validTags(batch);
        const sums = new Map<string, number>();
        for (let i = 0; i < batch.B; i++)
          for (let k = i * batch.T; k < i * batch.T + batch.length[i]!; k++) {
            const set = `${batch.taskIndex[i]} ${tag[k]}`;
            sums.set(set, (sums.get(set) ?? 0) + step[k]!);
          }
        // at most 63 numbers of size 8, each rounded once
        sums.forEach((sum) => expect(Math.abs(sum)).toBeLessThan(63 * 8 * 2 ** -24));
      },
    ),
  );
});

test('law: without tags nothing but the outcome counts', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const { parts } = rlvmr.run({ ...batch, tag: new Float32Array(batch.B * batch.T) }, usual);
      expect(parts!['step']!.every((x) => x === 0)).toBe(true);
    }),
  );
});
