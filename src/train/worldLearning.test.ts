import { describe, expect, test } from 'vitest';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { metricIndex } from '../methods/analysis/metrics.ts';
import { createRun } from './run.ts';

/** Mean success of the first and of the last ten updates, per seed, after a whole preset on the CPU path. */
async function successOf(preset: string, changes: Record<string, unknown> = {}) {
  const config = configWith(
    { 'run.backend': 'cpu', 'analysis.evalEvery': 0, ...changes },
    presetConfig(presetById(preset)!),
  );
  const run = must(await createRun(config));
  const { S, updates } = run.plan;
  while (run.update < updates) await run.submit();
  const mean = (s: number, from: number): number => {
    let total = 0;
    for (let u = from; u < from + 10; u++) total += run.series.at(u, s, metricIndex.success);
    return total / 10;
  };
  const seeds = Array.from({ length: S }, (_, s) => s);
  return { first: seeds.map((s) => mean(s, 0)), last: seeds.map((s) => mean(s, updates - 10)) };
}

// The CPU path gives equal bits everywhere, so these runs either always pass or never.
describe('every seed reaches 0.8', () => {
  test('Sokoban, 6×6 with one box, five boards', async () => {
    const { first, last } = await successOf('sokoban-one-box');
    expect(last).toHaveLength(5);
    expect(Math.max(...first)).toBeLessThan(0.5);
    expect(Math.min(...last), last.join(' ')).toBeGreaterThanOrEqual(0.8);
  });

  test('text-maze with two rooms and one key, five seeds', async () => {
    const { first, last } = await successOf('maze-two-rooms', { 'run.seeds': 5 });
    expect(Math.max(...first)).toBeLessThan(0.3);
    expect(Math.min(...last), last.join(' ')).toBeGreaterThanOrEqual(0.8);
  });

  test('the same maze, commands written word by word by the transformer, three seeds', async () => {
    const { first, last } = await successOf('maze-written', { 'run.seeds': 3 });
    expect(Math.max(...first)).toBeLessThan(0.3);
    expect(Math.min(...last), last.join(' ')).toBeGreaterThanOrEqual(0.8);
  });

  test('three locks one behind the other, started from a few solutions, three seeds', async () => {
    const { last } = await successOf('maze-chain-three-cloned', { 'run.seeds': 3 });
    expect(Math.min(...last), last.join(' ')).toBeGreaterThanOrEqual(0.8);
  });
});

test('without those solutions three locks are never opened', async () => {
  const { last } = await successOf('maze-chain-three-cloned', {
    'run.seeds': 3,
    'run.updates': 40,
    'policy.cloneEpisodes': 0,
  });
  expect(Math.max(...last)).toBe(0);
});
