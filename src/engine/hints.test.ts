import { describe, expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { originOf } from '../contract/rows.ts';
import { must } from '../core/problem.ts';
import { hinted } from '../envs/perturb/hinted.ts';
import { environments } from '../envs/registry.ts';
import type { Environment } from '../envs/types.ts';
import { TOLD_WORDS } from '../envs/perturb/spoken.ts';
import { makePlan, type Plan } from './plan.ts';
import { sampleRun, train } from './sampleRun.ts';

const gridWorld = environments.find(({ id }) => id === 'grid')!;
const planOf = async (changes: Record<string, unknown>): Promise<Plan> => {
  const config = configWith({ 'task.hints.on': true, 'run.seeds': 1, ...changes });
  await prepareTask(config);
  return must(makePlan(config));
};
/** A key two cells to the left of the start, a door and the goal to the right. */
const ROOM = { 'task.grid.level': 'custom', 'task.grid.text': 'a.S.A.G', 'task.grid.maxSteps': 30 };
const WORLDS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['grid-world', {}],
  [
    'slippery grid-world',
    {
      'task.grid.level': 'custom',
      'task.grid.text': 'slip: 1 8 1\nice: all\nmap:\nS...\n.O.O\n...O\nO..G',
      'task.grid.maxSteps': 60,
    },
  ],
  ['Sokoban', { 'task.method': 'sokoban' }],
  ['text-maze', { 'task.method': 'textmaze', 'task.textmaze.level': 'tree', 'task.textmaze.chain': 2 }],
  ['step budgets', { 'task.stepBudget.on': true }],
];

/** The level of a plan with hint h, and what is told and seen after these actions. */
function after(plan: Plan, h: number, actions: readonly number[] = []) {
  const { env } = plan;
  const { step, told } = env.deal!.help!;
  const level = plan.level(plan.firstLevelSeed, 0, h * step);
  const state = new Uint32Array(env.words);
  const obs = new Uint32Array(plan.obsWords);
  env.reset(level, state, 0);
  for (const action of actions) env.step(level, state, 0, { action, seed: 1 }, { reward: 0, flags: 0 });
  env.observe(level, state, 0, obs, 0);
  return { level, state, told: told(level, state, 0), obs };
}

describe('hints', () => {
  test('by hand, in a corridor with the key two cells to the left and the door two to the right', async () => {
    const plan = await planOf(ROOM);
    const told = (h: number, actions: readonly number[] = []) => after(plan, h, actions).told!.split(': ')[1];
    expect(after(plan, 0).told).toBeNull();
    expect([1, 2, 3, 4].map((h) => told(h))).toEqual([
      'take red key',
      // 2 of at most 6 cells: the second quarter
      'take red key, not far',
      'take red key, not far, same row',
      'take red key, not far, same row, 2 left',
    ]);
    expect([5, 6, 7, 8].map((h) => told(h))).toEqual(['east or west', 'west', 'west', 'west']);
    // left, left, then six to the right: a quarter of eight steps are two
    expect([told(9), told(9, [2]), told(9, [2, 2]), told(10, [2, 2]), told(12, [2, 2, 0, 0, 0])]).toEqual([
      ...['left', 'left', 'nothing here', 'right', 'right'],
    ]);
    // off the solution nothing is told, and back on it again
    expect([told(12, [0]), told(12, [0, 2])]).toEqual(['nothing here', 'left']);
    expect([told(1, [2, 2]), told(6, [2, 2]), told(1, [2, 2, 0, 0, 0, 0])]).toEqual([
      ...['unlock red door', 'east', 'reach goal'],
    ]);
  });

  test('are seen in bits of their own, which are blank without one', async () => {
    const plan = await planOf(ROOM);
    const own = plan.obsWords - 4;
    const bare = after(plan, 0).obs;
    expect([...bare.subarray(own)]).toEqual([0, 0, 0, 0]);
    const word = (text: string): number => 1 << TOLD_WORDS.indexOf(text);
    const what = word('take') | word('red') | word('key');
    expect(after(plan, 1).obs[own]).toBe(what);
    expect(after(plan, 4).obs[own]).toBe(what | (1 << (TOLD_WORDS.length + 1)));
    expect(after(plan, 4).obs[own + 1]).toBe((1 << 7) | (1 << (15 + 5)));
    expect([...after(plan, 6).obs.subarray(own)]).toEqual([0, 0, 1 | (1 << 4), 0]);
    expect([...after(plan, 12).obs.subarray(own)]).toEqual([0, 0, 0, 1 << 2]);
    for (let h = 1; h <= 12; h++) expect(after(plan, h).obs.subarray(0, own)).toEqual(bare.subarray(0, own));
  });

  test.each(WORLDS)('%s: change what is seen alone, on every step of a solution', async (_, changes) => {
    const plan = await planOf({ ...changes, 'run.backend': 'cpu' });
    const { env } = plan;
    const { count, step, solves, forget } = env.deal!.help!;
    const plainLevel = plan.level(plan.firstLevelSeed);
    expect(solves(plainLevel)).toBe(true);
    const path = env.shortestPath(plainLevel)!;
    const [a, b] = [new Uint32Array(env.words), new Uint32Array(env.words)];
    const [one, other] = [
      { reward: 0, flags: 0 },
      { reward: 0, flags: 0 },
    ];
    for (let h = 1; h <= count; h++) {
      const level = plan.level(plan.firstLevelSeed, 0, h * step);
      expect(level).not.toBe(plainLevel);
      env.reset(plainLevel, a, 0);
      env.reset(level, b, 0);
      for (const action of path) {
        env.step(plainLevel, a, 0, { action, seed: 3 }, one);
        env.step(level, b, 0, { action, seed: 3 }, other);
        expect(other).toEqual(one);
        const keys = new Uint32Array(4);
        env.key(plainLevel, a, 0, keys, 0);
        env.key(level, b, 0, keys, 2);
        expect([keys[2], keys[3]]).toEqual([keys[0], keys[1]]);
        const bare = b.slice();
        forget(bare, 0);
        expect(bare).toEqual(a);
      }
    }
  });

  test('are read from a state alone, by a page that neither solves nor teaches', async () => {
    const plan = await planOf({ ...ROOM, 'run.backend': 'cpu' });
    const refuse = (): never => {
      throw new Error('not loaded');
    };
    const page = hinted({ ...gridWorld, teach: refuse, shortestPath: refuse, outcomes: refuse } as Environment);
    for (let h = 1; h <= 12; h++) {
      const { level, state, told } = after(plan, h, [2]);
      expect(page.deal!.help!.told(level, state, 0)).toBe(told);
      expect(page.scene(level, state, 0).told?.cell).toBe(h === 4 ? 0 : undefined);
    }
  });

  test('no task deals one by itself, neither in training nor at evaluation', async () => {
    const { env } = await planOf({});
    for (let member = 0; member < 20; member++)
      for (const trains of [true, false]) expect(env.deal!.variant(member, trains)).toBe(0);
  });

  test('exist up to a solution in time only', async () => {
    const plan = await planOf({ ...ROOM, 'task.grid.maxSteps': 7 });
    expect(plan.env.deal!.help!.solves(plan.level(plan.firstLevelSeed))).toBe(false);
  });
});

/** A level that chance solves rarely; tabular policies know no hints, so the network is small. */
const HARD = {
  ...{
    'run.backend': 'cpu',
    'task.grid.level': 'doorKey',
    'task.grid.n': 7,
    'task.grid.maxSteps': 30,
    'task.levels': 3,
  },
  ...{ 'policy.method': 'mlp', 'policy.mlp.hidden': [8], 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4 },
  ...{ 'run.seed': 2, 'run.seeds': 2, 'run.updates': 16, 'advantage.method': 'grpo', 'analysis.evalEvery': 0 },
  ...{ 'task.hints.on': true, 'rollout.method': 'scafGrpo', 'rollout.scafGrpo.warmup': 0 },
};
const HINT = originOf('hint');

describe('Scaf-GRPO', () => {
  test('needs room for hints, and the form offers it', () => {
    const config = configWith({ 'rollout.method': 'scafGrpo', 'run.backend': 'cpu' });
    expect(checkRules(config).filter(({ severity }) => severity === 'error')).toMatchObject([
      { path: 'rollout.method', repair: { set: [{ path: 'task.hints.on', value: true }] } },
    ]);
  });

  test.each(['hinted', 'bare'])(
    'a success %s replaces one failure, with the credit of a lone winner',
    async (trains) => {
      const run = await sampleRun({ ...HARD, 'rollout.scafGrpo.trains': trains, 'optimizer.learningRate': 1e-7 });
      const { words } = run.whole.env;
      let found = 0;
      for (let u = 0; u < 16; u++) {
        await train(run, 1);
        const { batch, A, state, delta } = await run.backend.view(0);
        const { T } = batch;
        for (let i = 0; i < batch.B; i++) {
          if (batch.origin![i] !== HINT) continue;
          found++;
          const group = Array.from(batch.taskIndex.keys()).filter((k) => batch.taskIndex[k] === batch.taskIndex[i]);
          expect(group).toHaveLength(4);
          expect(group.filter((k) => batch.success[k] === 1)).toEqual([i]);
          expect([batch.measured![i], batch.trains![i]]).toEqual([0, 1]);
          // (G − 1)/√G and −1/√G, which a small std takes a little from
          for (const k of group) expect(A[k * T]).toBeCloseTo(k === i ? 3 / Math.sqrt(4) : -1 / Math.sqrt(4), 3);
          // the state remembers the hint; without it in sight the policy would have acted otherwise
          expect(state[i * (T + 1) * words]).toBeGreaterThan(0);
          const moved = delta.subarray(i * T, i * T + batch.length[i]!).map(Math.abs);
          if (trains === 'bare') expect(Math.max(...moved)).toBeGreaterThan(1e-3);
          else expect(Math.max(...moved)).toBeLessThan(1e-5);
        }
      }
      expect(found).toBeGreaterThan(3);
    },
  );
});
