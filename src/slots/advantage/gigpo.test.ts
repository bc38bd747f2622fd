import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { gigpo } from './gigpo.ts';
import { grpo } from './grpo.ts';
import { sampleBatch } from './sampleBatch.ts';

const params = { ...defaultsOf(gigpo.params), mode: 'mean' } as const;

test('a junction met by both trajectories, by hand', () => {
  // γ = 0.5, subtract means only. Episode: R = 1, 0 → ±0.5. State 7: G = 0.5·1 and 0 → ±0.25. Others are met once: 0.
  const list = [
    { reward: [0, 1], state: [7, 8] },
    { reward: [0, 0], state: [7, 9] },
  ];
  const { A, parts } = gigpo.run(sampleBatch(list), { ...params, gamma: 0.5 });
  expect([...parts!['episode']!]).toEqual([0.5, 0.5, -0.5, -0.5]);
  expect([...parts!['step']!]).toEqual([0.25, 0, -0.25, 0]);
  expect([...A]).toEqual([0.75, 0.5, -0.75, -0.5]);
});

test('equal states of different tasks are not compared', () => {
  const list = [
    { task: 0, reward: [1], state: [7] },
    { task: 1, reward: [0], state: [7] },
  ];
  expect([...gigpo.run(sampleBatch(list), params).A]).toEqual([0, 0]);
});

test('coming back to a state after a detour makes the detour’s first visit worse than the second', () => {
  const list = [{ reward: [0, 0, 1], state: [7, 8, 7] }];
  const { A } = gigpo.run(sampleBatch(list), params);
  expect(A[0]).toBeLessThan(0);
  expect(A[2]).toBeGreaterThan(0);
});

test('counted per step, a long failure pulls the mean of the group down', () => {
  // R = 1 over one step, 0 over three: mean over trajectories 1/2, over steps 1/4
  const list = [{ reward: [1] }, { reward: [0, 0, 0] }];
  const rows = gigpo.run(sampleBatch(list), { ...params, episodeRows: 'steps' });
  expect(rows.parts!['episode']![0]).toBeCloseTo(0.75, 6);
  expect(gigpo.run(sampleBatch(list), params).parts!['episode']![0]).toBeCloseTo(0.5, 6);
});

test('where no state is met twice it is GRPO, and ω = 0 always is', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const unique = sampleBatch(list.map((x) => ({ task: x.task ?? 0, reward: x.reward })));
      expect(gigpo.run(unique, defaultsOf(gigpo.params)).A).toEqual(grpo.run(unique, defaultsOf(grpo.params)).A);
      const batch = sampleBatch(list);
      expect(gigpo.run(batch, { ...defaultsOf(gigpo.params), omega: 0 }).A).toEqual(
        grpo.run(batch, defaultsOf(grpo.params)).A,
      );
    }),
  );
});

test.each(['gigpoStd', 'gigpoMean', 'gigpoStepRowsStd'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
