import { describe, expect, test } from 'vitest';
import { must } from '../core/problem.ts';
import { defaultsOf, type AnyValues } from '../core/settings.ts';
import { rungAt, rungOf } from '../contract/taskContext.ts';
import { LADDER } from './ladder.ts';
import { environments } from './registry.ts';
import type { Environment } from './types.ts';

const MORE = Array.from({ length: 12 }, (_, k) => 256 * (k + 1));
const SEEDS = [3, 77_000_000, 4_000_000_001];

function settingsOf(env: Environment, changes: AnyValues = {}): AnyValues {
  return { ...defaultsOf(env.settings), level: 'ladder', ...changes };
}

function levelOf(env: Environment, seed: number, changes: AnyValues = {}): unknown {
  return must(env.level(settingsOf(env, changes), defaultsOf(env.rewards), seed));
}

test('a seed with a rung names it again, and leaves the other bits alone; any seed names one', () => {
  const rows = [9, 30, 1];
  expect(rungOf(rungAt(0xffffffff, 1, 29), rows)).toEqual({ family: 1, row: 29 });
  expect(rungAt(0xabcdef12, 2, 0)).toBe(0xabcdef40);
  for (let seed = 0; seed < 300; seed++) {
    const { family, row } = rungOf(seed, rows);
    expect(row).toBeLessThan(rows[family]!);
  }
});

describe.each(environments.map((env) => [env.id, env] as const))('the ladder of %s', (_id, env) => {
  const families = env.families!(settingsOf(env));

  test('exists on its level alone, with at most 5 families of at most 30 rows', () => {
    expect(env.families!(defaultsOf(env.settings))).toEqual([]);
    expect(families.length).toBeGreaterThan(1);
    expect(families.length).toBeLessThanOrEqual(LADDER.families);
    for (const { rows } of families) {
      expect(rows.length).toBeGreaterThan(1);
      expect(rows.length).toBeLessThanOrEqual(LADDER.rows);
    }
  });

  test('has levels that can be solved within the step limit, all of the same size, for every row', () => {
    const usual = levelOf(env, 1);
    families.forEach(({ id, rows }, family) => {
      for (let row = 0; row < rows.length; row++) {
        for (const seed of SEEDS) {
          const level = levelOf(env, rungAt(seed, family, row));
          const path = env.shortestPath(level);
          const where = `${id}, row ${row}, seed ${seed}`;
          expect(path, where).not.toBeNull();
          expect(path!.length, where).toBeLessThan(env.maxSteps(level));
          expect(env.features(level), where).toBe(env.features(usual));
          expect(env.maxSteps(level), where).toBe(env.maxSteps(usual));
          expect(env.actions(level), where).toEqual(env.actions(usual));
          expect(env.gpu!.packLevel(level).length, where).toBe(env.gpu!.packLevel(usual).length);
        }
      }
    });
  });

  test('gets harder: the mean shortest path of the last row is longer than that of the first', () => {
    families.forEach(({ id, rows }, family) => {
      const meanPath = (row: number): number =>
        MORE.reduce((sum, seed) => sum + env.shortestPath(levelOf(env, rungAt(seed, family, row)))!.length, 0);
      expect(meanPath(rows.length - 1), id).toBeGreaterThan(meanPath(0));
    });
  });

  test('is as large in words, and refuses a table of states', () => {
    const lengths = families.flatMap(({ rows }, family) =>
      rows.map((_, row) => env.language.length(levelOf(env, rungAt(9, family, row), { view: 'tokens' }))),
    );
    expect(new Set(lengths).size).toBe(1);
    expect(env.level(settingsOf(env, { view: 'index' }), defaultsOf(env.rewards), 1).ok).toBe(false);
  });
});
