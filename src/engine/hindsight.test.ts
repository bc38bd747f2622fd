import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { checkRules } from '../config/rules.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith, setValue } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { METRICS, metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import { askedFor, pieceOf, statesOf } from '../slots/rollout/hindsight/hindsightMemory.ts';
import { makePlan, type Plan } from './plan.ts';
import { sampleRun, train } from './sampleRun.ts';

const planOf = async (changes: Record<string, unknown> = {}): Promise<Plan> => {
  const config = configWith({ 'task.goal.on': true, 'run.seeds': 1, ...changes });
  await prepareTask(config);
  return must(makePlan(config));
};
const ROOM = { 'task.grid.level': 'custom', 'task.grid.text': 'S...\n....\n...G', 'task.grid.maxSteps': 20 };
const WORLDS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['grid-world', ROOM],
  ['keys that belong to the goal', { 'task.grid.level': 'keyDoor', 'task.goal.carried': true }],
  ['Sokoban', { 'task.method': 'sokoban' }],
  ['text-maze', { 'task.method': 'textmaze', 'task.textmaze.level': 'tree', 'policy.method': 'mlp' }],
  ['behind step budgets', { ...ROOM, 'task.stepBudget.on': true }],
];

/** All bits that are seen in a state. */
function seenIn(plan: Plan, level: object, state: Uint32Array): number[] {
  const { env } = plan;
  const seen = new Uint32Array(plan.obsWords);
  env.observe(level, state, 0, seen, 0);
  return Array.from({ length: 32 * seen.length }, (_, bit) => bit).filter(
    (bit) => (seen[bit >>> 5]! >>> (bit & 31)) & 1,
  );
}

test('t is uniform, t′ is uniform after it, and a piece is never empty', () => {
  expect(pieceOf(4, 0, 0)).toEqual({ from: 0, to: 1 });
  expect(pieceOf(4, 0.5, 0.99)).toEqual({ from: 2, to: 4 });
  const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), unit, unit, (n, u, v) => {
      const { from, to } = pieceOf(n, u, v);
      expect(from).toBeLessThan(to);
      expect(to).toBeLessThanOrEqual(n);
      expect(from).toBeGreaterThanOrEqual(0);
    }),
  );
});

describe.each(WORLDS)('%s', (_, changes) => {
  test('the last state of a solution brings about what the level asks for, and shows the same bits', async () => {
    const plan = await planOf(changes);
    const { env } = plan;
    const name = { levelSeed: plan.firstLevelSeed, maxSteps: 0, variant: 0 };
    const level = plan.level(name.levelSeed) as object;
    const actions = env.shortestPath(level)!;
    const context = { env, level: () => level };
    const states = statesOf(context, { name, episodeSeed: 1, actions });
    const goal = new Uint32Array(env.aims!.words);
    env.aims!.reached(level, states.at(-1)!, 0, goal);
    expect(goal.some((word) => word !== 0)).toBe(true);
    expect(seenIn(plan, level, askedFor(env, states[0]!, goal))).toEqual(seenIn(plan, level, states[0]!));
    // an earlier state brings about something else, and that is seen
    env.aims!.reached(level, states[0]!, 0, goal);
    expect(seenIn(plan, level, askedFor(env, states[0]!, goal))).not.toEqual(seenIn(plan, level, states[0]!));
  });

  test('what is asked for changes neither the world nor which states are the same', async () => {
    const plan = await planOf(changes);
    const { env } = plan;
    const name = { levelSeed: plan.firstLevelSeed, maxSteps: 0, variant: 0 };
    const level = plan.level(name.levelSeed) as object;
    const actions = env.shortestPath(level)!;
    const context = { env, level: () => level };
    const plain = statesOf(context, { name, episodeSeed: 1, actions });
    const goal = new Uint32Array(env.aims!.words);
    env.aims!.reached(level, plain[0]!, 0, goal);
    const asked = statesOf(context, { name, episodeSeed: 1, actions, begins: askedFor(env, plain[0]!, goal) });
    const keyOf = (state: Uint32Array): number[] => {
      const key = new Uint32Array(2);
      env.key(level, state, 0, key, 0);
      return [...key];
    };
    expect(asked.map(keyOf)).toEqual(plain.map(keyOf));
    expect(asked.at(-1)!.at(-1)).toBe(plain.at(-1)!.at(-1));
  });
});

test('goals in hindsight need the goal in what is seen, and say so with a repair', () => {
  const issues = checkRules(configWith({ 'rollout.method': 'hindsight', 'run.backend': 'cpu' }));
  expect(issues.find(({ path }) => path === 'rollout.method')).toMatchObject({
    severity: 'error',
    repair: { set: [{ path: 'task.goal.on', value: true }] },
  });
  const on = checkRules(configWith({ 'rollout.method': 'hindsight', 'task.goal.on': true, 'run.backend': 'cpu' }));
  expect(on.filter(({ severity }) => severity === 'error')).toEqual([]);
});

/** The goal is 12 steps away, in 14: nobody finds it by chance. */
const FAR = {
  ...{ 'task.grid.level': 'empty', 'task.grid.n': 7, 'task.grid.maxSteps': 14, 'advantage.method': 'grpo' },
  ...{ 'task.goal.on': true, 'rollout.method': 'hindsight', 'run.backend': 'cpu', 'run.seeds': 1 },
};
const played = async (changes: Record<string, unknown>, updates: number) => {
  const run = await sampleRun({ ...FAR, ...changes });
  return train(run, updates);
};
const of = (record: { metrics: ArrayLike<number> }, id: MetricId, s = 0): number =>
  record.metrics[s * METRICS + metricIndex[id]]!;

test('without weight the run is the plain one; with it the same first batch is played, and no step more is charged', async () => {
  const plain = await played({ 'rollout.method': 'sampled' }, 3);
  const idle = await played({ 'rollout.hindsight.rate': 0 }, 3);
  const taught = await played({}, 3);
  for (const id of ['success', 'entropy', 'lengthMean'] as const)
    expect(idle.map((r) => of(r, id))).toEqual(plain.map((r) => of(r, id)));
  expect(of(taught[0]!, 'entropy')).toBe(of(plain[0]!, 'entropy'));
  expect(of(taught[2]!, 'entropy')).not.toBe(of(plain[2]!, 'entropy'));
  expect(taught.map(({ envSteps }) => envSteps)[0]).toBe(plain.map(({ envSteps }) => envSteps)[0]);
  expect(of(taught[0]!, 'imitatedRows')).toBe(32);
  // 49 cells, of which so short an episode comes to fewer
  for (const record of taught) expect(of(record, 'goalsReached')).toBeGreaterThan(10);
  for (const record of taught) expect(of(record, 'goalsReached')).toBeLessThanOrEqual(49);
});

test('all of three agents find a far goal by update 54, where one finds nothing by sampled episodes alone', async () => {
  const arrived = async (changes: Record<string, unknown>): Promise<number[]> => {
    const preset = presetById('room-hindsight')!.changes;
    const run = await sampleRun({ ...preset, 'run.backend': 'cpu', 'run.seeds': 3, ...changes });
    const late = (await train(run, 54)).slice(-8);
    return [0, 1, 2].map((s) => late.reduce((sum, record) => sum + of(record, 'success', s), 0) / late.length);
  };
  expect(Math.min(...(await arrived({})))).toBeGreaterThan(0.8);
  expect(Math.min(...(await arrived({ 'rollout.method': 'sampled' })))).toBeLessThan(0.05);
});

test('goals in hindsight need a world that names goals: levels in a row are switched off', async () => {
  const config = configWith({ 'task.levelRow.on': true }, presetConfig(presetById('room-hindsight')!));
  await prepareTask(config);
  const issue = checkRules(config).find(({ message }) => message.includes('names no such goals'))!;
  expect([issue.severity, issue.path]).toEqual(['error', 'rollout.method']);
  const mended = issue.repair!.set.reduce((own, { path, value }) => setValue(own, path, value), config);
  await prepareTask(mended);
  expect(checkRules(mended).filter(({ severity }) => severity === 'error')).toEqual([]);
});
