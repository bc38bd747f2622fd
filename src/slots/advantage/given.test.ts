import { expect, test } from 'vitest';
import type { Batch } from '../../contract/columns.ts';
import { gigpoSimilar } from './gigpoSimilar.ts';
import { given, missingData } from './given.ts';
import { grpo } from './grpo.ts';
import { remax } from './remax.ts';
import { arpo } from './arpo.ts';
import { sampleBatch } from './sampleBatch.ts';

test('a method whose data nobody records is named with what it lacks', () => {
  expect(missingData(remax)).toBe(
    'ReMax needs the return of one greedy episode of each task, which this experiment does not record',
  );
  expect(missingData(remax, ['greedyReturn'])).toBeNull();
  expect(missingData(arpo, ['branchParent'])).toContain('forked');
  expect(missingData(arpo)!.match(/forked/g)).toHaveLength(1);
  expect(missingData(grpo)).toBeNull();
});

test('data that is not there stops the run instead of counting as 0', () => {
  const { obsCells: _cells, ...rest } = sampleBatch([{ reward: [0] }]);
  const batch: Batch = rest;
  expect(() => given(batch, 'obsCells')).toThrow('The batch does not hold the observation of each step as cells.');
  const params = {
    omega: 1,
    gamma: 1,
    mode: 'std',
    episodeRows: 'trajectories',
    threshold: 1,
    compare: 'cells',
  } as const;
  expect(() => gigpoSimilar.run(batch, params)).toThrow('observation');
});
