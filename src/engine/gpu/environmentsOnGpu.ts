import { hashInto, keyText, OBS_TAG } from '../../core/hash.ts';
import { PURPOSE } from '../../core/random.ts';
import { walkOf, type Check, type EnvironmentCase, type Walk } from '../../envs/conformance.ts';
import type { Environment } from '../../envs/types.ts';
import { VOCABULARY } from '../../envs/vocabulary.ts';
import type { Gpu } from '../../gpu/device.ts';
import type { Kernel } from '../../gpu/kernel.ts';
import { CommandList, readBack, whole } from '../../gpu/recorder.ts';
import { envWalkWith, goldenDraw, goldenHash } from '../../gpu/shaders/goldenKernels.ts';

type Json = Readonly<Record<string, unknown>>;
type Words = Readonly<Record<string, Uint32Array>>;

/** Rows 0 … steps of a walk: states, observations, and reward, flags, key high, key low, legal bits. */
export type GpuWalk = {
  readonly rows: number;
  readonly state: Uint32Array;
  readonly obs: Uint32Array;
  readonly told: Uint32Array;
};
const TOLD = 5;
/** What no kernel writes: a word nobody wrote still holds it. */
const WRONG = 0xdeadbeef;

/** Words that a kernel reads, and how many it writes. */
type Around = { readonly inputs: Words; readonly outputs: Readonly<Record<string, number>> };

/** Runs a kernel once on buffers of words; reads the named ones. */
async function runOnce(
  gpu: Gpu,
  kernel: Kernel,
  { inputs, outputs }: Around,
  dims: Readonly<Record<string, number>>,
  invocations: number,
): Promise<Record<string, Uint32Array>> {
  const blank = Object.entries(outputs).map(([name, size]) => [name, new Uint32Array(size).fill(WRONG)] as const);
  const made: Record<string, GPUBuffer> = {};
  const list = new CommandList(gpu, kernel.id);
  try {
    for (const [name, words] of [...Object.entries(inputs), ...blank]) {
      made[name] = gpu.buffer(name, words.length, 0x80 | 0x08 | 0x04);
      gpu.device.queue.writeBuffer(made[name], 0, words as Uint32Array<ArrayBuffer>);
    }
    await list.add(kernel, made, dims, [Math.ceil(invocations / 64)]);
    const encoder = gpu.device.createCommandEncoder({ label: kernel.id });
    list.encode(encoder);
    gpu.device.queue.submit([encoder.finish()]);
    const got: Record<string, Uint32Array> = {};
    for (const [name, size] of Object.entries(outputs))
      got[name] = new Uint32Array(await readBack(gpu, whole(made[name]!))).slice(0, size);
    return got;
  } finally {
    list.dispose();
    for (const buffer of Object.values(made)) gpu.free(buffer);
  }
}

/** An episode in the WGSL form of an environment. Action −1 is no command. */
export async function walkOnGpu<L>(
  gpu: Gpu,
  env: Environment<L>,
  level: L,
  actions: readonly number[],
  seed: number,
): Promise<GpuWalk> {
  const rows = actions.length + 1;
  const obsWords = Math.ceil(env.features(level) / 32);
  const { step } = await env.gpu!.wgsl();
  const { state, obs, told } = await runOnce(
    gpu,
    envWalkWith(step),
    {
      inputs: { levels: env.gpu!.packLevel(level), actions: Uint32Array.from(actions) },
      outputs: { state: rows * env.words, obs: rows * obsWords, told: rows * TOLD },
    },
    { steps: actions.length, words: env.words, obsWords, seed },
    1,
  );
  return { rows, state: state!, obs: obs!, told: told! };
}

const rowOf = (words: Uint32Array, rows: number, row: number): Uint32Array =>
  words.subarray((words.length / rows) * row, (words.length / rows) * (row + 1));

/** Active features of an observation, ascending. */
const activeOf = (bits: Uint32Array): number[] =>
  Array.from({ length: 32 * bits.length }, (_, f) => f).filter((f) => ((bits[f >>> 5]! >>> (f & 31)) & 1) === 1);

/** Tokens of an observation, four to a word; <pad> = 0 after the last one. */
function tokensOf(words: Uint32Array): number[] {
  const tokens = Array.from({ length: 4 * words.length }, (_, k) => (words[k >>> 2]! >>> (8 * (k & 3))) & 255);
  return tokens.slice(0, tokens.findLastIndex((token) => token !== 0) + 1);
}

function obsKeyOf(family: number, tokens: readonly number[]): string {
  const key = new Uint32Array(2);
  hashInto(OBS_TAG, family, Uint32Array.from(tokens), 0, tokens.length, key, 0);
  return keyText(key[0]!, key[1]!);
}

/** What a walk on the GPU says, under the keys of golden walks. `view` is the word with which keys name the view. */
function saidOnGpu(family: number, view: string, { rows, state, obs, told }: GpuWalk): Json {
  const all = Array.from({ length: rows }, (_, row) => row);
  const key = all.map((row) => keyText(told[TOLD * row + 2]!, told[TOLD * row + 3]!));
  const words = all.map((row) => [...rowOf(state, rows, row)]);
  const seen = all.map((row) => (view === 'tokens' ? tokensOf : activeOf)(rowOf(obs, rows, row)));
  const said: Json = {
    words0: words[0],
    key0: key[0],
    reward: all.slice(1).map((row) => told[TOLD * row]! | 0),
    flags: all.slice(1).map((row) => told[TOLD * row + 1]!),
    stateKey: key.slice(1),
    words: words.slice(1),
    [`${view}0`]: seen[0],
    [`${view}End`]: seen.at(-1),
  };
  if (view !== 'tokens') return said;
  const text = seen.map((tokens) => tokens.map((token) => VOCABULARY[token] ?? '?').join(' '));
  const obsKey = seen.map((tokens) => obsKeyOf(family, tokens));
  return { ...said, text0: text[0], text: text.slice(1), obsKey0: obsKey[0], obsKey: obsKey.slice(1) };
}

/** Compares one expected key with every form that says it. */
function exactly(key: string, forms: readonly Json[], name: string, want: unknown): Check[] {
  const said = forms.filter((form) => Object.hasOwn(form, name));
  if (said.length === 0) return [];
  const passed = said.every((form) => JSON.stringify(form[name]) === JSON.stringify(want));
  return [{ key: `${key}.${name} (WGSL)`, built: true, passed, maxError: passed ? 0 : Infinity }];
}

/** The walk once in every view: states, rewards and keys must not depend on what is looked at. */
async function formsOf(gpu: Gpu, { env, levels, actions, seed }: Walk): Promise<Json[]> {
  const forms: Json[] = [];
  for (const [view, level] of Object.entries(levels))
    forms.push(saidOnGpu(env.family, view, await walkOnGpu(gpu, env, level, actions, seed)));
  return forms;
}

/** Rows (a, b, c, d, e, n) of src/gpu/shaders/rollout/envWalk/draw.wgsl: block, random, below of each. */
async function drawnOnGpu(gpu: Gpu, rows: readonly (readonly number[])[]): Promise<number[][]> {
  const given = Uint32Array.from(rows.flat());
  const dims = { count: rows.length };
  const out = await runOnce(
    gpu,
    goldenDraw,
    { inputs: { rows: given }, outputs: { drawn: given.length } },
    dims,
    rows.length,
  );
  return rows.map((_, k) => [...rowOf(out['drawn']!, rows.length, k)]);
}

type Hashed = { readonly tag: number; readonly family: number; readonly words: readonly number[] };

async function hashedOnGpu(gpu: Gpu, all: readonly Hashed[]): Promise<string[]> {
  const words = all.map((h) => h.words).flat();
  let first = 0;
  const lists = all.flatMap((h) => {
    first += h.words.length;
    return [h.tag, h.family, first - h.words.length, h.words.length];
  });
  const given = { lists: Uint32Array.from(lists), words: Uint32Array.from(words) };
  const dims = { count: all.length };
  const out = await runOnce(gpu, goldenHash, { inputs: given, outputs: { hashed: 2 * all.length } }, dims, all.length);
  return all.map((_, k) => keyText(out['hashed']![2 * k]!, out['hashed']![2 * k + 1]!));
}

/** Draws of a level stream that golden values list. */
const STREAM = 12;

/** Blocks, draws, bounded draws, level streams and hashes with the functions of random.wgsl. */
async function randomOnGpu(gpu: Gpu, inputs: Json): Promise<Json> {
  const numbers = (key: string): Record<string, number>[] => (inputs[key] ?? []) as Record<string, number>[];
  const blocks = (inputs['blocks'] ?? []) as { key: number[]; ctr: number[] }[];
  const streams = numbers('stream').flatMap(({ seed, family, attempt, n }) =>
    Array.from({ length: STREAM }, (_, k) => [seed!, PURPOSE.level, family!, attempt!, k, n!]),
  );
  const random = numbers('random').map(({ seed, purpose, a, b, c }) => [seed!, purpose!, a!, b!, c!, 1]);
  const below = numbers('below').map(({ word, n }) => [word!, 0, 0, 0, 0, n!]);
  const stream = (await drawnOnGpu(gpu, streams)).map((row) => row[5]);
  return {
    blocks: (
      await drawnOnGpu(
        gpu,
        blocks.map(({ key, ctr }) => [...key, ...ctr, 0, 1]),
      )
    ).map((row) => row.slice(0, 2)),
    random: (await drawnOnGpu(gpu, random)).map((row) => row.slice(2, 4)),
    below: (await drawnOnGpu(gpu, below)).map((row) => row[4]),
    stream: numbers('stream').map((_, s) => stream.slice(STREAM * s, STREAM * (s + 1))),
    hash: await hashedOnGpu(gpu, (inputs['hash'] ?? []) as Hashed[]),
  };
}

/** Checks the WGSL form of every key of an environment case that has one, exactly; keys end in "(WGSL)". */
export async function checkEnvironmentOnGpu(gpu: Gpu, c: EnvironmentCase): Promise<Check[]> {
  const walk = walkOf(c);
  const forms = walk ? await formsOf(gpu, walk) : c.kind === 'rng' ? [await randomOnGpu(gpu, c.inputs)] : [];
  return Object.entries(c.expected as Json).flatMap(([name, want]) => exactly(c.kind, forms, name, want));
}
