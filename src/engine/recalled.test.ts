import { expect, test } from 'vitest';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { scaleOf } from '../envs/perturb/recalled.ts';
import { presetById } from '../config/presets.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { makePlan } from './plan.ts';
import { sampleRun, train } from './sampleRun.ts';

const ROOM = { 'task.grid.level': 'fourRooms', 'task.library.on': true, 'run.seeds': 1 };

test('the scale of a count: 0, then more than 0.42, 1.89, 4.87 and 10.93 times', () => {
  expect([0, 0.4, 0.45, 1.8, 1.95, 4.8, 4.95, 10.9, 11, 1000].map(scaleOf)).toEqual([0, 0, 1, 1, 3, 3, 7, 7, 15, 15]);
});

test('what is written into a state is seen, and changes neither the world nor what states are the same', () => {
  const { env, obsWords, level, firstLevelSeed } = must(makePlan(configWith(ROOM)));
  const made = level(firstLevelSeed);
  const actions = env.actions(made).length;
  const [a, b] = [new Uint32Array(env.words), new Uint32Array(env.words)];
  const seen = (state: Uint32Array): Uint32Array => {
    const obs = new Uint32Array(obsWords);
    env.observe(made, state, 0, obs, 0);
    return obs;
  };
  const keyOf = (state: Uint32Array): number[] => {
    const key = new Uint32Array(2);
    env.key(made, state, 0, key, 0);
    return [...key];
  };
  env.reset(made, a, 0);
  env.reset(made, b, 0);
  const counts = new Float32Array(2 * actions);
  [counts[0], counts[actions + 2]] = [2, 20];
  env.recalls!.write(made, b, 0, counts);
  expect(env.recalls!.told(made, b, 0)).toBe(`good: ${env.actions(made)[0]}; bad: ${env.actions(made)[2]}`);
  expect([keyOf(b), env.layer(b, 0), env.cell(b, 0)]).toEqual([keyOf(a), env.layer(a, 0), env.cell(a, 0)]);
  const own = obsWords - Math.ceil(actions / 4);
  expect(seen(b).subarray(0, own)).toEqual(seen(a).subarray(0, own));
  const nibble = (n: number): number => (seen(b)[own + (n >>> 3)]! >>> (4 * (n & 7))) & 15;
  const nibbles = Array.from({ length: 2 * actions }, (_, n) => nibble(n));
  expect(nibbles).toEqual(nibbles.map((_, n) => (n === 0 ? 3 : n === actions + 2 ? 15 : 0)));
  const [one, other] = [
    { reward: 0, flags: 0 },
    { reward: 0, flags: 0 },
  ];
  env.step(made, a, 0, { action: 0, seed: 1 }, one);
  env.step(made, b, 0, { action: 0, seed: 1 }, other);
  expect([other, keyOf(b)]).toEqual([one, keyOf(a)]);
  env.recalls!.write(made, b, 0, null);
  expect([env.recalls!.told(made, b, 0), b]).toEqual([null, a]);
});

test('the form offers the room that the library needs', () => {
  const errors = checkRules(configWith({ 'rollout.method': 'sleaRl', 'run.backend': 'cpu' })).filter(
    ({ severity }) => severity === 'error',
  );
  expect(errors).toMatchObject([
    { path: 'rollout.method', repair: { set: [{ path: 'task.library.on', value: true }] } },
  ]);
});

const lateOf = async (changes: Readonly<Record<string, unknown>>): Promise<number[]> => {
  const run = await sampleRun({ ...presetById('key-library')!.changes, 'run.backend': 'cpu', ...changes });
  const records = await train(run, 60);
  return Array.from({ length: 5 }, (_, s) => {
    const all = records.map(({ metrics }) => metrics[s * METRICS + metricIndex.evalSuccess]!);
    const measured = all.filter((x) => !Number.isNaN(x));
    return measured.reduce((sum, x) => sum + x, 0) / measured.length;
  });
};

test('the memory solves part of the task: evaluated without it the same agents do worse', async () => {
  const alone = await lateOf({});
  const together = await lateOf({ 'rollout.sleaRl.evaluated': 'library' });
  const gained = together.map((x, s) => x - alone[s]!);
  expect(gained.filter((x) => x > 0.03).length).toBeGreaterThanOrEqual(4);
  expect(Math.min(...gained)).toBeGreaterThan(-0.02);
});

test('what a batch was shown stands in its states: four of five episodes see the library, and every other one never does', async () => {
  const run = await sampleRun({ ...presetById('key-library')!.changes, 'run.backend': 'cpu', 'run.seeds': 1 });
  await train(run, 6);
  const { batch, state } = await run.backend.view(0);
  const { words, recalls } = run.whole.env;
  const level = run.whole.level(run.whole.firstLevelSeed);
  const shows = Array.from({ length: batch.B }, (_, i) =>
    Array.from({ length: batch.length[i]! }, (_step, t) =>
      recalls!.told(level, state, (i * (batch.T + 1) + t) * words),
    ),
  );
  const seeing = shows.filter((steps) => steps.some((told) => told !== null)).length;
  expect(seeing).toBeGreaterThan(0.55 * batch.B);
  expect(seeing).toBeLessThan(batch.B);
});
