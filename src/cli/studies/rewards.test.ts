import { expect, test } from 'vitest';
import { presets, twinOf } from '../../config/presets.ts';
import { rewards } from '../../slots/registry.ts';
import { TASKS } from './creditFidelity.ts';
import { BASES, changesOf, ended, measureRewards, WAYS, WORLD } from './rewards.ts';
import { rewardTables } from './rewardTables.ts';
import type { Row } from './rows.ts';
import { tablesOf } from './tables.ts';

const key = TASKS[0]!;
const way = (id: string) => WAYS.find((w) => w.id === id)!;

test('every reward module is a row, and after it the forms of papers and the one that is known to be farmed', () => {
  const ids = WAYS.map(({ id }) => id);
  expect(ids[0]).toBe(WORLD.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => rewards.some((r) => r.id === id))).toEqual(rewards.map(({ id }) => id));
  const farmed = presets.filter((p) => p.mends === undefined && twinOf(p)).map(({ id }) => id);
  expect(farmed.length).toBeGreaterThan(3);
  expect(ids).toEqual(expect.arrayContaining(farmed));
  const papers = ['prs', 'hrm', 'hierSearch', 'shopR1', 'thor', 'toolStar'];
  expect(ids.filter((id) => id.startsWith('ladder-'))).toEqual(papers.map((name) => `ladder-${name}`));
  expect(changesOf(key, way('hack-progress'), 3)['reward.progress.w']).toBe(3);
});

test('every row is compared with the same world, so that only what is done to the reward or its credit differs', () => {
  for (const { id, changes, against = WORLD.id } of WAYS.filter((w) => !BASES.includes(w))) {
    const base = BASES.find((w) => w.id === against)!;
    const differ = Object.keys(changes).filter((name) => changes[name] !== base.changes[name]);
    expect(Object.keys(changes), id).toEqual(expect.arrayContaining(Object.keys(base.changes)));
    expect(differ.length, id).toBeGreaterThan(0);
    for (const name of differ) expect(name, id).toMatch(/^(reward|advantage)\./);
  }
});

test('steps to success are those of the first five batches that have it on average', () => {
  const steps = [100, 200, 300, 400, 500, 600, 700];
  const shaped = [1, 2, 3, 4, 5, 6, 7];
  const reached = ended({ success: [1, 1, 0, 0.5, 1, 1, 1], shaped, steps });
  // 3.5 of 5, 3.5 of 5, 3.5 of 5
  expect(reached['steps']).toBe(Infinity);
  expect(ended({ success: [0, 1, 0.5, 0.5, 1, 1, 1], shaped, steps })['steps']).toBe(600);
  expect(ended({ success: [0, 1, 0.5, 0.5, 1, 1, 1], shaped, steps })).toMatchObject({
    updates: 7,
    shaped: 4,
    first: 4,
  });
});

test('seeds end when their own environment steps are over, and do not know of each other', async () => {
  const budget = 4000;
  const [two, three] = [
    await measureRewards(key, way('pbrs'), 2, budget),
    await measureRewards(key, way('pbrs'), 3, budget),
  ];
  expect(three.slice(0, 2)).toEqual(two);
  for (const row of three) {
    expect(row).toMatchObject({ task: 'grid', way: 'pbrs', budget });
    expect(row['lost']).toBeGreaterThan(0.3);
    expect(row['lost']).toBeLessThanOrEqual(1);
  }
  const world = await measureRewards(key, WORLD, 2, budget);
  expect(world.map((row) => row['first'])).toEqual(world.map((row) => row['success']).map(() => expect.any(Number)));
  expect(world[0]).not.toEqual(two[0]);
});

test('the tables compare with the world alone, and name what was not measured', () => {
  const rows: Row[] = [WORLD, way('pbrs')].flatMap(({ id, rev }, k) =>
    [1, 2, 3, 4, 5].map((seed) => ({
      ...{
        task: 'grid',
        way: id,
        rev,
        budget: 1000,
        seed,
        success: 0.5 + k / 4,
        first: 0,
        shaped: 1,
        lost: 0.5 - k / 4,
      },
      ...{ steps: k === 0 ? Infinity : 600 + seed, updates: 9 },
    })),
  );
  const text = rewardTables(rows);
  const [equal, less] = tablesOf(text);
  expect(equal!.rows.map((row) => row[0])).toEqual([WORLD.title, way('pbrs').title]);
  expect(equal!.rows[0]![4]).toBe('> 1000, 0 of 5');
  expect(equal!.rows[1]![4]).toBe('603 [601, 605], 5 of 5');
  // five seeds that all agree: 2 of 2⁵ patterns, twice after Holm
  expect(less!.rows).toEqual([
    [way('pbrs').title, '5 seeds', '+0.25 [+0.25, +0.25], p 0.13', '-398 [-399, -397], p 0.13'],
  ]);
  expect(text).toContain('Not measured yet: Gated rewards (G-RA)');
  expect(tablesOf(text)).toHaveLength(2);
  // what needs more than a module is compared with the world that has the same
  const others = rows.map((row): Row => ({ ...row, way: row['way'] === WORLD.id ? 'world-thoughts' : 'rlvmr' }));
  const apart = tablesOf(rewardTables([...rows, ...others])).slice(0, 3);
  expect(apart.map(({ rows: found }) => found.length)).toEqual([4, 1, 1]);
  expect(apart[2]!.title).toBe(`${key.title}: seed by seed, less ${way('world-thoughts').title}`);
  expect(apart[2]!.rows[0]![0]).toBe(way('rlvmr').title);
  // a way that is measured in another revision is not measured
  expect(rewardTables(rows.map((row) => ({ ...row, rev: 99 })))).not.toContain('at equal environment steps');
});
