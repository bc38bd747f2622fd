import type { Buffer } from '../../gpu/network.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { addStepLayerBackward, type StepLayer, type Way } from '../transformer/stepLayers.ts';
import { live, perNumber, type Pass } from '../transformer/tokenOps.ts';
import { tokensOfBlock, type Block } from './blocks.ts';
import attentionKey from './memoKey.wgsl?raw';
import type { MemoOnGpu } from './memoOnGpu.ts';
import attentionQuery from './memoQuery.wgsl?raw';
import { distancesOf } from './shape.ts';

// the way back of memoOnGpu.ts, loaded by runs that learn: who only plays has none

/** From ∂ of the answers of a segment, and of its summary as the next one left it, to ∂ of its inputs. */
export async function addBlockBackward(network: MemoOnGpu, way: Way, block: Block, k: number): Promise<void> {
  const { summary: S, width: D } = network.shape;
  const { B } = network.batch;
  const { prefix, steps, own } = block;
  const { bench, dSummary, segments } = network.arrays;
  const { X, layers } = segments[k]!;
  const { dX } = bench;
  const pass = network.passOf(way, block);
  const summary = { buffer: dSummary, replica: B * S * D, row: S * D, at: 0, by: 'trajectory' } as const;
  if (prefix > 0) await network.clear(way.list, dX, network.batch.S * pass.level.max * D);
  const dSteps = network.ofBlock(dX, block, prefix);
  await network.copy(way, block, steps, network.ofSteps(network.answer, block, way), dSteps);
  if (own > 0) await network.copy(way, block, S, summary, network.ofBlock(dX, block, prefix + steps));
  for (const [l, m] of [...layers.entries()].reverse())
    await addStepLayerBackward(pass, { m, l, X: X[l]! }, () => attendBack(network, way, block, l, m));
  await network.copy(way, block, steps, dSteps, network.ofSteps(network.input, block, way));
  if (prefix > 0) await network.copy(way, block, S, network.ofBlock(dX, block, 0), summary);
  // of all tokens of a trajectory those of its own summary, as one row
  const ofOwn = { width: tokensOfBlock(block) * D, first: (prefix + steps) * D, D: S * D };
  if (own > 0) await addColumns(network.passOf(way, block, 1), dX, ofOwn, 'summary');
}

/** From ∂O in dA to ∂ of queries, keys and values, and of the biases of the distances. */
async function attendBack(network: MemoOnGpu, way: Way, block: Block, l: number, m: StepLayer): Promise<void> {
  const pass = network.passOf(way, block);
  const { list, theta, level, b } = pass;
  const { heads, width, segment: L, summary: S, keep } = network.shape;
  const { dS, kept, dKept } = network.arrays;
  const query = await network.attention(way, 'memoQuery', attentionQuery);
  const key = await network.attention(way, 'memoKey', attentionKey);
  const dots = { which: level.which, maxQueries: level.max, heads, width: width / heads };
  await perNumber(pass, kernels.attentionDots, heads, { O: m.O, dO: b.dA, soft: m.soft }, dots);
  const places = network.placesOf(way);
  const known = { ...places, QKV: m.QKV, theta, kept: kept[l]!, soft: m.soft, dO: b.dA, dQKV: b.dQKV };
  const dims = network.dims(block, l);
  await list.add(query, { ...known, dS }, dims, network.groups(level.most! * heads));
  // summaries of earlier segments than the one that the block begins with
  const others = Math.max(0, Math.min(block.t / L, keep) - 1) * S;
  const keys = network.groups(network.trajectories(way) * (tokensOfBlock(block) + others) * heads);
  await list.add(key, { ...known, dKept: dKept[l]! }, dims, keys);
  await addColumns(pass, dS, { width: heads * distancesOf(network.shape) }, `rel.${l}`);
}

/** Sums over rows of columns of dY, all by default, to the gradient of a tensor. */
function addColumns(
  { list, b, level }: Pass,
  dY: Buffer,
  { width, first = 0, D = width }: { readonly width: number; readonly first?: number; readonly D?: number },
  name: string,
): Promise<void> {
  const { S, stride, slices, rows, partials, layout } = b;
  const of = { stride, width, first, D, slices, size: layout.size, biasAt: b.at[name]!, sign: 1 };
  const dims = { ...live(level), ...of };
  return list.add(kernels.columnGradient, { rows, dY, partials }, dims, [Math.ceil(D / 64), slices, S]);
}
