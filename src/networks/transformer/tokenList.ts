import type { Buffer } from '../../gpu/network.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { attentionWith, kernels } from '../../gpu/shaders/kernels.ts';
import type { Layers } from '../../contract/network.ts';
import { headScale } from './shape.ts';
import type { LayerBuffers, TokenBuffers } from './tokenBuffers.ts';
import { addGate, addGateBackward, gateNames } from './tokenGate.ts';
import { linear, linearBackward, norm, normBackward, perNumber, tensor, type Pass } from './tokenOps.ts';

/**
 * Which steps a pass works on: all real ones, those of living trajectories at t, those with a weight, the last of each,
 * those of one trajectory, by its place among those with a weight.
 */
export type Steps = 'all' | 'weighted' | 'last' | { readonly t: number } | { readonly weighted: number };

function modeOf(steps: Steps): { readonly mode: number; readonly t: number } {
  if (typeof steps === 'string') return { mode: { all: 0, weighted: 2, last: 3 }[steps], t: 0 };
  return 't' in steps ? { mode: 1, t: steps.t } : { mode: 4, t: steps.weighted };
}

/** Where a pass finds its batch: observations as packed tokens [S, B, T+1, obsWords], commands [S, B, T], lengths, weights. */
export type TokenSource = {
  readonly obs: Buffer;
  readonly obsWords: number;
  readonly commands: Buffer;
  readonly length: Buffer;
  /** [S, B, 2] weight and length of every trajectory; only read for `weighted` */
  readonly plan: Buffer;
};

/** Lists the steps. Every `addPack` then takes the next of them, so that the list of one chunk can be encoded many times. */
export async function addSteps(list: CommandList, b: TokenBuffers, source: TokenSource, steps: Steps): Promise<void> {
  const dims = { B: b.B, T: b.T, ...modeOf(steps) };
  const { length, plan } = source;
  await list.add(kernels.stepList, { length, plan, list: b.list }, dims, [1, 1, b.S]);
}

/** Chunks that hold every step there can be in this many trajectories. A chunk after the last step does nothing. */
export function chunksOf(b: TokenBuffers, steps: Steps, trajectories = b.B): number {
  if (typeof steps === 'object') return Math.ceil(('t' in steps ? trajectories : b.T) / b.R);
  return Math.ceil((trajectories * (steps === 'last' ? 1 : b.T)) / b.R);
}

/** Packs the next R of the listed steps. `last`: the last states, with the commands written before them. */
export async function addPack(
  list: CommandList,
  b: TokenBuffers,
  source: TokenSource,
  which: 'steps' | 'last',
): Promise<void> {
  const { history, observation, grammar } = b.shape;
  const { obs, commands, obsWords } = source;
  await list.add(
    kernels.tokenPack,
    { list: b.list, obs, commands, grammar: b.grammar, tokens: b.tokens, rows: b.rows },
    {
      B: b.B,
      T: b.T,
      R: b.R,
      M: b.perToken.max,
      J: grammar.prefixes.length,
      history,
      words: grammar.length,
      observation,
      obsWords,
      behind: which === 'last' ? 1 : 0,
    },
    [1, 1, b.S],
  );
}

function attentionDims(b: TokenBuffers, m: LayerBuffers, l: number): Record<string, number> {
  return {
    maxTokens: b.perToken.max,
    maxQueries: m.queries.max,
    J: b.shape.grammar.prefixes.length,
    isAll: m.queries === b.perToken ? 1 : 0,
    heads: b.shape.heads,
    size: b.layout.size,
    relAt: b.at[`rel.${l}`]!,
    distances: b.distances,
  };
}

function gatherDims(b: TokenBuffers): Record<string, number> {
  const J = b.shape.grammar.prefixes.length;
  return { maxTokens: b.perToken.max, maxQueries: b.perPrefix.max, J, D: b.shape.width };
}

/** The packed chunk with the parameters `theta`; outputs into section `into`. Activations stay for the backward pass. */
export async function addTokenForward(
  list: CommandList,
  b: TokenBuffers,
  theta: Buffer,
  into: 0 | 1 = 0,
): Promise<void> {
  const pass: Pass = { list, b, theta };
  const { width: D, layers, heads, gate } = b.shape;
  const { perToken } = b;
  const hasReLU = gate !== 'none';
  const embed = { maxRows: perToken.max, D, size: b.layout.size, wordAt: b.at['E']!, placeAt: b.at['P']! };
  await perNumber(pass, kernels.tokenEmbed, perToken, D, { tokens: b.tokens, theta, X: b.X[0]! }, embed);
  for (let l = 0; l < layers; l++) {
    const m = b.layers[l]!;
    const { queries } = m;
    await norm(pass, perToken, b.X[l]!, m.n1, m.moments1, { which: 1, layer: l });
    await linear(pass, perToken, m.n1, m.QKV, `Wqkv.${l}`, null, false);
    const attend = { tokens: b.tokens, QKV: m.QKV, theta, O: m.O, soft: m.soft };
    await perNumber(pass, attentionWith(D / heads, 'attention'), queries, heads, attend, attentionDims(b, m, l));
    await linear(pass, queries, m.O, m.gate1.y, `Wo.${l}`, null, hasReLU);
    if (m.x !== b.X[l]) await perNumber(pass, kernels.gatherRows, queries, D, { X: b.X[l]!, Y: m.x }, gatherDims(b));
    await addGate(pass, queries, m.x, m.gate1, m.mid, gateNames(1, l));
    await norm(pass, queries, m.mid, m.n2, m.moments2, { which: 2, layer: l });
    await linear(pass, queries, m.n2, m.H, `W1.${l}`, `b1.${l}`, true);
    await linear(pass, queries, m.H, m.gate2.y, `W2.${l}`, `b2.${l}`, hasReLU);
    await addGate(pass, queries, m.mid, m.gate2, b.X[l + 1]!, gateNames(2, l));
  }
  await norm(pass, b.perPrefix, b.X[layers]!, b.nf, b.momentsF, 'last');
  const head = { N: b.nf, theta, grammar: b.grammar, out: b.out(into) };
  const dims = { ...headDims(b), biasAt: b.at['outbias']!, valueBiasAt: b.at['valuebias'] ?? 0 };
  await perNumber(pass, kernels.tokenHead, b.perRow, b.n, head, dims);
}

function headDims(b: TokenBuffers): Record<string, number> {
  const { shape, at } = b;
  return {
    R: b.R,
    J: shape.grammar.prefixes.length,
    slots: shape.grammar.slots.length,
    n: b.n,
    D: shape.width,
    size: b.layout.size,
    wordsAt: at[shape.tied ? 'E' : 'out']!,
    valueAt: at['value'] ?? 0,
    scale: headScale(shape),
  };
}

/** Before the first chunk's backward pass: no slice has added anything. */
export async function addGradientStart(list: CommandList, b: TokenBuffers): Promise<void> {
  const count = b.S * b.slices * b.layout.size;
  await list.add(kernels.fill, { x: b.partials }, { count, value: 0 }, [Math.ceil(count / 64)]);
}

/** After the last chunk: gradient = the sum of the slices of all chunks. */
export async function addGradientEnd(list: CommandList, b: TokenBuffers, gradient: Buffer): Promise<void> {
  const { size } = b.layout;
  const groups = [Math.ceil(size / 64), 1, b.S] as const;
  await list.add(kernels.sliceSum, { partials: b.partials, gradient }, { size, slices: b.slices }, groups);
}

/** Adds ∂L/∂θ of the chunk that was last passed forward, from section 2 of its outputs; `which` 'last': by the head alone. */
export async function addTokenBackward(
  list: CommandList,
  b: TokenBuffers,
  theta: Buffer,
  which: Layers = 'all',
): Promise<void> {
  const pass: Pass = { list, b, theta };
  const { layers, vocabulary } = b.shape;
  await headGradient(pass);
  if (which === 'last') return;
  await headBackward(pass);
  await normBackward(pass, b.perPrefix, b.X[layers]!, b.momentsF, b.dA, b.dQ, 'last', false);
  for (let l = layers - 1; l >= 0; l--) await layerBackward(pass, l);
  const D = b.shape.width;
  const places = tensor(b, 'P').rows;
  const dims = {
    stride: b.stride,
    maxRows: b.perToken.max,
    D,
    vocabulary,
    places,
    slices: b.slices,
    size: b.layout.size,
    wordAt: b.at['E']!,
    placeAt: b.at['P']!,
  };
  const groups = [Math.ceil(((vocabulary + places) * Math.ceil(D / 8)) / 64), b.slices, b.S] as const;
  const buffers = { rows: b.rows, tokens: b.tokens, dX: b.dX, partials: b.partials };
  await list.add(kernels.tokenEmbedGradient, buffers, dims, groups);
}

async function headBackward(pass: Pass): Promise<void> {
  const { b, theta } = pass;
  const buffers = { dOut: b.out(2), theta, grammar: b.grammar, dN: b.dA };
  await perNumber(pass, kernels.tokenHeadBackward, b.perPrefix, b.shape.width, buffers, headDims(b));
}

async function headGradient({ list, b }: Pass): Promise<void> {
  const { width: D, vocabulary, grammar } = b.shape;
  await list.add(
    kernels.tokenHeadGradient,
    { rows: b.rows, N: b.nf, dOut: b.out(2), grammar: b.grammar, partials: b.partials },
    {
      ...headDims(b),
      stride: b.stride,
      vocabulary,
      slices: b.slices,
      biasAt: b.at['outbias']!,
      valueBiasAt: b.at['valuebias'] ?? 0,
    },
    [Math.ceil(((vocabulary + b.n - grammar.slots.length) * (D + 1)) / 64), b.slices, b.S],
  );
}

/** From ∂ of the layer's output (dX, in the last layer dQ at the prefixes) to ∂ of its input in dX. */
async function layerBackward(pass: Pass, l: number): Promise<void> {
  const { b, list, theta } = pass;
  const { width: D, heads, layers } = b.shape;
  const m = b.layers[l]!;
  const { queries } = m;
  const d = l + 1 < layers ? b.dX : b.dQ;
  await addGateBackward(pass, queries, m.mid, m.gate2, d, b.dB, gateNames(2, l));
  await linearBackward(pass, queries, m.H, b.dB, b.dH, `W2.${l}`, `b2.${l}`, { mask: m.H });
  await linearBackward(pass, queries, m.n2, b.dH, b.dA, `W1.${l}`, `b1.${l}`);
  await normBackward(pass, queries, m.mid, m.moments2, b.dA, d, { which: 2, layer: l }, true);
  await addGateBackward(pass, queries, m.x, m.gate1, d, b.dB, gateNames(1, l));
  await linearBackward(pass, queries, m.O, b.dB, b.dA, `Wo.${l}`, null);

  const dims = attentionDims(b, m, l);
  const dots = { which: queries.which, maxQueries: queries.max, heads, width: D / heads };
  await perNumber(pass, kernels.attentionDots, queries, heads, { O: m.O, dO: b.dA, soft: m.soft }, dots);
  const known = { tokens: b.tokens, QKV: m.QKV, theta, soft: m.soft, dO: b.dA, dQKV: b.dQKV };
  await perNumber(pass, attentionWith(D / heads, 'attentionQuery'), queries, heads, { ...known, dS: b.dS }, dims);
  await perNumber(pass, attentionWith(D / heads, 'attentionKey'), b.perToken, heads, known, dims);
  const groups = [Math.ceil((heads * b.distances) / 64), b.slices, b.S] as const;
  const table = { rows: b.rows, tokens: b.tokens, dS: b.dS, partials: b.partials };
  await list.add(kernels.distanceGradient, table, { ...dims, stride: b.stride, slices: b.slices }, groups);

  if (d === b.dQ)
    await perNumber(pass, kernels.scatterRows, b.perToken, D, { tokens: b.tokens, Y: d, X: b.dX }, gatherDims(b));
  await linearBackward(pass, b.perToken, m.n1, b.dQKV, b.dA, `Wqkv.${l}`, null);
  await normBackward(pass, b.perToken, b.X[l]!, m.moments1, b.dA, b.dX, { which: 1, layer: l }, true);
}
