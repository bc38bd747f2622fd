import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { below, random } from '../../core/random.ts';
import { CommandList, readBack, whole, type Slice } from '../../gpu/recorder.ts';
import { rolloutWith, type LinkedWorld } from '../../gpu/shaders/kernels.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { makeArrays, type Arrays } from '../arrays.ts';
import { rolloutReplica, type Rollout } from '../cpu/rollout.ts';
import { makePlan, makeTasks, type Plan, type Tasks } from '../plan.ts';
import { recordingOf } from '../../networks/policy.ts';
import { RunBuffers } from './buffers.ts';
import { linkedWorld, rolloutDims, worldColumns } from './worldList.ts';

/** Rewards that tell steps apart. */
const STEPS = { 'reward.grid.step': -7, 'reward.grid.invalid': -31, 'reward.grid.subgoal': 100 };
const SOKOBAN = { 'task.method': 'sokoban', 'task.sokoban.maxSteps': 40, 'reward.sokoban.invalid': -31 };
const MAZE = {
  'task.method': 'textmaze',
  'reward.textmaze.step': -7,
  'reward.textmaze.invalid': -31,
  'reward.textmaze.meta': -3,
};
const NOISY = '#z.t.\nSz..u\n.z#zG\nz..zz';

const WRITES = { 'policy.method': 'transformer', 'task.question.answers': 2 };

/** What compiles is a world with its wrappers and their constants, and that takes most of the time: wrappers come together. */
const WAYS: readonly Record<string, unknown>[] = [
  { 'task.grid.level': 'keyDoor' },
  { 'task.grid.level': 'keyDoor', 'task.grid.view': 'index' },
  { 'task.grid.level': 'keyDoor', 'task.stepBudget.on': true, 'task.actionDelay': 1 },
  { ...SOKOBAN, 'task.stepBudget.on': true, 'task.stepBudget.levels': 3 },
  { 'task.grid.level': 'keyDoor', 'task.teacher.on': true, 'task.actionDelay': 1, 'task.teacher.wrong': 0.5 },
  { ...SOKOBAN, 'task.teacher.on': true, 'task.teacher.shows': 'both', 'task.teacher.patience': 5 },
  {
    ...{ ...MAZE, 'task.teacher.on': true, 'task.teacher.wrong': 0.7, 'task.levels': 0 },
    ...{ 'task.stepBudget.on': true, 'task.stepBudget.levels': 7 },
  },
  { 'task.grid.level': 'fourRooms', 'task.hints.on': true, 'task.stepBudget.on': true },
  { 'task.grid.level': 'keyDoor', 'task.library.on': true, 'task.actionDelay': 1 },
  { 'task.grid.level': 'keyDoor', 'task.goal.on': true, 'task.goal.carried': true, 'task.actionDelay': 1 },
  { 'task.method': 'sokoban', 'task.goal.on': true },
  { ...MAZE, 'task.hints.on': true, 'task.levels': 0 },
  { 'task.grid.level': 'keyDoor', 'task.grid.maskActions': true, 'reward.grid.step': -7, 'reward.grid.invalid': -31 },
  { 'task.grid.level': 'frozenLake4' },
  { 'task.grid.level': 'ladder', 'task.levels': 0 },
  { 'task.grid.level': 'keyDoor', 'task.externalChain.on': true, 'task.externalChain.switching': 300 },
  {
    ...{ 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.levelRow.on': true, 'task.actionDelay': 1 },
    ...{ 'task.externalChain.on': true, 'task.externalChain.shown': false, 'reward.grid.step': -7 },
  },
  { 'task.grid.level': 'fourRooms', 'task.visitBudget.on': true, 'task.visitBudget.shown': true, 'task.levels': 0 },
  { ...SOKOBAN, 'task.visitBudget.on': true, 'task.visitBudget.share': 600, 'task.actionDelay': 1 },
  {
    ...{ 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.levelRow.on': true, 'reward.grid.step': -7 },
    ...{ 'task.externalChain.on': true, 'task.visitBudget.on': true, 'task.visitBudget.share': 900 },
  },
  { 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.levelRow.on': true, 'task.levelRow.pieces': 3 },
  {
    ...{ 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.levels': 0, 'task.levelRow.on': true },
    ...{
      'task.levelRow.carries': true,
      'task.levelRow.shown': 'once',
      'task.levelRow.symbols': 3,
      'reward.grid.step': -7,
    },
  },
  {
    ...{ ...MAZE, 'task.levelRow.on': true, 'task.levelRow.growEvery': 2, 'task.actionDelay': 1, 'task.levels': 0 },
    ...{ 'task.visitBudget.on': true, 'task.visitBudget.budget': 2 },
  },
  { 'task.grid.level': 'frozenLake', 'task.grid.n': 8, 'task.grid.view': 'ego' },
  { 'task.grid.level': 'doorKey', 'task.grid.n': 6, 'reward.grid.subgoal': 100 },
  {
    'task.grid.level': 'doorKey',
    'task.grid.n': 6,
    'task.grid.actions': 'turn',
    'reward.grid.timed': true,
    'task.grid.maxSteps': 90,
  },
  {
    'task.grid.level': 'doorKey',
    'task.grid.n': 5,
    'task.grid.actions': 'turn',
    'task.grid.view': 'ego',
    'task.grid.maskActions': true,
    'task.grid.maxSteps': 60,
  },
  { 'task.grid.level': 'multiRoom', 'task.grid.actions': 'turn', 'task.grid.maxSteps': 60 },
  { 'task.grid.level': 'keyChain', 'task.grid.spread': true, 'task.grid.view': 'ego', 'task.grid.window': 7 },
  { 'task.grid.level': 'keyCorridor', 'task.grid.size': 2, 'task.grid.maskActions': true },
  { 'task.grid.level': 'fourRooms', 'task.grid.n': 9 },
  { 'task.grid.level': 'lavaGap', 'task.grid.n': 6, 'reward.grid.dead': -500 },
  { 'task.grid.level': 'cliff', 'task.grid.w': 5, 'task.grid.h': 3 },
  { 'task.grid.level': 'dynamicObstacles', 'task.grid.n': 6, 'task.grid.count': 3 },
  { 'task.grid.level': 'orderedGoals', 'task.grid.n': 5, 'task.grid.distractors': 3, 'task.grid.maxSteps': 60 },
  { 'task.grid.level': 'bonusRoom' },
  { 'task.grid.level': 'corridor', 'task.grid.n': 9 },
  { 'task.grid.level': 'empty', 'task.grid.n': 5, 'task.grid.random': true },
  { 'task.grid.level': 'fourArms', 'policy.method': 'tabular', 'task.levels': 0, 'task.grid.maxSteps': 3 },
  { 'task.grid.level': 'custom', 'task.grid.text': 'slip: 1 3 2\nneed: all\nmap:\nS~G~\n~a~G\n~+A~\nG~~~' },
  { 'task.grid.level': 'doorKey', 'task.grid.n': 6, 'task.grid.slip': [1, 5, 2], ...STEPS },
  { 'task.grid.level': 'custom', 'task.grid.text': NOISY, 'task.grid.noisyTiles': true },
  {
    'task.grid.level': 'custom',
    'task.grid.text': NOISY,
    'task.grid.noisyTiles': true,
    'task.grid.view': 'ego',
    'task.grid.actions': 'turn',
    'task.obsNoise': 40,
    'task.actionDelay': 1,
  },
  {
    ...{ 'task.grid.level': 'dynamicObstacles', 'task.grid.n': 6, 'task.actionDelay': 3, ...STEPS },
    ...{ 'task.rewardDelay': 3, 'task.rewardNoise': 0.3 },
  },
  { 'task.grid.level': 'bonusRoom', 'task.obsNoise': 128, 'task.rewardNoise': 2, 'task.rewardDelay': 8, ...STEPS },
  { 'task.grid.level': 'lavaGap', 'task.grid.n': 6, 'policy.method': 'transformer', 'task.obsNoise': 60 },
  { 'task.grid.level': 'corridor', 'task.grid.n': 9, 'task.options.on': true, 'task.options.length': 4 },
  {
    ...{
      'task.grid.level': 'keyDoor',
      'task.grid.view': 'index',
      'task.grid.maskActions': true,
      'task.actionDelay': 1,
    },
    ...{ 'task.options.on': true, 'task.options.length': 3, 'task.options.singles': true },
  },
  {
    'task.grid.level': 'frozenLake4',
    'task.grid.maskActions': true,
    'task.options.on': true,
    'task.options.singles': true,
  },
  { ...SOKOBAN, 'task.sokoban.level': 'reverse', 'task.sokoban.maskActions': true },
  { ...SOKOBAN, 'task.sokoban.level': 'corner', 'task.sokoban.view': 'index', 'task.sokoban.deadEnd': true },
  { 'task.grid.level': 'keyDoor', 'task.grid.view': 'ego', 'task.seenSteps': 3, 'task.actionDelay': 1 },
  { ...MAZE, 'task.seenSteps': 2, 'task.obsNoise': 20 },
  {
    ...{ ...SOKOBAN, 'task.sokoban.level': 'reverse', 'task.obsNoise': 100, 'task.sokoban.slip': [1, 3, 2] },
    ...{ 'task.actionDelay': 2, 'task.rewardDelay': 2, 'task.rewardNoise': 0.017 },
  },
  { ...SOKOBAN, 'policy.method': 'transformer', 'task.obsNoise': 255, 'task.actionDelay': 3 },
  { ...MAZE, 'task.textmaze.level': 'tree', 'task.textmaze.rooms': 4, 'task.textmaze.chain': 2 },
  { ...MAZE, 'task.textmaze.view': 'index' },
  {
    ...{ ...MAZE, 'task.textmaze.slip': [1, 2, 1], 'task.textmaze.maskActions': true, 'task.actionDelay': 1 },
    ...{ 'task.obsNoise': 77, 'task.rewardDelay': 5, 'task.rewardNoise': 1.5 },
  },
  { ...MAZE, 'policy.method': 'transformer', 'task.actionDelay': 2, 'task.obsNoise': 30, 'task.rewardDelay': 1 },
  { 'task.grid.level': 'keyDoor', 'task.thoughts.on': true, 'task.grid.maskActions': true, 'task.obsNoise': 40 },
  { 'task.grid.level': 'keyDoor', 'task.thoughts.on': true, 'task.grid.view': 'index', 'task.actionDelay': 1 },
  { ...SOKOBAN, 'task.thoughts.on': true, 'policy.method': 'transformer' },
  { ...MAZE, 'task.thoughts.on': true },
  { 'task.grid.level': 'keyDoor', 'task.notes.on': true, 'task.notes.symbols': 3, 'task.actionDelay': 1, ...STEPS },
  { ...SOKOBAN, 'task.sokoban.maskActions': true, 'task.notes.on': true, 'task.notes.alphabet': 16 },
  {
    ...{ 'task.grid.level': 'custom', 'task.grid.text': NOISY, 'task.grid.noisyTiles': true, 'task.grid.view': 'ego' },
    ...{ 'task.notes.on': true, 'task.notes.mode': 'onLimit', 'task.notes.context': 3, 'task.notes.symbols': 6 },
  },
  {
    ...{ 'task.grid.level': 'frozenLake4', 'task.grid.maxSteps': 30, 'task.thoughts.on': true },
    ...{ 'task.notes.on': true, 'task.notes.mode': 'onLimit', 'task.notes.context': 5, 'task.notes.most': 2 },
  },
  {
    ...{ 'task.grid.level': 'keyDoor', 'task.grid.view': 'ego', 'task.actionDelay': 1, 'task.obsNoise': 40 },
    ...{ 'task.notes.on': true, 'task.notes.mode': 'onLimit', 'task.notes.context': 2, 'task.notes.most': 0 },
  },
  {
    ...{ 'task.grid.level': 'keyDoor', 'task.grid.view': 'ego', 'task.actionDelay': 1, ...STEPS },
    ...{ 'task.notes.on': true, 'task.notes.mode': 'indexed', 'task.notes.context': 2, 'task.notes.slots': 3 },
  },
  {
    ...{ 'task.grid.level': 'frozenLake4', 'task.grid.maskActions': true, 'task.notes.on': true },
    ...{ 'task.notes.mode': 'indexed', 'task.notes.context': 4, 'task.notes.slots': 8 },
  },
  { ...MAZE, 'task.notes.on': true, 'task.notes.mode': 'indexed', 'task.notes.slots': 1, 'task.levels': 0 },
  { 'task.grid.level': 'empty', 'task.grid.n': 5, 'task.question.on': true, 'task.grid.maskActions': true },
  { 'task.grid.level': 'keyDoor', 'task.question.on': true, 'task.question.answers': 3, 'task.actionDelay': 1 },
  { ...SOKOBAN, 'task.question.on': true, 'task.question.signs': 2 },
  { ...MAZE, 'task.textmaze.level': 'tree', 'task.textmaze.rooms': 5, 'task.question.on': true },
  { ...MAZE, 'task.textmaze.level': 'tree', 'task.textmaze.rooms': 4, 'task.question.on': true, ...WRITES },
];

const gpu = await testDevice();

/** Random actions for every trajectory and step; a third of the episodes would end early anyway. */
function actionsFor(plan: Plan): Uint32Array {
  const n = plan.actionNames.length;
  return Uint32Array.from({ length: plan.S * plan.B * plan.T }, (_, k) => {
    // written words may be no command
    const isCommand = below(random(77, 98, k, 0, 0), 8) > 0;
    return isCommand ? below(random(77, 99, k, 0, 0), n) : 0xffffffff;
  });
}

/** A policy that does what it is told. */
const obedient = (plan: Plan, actions: Uint32Array): Rollout['policy'] => ({
  chunk: 7,
  decide({ arrays }, rows, from, n, t) {
    for (const row of rows.slice(from, from + n)) arrays.action[row * plan.T + t] = actions[row * plan.T + t]!;
    return true;
  },
  finalValues: () => undefined,
});

/** The same rollout on the CPU. */
function byDefinition(plan: Plan, tasks: Tasks, actions: Uint32Array): Arrays {
  const arrays = makeArrays(plan);
  const theta = new Float32Array(plan.S * plan.layout.size);
  for (let s = 0; s < plan.S; s++)
    rolloutReplica(plan, arrays, { policy: obedient(plan, actions), theta, tasks, mode: 'train' }, s);
  return arrays;
}

/** Plan of a way, and one with a dense policy for the buffers, which do not depend on it here. */
function plansOf(way: Record<string, unknown>): { plan: Plan; dense: Plan } {
  const changes = { 'rollout.tasksPerBatch': 5, 'rollout.groupSize': 13, 'run.seeds': 2, 'task.levels': 0, ...way };
  const [made, other] = [
    configWith(changes),
    configWith({ ...changes, 'policy.method': 'mlp', 'task.obsNoise': 0 }),
  ].map((config) => {
    return must(makePlan(config));
  });
  return { plan: made!, dense: { ...made!, policy: other!.policy, layout: other!.layout } };
}

/** First index inside [at, at + count) where the arrays differ, −1 if none. */
function firstDifference(got: Uint32Array, gotAt: number, want: Uint32Array, wantAt: number, count: number): number {
  for (let k = 0; k < count; k++) if (got[gotAt + k] !== want[wantAt + k]) return k;
  return -1;
}

const named = (ways: typeof WAYS) => ways.map((way) => [Object.values(way).join(' ').slice(0, 60), way] as const);

test.each(named(WAYS))('random steps on the GPU equal the definition in every bit: %s', (_name, way) => compare(way));

/** Too many words for memory that is nearer than their columns. */
const FAR = { words: 1000, obsWords: 1000 };

test.each(named([WAYS[2]!, WAYS[5]!, WAYS[9]!]))(
  'so they do where states and observations stay in their columns: %s',
  (_name, way) => compare(way, FAR),
);

async function compare(way: Record<string, unknown>, places: Partial<LinkedWorld> = {}): Promise<void> {
  const { plan, dense } = plansOf(way);
  const { S, B, T, env, obsWords } = plan;
  const { words } = env;
  const tasks = makeTasks(plan, 5, 'train');
  const actions = actionsFor(plan);
  const want = byDefinition(plan, tasks, actions);
  const packed = tasks.levels.map((level) => env.gpu!.packLevel(level));
  const b = new RunBuffers(gpu, dense, await recordingOf(dense.policy), packed[0]!.length);
  const { queue } = gpu.device;
  for (const buffer of [b.state, b.obs, b.result, b.reals])
    queue.writeBuffer(buffer, 0, new Uint32Array(buffer.size / 4).fill(0xdeadbeef));
  packed.forEach((level, k) => queue.writeBuffer(b.levels, k * level.byteLength, level as Uint32Array<ArrayBuffer>));
  const assign = new Uint32Array(S * B * 4);
  for (let row = 0; row < S * B; row++) {
    const level = tasks.levelOf[row]!;
    assign.set([level * packed[0]!.length, tasks.taskIndex[row]!, tasks.episodeSeed[row]!, 0], 4 * row);
  }
  queue.writeBuffer(b.levels, b.assign.offset, assign);
  queue.writeBuffer(b.choice, b.section * 4, actions as Uint32Array<ArrayBuffer>);
  const list = new CommandList(gpu, 'test');
  const { levels, choice, result, reals } = b;
  const buffers = { levels, ...worldColumns(b), choice, result, reals };
  const dims = rolloutDims(plan, b);
  const groups = [Math.ceil(B / 64), 1, S] as const;
  const world = { ...(await linkedWorld(plan)), ...places };
  await list.add(rolloutWith(world, 'start'), buffers, { ...dims, t: 0 }, groups);
  for (let t = 0; t < T; t++) {
    await list.add(rolloutWith(world, 'observe'), buffers, { ...dims, t }, groups);
    await list.add(rolloutWith(world, 'step'), buffers, { ...dims, t }, groups);
  }
  await list.add(rolloutWith(world, 'observe'), buffers, { ...dims, t: T }, groups);
  const encoder = gpu.device.createCommandEncoder();
  list.encode(encoder);
  queue.submit([encoder.finish()]);
  const read = async (slice: Slice): Promise<Uint32Array> => new Uint32Array(await readBack(gpu, slice));
  const got = {
    state: await read(whole(b.state)),
    obs: await read(whole(b.obs)),
    key: await read(b.columns.stateKey),
    finalKey: await read(b.columns.finalStateKey),
    milli: await read(b.columns.rewardMilli),
    reward: await read(b.columns.reward),
    outcome: await read(b.columns.outcome),
    legal: await read(whole(b.choice)),
    length: await read(b.columns.length),
    ending: await read(b.columns.ending),
  };
  const bits = ({ buffer }: Float32Array | Int32Array): Uint32Array => new Uint32Array(buffer);
  const wanted = { milli: bits(want.rewardMilli), reward: bits(want.reward), outcome: bits(want.outcome) };
  expect([...got.length.subarray(0, S * B)]).toEqual([...want.length]);
  let steps = 0;
  for (let row = 0; row < S * B; row++) {
    const long = want.length[row]!;
    const at = row * (T + 1);
    const same = (what: string, first: number, width: number): void => {
      const step = Math.floor(first / width);
      if (first >= 0) expect.fail(`${what} word ${first % width}, row ${row}, step ${step}, T ${T}, length ${long}`);
    };
    same('reward', firstDifference(got.milli, row * T, wanted.milli, row * T, T), 1);
    same('real reward', firstDifference(got.reward, row * T, wanted.reward, row * T, T), 1);
    same('outcome', firstDifference(got.outcome, row, wanted.outcome, row, 1), 1);
    same('legal', firstDifference(got.legal, row * T, want.legal, row * T, long), 1);
    same('key', firstDifference(got.key, row * T * 2, want.stateKey, row * T * 2, long * 2), 2);
    same('final key', firstDifference(got.finalKey, row * 2, want.finalStateKey, row * 2, 2), 2);
    same('state', firstDifference(got.state, at * words, want.state, at * words, (long + 1) * words), words);
    same('seen', firstDifference(got.obs, at * obsWords, want.obs, at * obsWords, long * obsWords), obsWords);
    // the last observation of an episode lies in the last slot on the GPU
    const end = firstDifference(got.obs, (at + T) * obsWords, want.obs, (at + long) * obsWords, obsWords);
    same('last seen', end, obsWords);
    expect(got.ending[4 * row]).toBe(want.success[row]);
    expect(got.ending[4 * row + 1]).toBe(want.terminated[row]);
    steps += long;
  }
  expect(steps).toBeGreaterThan(S * B);
  list.dispose();
  b.free();
}
