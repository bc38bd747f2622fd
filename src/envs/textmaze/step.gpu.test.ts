import { afterAll, expect, test } from 'vitest';
import { below, random } from '../../core/random.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { must } from '../../core/problem.ts';
import { MANY_DOORS, torus } from './samples.ts';
import { ACTION, SYNTAX } from './commands.ts';
import { taskSettings } from './settings.ts';
import stepWgsl from './step.wgsl?raw';
import { textmaze, type TextmazeLevel } from './textmaze.ts';

/** Random numbers for the shader, written from the definition of Threefry-2×32 and not shared with the product. */
const RANDOM = `
fn threefry(key : vec2u, ctr : vec2u) -> vec2u {
  var k = array<u32, 3>(key.x, key.y, key.x ^ key.y ^ 0x1BD11BDAu);
  var rotation = array<u32, 8>(13u, 15u, 26u, 6u, 17u, 29u, 16u, 24u);
  var x = ctr + key;
  for (var r = 0u; r < 20u; r++) {
    x.x += x.y;
    let n = rotation[r % 8u];
    x.y = ((x.y << n) | (x.y >> (32u - n))) ^ x.x;
    if (r % 4u == 3u) {
      let s = r / 4u + 1u;
      x += vec2u(k[s % 3u], k[(s + 1u) % 3u] + s);
    }
  }
  return x;
}
fn random(seed : u32, purpose : u32, a : u32, b : u32, c : u32) -> u32 {
  return threefry(threefry(vec2u(seed, purpose), vec2u(a, b)), vec2u(c, 0u)).x;
}
fn below(x : u32, n : u32) -> u32 { return ((x >> 16u) * n + (((x & 0xffffu) * n) >> 16u)) >> 16u; }
`;

/** Walks one environment per invocation; out per step: reward, flags, legal bits, key, state, then the observation. */
const WALK = `
struct Dims { count : u32, steps : u32, levelWords : u32, perLevel : u32, obsWords : u32 }
@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       levels : array<u32>;
@group(0) @binding(2) var<storage, read_write> state  : array<u32>;
@group(0) @binding(3) var<storage, read_write> obs    : array<u32>;
@group(0) @binding(4) var<storage, read>       action : array<u32>;
@group(0) @binding(5) var<storage, read_write> log    : array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3u) {
  let i = id.x;
  if (i >= dims.count) { return; }
  let levelAt = (i / dims.perLevel) * dims.levelWords;
  let stateAt = i * ENV_WORDS;
  envReset(levelAt, stateAt);
  for (var t = 0u; t < dims.steps; t++) {
    let row = i * dims.steps + t;
    envObserve(levelAt, stateAt, row * dims.obsWords);
    let key = envKey(stateAt);
    let legal = envLegal(levelAt, stateAt);
    let r = envStep(levelAt, stateAt, action[row], 1000u + i);
    let at = row * 9u;
    log[at] = bitcast<u32>(r.reward);
    log[at + 1u] = r.flags;
    log[at + 2u] = legal;
    log[at + 3u] = key.x;
    log[at + 4u] = key.y;
    for (var w = 0u; w < ENV_WORDS; w++) { log[at + 5u + w] = state[stateAt + w]; }
  }
}
`;

const REWARDS = { goal: 1003, step: -7, subgoal: 101, invalid: -31, syntax: -53, meta: -3 };
const TALL =
  'rooms: kitchen hall attic cellar garden library studio tower bedroom bathroom garage office vault porch pantry workshop\n' +
  'start: workshop\nedge: workshop east kitchen\nedge: kitchen north porch\nkey: green workshop\ngoal: reach vault';

const WAYS: readonly AnyValues[] = [
  { level: 'twoRooms' },
  { level: 'twoRooms', view: 'tokens', maskActions: true },
  { level: 'threeRooms', view: 'index' },
  { level: 'threeRooms', view: 'tokens', goalShown: 'first', slip: [1, 6, 3] },
  { level: 'custom', text: MANY_DOORS, maskActions: true, maxSteps: 90 },
  { level: 'custom', text: MANY_DOORS, view: 'tokens', maxSteps: 90 },
  { level: 'custom', text: MANY_DOORS, view: 'index', maxSteps: 90 },
  { level: 'custom', text: torus(), view: 'tokens', maxSteps: 95 },
  { level: 'custom', text: torus(), maskActions: true, maxSteps: 95 },
  { level: 'custom', text: TALL, view: 'tokens', maxSteps: 70 },
  { level: 'tree', rooms: 2, chain: 1, goal: 'reach', view: 'tokens' },
  { level: 'tree', rooms: 5, chain: 2, loops: 2, goal: 'bring', view: 'tokens', metaActions: false },
  { level: 'tree', rooms: 8, chain: 3, loops: 1, distract: true, goalShown: 'first', maskActions: true },
  {
    level: 'tree',
    rooms: 16,
    chain: 4,
    loops: 6,
    distract: true,
    goal: 'bring',
    view: 'tokens',
    slip: [2, 3, 1],
    maxSteps: 80,
  },
  { level: 'tree', rooms: 6, chain: 2, loops: 1, view: 'tokens', truthful: 0.4, dispersion: 'far' },
  { level: 'tree', rooms: 9, chain: 3, truthful: 0, growEvery: 5, growBy: 'trust' },
  { level: 'tree', rooms: 16, chain: 0, loops: 8, goal: 'reach', goalShown: 'first', metaActions: false, maxSteps: 99 },
];

const LEVELS = 5;
const PER_LEVEL = 13;
const COUNT = LEVELS * PER_LEVEL;
const STEPS = 100;
const LOG = 9;

function levelsOf(way: AnyValues): TextmazeLevel[] {
  // the table of an index view belongs to one level
  const isOne = way['view'] === 'index';
  return Array.from({ length: LEVELS }, (_, k) => {
    return must(textmaze.level({ ...defaultsOf(taskSettings), ...way }, REWARDS, isOne ? 1 : k + 1));
  });
}

/** Any command, words that are no command, and more often than by chance those that are possible. */
function actionOf(level: TextmazeLevel, state: Uint32Array, draw: number): number {
  const kind = below(random(5, 99, draw, 0, 0), 10);
  if (kind === 0) return [SYNTAX, level.rules.actions, 31][below(random(5, 99, draw, 1, 0), 3)]!;
  const legal = textmaze.legal({ ...level, maskActions: true }, state, 0);
  const choice = Array.from({ length: level.rules.actions }, (_, a) => a).filter(
    (a) => kind < 3 || ((legal >>> a) & 1 && (a < ACTION.look || kind === 3)),
  );
  return choice.length === 0 ? ACTION.look : choice[below(random(5, 99, draw, 1, 0), choice.length)]!;
}

function byDefinition(levels: readonly TextmazeLevel[], obsWords: number) {
  const action = new Uint32Array(COUNT * STEPS);
  const log = new Uint32Array(COUNT * STEPS * LOG);
  const obs = new Uint32Array(COUNT * STEPS * obsWords);
  const state = new Uint32Array(textmaze.words);
  const result = { reward: 0, flags: 0 };
  for (let i = 0; i < COUNT; i++) {
    const level = levels[Math.floor(i / PER_LEVEL)]!;
    textmaze.reset(level, state, 0);
    for (let t = 0; t < STEPS; t++) {
      const row = i * STEPS + t;
      action[row] = actionOf(level, state, row);
      textmaze.observe(level, state, 0, obs, row * obsWords);
      log[row * LOG + 2] = textmaze.legal(level, state, 0);
      textmaze.key(level, state, 0, log, row * LOG + 3);
      textmaze.step(level, state, 0, { action: action[row]!, seed: 1000 + i }, result);
      log[row * LOG] = result.reward;
      log[row * LOG + 1] = result.flags;
      log.set(state, row * LOG + 5);
    }
  }
  return { action, log, obs };
}

const adapter = await navigator.gpu.requestAdapter();
if (!adapter) throw new Error('This browser found no graphics device for WebGPU.');
const device = await adapter.requestDevice();
afterAll(() => device.destroy());

// compiled once: that takes longer than a walk
const module = device.createShaderModule({ code: [RANDOM, stepWgsl, WALK].join('\n') });
const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint: 'main' } });

async function onGpu(levels: readonly TextmazeLevel[], action: Uint32Array, obsWords: number) {
  const packed = levels.map((level) => textmaze.gpu!.packLevel(level));
  const levelWords = packed[0]!.length;
  expect(packed.map((words) => words.length)).toEqual(packed.map(() => levelWords));
  const { STORAGE, UNIFORM, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const made: GPUBuffer[] = [];
  const buffer = (words: Uint32Array, usage: number): GPUBuffer => {
    const b = device.createBuffer({ label: 'test', size: words.byteLength, usage: usage | COPY_DST });
    device.queue.writeBuffer(b, 0, words as Uint32Array<ArrayBuffer>);
    made.push(b);
    return b;
  };
  // outputs start full of a wrong value, so that a word nobody wrote is caught
  const wrong = (words: number): Uint32Array => new Uint32Array(words).fill(0xdeadbeef);
  const log = buffer(wrong(COUNT * STEPS * LOG), STORAGE | COPY_SRC);
  const obs = buffer(wrong(COUNT * STEPS * obsWords), STORAGE | COPY_SRC);
  const bound = [
    buffer(Uint32Array.of(COUNT, STEPS, levelWords, PER_LEVEL, obsWords, 0, 0, 0), UNIFORM),
    buffer(Uint32Array.from(packed.flatMap((words) => [...words])), STORAGE),
    buffer(wrong(COUNT * textmaze.words), STORAGE),
    obs,
    buffer(action, STORAGE),
    log,
  ];
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: bound.map((b, binding) => ({ binding, resource: { buffer: b } })),
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(Math.ceil(COUNT / 64));
  pass.end();
  const read = [log, obs].map((b) => {
    const staging = device.createBuffer({ label: 'test', size: b.size, usage: COPY_DST | MAP_READ });
    made.push(staging);
    encoder.copyBufferToBuffer(b, 0, staging, 0, b.size);
    return staging;
  });
  device.queue.submit([encoder.finish()]);
  await Promise.all(read.map((staging) => staging.mapAsync(1)));
  const [gotLog, gotObs] = read.map((staging) => new Uint32Array(staging.getMappedRange().slice(0)));
  for (const b of made) b.destroy();
  return { log: gotLog!, obs: gotObs! };
}

test.each(WAYS.map((way) => [Object.values(way).join(' ').replaceAll('\n', ', ').slice(-70), way] as const))(
  'random steps on the GPU equal the definition in every bit: %s',
  async (_name, way) => {
    device.pushErrorScope('validation');
    const levels = levelsOf(way);
    const obsWords = Math.ceil(textmaze.features(levels[0]!) / 32);
    const want = byDefinition(levels, obsWords);
    const got = await onGpu(levels, want.action, obsWords);
    const names = ['reward', 'flags', 'legal', 'key high', 'key low', 'word 0', 'word 1', 'word 2', 'clock'];
    for (let row = 0; row < COUNT * STEPS; row++) {
      const where = `environment ${Math.floor(row / STEPS)}, step ${row % STEPS}, action ${want.action[row]}`;
      for (let k = 0; k < LOG; k++)
        if (got.log[row * LOG + k] !== want.log[row * LOG + k])
          expect(got.log[row * LOG + k], `${names[k]}, ${where}`).toBe(want.log[row * LOG + k]);
      for (let w = 0; w < obsWords; w++)
        if (got.obs[row * obsWords + w] !== want.obs[row * obsWords + w])
          expect.fail(`observation word ${w}, ${where}`);
    }
    // the walk met what it is meant to check: words that were no command, and an end
    const flags = Array.from({ length: COUNT * STEPS }, (_, row) => want.log[row * LOG + 1]!);
    expect(flags.some((f) => (f & 8192) !== 0)).toBe(true);
    expect(flags.some((f) => (f & 3) !== 0)).toBe(true);
    expect(await device.popErrorScope()).toBeNull();
  },
);
