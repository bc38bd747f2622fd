import { describe, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { MILESTONES, signalNames, type Potential, type SignalName } from '../../contract/signals.ts';
import { must } from '../../core/problem.ts';
import { below, random } from '../../core/random.ts';
import { backwardInduction, discountedOptimum } from '../../core/dp.ts';
import { enumerate } from '../../envs/enumerate.ts';
import { defineReward } from '../../slots/reward/types.ts';
import { makeArrays } from '../arrays.ts';
import { makePlan, makeTasks, type Plan } from '../plan.ts';
import { potentialOf } from '../signalTables.ts';
import { rolloutReplica } from './rollout.ts';
import { CpuSignals } from './signals.ts';

/** A module that reads every signal. */
const reader = defineReward({
  ...{ id: 'reader', title: 'Reader', rev: 1, kind: 'additive', formula: '', look: '', params: {} },
  needs: signalNames,
  run: () => undefined,
});

type Changes = Readonly<Record<string, unknown>>;

/** A plan in which every signal is needed. */
function reading(changes: Changes, potential: Potential = { of: 'distance', gamma: 1 }): Plan {
  const base = { 'run.seeds': 1, 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 1, ...changes };
  return {
    ...must(makePlan(configWith(base))),
    rewards: [{ module: { ...reader, potential: () => potential }, params: {} }],
  };
}

/** Every episode takes these actions, one after the other; then the first goes on. */
function played(plan: Plan, actionAt: (row: number, t: number) => number) {
  const arrays = makeArrays(plan);
  const tasks = makeTasks(plan, 0, 'train');
  const policy = {
    chunk: plan.S * plan.B,
    decide(_: unknown, alive: readonly number[], from: number, rows: number, t: number): boolean {
      for (let k = from; k < from + rows; k++) arrays.action[alive[k]! * plan.T + t] = actionAt(alive[k]!, t);
      return true;
    },
    finalValues: (): void => undefined,
  };
  const signals = CpuSignals.of(plan)!;
  for (let s = 0; s < plan.S; s++) {
    rolloutReplica(plan, arrays, { policy, theta: new Float32Array(0), tasks, mode: 'train' }, s);
    signals.fill(arrays, tasks, s);
  }
  const of = (name: SignalName, count: number, row = 0): number[] => {
    const width = arrays[name].length / (plan.S * plan.B);
    return [...arrays[name].subarray(row * width, row * width + count)];
  };
  return { arrays, tasks, of };
}

const listed =
  (actions: readonly number[]) =>
  (_: number, t: number): number =>
    actions[t] ?? actions[0]!;
const [RIGHT, DOWN, LEFT] = [0, 1, 2];

describe('a grid-world tells', () => {
  test('of a corridor, by hand: bump, two steps, one back, then to the goal', () => {
    const plan = reading({ 'task.grid.level': 'custom', 'task.grid.text': 'S..G' });
    // left is a wall; cells 0 0 1 2 1 2 3
    const { of, arrays } = played(plan, listed([LEFT, RIGHT, RIGHT, LEFT, RIGHT, RIGHT]));
    expect(arrays.length[0]).toBe(6);
    expect(of('invalid', 6)).toEqual([1, 0, 0, 0, 0, 0]);
    expect(of('grounded', 6)).toEqual([0, 1, 1, 1, 1, 1]);
    expect(of('novel', 6)).toEqual([0, 1, 1, 0, 0, 1]);
    expect(of('repeat', 6)).toEqual([0, 0, 0, 0, 1, 0]);
    expect(of('phi', 7)).toEqual([-1, -1, -2 / 3, -1 / 3, -2 / 3, -1 / 3, -0].map(Math.fround));
    // the start is as far as one can be
    expect(of('completion', 7)).toEqual([0, 0, 1 / 3, 2 / 3, 1 / 3, 2 / 3, 1].map(Math.fround));
    // 3/4, 1/2 and 1/4 of three steps are two, one and none; then the goal
    expect(of('milestoneStep', 5)).toEqual([1, 2, 5, 5, -1]);
    expect(of('progress', 7)).toEqual([0, 0, 0.25, 0.5, 0.5, 0.5, 1]);
    expect(of('outcomeScore', 1)).toEqual([1]);
    expect(of('softPenalty', 4)).toEqual([0.7, 1, 1, 1].map(Math.fround));
    // six steps and twice the bump
    expect(of('factor', 3)).toEqual([1, 4, -8]);
    expect(of('hardEvent', 6)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('the key, the door and the goal as milestones, in this order, and lava as something that cannot be undone', () => {
    const lava = reading({ 'task.grid.level': 'custom', 'task.grid.text': 'SaAG\n.LL.' });
    const open = played(lava, listed([RIGHT, RIGHT, RIGHT]));
    expect(open.of('milestoneStep', 4)).toEqual([0, 1, 2, -1]);
    expect(open.of('outcomeScore', 1)).toEqual([1]);
    const burnt = played(lava, listed([RIGHT, DOWN]));
    expect(burnt.of('hardEvent', 2)).toEqual([0, 1]);
    expect(burnt.of('phi', 3)).toEqual([-1, Math.fround(-2 / 3), -2]);
    expect(burnt.of('outcomeScore', 1)).toEqual([Math.fround(1 / 6)]);
  });
});

describe('Sokoban tells', () => {
  test('of a push to the target and of one into a corner, by hand', () => {
    const text = '######\n#    #\n#@$ .#\n#    #\n######';
    const plan = reading({ 'task.method': 'sokoban', 'task.sokoban.level': 'custom', 'task.sokoban.text': text });
    const won = played(plan, listed([RIGHT, RIGHT]));
    expect(won.of('phi', 3)).toEqual([-1, -0.5, -0]);
    expect(won.of('completion', 3)).toEqual([0, 0, 1]);
    expect(won.of('milestoneStep', 2)).toEqual([1, -1]);
    // up, right, then down onto the wall: the box cannot come back from there
    const lost = played(plan, listed([3, RIGHT, DOWN]));
    expect(lost.of('phi', 4)).toEqual([-1, -1, -1, -2]);
    expect(lost.of('hardEvent', 3)).toEqual([0, 0, 1]);
    expect(lost.of('softPenalty', 6)).toEqual([1, 1, 1, 1, 1, 0.9].map(Math.fround));
    // walking without a push leads nowhere new
    expect(lost.of('novel', 3)).toEqual([0, 0, 1]);
  });
});

test('a text-maze tells what its shortest solution takes and opens, then the goal', () => {
  const plan = reading({
    'task.method': 'textmaze',
    'task.textmaze.level': 'tree',
    'task.textmaze.rooms': 3,
    'task.textmaze.chain': 1,
  });
  const { env } = plan;
  const level = plan.level(plan.firstLevelSeed);
  const path = env.shortestPath(level)!;
  const { of, arrays } = played(plan, listed(path));
  const reached = of('milestoneStep', MILESTONES).filter((t) => t >= 0);
  expect(reached.length).toBeGreaterThan(2);
  expect(reached.at(-1)).toBe(arrays.length[0]! - 1);
  expect(of('progress', path.length + 1).at(-1)).toBe(1);
  expect(of('phi', path.length + 1)).toEqual(
    path.map((_, t) => Math.fround(-(path.length - t) / path.length)).concat(-0),
  );
  const look = played(plan, listed([15]));
  expect(look.of('softPenalty', 2)).toEqual([1, 0.9].map(Math.fround));
});

test.each([
  ['grid', { 'task.grid.level': 'keyDoor' }],
  ['textmaze', { 'task.method': 'textmaze', 'task.textmaze.rooms': 3, 'task.textmaze.chain': 1 }],
  [
    'sokoban',
    {
      'task.method': 'sokoban',
      'task.sokoban.w': 5,
      'task.sokoban.h': 5,
      'task.sokoban.boxes': 1,
      'task.sokoban.pulls': 3,
    },
  ],
] as const)('the potential `value` is V* of every state that is met: %s', (_, changes) => {
  const gamma = 0.9;
  const plan = reading({ ...changes, 'rollout.groupSize': 6 }, { of: 'value', gamma });
  const { arrays, tasks } = played(plan, (row, t) => below(random(7, 400, row, t, 0), plan.actions));
  const level = tasks.levels[0]!;
  const all = enumerate(plan.env, level, 20_000)!;
  const V = discountedOptimum(all.model, gamma);
  const { T, env } = plan;
  let [met, ended] = [0, 0];
  for (let i = 0; i < plan.B; i++)
    for (let t = 0; t <= arrays.length[i]!; t++) {
      const at = (i * (T + 1) + t) * env.words;
      const isOver = t === arrays.length[i] && arrays.terminated[i] === 1;
      const row = all.rowOf(arrays.state, at);
      const expected = isOver ? 0 : V[row]!;
      expect(arrays.phi[i * (T + 1) + t]).toBeCloseTo(expected, 6);
      met++;
      if (isOver) ended++;
    }
  expect(met).toBeGreaterThan(20);
  expect(ended).toBeLessThan(met);
});

test('with a delay of actions a state tells what the world in it tells', () => {
  const changes = { 'task.grid.level': 'custom', 'task.grid.text': 'S..G' };
  const now = played(reading(changes), listed([RIGHT, RIGHT, RIGHT]));
  const late = played(reading({ ...changes, 'task.actionDelay': 2 }), listed([RIGHT, RIGHT, RIGHT]));
  expect(late.of('phi', 6).slice(2)).toEqual(now.of('phi', 4));
  expect(late.of('phi', 3)).toEqual([-1, -1, -1]);
});

test('where nobody needs a signal, a run has neither the columns nor what makes them', () => {
  const plan = must(makePlan(configWith({})));
  expect(CpuSignals.of(plan)).toBeNull();
  const arrays = makeArrays(plan);
  for (const name of signalNames) expect(arrays[name], name).toHaveLength(0);
});

test('shaping by any potential leaves the best policy the best: exact values of a level with and without it', () => {
  const gamma = 0.9;
  for (const of of ['distance', 'value'] as const) {
    const plan = reading({ 'task.grid.level': 'keyDoor' }, { of, gamma });
    const { env } = plan;
    const level = plan.level(plan.firstLevelSeed);
    const { model, states } = enumerate(env, level, 1000)!;
    const table = env.signals!.table(level, potentialOf(plan))!;
    const known = { level, table, potential: potentialOf(plan) };
    const told = { reached: 0, completion: 0, phi: 0, cost: 0, isLost: false };
    const phi = Array.from({ length: model.states }, (_, s) => {
      env.signals!.tell(known, states, s * env.words, told);
      return told.phi;
    });
    const reward = model.reward.map((r, sa) => {
      let after = 0;
      for (let k = model.offset[sa]!; k < model.offset[sa + 1]!; k++)
        if (model.next[k]! >= 0) after += model.probability[k]! * phi[model.next[k]!]!;
      return r + gamma * after - phi[Math.floor(sa / model.actions)]!;
    });
    // a horizon after which nothing is left of what a cut would keep
    const [plain, shaped] = [model, { ...model, reward }].map((m) => backwardInduction(m, null, 200, gamma).Q);
    for (let sa = 0; sa < model.states * model.actions; sa++)
      expect(shaped![sa]! + phi[Math.floor(sa / model.actions)]!).toBeCloseTo(plain![sa]!, 5);
    expect(new Set(phi).size).toBeGreaterThan(5);
  }
});
