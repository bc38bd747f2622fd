import type { Buffer } from '../../gpu/network.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { attentionWith, tokenKernels } from '../../gpu/shaders/tokenKernels.ts';
import type { Layers } from '../../contract/network.ts';
import { headScale } from './shape.ts';
import type { LayerBuffers, TokenBuffers } from './tokenBuffers.ts';
import { addGate, addGateBackward, tokenGate } from './tokenGate.ts';
import {
  linear,
  linearBackward,
  norm,
  normBackward,
  over,
  perNumber,
  tensor,
  type Pass as PassOf,
} from './tokenOps.ts';

type Pass = PassOf<TokenBuffers>;

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
    tokenKernels.tokenPack,
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
  const { width: D, layers, heads } = b.shape;
  const { hasReLU } = b;
  const { perToken } = b;
  const pass: Pass = { list, b, theta, level: perToken };
  const embed = { maxRows: perToken.max, D, size: b.layout.size, wordAt: b.at['E']!, placeAt: b.at['P']! };
  await perNumber(pass, tokenKernels.tokenEmbed, D, { tokens: b.tokens, theta, X: b.X[0]! }, embed);
  for (let l = 0; l < layers; l++) {
    const m = b.layers[l]!;
    const ask = over(pass, m.queries);
    await norm(pass, { which: 1, layer: l }, { X: b.X[l]!, Y: m.n1, moments: m.moments1 });
    await linear(pass, { weight: `Wqkv.${l}` }, m.n1, m.QKV);
    const attend = { tokens: b.tokens, QKV: m.QKV, theta, O: m.O, soft: m.soft };
    await perNumber(ask, attentionWith(D / heads, 'attention'), heads, attend, attentionDims(b, m, l));
    await linear(ask, { weight: `Wo.${l}` }, m.O, m.gate1.y, hasReLU);
    if (m.x !== b.X[l]) await perNumber(ask, tokenKernels.gatherRows, D, { X: b.X[l]!, Y: m.x }, gatherDims(b));
    await addGate(ask, tokenGate(m.gate1, 1, l), m.x, m.mid);
    await norm(ask, { which: 2, layer: l }, { X: m.mid, Y: m.n2, moments: m.moments2 });
    await linear(ask, { weight: `W1.${l}`, bias: `b1.${l}` }, m.n2, m.H, true);
    await linear(ask, { weight: `W2.${l}`, bias: `b2.${l}` }, m.H, m.gate2.y, hasReLU);
    await addGate(ask, tokenGate(m.gate2, 2, l), m.mid, b.X[l + 1]!);
  }
  await norm(over(pass, b.perPrefix), 'last', { X: b.X[layers]!, Y: b.nf, moments: b.momentsF });
  const head = { N: b.nf, theta, grammar: b.grammar, out: b.out(into) };
  const dims = { ...headDims(b), biasAt: b.at['outbias']!, valueBiasAt: b.at['valuebias'] ?? 0 };
  await perNumber(over(pass, b.perRow), tokenKernels.tokenHead, b.n, head, dims);
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

/** Adds ∂L/∂θ of the chunk that was last passed forward, from section 2 of its outputs; `which` 'last': by the head alone. */
export async function addTokenBackward(
  list: CommandList,
  b: TokenBuffers,
  theta: Buffer,
  which: Layers = 'all',
): Promise<void> {
  const pass: Pass = { list, b, theta, level: b.perPrefix };
  const { layers, vocabulary } = b.shape;
  await headGradient(pass);
  if (which === 'last') return;
  await headBackward(pass);
  await normBackward(pass, 'last', { X: b.X[layers]!, moments: b.momentsF, dY: b.dA, dX: b.dQ }, false);
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
  await list.add(tokenKernels.tokenEmbedGradient, buffers, dims, groups);
}

async function headBackward(pass: Pass): Promise<void> {
  const { b, theta } = pass;
  const buffers = { dOut: b.out(2), theta, grammar: b.grammar, dN: b.dA };
  await perNumber(pass, tokenKernels.tokenHeadBackward, b.shape.width, buffers, headDims(b));
}

async function headGradient({ list, b }: Pass): Promise<void> {
  const { width: D, vocabulary, grammar } = b.shape;
  await list.add(
    tokenKernels.tokenHeadGradient,
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
  const ask = over(pass, queries);
  const all = over(pass, b.perToken);
  await addGateBackward(ask, tokenGate(m.gate2, 2, l), m.mid, d, b.dB);
  const mlp = { X: m.H, dY: b.dB, dX: b.dH };
  await linearBackward(ask, { weight: `W2.${l}`, bias: `b2.${l}` }, mlp, { mask: m.H });
  await linearBackward(ask, { weight: `W1.${l}`, bias: `b1.${l}` }, { X: m.n2, dY: b.dH, dX: b.dA });
  await normBackward(ask, { which: 2, layer: l }, { X: m.mid, moments: m.moments2, dY: b.dA, dX: d }, true);
  await addGateBackward(ask, tokenGate(m.gate1, 1, l), m.x, d, b.dB);
  await linearBackward(ask, { weight: `Wo.${l}` }, { X: m.O, dY: b.dB, dX: b.dA });

  const dims = attentionDims(b, m, l);
  const dots = { which: queries.which, maxQueries: queries.max, heads, width: D / heads };
  await perNumber(ask, kernels.attentionDots, heads, { O: m.O, dO: b.dA, soft: m.soft }, dots);
  const known = { tokens: b.tokens, QKV: m.QKV, theta, soft: m.soft, dO: b.dA, dQKV: b.dQKV };
  await perNumber(ask, attentionWith(D / heads, 'attentionQuery'), heads, { ...known, dS: b.dS }, dims);
  await perNumber(all, attentionWith(D / heads, 'attentionKey'), heads, known, dims);
  const groups = [Math.ceil((heads * b.distances) / 64), b.slices, b.S] as const;
  const table = { rows: b.rows, tokens: b.tokens, dS: b.dS, partials: b.partials };
  await list.add(tokenKernels.distanceGradient, table, { ...dims, stride: b.stride, slices: b.slices }, groups);

  if (d === b.dQ) await perNumber(all, tokenKernels.scatterRows, D, { tokens: b.tokens, Y: d, X: b.dX }, gatherDims(b));
  await linearBackward(all, { weight: `Wqkv.${l}` }, { X: m.n1, dY: b.dQKV, dX: b.dA });
  await normBackward(all, { which: 1, layer: l }, { X: b.X[l]!, moments: m.moments1, dY: b.dA, dX: b.dX }, true);
}
