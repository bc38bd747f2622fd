import { expect, test } from 'vitest';
import type { SettingValue } from '../../../core/settings.ts';
import { versionRules } from '../../registry.ts';
import type { Versions } from '../types.ts';

const [P, T] = [4, 9];

/** A rule with its default settings at a staleness of k. */
function versionsOf({ params, versions }: (typeof versionRules)[number], staleness: number): Versions {
  const own = Object.entries(params).map(([name, setting]): [string, SettingValue] => [name, setting.default]);
  return versions({ staleness, tasksPerBatch: P, ...Object.fromEntries(own) });
}

/** What plays the batches of twelve updates of two seeds: [update, version of every step] per task group. */
const played = (versions: Versions): (readonly [number, readonly number[]])[] =>
  [3, 8].flatMap((seed) =>
    Array.from({ length: 12 * P }, (_, k) => {
      const [update, task] = [Math.floor(k / P), k % P];
      return [update, Array.from({ length: T }, (__, t) => versions.at(seed, update, task, t, T))] as const;
    }),
  );

test.each(versionRules.map((rule) => [rule.id, rule] as const))(
  '%s: a pure function, at most k updates old, never older within an episode',
  (_, rule) => {
    for (const k of [0, 1, 3, 7]) {
      const versions = versionsOf(rule, k);
      const rows = played(versions);
      for (const [update, steps] of rows) {
        expect(steps).toEqual(steps.toSorted((a, b) => a - b));
        expect(steps[0]).toBeGreaterThanOrEqual(Math.max(0, update - k));
        expect(steps.at(-1)).toBeLessThanOrEqual(update);
      }
      // asked in another order, once more
      expect(played(versions)).toEqual(rows);
      expect(versionsOf(rule, k).at(8, 11, 2, 5, T)).toBe(versions.at(8, 11, 2, 5, T));
    }
    expect(played(versionsOf(rule, 3)).some(([update, steps]) => steps[0]! < update)).toBe(true);
  },
);

test.each(versionRules.map((rule) => [rule.id, rule] as const))(
  '%s says truly whether one version plays a batch, and which metrics it supplies',
  (_, rule) => {
    const versions = versionsOf(rule, 3);
    const rows = played(versions);
    const several = Array.from({ length: 12 }, (__, u) => rows.slice(u * P, (u + 1) * P)).filter(
      (batch) => new Set(batch.flatMap(([, steps]) => steps)).size > 1,
    );
    expect(several.length > 0).toBe(rule.playsOne !== true);
    const supplied = Object.keys(versions.measure?.({ seed: 3, update: 2, B: 8 }) ?? {});
    expect(supplied.sort()).toEqual([...(rule.metrics ?? [])].sort());
  },
);

test('no two rules share the name of a setting', () => {
  const names = versionRules.flatMap(({ params }) => Object.keys(params));
  expect(new Set(names).size).toBe(names.length);
});
