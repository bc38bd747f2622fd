import { NO_VALUE, type ValueForm } from '../../gpu/critic.ts';
import type { Buffer } from '../../gpu/network.ts';
import { sectionBytes, type CommandList, type Slice } from '../../gpu/recorder.ts';
import { coefficientsOfWordsWith, commandKernels } from '../../gpu/shaders/commandKernels.ts';
import { kernels, logpWgsl } from '../../gpu/shaders/kernels.ts';
import { playedKlWords } from '../../gpu/shaders/playedKlKernels.ts';
import { valuesOf } from '../../networks/layout.ts';
import type { Plan } from '../plan.ts';
import type { GpuRestriction } from './restriction.ts';
import { NO_CLIP, type ClipForm } from './clipForm.ts';
import type { TokenBuffers } from '../../networks/transformer/tokenBuffers.ts';
import {
  addPack,
  addSteps,
  addTokenBackward,
  addTokenForward,
  type TokenSource,
} from '../../networks/transformer/tokenList.ts';
import { addGradientStart } from '../../networks/transformer/tokenOps.ts';
import { grammarDims } from './grammarDims.ts';

/**
 * Lists of a run with commands. One recorded chunk serves all: a list of steps hands out the next R of them each time.
 *
 *   rollout   for every t: observe · addSteps({ t }) · chunk × n · step;      then addSteps('last') · last values × n
 *   look      addWeights · addLookStart · chunk × n · addGradientEnd      with n = chunksOf(…)
 */

/** What commands are written to and learned from; sections of `section` words hold one number per step. */
export type CommandBatch = TokenSource & {
  readonly section: number;
  /** legal bits, action, command: three sections. `commands` is the third one */
  readonly choice: GPUBuffer;
  /** log-probability, entropy, value, then both of every decision, and both values where there are two */
  readonly sampled: Buffer;
  /** [S, B, T, actions] π(a|o) */
  readonly probs: Buffer;
  /** purpose, update, seed of each replica, and from word `shown`, if that is not 0, actions that are not the policy's */
  readonly roll: Buffer;
  readonly shown: number;
  readonly flags: GPUBuffer;
  /** see `statsFloats` */
  readonly stats: GPUBuffer;
  /** A and target: two sections; then, unless these are 0, marks and A of every unit */
  readonly credit: GPUBuffer;
  readonly marksAt: number;
  readonly creditAt: number;
  /** coefficients of every replica, a uniform: see gpu/live.ts */
  readonly live: GPUBuffer;
};

/** Sections of `sampled`. */
export const sampledSections = (b: TokenBuffers): number =>
  3 + 2 * b.shape.grammar.decisions + (valuesOf(b.shape) === 2 ? 2 : 0);
/** Numbers of `stats`: six per step as every objective writes them, then eight over its units, then Δ of its words. */
export const statsFloats = (b: TokenBuffers): number => (14 + b.shape.grammar.decisions) * b.S * b.B * b.T;
const unitsAt = (b: TokenBuffers): number => 6 * b.S * b.B * b.T;
const deltaAt = (b: TokenBuffers): number => 14 * b.S * b.B * b.T;

/** One chunk of a rollout's step (listed with `{ t }`): every trajectory in it reads and writes a command. */
export async function addCommandChunk(
  list: CommandList,
  b: TokenBuffers,
  batch: CommandBatch,
  { theta, temperature }: { readonly theta: Buffer; readonly temperature: number },
  restriction: GpuRestriction | null = null,
): Promise<void> {
  const { choice, sampled, probs, roll, shown, flags, section } = batch;
  const dims = {
    ...grammarDims(b),
    B: b.B,
    T: b.T,
    R: b.R,
    n: b.n,
    actions: b.shape.actions,
    section,
    floatSection: section,
    inverse: 1 / temperature,
    shown,
  };
  const buffers = { rows: b.rows, logits: b.out(0), grammar: b.grammar, roll, choice, sampled, probs, flags };
  await addPack(list, b, batch, 'steps');
  await restriction?.addCommandSet(list, b, batch);
  await addTokenForward(list, b, theta);
  await list.add(commandKernels.policyHeadWords, buffers, dims, [Math.ceil(b.R / 64), 1, b.S]);
  await restriction?.addCommandRestore(list, b, batch);
}

/** Where a look at the policy goes: π and entropies into sections of `buffer`, and the largest |Δ log π| of any action. */
export type SeenInto = { readonly buffer: GPUBuffer; readonly probsAt: number; readonly most: Slice };

/** Behind the forward pass of a chunk of steps: the policy there, and the KL from what played to it; see playedKl.wgsl. */
export async function addSeenCommands(
  list: CommandList,
  b: TokenBuffers,
  batch: CommandBatch,
  { buffer: seen, probsAt, most }: SeenInto,
  temperature: number,
): Promise<void> {
  const { choice, probs: played, section } = batch;
  await list.add(
    playedKlWords,
    { rows: b.rows, out: b.out(0), grammar: b.grammar, choice, played, seen, most },
    {
      ...grammarDims(b),
      ...{ B: b.B, T: b.T, R: b.R, n: b.n, actions: b.shape.actions, inverse: 1 / temperature },
      ...{ section, floatSection: section, probsAt },
    },
    [Math.ceil(b.R / 64), 1, b.S],
  );
}

/** One chunk of V of the states after the last step (listed with `last`), into `lastValue` [S, B]. Only with a critic. */
export async function addLastValueChunk(
  list: CommandList,
  b: TokenBuffers,
  batch: TokenSource,
  theta: Buffer,
): Promise<void> {
  const dims = { R: b.R, n: b.n, values: valuesOf(b.shape), B: b.B, T: b.T };
  await addPack(list, b, batch, 'last');
  await addTokenForward(list, b, theta);
  const buffers = { rows: b.rows, out: b.out(0), y: b.lastValue };
  await list.add(kernels.lastValue, buffers, dims, [Math.ceil(b.R / 64), 1, b.S]);
}

/** Decisions of every trajectory, into `units` [S, B]; once per batch. */
export async function addUnits(list: CommandList, b: TokenBuffers, batch: TokenSource, units: Buffer): Promise<void> {
  const rows = b.S * b.B;
  const buffers = { grammar: b.grammar, length: batch.length, commands: batch.commands, units };
  await list.add(commandKernels.commandUnits, buffers, { ...grammarDims(b), rows, T: b.T }, [Math.ceil(rows / 64)]);
}

/** How a look at the batch is taken. */
export type Look = {
  /** WGSL of the objective and its parameters */
  readonly objective: string;
  readonly params: readonly [number, number, number, number];
  readonly ratioLevel: Plan['ratioLevel'];
  readonly temperature: number;
  readonly value: ValueForm;
  readonly clip: ClipForm;
  /** whether it adds to the gradient (`addGradientEnd` collects it); with 'last' to that by the output head alone */
  readonly learns: boolean | 'last';
};

/** Learns nothing but log π of what was written: the gradient of Σ weight·log π. */
export const logpLook = (temperature: number, learns: Look['learns']): Look => ({
  objective: logpWgsl,
  params: [0, 0, 0, 0],
  ratioLevel: 'step',
  temperature,
  value: NO_VALUE,
  clip: NO_CLIP,
  learns,
});

/** Before the chunks of a look: lists the steps that have a weight, clears the statistics and the slices of the gradient. */
export async function addLookStart(list: CommandList, b: TokenBuffers, batch: CommandBatch): Promise<void> {
  const count = statsFloats(b);
  await addSteps(list, b, batch, 'weighted');
  await list.add(kernels.fill, { x: batch.stats }, { count, value: 0 }, [Math.ceil(count / 64)]);
  await addGradientStart(list, b);
}

/** Parameters that a look compares: `reference` is there where the KL coefficient may be above 0. */
export type Compared = { readonly theta: Buffer; readonly reference: Buffer | null };

/** One chunk of a look: loss and statistics, and if it learns what it adds to the gradient. */
export async function addLookChunk(
  list: CommandList,
  b: TokenBuffers,
  batch: CommandBatch,
  { theta, reference }: Compared,
  look: Look,
): Promise<void> {
  const { choice, sampled, credit, stats, live, section, plan } = batch;
  const [p0, p1, p2, p3] = look.params;
  const dims = {
    ...grammarDims(b),
    B: b.B,
    T: b.T,
    R: b.R,
    n: b.n,
    perStep: ['unit', 'step', 'stepMean'].indexOf(look.ratioLevel),
    outSection: sectionBytes(b.S * b.R * b.n) / 4,
    section,
    floatSection: section,
    marksAt: batch.marksAt,
    creditAt: batch.creditAt,
    unitsAt: unitsAt(b),
    deltaAt: deltaAt(b),
    inverse: 1 / look.temperature,
    ...look.value,
    ...look.clip,
    p0,
    p1,
    p2,
    p3,
  };
  const buffers = { rows: b.rows, grammar: b.grammar, choice, sampled, credit, plan, outs: b.outs, stats, live };
  await addPack(list, b, batch, 'steps');
  if (reference) await addTokenForward(list, b, reference, 1);
  await addTokenForward(list, b, theta);
  await list.add(coefficientsOfWordsWith(look.objective), buffers, dims, [Math.ceil(b.R / 64), 1, b.S]);
  if (look.learns) await addTokenBackward(list, b, theta, look.learns === 'last' ? 'last' : 'all');
}
