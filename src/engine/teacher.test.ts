import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { tell } from '../envs/perturb/taught.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { makePlan, makeTasks, type Plan } from './plan.ts';
import { sampleRun, train } from './sampleRun.ts';

const planOf = (changes: Record<string, unknown>): Plan =>
  must(makePlan(configWith({ 'task.teacher.on': true, 'run.seeds': 1, ...changes })));
const ROOM = { 'task.grid.level': 'custom', 'task.grid.text': 'a.S.A.G', 'task.grid.maxSteps': 30 };
const WORLDS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['grid-world', {}],
  ['Sokoban', { 'task.method': 'sokoban' }],
  ['text-maze', { 'task.method': 'textmaze', 'task.textmaze.level': 'tree', 'task.textmaze.chain': 2 }],
];

/** What is told in each state of an episode, and which share was reached, with the level of a telling. */
function walk(plan: Plan, actions: readonly number[], telling = 1) {
  const { env } = plan;
  const level = plan.level(plan.firstLevelSeed, 0, telling);
  const state = new Uint32Array(env.words);
  const result = { reward: 0, flags: 0 };
  env.reset(level, state, 0);
  const seen = [{ told: env.teaches!.told(state, 0), reached: env.teaches!.reached(level, state, 0) }];
  for (const action of actions) {
    env.step(level, state, 0, { action, seed: 1 }, result);
    seen.push({ told: env.teaches!.told(state, 0), reached: env.teaches!.reached(level, state, 0) });
  }
  return { seen, state, level };
}
const times = (n: number, action: number): number[] => Array<number>(n).fill(action);

test('by hand: take the key, unlock the door, reach the goal, each once; then nothing is told', () => {
  const { seen } = walk(planOf(ROOM), [...times(2, 2), ...times(6, 0)]);
  expect(seen.map(({ told }) => told)).toEqual([
    ...times(2, 0).map(() => 'take red key'),
    ...times(4, 0).map(() => 'unlock red door'),
    ...times(2, 0).map(() => 'reach goal'),
    '',
  ]);
  expect(seen.map(({ reached }) => Math.round(3 * reached))).toEqual([0, 0, 1, 1, 1, 1, 2, 2, 3]);
});

test('what is not reached in time is given up, unpaid, and what holds already is passed over', () => {
  const { seen } = walk(planOf({ ...ROOM, 'task.teacher.patience': 3 }), [...times(6, 0), ...times(4, 2)]);
  expect(seen.map(({ told }) => told.split(' ')[0])).toEqual([
    ...['take', 'take', 'take', 'unlock', 'unlock', 'unlock', 'reach', 'reach', 'reach', '', ''],
  ]);
  expect(seen.at(-1)!.reached).toBe(0);
  // in the wrong order, the door is told first; the key was taken on the way and is not told any more
  const wrong = { 'task.teacher.wrong': 1, 'task.teacher.mistake': 'order' };
  const swapped = walk(planOf({ ...ROOM, ...wrong }), [...times(2, 2), ...times(6, 0)]);
  expect(new Set(swapped.seen.map(({ told }) => told))).not.toContain('take red key');
});

test('without mistakes the list is that of the solver, and every subgoal is met on a shortest solution', () => {
  for (const [, changes] of WORLDS) {
    const plan = planOf({ ...changes, 'task.teacher.patience': 2000 });
    const level = plan.level(plan.firstLevelSeed);
    const { seen } = walk(plan, plan.env.shortestPath(level)!);
    expect(seen[0]!.told).not.toBe('');
    expect(seen.at(-1)).toEqual({ told: '', reached: 1 });
    for (let t = 1; t < seen.length; t++) expect(seen[t]!.reached).toBeGreaterThanOrEqual(seen[t - 1]!.reached);
  }
});

test('a teacher errs as often and in the way that is set', () => {
  const one = (k: number) => ({ word: 1, at: k, mask: 1, least: 1, most: 1, place: k, says: ['reach', 'goal'] });
  const all = [one(0), one(1), one(2), one(3)];
  const shifted = (place: number) => ({ ...one(0), word: 0, place: place + 100 });
  let n = 7;
  const draw = (): number => (n = (Math.imul(n, 1664525) + 1013904223) >>> 0);
  const errors = (mistake: 'object' | 'order' | 'place', wrong: number): number => {
    let count = 0;
    for (let k = 0; k < 500; k++)
      count += tell(all, { wrong, mistake }, draw, shifted).filter((own, i) => own !== all[i]).length;
    return count / 2000;
  };
  expect(errors('object', 0)).toBe(0);
  expect(errors('object', 1)).toBe(1);
  expect(errors('place', 0.3)).toBeGreaterThan(0.25);
  expect(errors('place', 0.3)).toBeLessThan(0.35);
  const swapped = tell(all, { wrong: 1, mistake: 'order' }, draw, null);
  expect([...swapped].sort((a, b) => a.at - b.at)).toEqual(all);
  // one subgoal alone has no other, and no other order
  expect(tell([all[0]!], { wrong: 1, mistake: 'any' }, draw, null)).toEqual([all[0]]);
});

test.each(WORLDS)('%s: only what trains is told anything, the rest of a group as often as is set', (_, changes) => {
  const plan = planOf({ ...changes, 'task.teacher.alone': 0.5, 'rollout.groupSize': 8, 'rollout.tasksPerBatch': 2 });
  const toldIn = (mode: 'train' | 'eval'): number => {
    const { levels, levelOf } = makeTasks(plan, 0, mode);
    const state = new Uint32Array(plan.env.words);
    return [...levelOf].filter((k) => {
      plan.env.reset(levels[k], state, 0);
      return plan.env.teaches!.told(state, 0) !== '';
    }).length;
  };
  expect(toldIn('train')).toBe(plan.B / 2);
  expect(toldIn('eval')).toBe(0);
});

test.each(WORLDS)('%s: steps lead where outcomes say, and what is seen of the world is what it was', (_, changes) => {
  const plan = planOf({ ...changes, 'task.teacher.shows': 'both', 'task.teacher.wrong': 0.5 });
  const bare = must(makePlan(configWith({ ...changes, 'run.seeds': 1 })));
  const { env } = plan;
  const level = plan.level(plan.firstLevelSeed, 0, 2);
  const state = new Uint32Array(env.words);
  const result = { reward: 0, flags: 0 };
  env.reset(level, state, 0);
  for (let t = 0; t < 30 && (result.flags & 15) === 0; t++) {
    const action = (7 * t + (t >>> 2)) % plan.actions;
    const outcomes = env.outcomes(level, state, action);
    env.step(level, state, 0, { action, seed: 1 }, result);
    expect(outcomes.map((o) => [...o.state.subarray(0, -1)])).toContainEqual([...state.subarray(0, -1)]);
    const [obs, plain] = [new Uint32Array(plan.obsWords).fill(-1), new Uint32Array(bare.obsWords)];
    env.observe(level, state, 0, obs, 0);
    bare.env.observe(level, state, 2, plain, 0);
    expect(obs.slice(0, plain.length)).toEqual(plain);
  }
});

test('the direction is seen exactly up to seven cells, and nothing where nothing is told', () => {
  const plan = planOf(ROOM);
  const seen = (telling: number): number => {
    const { state, level } = walk(plan, [0], telling);
    const obs = new Uint32Array(plan.obsWords).fill(-1);
    plan.env.observe(level, state, 0, obs, 0);
    return obs.at(-1)!;
  };
  // the key is three cells to the left, on the same line
  expect(seen(1)).toBe((1 << (7 - 3)) | (1 << (15 + 7)));
  expect(seen(0)).toBe(0);
});

test('subgoals are paid once each, all together w, in the step that reached them', async () => {
  const run = await sampleRun({
    ...ROOM,
    'task.teacher.on': true,
    'reward.beacons.on': true,
    'reward.beacons.w': 0.3,
    'run.seeds': 1,
  });
  await train(run, 3);
  const { batch, world } = await run.backend.view(0);
  const { B, T, length, taught, reward } = batch;
  let paid = 0;
  for (let i = 0; i < B; i++)
    for (let t = 0; t < length[i]!; t++) {
      const at = i * (T + 1) + t;
      const gained = taught![at + 1]! - taught![at]!;
      expect(gained === 0 || Math.abs(gained - 1 / 3) < 1e-6).toBe(true);
      expect(reward[i * T + t]! - world!.reward[i * T + t]!).toBeCloseTo(0.3 * gained, 6);
      if (gained > 0) paid++;
    }
  expect(paid).toBeGreaterThan(0);
});

test('two keys, three seeds: all reach the goal with a good teacher, earlier than with one that errs or with none', async () => {
  const last = async (changes: Record<string, unknown>): Promise<number[]> => {
    const two = {
      ...{ 'task.grid.level': 'custom', 'task.grid.maxSteps': 60, 'objective.entropyCoef': 0.01 },
      'task.grid.text': 'a.#..#..\n..#..#..\nS.A..B.G\n..#b.#..\n..#..#..',
      ...{ 'advantage.method': 'reinforcePP', 'advantage.reinforcePP.gamma': 0.97, 'run.seeds': 3 },
    };
    const records = await train(await sampleRun({ ...two, ...changes }), 50);
    return [0, 1, 2].map(
      (s) => records.slice(-10).reduce((sum, r) => sum + r.metrics[s * METRICS + metricIndex.success]!, 0) / 10,
    );
  };
  const good = {
    ...{ 'task.teacher.on': true, 'task.teacher.shows': 'both', 'task.teacher.patience': 60 },
    ...{ 'reward.beacons.on': true, 'reward.beacons.w': 1 },
  };
  const [taught, misled, alone] = [await last(good), await last({ ...good, 'task.teacher.wrong': 1 }), await last({})];
  expect(Math.min(...taught)).toBeGreaterThan(0.95);
  expect(Math.max(...misled)).toBeLessThan(0.9);
  expect(Math.max(...alone)).toBeLessThan(0.8);
}, 180_000);
