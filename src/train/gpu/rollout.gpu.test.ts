import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { below, random } from '../../core/random.ts';
import { FLAG } from '../../envs/types.ts';
import { openGpu, type Gpu } from '../../gpu/device.ts';
import { CommandList, readBack, whole, type Slice } from '../../gpu/recorder.ts';
import { rolloutWith } from '../../gpu/shaders/kernels.ts';
import { makePlan, makeTasks, type Plan } from '../plan.ts';
import { RunBuffers } from './buffers.ts';

const WAYS: readonly Record<string, unknown>[] = [
  { 'task.grid.level': 'keyDoor' },
  { 'task.grid.level': 'keyDoor', 'task.grid.view': 'index' },
  { 'task.grid.level': 'keyDoor', 'task.grid.maskActions': true, 'reward.grid.step': -7, 'reward.grid.invalid': -31 },
  { 'task.grid.level': 'frozenLake4' },
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
  { 'task.grid.level': 'custom', 'task.grid.text': 'slip: 1 3 2\nneed: all\nmap:\nS~G~\n~a~G\n~+A~\nG~~~' },
];

async function device(): Promise<Gpu> {
  const gpu = await openGpu();
  if (!gpu.ok) throw new Error(JSON.stringify(gpu.problem));
  return gpu.value;
}

/** Random actions for every trajectory and step; a third of the episodes would end early anyway. */
function actionsFor(plan: Plan): Uint32Array {
  const n = plan.actionNames.length;
  return Uint32Array.from({ length: plan.S * plan.B * plan.T }, (_, k) => below(random(77, 99, k, 0, 0), n));
}

/** The whole rollout by the definition: states, observations, keys, legal bits, rewards, lengths. */
function byDefinition(plan: Plan, actions: Uint32Array) {
  const { env, B, S, T, obsWords } = plan;
  const tasks = makeTasks(plan, 5, 'train');
  const rows = S * B;
  const state = new Uint32Array(rows * (T + 1) * env.words);
  const obs = new Uint32Array(rows * (T + 1) * obsWords);
  const key = new Uint32Array(rows * T * 2);
  const legal = new Uint32Array(rows * T);
  const milli = new Int32Array(rows * T);
  const length = new Uint32Array(rows);
  const result = { reward: 0, flags: 0 };
  for (let row = 0; row < rows; row++) {
    const level = tasks.levels[tasks.levelOf[row]!];
    const at = (t: number): number => (row * (T + 1) + t) * env.words;
    env.reset(level, state, at(0));
    for (let t = 0; t < T && length[row] === 0; t++) {
      env.observe(level, state, at(t), obs, (row * (T + 1) + t) * obsWords);
      env.key(level, state, at(t), key, (row * T + t) * 2);
      legal[row * T + t] = env.legal(level, state, at(t));
      state.copyWithin(at(t + 1), at(t), at(t) + env.words);
      env.step(level, state, at(t + 1), actions[row * T + t]!, tasks.episodeSeed[row]!, result);
      milli[row * T + t] = result.reward;
      if ((result.flags & FLAG.terminated) !== 0 || t + 1 === T) length[row] = t + 1;
    }
  }
  return { tasks, state, obs, key, legal, milli, length };
}

test.each(WAYS.map((way) => [Object.values(way).join(' ').slice(0, 60), way] as const))(
  'random steps on the GPU equal the definition in every bit: %s',
  async (_name, way) => {
    const gpu = await device();
    gpu.device.pushErrorScope('validation');
    const made = makePlan(
      configWith({ 'rollout.tasksPerBatch': 5, 'rollout.groupSize': 13, 'run.seeds': 2, 'task.levels': 0, ...way }),
    );
    if (!made.ok) throw new Error(JSON.stringify(made.problem));
    const plan = made.value;
    const { S, B, T, env, obsWords } = plan;
    const actions = actionsFor(plan);
    const want = byDefinition(plan, actions);
    const packed = want.tasks.levels.map((level) => env.gpu!.packLevel(level));
    const b = new RunBuffers(gpu, plan, packed[0]!.length);
    const { queue } = gpu.device;
    queue.writeBuffer(b.state, 0, new Uint32Array(b.state.size / 4).fill(0xdeadbeef));
    queue.writeBuffer(b.obs, 0, new Uint32Array(b.obs.size / 4).fill(0xdeadbeef));
    packed.forEach((level, k) => queue.writeBuffer(b.levels, k * level.byteLength, level as Uint32Array<ArrayBuffer>));
    const assign = new Uint32Array(S * B * 4);
    for (let row = 0; row < S * B; row++) {
      const level = want.tasks.levelOf[row]!;
      assign.set([level * packed[0]!.length, want.tasks.taskIndex[row]!, want.tasks.episodeSeed[row]!, 0], 4 * row);
    }
    queue.writeBuffer(b.assign, 0, assign);
    queue.writeBuffer(b.choice, b.section * 4, actions as Uint32Array<ArrayBuffer>);
    const list = new CommandList(gpu, 'test');
    const { levels, state, obs, choice, length, result, reals } = b;
    const buffers = { levels, assign: b.assign, state, obs, choice, length, result, reals };
    const dims = {
      S,
      B,
      T,
      words: env.words,
      obsWords,
      section: b.section,
      endingAt: b.endingAt,
      finalKeyAt: b.finalKeyAt,
      taskAt: b.taskAt,
    };
    const groups = [Math.ceil(B / 64), 1, S] as const;
    await list.add(rolloutWith(env.gpu!.wgsl, 'start'), buffers, { ...dims, t: 0 }, groups);
    for (let t = 0; t < T; t++) {
      await list.add(rolloutWith(env.gpu!.wgsl, 'observe'), buffers, { ...dims, t }, groups);
      await list.add(rolloutWith(env.gpu!.wgsl, 'step'), buffers, { ...dims, t }, groups);
    }
    const encoder = gpu.device.createCommandEncoder();
    list.encode(encoder);
    queue.submit([encoder.finish()]);
    const words = async (slice: Slice): Promise<Uint32Array> => new Uint32Array(await readBack(gpu, slice));
    const got = {
      state: await words(whole(b.state)),
      obs: await words(whole(b.obs)),
      key: await words(b.key),
      milli: new Int32Array((await words(b.milli)).buffer),
      legal: await words(whole(b.choice)),
      length: await words(whole(b.length)),
    };
    expect([...got.length.subarray(0, S * B)]).toEqual([...want.length]);
    let steps = 0;
    for (let row = 0; row < S * B; row++) {
      for (let t = 0; t < want.length[row]!; t++) {
        const where = `row ${row}, step ${t}, action ${actions[row * T + t]}`;
        const s = (row * (T + 1) + t) * env.words;
        const o = (row * (T + 1) + t) * obsWords;
        const k = row * T + t;
        steps++;
        if (got.milli[k] !== want.milli[k]) expect(got.milli[k], `reward, ${where}`).toBe(want.milli[k]);
        if (got.legal[k] !== want.legal[k]) expect(got.legal[k], `legal, ${where}`).toBe(want.legal[k]);
        for (let w = 0; w < 2; w++) if (got.key[2 * k + w] !== want.key[2 * k + w]) expect.fail(`key, ${where}`);
        for (let w = 0; w < 2 * env.words; w++)
          if (got.state[s + w] !== want.state[s + w]) expect.fail(`state word ${w}, ${where}`);
        for (let w = 0; w < obsWords; w++)
          if (got.obs[o + w] !== want.obs[o + w]) expect.fail(`observation word ${w}, ${where}`);
      }
    }
    expect(steps).toBeGreaterThan(S * B);
    list.dispose();
    b.free();
    expect([...gpu.bytes]).toEqual([]);
    expect(await gpu.device.popErrorScope()).toBeNull();
    gpu.device.destroy();
  },
);
