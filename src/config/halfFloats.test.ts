import { expect, test } from 'vitest';
import { estimateCost } from './cost.ts';
import { checkRules } from './rules.ts';
import { configWith } from './schema.ts';

const F16 = { 'policy.mlp.storage': 'f16' };
const about = (changes: Record<string, unknown>): string[] =>
  checkRules(configWith({ ...F16, ...changes }))
    .filter(({ path }) => path === 'policy.mlp.storage')
    .map(({ severity, message }) => `${severity}: ${message}`);

test('half floats say where they have no effect', () => {
  expect(about({ 'policy.mlp.hidden': [64, 64] })).toEqual([]);
  expect(about({ 'policy.mlp.hidden': [13, 64, 8] })).toEqual([]);
  for (const hidden of [[64], [64, 13], [4, 4]])
    expect(about({ 'policy.mlp.hidden': hidden })[0]).toContain('hint: has no effect without two hidden layers');
  expect(about({ 'policy.mlp.hidden': [64, 64], 'run.backend': 'cpu' })).toEqual(['hint: has no effect on the CPU']);
  expect(about({ 'policy.method': 'tabular' })).toEqual([]);
});

test('their copies are counted: half of two layers and of the weights', () => {
  const sizes = { 'policy.mlp.hidden': [64, 32], 'run.seeds': 2, 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 8 };
  const bytes = (changes: Record<string, unknown>): number =>
    estimateCost(configWith({ ...sizes, ...changes }), null)!.bytes;
  const config = configWith(sizes);
  const { parameters, stepsPerUpdate } = estimateCost(config, null)!;
  const more = bytes(F16) - bytes({});
  // in bytes: two a number of the steps; parameters are padded to multiples of four
  expect(more - 2 * 96 * stepsPerUpdate).toBeGreaterThanOrEqual(2 * 2 * parameters);
  expect(more - 2 * 96 * stepsPerUpdate).toBeLessThan(2 * 2 * (parameters + 24));
  expect(bytes({ ...F16, 'policy.mlp.hidden': [64] })).toBe(bytes({ 'policy.mlp.hidden': [64] }));
});
