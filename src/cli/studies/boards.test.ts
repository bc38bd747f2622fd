import { expect, test } from 'vitest';
import { makeLevelOf, prepareTask } from '../../config/level.ts';
import { must } from '../../core/problem.ts';
import { BUDGET, configOf, measureNetwork, PART, WAYS } from './boards.ts';
import { boardsTables } from './boardsTables.ts';
import { tablesOf } from './tables.ts';

const [CONV, MLP] = WAYS as readonly [(typeof WAYS)[number], (typeof WAYS)[number]];

test('both networks have as many parameters, to a thousandth, and the same experiment', async () => {
  const [a, b] = [configOf(CONV, 3), configOf(MLP, 3)];
  for (const config of [a, b]) await prepareTask(config);
  const [one, other] = [a, b].map((config) => must(makeLevelOf(config)).policy.layout.parameters);
  expect(Math.abs(one! / other! - 1)).toBeLessThan(1e-3);
  expect({ ...b, policy: null }).toEqual({ ...a, policy: null });
});

test('a seed gives a row for every part of its steps, and the same again', async () => {
  const size = { budget: 6000, part: 3000 };
  const rows = await measureNetwork(MLP, 2, size);
  expect(rows.map(({ at, seed, network }) => [at, seed, network])).toEqual([
    [3000, 2, 'mlp'],
    [6000, 2, 'mlp'],
  ]);
  for (const { success } of rows) expect(success).toBeLessThan(0.6);
  expect(await measureNetwork(MLP, 2, size)).toEqual(rows);
});

test('the tables have both networks at every part, and their difference by seed', () => {
  const row = { rev: 1, parameters: 53_000, budget: BUDGET, at: PART, updates: 20 };
  const tables = tablesOf(
    boardsTables(
      [0, 0.25, 0.5].flatMap((success, k) => [
        { ...row, network: 'conv', seed: k + 1, success: success + 0.25 },
        { ...row, network: 'mlp', seed: k + 1, success },
      ]),
    ),
  );
  expect(tables.map(({ title }) => title)).toEqual([
    `Steps 0 to ${PART}`,
    'Convolution network minus Neural network (MLP), seed by seed',
  ]);
  expect(tables[0]!.rows.map((cells) => [cells[1], cells[3]!.slice(0, 5), cells[4]])).toEqual([
    ['3 seeds', '0.500', '0.250, 0.750'],
    ['3 seeds', '0.250', '0.000, 0.500'],
  ]);
  expect(tables[1]!.rows[0]).toEqual([`0 to ${PART}`, '3 seeds', '0.250 [0.250, 0.250], p 0.25']);
});
