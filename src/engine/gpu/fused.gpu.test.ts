import { thetaOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { readBack, whole } from '../../gpu/recorder.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { initialState } from '../state.ts';
import { makePlan, makeTasks, type Plan } from '../plan.ts';
import { turnsOf } from '../turns.ts';
import { recordingOf } from '../../networks/policy.ts';
import { RunBuffers } from './buffers.ts';
import type { Pace } from './pace.ts';
import { rolloutList } from './rolloutList.ts';
import { TaskUpload } from './uploadTasks.ts';

const small = { 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 5, 'run.seeds': 2, 'policy.mlp.hidden': [13] };
const CRITIC = { 'advantage.method': 'gae' };
const QUEUE = { 'rollout.staleness': 2, 'rollout.ages': 'queue', 'rollout.generators': 5, ...CRITIC };

/** Two ways to a goal, each through a door, one of them locked. */
const DOORS = 'S+aG\n.#+#\n.+AG';

const WAYS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['grid', { 'rollout.groupSize': 19, 'run.seeds': 3 }],
  [
    'grid, critic, two hidden layers, gelu',
    { ...CRITIC, 'policy.mlp.hidden': [21, 6], 'policy.mlp.activation': 'gelu' },
  ],
  [
    'grid, lava, part of it seen, masked actions',
    {
      'task.grid.level': 'lavaGap',
      'task.grid.n': 5,
      'task.grid.maxSteps': 25,
      'task.grid.view': 'ego',
      'task.grid.maskActions': true,
      'task.obsNoise': 40,
    },
  ],
  ['grid, table with critic, softer', { 'policy.method': 'tabular', 'rollout.temperature': 1.7, ...CRITIC }],
  [
    'grid, ice, relu, sharper',
    {
      'task.grid.level': 'frozenLake4',
      'task.grid.maxSteps': 30,
      'policy.mlp.activation': 'relu',
      'rollout.temperature': 0.3,
    },
  ],
  [
    'grid, late actions and rewards',
    { 'task.actionDelay': 2, 'task.rewardDelay': 3, 'task.rewardNoise': 0.2, 'task.grid.maxSteps': 21 },
  ],
  [
    'Sokoban, widest',
    { 'task.method': 'sokoban', 'task.sokoban.maxSteps': 19, 'policy.mlp.hidden': [64, 64], ...CRITIC },
  ],
  [
    'grid, more to see than fits near memory',
    { 'task.grid.level': 'frozenLake', 'task.grid.n': 20, 'task.grid.maxSteps': 40 },
  ],
  ['Sokoban, table', { 'task.method': 'sokoban', 'task.sokoban.view': 'index', 'policy.method': 'tabular' }],
  ['grid, critic, each task in its own turns', QUEUE],
  ['grid, keys and doors', { 'task.grid.level': 'custom', 'task.grid.text': DOORS, 'task.grid.maxSteps': 40 }],
  [
    'grid, keys and doors of an agent that turns',
    {
      ...{ 'task.grid.level': 'custom', 'task.grid.text': DOORS, 'task.grid.actions': 'turn' },
      'task.grid.maxSteps': 90,
    },
  ],
  ['grid, goals in their order', { 'task.grid.level': 'orderedGoals', 'task.grid.n': 5, 'task.grid.maxSteps': 60 }],
  [
    'grid, obstacles that move',
    { 'task.grid.level': 'dynamicObstacles', 'task.grid.n': 5, 'task.grid.count': 1, 'task.grid.maxSteps': 30 },
  ],
  [
    'grid, tiles that look different by chance',
    {
      ...{ 'task.grid.level': 'custom', 'task.grid.text': '#z.t.\nSz..u\n.z#zG\nz..zz', 'task.grid.noisyTiles': true },
      'task.grid.maxSteps': 20,
    },
  ],
  [
    'text-maze, critic, noise, softer',
    {
      ...{ 'task.method': 'textmaze', 'task.textmaze.level': 'tree', 'rollout.temperature': 2 },
      ...{ 'task.obsNoise': 70, 'task.actionDelay': 1, ...CRITIC },
    },
  ],
];

const planOf = (changes: Record<string, unknown>): Plan => must(makePlan(configWith({ ...small, ...changes })));

const gpu = await testDevice();

/** Weights that prefer something, so that episodes differ. */
function weightsOf(plan: Plan, turn = 0): Float32Array<ArrayBuffer> {
  const theta = thetaOf(initialState(plan));
  return Float32Array.from(theta, (x, k) => x * 4 + Math.sin(k * 1.7 + turn) * 0.2);
}

/** Dispatches of 2^steps steps, and submissions of so many of them. */
function atMost(pace: Pace, [steps, dispatches]: readonly [steps: number, dispatches: number]): void {
  pace.steps.power = steps;
  pace.begin = (_queue, units) =>
    Array.from({ length: Math.ceil(units / dispatches) }, (_, k) => Math.min(units, (k + 1) * dispatches));
}

/** Two rollouts, the second over what the first left behind; everything they wrote that is not padding. */
async function play(
  plan: Plan,
  isFused: boolean,
  sizes: readonly [steps: number, dispatches: number],
  tuned: { tiled?: boolean; fusedUpTo?: number } = {},
) {
  const { S, B, T, env, obsWords } = plan;
  const b = new RunBuffers(
    gpu,
    plan,
    await recordingOf(plan.policy),
    env.gpu!.packLevel(plan.level(plan.firstLevelSeed)).length,
  );
  const words = async (buffer: GPUBuffer): Promise<Uint32Array> => new Uint32Array(await readBack(gpu, whole(buffer)));
  try {
    gpu.device.queue.writeBuffer(b.sampledTheta, 0, weightsOf(plan));
    const upload = new TaskUpload(gpu, plan, b);
    const form = { isFused, tuned: { tiled: false, fusedUpTo: Infinity, ...tuned } };
    const list = await rolloutList(gpu, plan, b, form);
    let dispatches = 0;
    for (const update of [3, 4]) {
      const tasks = makeTasks(plan, update, 'train');
      upload.put(tasks, 18);
      atMost(list.pace, sizes);
      dispatches = list.length;
      if (!plan.behavior.several) list.submit(gpu.device, 'test');
      else
        for (const [k, { spans, from, to }] of turnsOf(plan, tasks).entries()) {
          gpu.device.queue.writeBuffer(b.result, b.columns.turns.offset, spans);
          gpu.device.queue.writeBuffer(b.sampledTheta, 0, weightsOf(plan, k));
          list.submit(gpu.device, 'test', { range: { from: k === 0 ? -1 : from, to } });
        }
    }
    const [state, obs, choice, result, reals, draws, out, flags] = await Promise.all(
      [b.state, b.obs, b.choice, b.result, b.reals, b.draws, b.last.buffer, b.flags].map(words),
    );
    const length = result!.subarray(b.batch.at('length'), b.batch.at('length') + S * B);
    const rows: number[][] = [];
    for (let row = 0; row < S * B; row++) {
      const n = length[row]!;
      const part = (from: Uint32Array, at: number, count: number): Uint32Array => from.subarray(at, at + count);
      const at = row * T;
      const step = row * (T + 1);
      rows.push([
        n,
        ...part(result!, at, T),
        ...part(result!, b.section + 2 * at, 2 * n),
        ...part(result!, b.batch.at('ending') + 4 * row, 3),
        ...part(result!, b.batch.at('finalStateKey') + 2 * row, 2),
        ...part(result!, b.batch.at('taskIndex') + row, 1),
        ...part(state!, step * env.words, (n + 1) * env.words),
        ...part(obs!, step * obsWords, n * obsWords),
        ...part(obs!, (step + T) * obsWords, obsWords),
        ...part(choice!, at, n),
        ...part(choice!, b.section + at, n),
        ...part(reals!, at, T),
        ...part(reals!, b.section + row, 1),
        ...part(draws!, at, n),
        ...part(draws!, b.section + at, n),
        ...(plan.critic ? part(draws!, 2 * b.section + at, n) : []),
        ...part(draws!, b.probsAt + at * plan.actions, n * plan.actions),
      ]);
      const last = (Math.floor(row / B) * b.last.rows + (row % B)) * b.last.n;
      if (plan.critic) rows.at(-1)!.push(...part(out!, last, b.last.n));
    }
    return { rows, flags: [...flags!], dispatches, lengths: [...length] };
  } finally {
    b.free();
  }
}

test.each(WAYS)('one dispatch for many steps gives the bits of step by step: %s', async (_name, changes) => {
  const plan = planOf(changes);
  const plain = await play(plan, false, [0, 4096]);
  const sizes = [
    [3, 16],
    [-1, 1],
    [16, 4096],
  ] as const;
  for (const size of plan.B > 64 ? sizes : sizes.slice(0, 1)) {
    const got = await play(plan, true, size);
    const differ = plain.rows.findIndex((row, k) => row.some((x, j) => x !== got.rows[k]![j]));
    expect(differ, `first row that differs at size ${size.join(' ')}`).toBe(-1);
    expect(got.flags).toEqual(plain.flags);
  }
  if ('task.grid.level' in changes) expect(Math.min(...plain.lengths), 'some end early').toBeLessThan(plan.T);
});

const WIDE: readonly (readonly [string, Record<string, unknown>])[] = [
  ['one layer that a single invocation could hold', { 'rollout.groupSize': 19, 'policy.mlp.hidden': [64] }],
  [
    'more to see than fits memory of a workgroup',
    { 'task.grid.level': 'empty', 'task.grid.n': 20, 'task.grid.maxSteps': 40, 'policy.mlp.hidden': [64] },
  ],
  [
    'larger levels than fit memory of a workgroup, seen in part',
    {
      ...{ 'task.grid.level': 'lavaGap', 'task.grid.n': 20, 'task.grid.view': 'ego', 'task.grid.maxSteps': 19 },
      'policy.mlp.hidden': [64],
    },
  ],
  ['two narrow layers, critic, two seeds', { ...CRITIC, 'policy.mlp.hidden': [33, 30], 'run.seeds': 2 }],
  [
    'widest, critic, gelu',
    { ...CRITIC, 'rollout.groupSize': 3, 'policy.mlp.hidden': [256], 'policy.mlp.activation': 'gelu' },
  ],
  [
    'one layer of odd width, critic, each task in its own turns',
    { ...QUEUE, 'rollout.groupSize': 19, 'policy.mlp.hidden': [65] },
  ],
  [
    'so many that first layers share fewer invocations',
    { 'rollout.tasksPerBatch': 65, 'rollout.groupSize': 64, 'task.grid.maxSteps': 3, 'policy.mlp.hidden': [36] },
  ],
  ['three layers', { 'task.method': 'sokoban', 'task.sokoban.maxSteps': 9, 'policy.mlp.hidden': [96, 20, 132] }],
  [
    'text-maze, critic, late actions',
    { 'task.method': 'textmaze', 'task.actionDelay': 1, 'policy.mlp.hidden': [128, 128], ...CRITIC },
  ],
  [
    'levels of their own behind wrappers that look at them, late and noisy rewards',
    {
      ...{ 'task.levels': 0, 'task.stepBudget.on': true, 'task.teacher.on': true, 'task.rewardDelay': 2 },
      ...{ 'task.rewardNoise': 0.3, 'policy.mlp.hidden': [64], 'task.grid.level': 'doorKey', 'task.grid.n': 6 },
    },
  ],
  ['an index of states', { 'task.grid.level': 'frozenLake4', 'task.grid.view': 'index', 'policy.mlp.hidden': [64] }],
];

test.each(WIDE)('a workgroup that plays eight episodes gives the bits of step by step: %s', async (_name, changes) => {
  const plan = planOf({ 'task.grid.maxSteps': 11, 'run.seeds': 1, ...changes });
  const plain = await play(plan, false, [0, 4096]);
  const isShared = { tiled: true };
  for (const size of [
    [3, 16],
    [-2, 1],
  ] as const) {
    const got = await play(plan, true, size, isShared);
    const differ = plain.rows.findIndex((row, k) => row.some((x, j) => x !== got.rows[k]![j]));
    expect(differ, `first row that differs at size ${size.join(' ')}`).toBe(-1);
    expect(got.flags).toEqual(plain.flags);
    expect(got.dispatches).toBeLessThan(plain.dispatches);
  }
});

const BY_NETWORK: readonly (readonly [string, Record<string, unknown>])[] = [
  [
    'GRU with critic, late rewards, noise',
    { ...CRITIC, 'policy.method': 'gru', 'task.rewardDelay': 2, 'task.obsNoise': 40 },
  ],
  ['convolution, masked actions', { 'policy.method': 'conv', 'task.grid.maskActions': true, 'rollout.groupSize': 19 }],
  ['too wide for a workgroup', { ...CRITIC, 'policy.mlp.hidden': [260], 'rollout.temperature': 1.7 }],
  [
    'more to see than fits near memory',
    { 'task.grid.level': 'frozenLake', 'task.grid.n': 20, 'task.grid.maxSteps': 40, 'policy.mlp.hidden': [260] },
  ],
  ['Sokoban', { 'task.method': 'sokoban', 'task.sokoban.maxSteps': 9, 'policy.mlp.hidden': [260] }],
  ['text-maze', { 'task.method': 'textmaze', 'policy.mlp.hidden': [260] }],
];

test.each(BY_NETWORK)(
  'decision, move and observation in one dispatch have the bits of three: %s',
  async (_name, changes) => {
    const plan = planOf({ 'task.grid.maxSteps': 11, ...changes });
    const plain = await play(plan, false, [0, 4096]);
    const got = await play(plan, false, [0, 4096], { tiled: true });
    expect(got.dispatches).toBe(plain.dispatches - 2 * plan.T + 1);
    const differ = plain.rows.findIndex((row, k) => row.some((x, j) => x !== got.rows[k]![j]));
    expect(differ, 'first row that differs').toBe(-1);
    expect(got.flags).toEqual(plain.flags);
  },
);

test('a rollout is ⌈T/chunk⌉ + 2 dispatches, one more value included', async () => {
  const plan = planOf({ 'task.grid.maxSteps': 21, ...CRITIC });
  expect((await play(plan, true, [3, 16])).dispatches).toBe(Math.ceil(21 / 8) + 3);
  expect((await play(plan, true, [16, 16])).dispatches).toBe(1 + 3);
  expect((await play(planOf({ 'policy.mlp.hidden': [65] }), true, [3, 16])).dispatches).toBeGreaterThan(100);
  // where a device is faster step by step from so many products on
  const products = plan.S * plan.B * plan.layout.size;
  expect((await play(plan, true, [16, 16], { fusedUpTo: products })).dispatches).toBe(1 + 3);
  expect((await play(plan, true, [16, 16], { fusedUpTo: products - 1 })).dispatches).toBeGreaterThan(100);
});
