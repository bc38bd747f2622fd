import { afterAll, expect, test } from 'vitest';
import { below, random } from '../../core/random.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { must } from '../../core/problem.ts';
import type { Environment } from '../types.ts';
import { sokoban } from './sokoban.ts';
import { BOXOBAN, loadBoxoban } from './boxoban.ts';

await Promise.all(BOXOBAN.map(async (set) => loadBoxoban(set)));

/** Random numbers of the kernel, written from the definition in the specification and not shared with the product. */
const RANDOM = `
fn threefry(key : vec2u, ctr : vec2u) -> vec2u {
  let k = array<u32, 3>(key.x, key.y, key.x ^ key.y ^ 0x1BD11BDAu);
  let turn = array<u32, 8>(13u, 15u, 26u, 6u, 17u, 29u, 16u, 24u);
  var x = ctr + key;
  for (var r = 0u; r < 20u; r++) {
    let n = turn[r & 7u];
    x.x += x.y;
    x.y = ((x.y << n) | (x.y >> (32u - n))) ^ x.x;
    if ((r & 3u) == 3u) {
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

/** Walks one environment per invocation. Words per step: reward, flags, legal bits, key, then the new state. */
const WALK = `
struct Sizes { rows : u32, steps : u32, levelWords : u32, obsWords : u32 }
@group(0) @binding(0) var<uniform>             sizes  : Sizes;
@group(0) @binding(1) var<storage, read>       levels : array<u32>;
@group(0) @binding(2) var<storage, read>       action : array<u32>;
@group(0) @binding(3) var<storage, read_write> state  : array<u32>;
@group(0) @binding(4) var<storage, read_write> obs    : array<u32>;
@group(0) @binding(5) var<storage, read_write> log    : array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3u) {
  let row = id.x;
  if (row >= sizes.rows) { return; }
  let levelAt = row * sizes.levelWords;
  let stateAt = row * ENV_WORDS;
  envReset(levelAt, stateAt);
  for (var t = 0u; t < sizes.steps; t++) {
    let k = row * sizes.steps + t;
    let at = k * (5u + ENV_WORDS);
    envObserve(levelAt, stateAt, k * sizes.obsWords);
    let key = envKey(stateAt);
    log[at + 2u] = envLegal(levelAt, stateAt);
    log[at + 3u] = key.x;
    log[at + 4u] = key.y;
    let result = envStep(levelAt, stateAt, action[k], 7000u + row);
    log[at] = bitcast<u32>(result.reward);
    log[at + 1u] = result.flags;
    for (var w = 0u; w < ENV_WORDS; w++) { log[at + 5u + w] = state[stateAt + w]; }
  }
}
`;

const OWN =
  '; one\n#####\n#@$.#\n#####\n\n; two\n#######\n#  +$ #\n# $*  #\n#  .  #\n#######\n\n; tall\n####\n#@ #\n#$ #\n#. #\n#  #\n####';
const SHOUT = { goal: 10_007, step: -101, boxOn: 1009, boxOff: -1013, invalid: -31, dead: -5003 };

/** Every source of levels, every view, and every switch of the rules. */
const WAYS: readonly { settings: AnyValues; rewards?: AnyValues }[] = [
  { settings: { level: 'firstPush' } },
  { settings: { level: 'firstPush', view: 'index', maskActions: true } },
  { settings: { level: 'corner', view: 'tokens', deadEnd: true, maxSteps: 60 }, rewards: SHOUT },
  { settings: { level: 'goRound', slip: [1, 3, 2], maxSteps: 90 }, rewards: SHOUT },
  { settings: { level: 'order', view: 'index', slip: [0, 5, 1] } },
  { settings: { level: 'twoBoxes', view: 'index', deadEnd: true, maxSteps: 64 } },
  { settings: { level: 'reverse', maskActions: true }, rewards: SHOUT },
  { settings: { level: 'reverse', w: 7, h: 9, boxes: 3, pulls: 10, view: 'tokens' } },
  { settings: { level: 'reverse', w: 16, h: 16, boxes: 6, pulls: 6, slip: [1, 1, 1], deadEnd: true } },
  { settings: { level: 'boxoban', set: 'unfiltered', deadEnd: true }, rewards: SHOUT },
  { settings: { level: 'boxoban', set: 'medium', view: 'tokens', maskActions: true } },
  { settings: { level: 'boxoban', practice: 'drawn', view: 'around', deadEnd: true }, rewards: SHOUT },
  { settings: { level: 'reverse', w: 7, h: 9, boxes: 3, pulls: 10, view: 'around' } },
  { settings: { level: 'boxoban', set: 'hard', slip: [3, 4, 0] } },
  { settings: { level: 'custom', text: OWN, view: 'tokens' }, rewards: SHOUT },
  { settings: { level: 'custom', text: OWN, maxSteps: 33, maskActions: true, slip: [1, 8, 1] } },
];

const ROWS = 65;
const STEPS = 130;

/** The same walks by the definition: actions drawn at random, and what the kernel must log. */
function byDefinition<L>(env: Environment<L>, levels: readonly L[]) {
  const obsWords = Math.ceil(env.features(levels[0]!) / 32);
  const width = 5 + env.words;
  const actions = env.actions(levels[0]!).length;
  const action = Uint32Array.from({ length: ROWS * STEPS }, (_, k) => below(random(3, 99, k, 0, 0), actions));
  const log = new Uint32Array(ROWS * STEPS * width);
  const obs = new Uint32Array(ROWS * STEPS * obsWords);
  const state = new Uint32Array(env.words);
  const result = { reward: 0, flags: 0 };
  for (let row = 0; row < ROWS; row++) {
    const level = levels[row]!;
    env.reset(level, state, 0);
    for (let t = 0; t < STEPS; t++) {
      const k = row * STEPS + t;
      env.observe(level, state, 0, obs, k * obsWords);
      log[k * width + 2] = env.legal(level, state, 0);
      env.key(level, state, 0, log, k * width + 3);
      env.step(level, state, 0, { action: action[k]!, seed: 7000 + row }, result);
      log[k * width] = result.reward;
      log[k * width + 1] = result.flags;
      log.set(state, k * width + 5);
    }
  }
  return { action, log, obs, obsWords, width };
}

const adapter = await navigator.gpu.requestAdapter();
if (!adapter) throw new Error('This browser gives no WebGPU adapter.');
const device = await adapter.requestDevice();
afterAll(() => device.destroy());

// compiled once: that takes longer than a walk
const module = device.createShaderModule({ code: RANDOM + (await sokoban.gpu!.wgsl()).step + WALK });
const { messages } = await module.getCompilationInfo();
const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });

test('the kernel is compiled without a complaint', () => {
  expect(messages.map(({ lineNum, message }) => `${lineNum}: ${message}`)).toEqual([]);
});

async function byKernel<L>(env: Environment<L>, levels: readonly L[], want: ReturnType<typeof byDefinition>) {
  device.pushErrorScope('validation');
  const packed = levels.map((level) => env.gpu!.packLevel(level));
  const levelWords = packed[0]!.length;
  expect(packed.map((words) => words.length)).toEqual(levels.map(() => levelWords));
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const buffer = (words: Uint32Array, of: number = usage): GPUBuffer => {
    const made = device.createBuffer({ size: words.byteLength, usage: of });
    device.queue.writeBuffer(made, 0, words as Uint32Array<ArrayBuffer>);
    return made;
  };
  const wrong = (length: number): Uint32Array => new Uint32Array(length).fill(0xdeadbeef);
  const sizes = Uint32Array.of(ROWS, STEPS, levelWords, want.obsWords);
  const obs = buffer(wrong(want.obs.length));
  const log = buffer(wrong(want.log.length));
  const buffers = [
    buffer(sizes, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST),
    buffer(Uint32Array.from(packed.flatMap((words) => [...words]))),
    buffer(want.action),
    buffer(wrong(ROWS * env.words)),
    obs,
    log,
  ];
  const entries = buffers.map((made, binding) => ({ binding, resource: { buffer: made } }));
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(Math.ceil(ROWS / 64));
  pass.end();
  const read = [obs, log].map((made) => {
    const staging = device.createBuffer({ size: made.size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    encoder.copyBufferToBuffer(made, 0, staging, 0, made.size);
    return staging;
  });
  device.queue.submit([encoder.finish()]);
  await Promise.all(read.map((staging) => staging.mapAsync(GPUMapMode.READ)));
  const [gotObs, gotLog] = read.map((staging) => new Uint32Array(staging.getMappedRange().slice(0)));
  expect(await device.popErrorScope()).toBeNull();
  for (const made of [...buffers, ...read]) made.destroy();
  return { obs: gotObs!, log: gotLog! };
}

/** Index of the first word that differs, −1 if none does. */
function firstDifference(got: Uint32Array, want: Uint32Array): number {
  expect(got.length).toBe(want.length);
  return want.findIndex((word, k) => got[k] !== word);
}

test.each(WAYS.map((way) => [Object.values(way.settings).join(' ').replaceAll('\n', '|').slice(0, 60), way] as const))(
  'random steps on the GPU equal the definition in every bit: %s',
  async (_name, { settings, rewards }) => {
    const isOne = settings['view'] === 'index';
    const levels = Array.from({ length: ROWS }, (_, row) => {
      return must(
        sokoban.level(
          { ...defaultsOf(sokoban.settings), ...settings },
          { ...defaultsOf(sokoban.rewards), ...rewards },
          isOne ? 1 : row % 16,
        ),
      );
    });
    const want = byDefinition(sokoban, levels);
    const got = await byKernel(sokoban, levels, want);
    const column = ['reward', 'flags', 'legal', 'key', 'key'];
    const at = firstDifference(got.log, want.log);
    const word = at % want.width;
    const where = `row ${Math.floor(at / want.width / STEPS)}, step ${Math.floor(at / want.width) % STEPS}`;
    if (at >= 0) expect.fail(`${column[word] ?? `state word ${word - 5}`}, ${where}`);
    const seen = firstDifference(got.obs, want.obs);
    if (seen >= 0) expect.fail(`observation word ${seen % want.obsWords}, walk ${Math.floor(seen / want.obsWords)}`);
    // walks that never push or never end would compare nothing
    const flags = Array.from({ length: ROWS * STEPS }, (_, k) => want.log[k * want.width + 1]!);
    expect(flags.filter((f) => (f & 256) !== 0).length).toBeGreaterThan(50);
    expect(flags.some((f) => (f & 15) !== 0)).toBe(true);
  },
);
