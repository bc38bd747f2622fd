import { slicesOf } from '../../core/slices.ts';
import type { Buffer, NetworkBatch, RowList, Rows } from '../../gpu/network.ts';
import { listOf, overRows } from '../../gpu/products.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import type { Layout } from '../layout.ts';
import { offsetsOf, type LayerShape } from './shape.ts';
import { gateBuffers, type GateBuffers } from './gateBuffers.ts';
import { addGate, addGateBackward, tokenGate } from './tokenGate.ts';
import {
  linear,
  linearBackward,
  linearGradient,
  linearInput,
  norm,
  normBackward,
  normGradient,
  normInput,
  type Bench,
  type Pass,
} from './tokenOps.ts';

/** What one layer over the steps of episodes keeps of its rows for the way back. */
export type StepLayer = {
  readonly n1: GPUBuffer;
  readonly moments1: GPUBuffer;
  /** [rows, 3D] queries, keys and values */
  readonly QKV: GPUBuffer;
  /** [rows, heads, 2] log of the sum of a softmax, and what it takes from every slope */
  readonly soft: GPUBuffer;
  readonly O: GPUBuffer;
  readonly gate1: GateBuffers;
  readonly mid: GPUBuffer;
  readonly n2: GPUBuffer;
  readonly moments2: GPUBuffer;
  readonly H: GPUBuffer;
  readonly gate2: GateBuffers;
};

/** Arrays of a layer for so many rows of all replicas together. */
export function stepLayer(make: (floats: number) => GPUBuffer, shape: LayerShape, rows: number): StepLayer {
  const { width: D, hidden: F, heads } = shape;
  const per = (width: number): GPUBuffer => make(rows * width);
  return {
    ...{ n1: per(D), moments1: per(2), QKV: per(3 * D), soft: per(2 * heads), O: per(D) },
    ...{ gate1: gateBuffers(make, shape, rows), mid: per(D), n2: per(D), moments2: per(2), H: per(F) },
    gate2: gateBuffers(make, shape, rows),
  };
}

/** Scratch and gradients that all layers share, for so many rows of a replica. */
export class StepBench implements Bench {
  readonly gpu: NetworkBatch['gpu'];
  readonly shape: LayerShape;
  readonly layout: Layout;
  readonly at: Bench['at'];
  readonly hasReLU: boolean;
  readonly S: number;
  readonly counts: readonly number[];
  readonly rows: Buffer;
  readonly stride: number;
  readonly slices: number;
  readonly partials: Bench['partials'];
  readonly py: GPUBuffer;
  readonly px: GPUBuffer;
  readonly pg: GPUBuffer;
  readonly dA: GPUBuffer;
  readonly dB: GPUBuffer;
  readonly dH: GPUBuffer;
  readonly dQKV: GPUBuffer;
  /** ∂ of a layer's output, and then of its input */
  readonly dX: GPUBuffer;

  /** `counts`: how many rows are live, in as many ways; level k counts by number k. */
  constructor(
    { gpu, S, make, partials }: Pick<NetworkBatch, 'gpu' | 'S' | 'make' | 'partials'>,
    { shape, layout, hasReLU }: { readonly shape: LayerShape; readonly layout: Layout; readonly hasReLU: boolean },
    { rows, counts, slices }: { readonly rows: number; readonly counts: readonly number[]; readonly slices: number },
  ) {
    const { width: D, hidden: F, gate } = shape;
    this.gpu = gpu;
    this.shape = shape;
    this.layout = layout;
    this.at = offsetsOf(layout);
    this.hasReLU = hasReLU;
    this.S = S;
    this.counts = counts;
    this.stride = counts.length;
    this.slices = slices;
    this.partials = partials;
    const words = Uint32Array.from({ length: S * counts.length }, (_, k) => counts[k % counts.length]!);
    const live = make(words.length);
    gpu.device.queue.writeBuffer(live, 0, words);
    this.rows = live;
    const per = (width: number): GPUBuffer => make(S * rows * width);
    const isGru = gate === 'gru';
    this.py = isGru ? per(3 * D) : make(4);
    this.px = isGru ? per(2 * D) : make(4);
    this.pg = per(D);
    this.dA = per(D);
    this.dB = per(D);
    this.dH = per(F);
    this.dQKV = per(3 * D);
    this.dX = per(D);
  }
}

/** What a pass is recorded into, its parameters, and the steps that it goes over. */
export type Way = { readonly list: CommandList; readonly theta: Buffer; readonly rows: Rows | RowList };

/** Operations on arrays of single steps: word 0 of a replica's part of a list counts its rows, as the bench does without one. */
export function passOver(bench: StepBench, batch: NetworkBatch, { list, theta, rows }: Way): Pass<StepBench> {
  const { rows: most, maxRows: max, live } = overRows(batch, rows);
  const { rows: counted } = listOf(rows);
  if (!live || !counted) return { list, b: bench, theta, level: { which: bench.counts.indexOf(most), max, most } };
  const slices = slicesOf(most, bench.layout.size);
  return { list, b: { ...bench, rows: counted, stride: live.stride, slices }, theta, level: { which: 0, max, most } };
}

/** Layer l from the stream X to `out`; `attend` makes O of what the layer's product has put into `QKV`. */
export async function addStepLayer(
  pass: Pass,
  { m, l, QKV = m.QKV }: { readonly m: StepLayer; readonly l: number; readonly QKV?: GPUBuffer },
  { X, out }: Readonly<Record<'X' | 'out', GPUBuffer>>,
  attend: () => Promise<void>,
): Promise<void> {
  const { hasReLU } = pass.b;
  await norm(pass, { which: 1, layer: l }, { X, Y: m.n1, moments: m.moments1 });
  await linear(pass, { weight: `Wqkv.${l}` }, m.n1, QKV);
  await attend();
  await linear(pass, { weight: `Wo.${l}` }, m.O, m.gate1.y, hasReLU);
  await addGate(pass, tokenGate(m.gate1, 1, l), X, m.mid);
  await norm(pass, { which: 2, layer: l }, { X: m.mid, Y: m.n2, moments: m.moments2 });
  await linear(pass, { weight: `W1.${l}`, bias: `b1.${l}` }, m.n2, m.H, true);
  await linear(pass, { weight: `W2.${l}`, bias: `b2.${l}` }, m.H, m.gate2.y, hasReLU);
  await addGate(pass, tokenGate(m.gate2, 2, l), m.mid, out);
}

/**
 * From ∂ of the output of layer l in dX to ∂ of its input in the same place. `attend` makes dQKV of ∂O in dA. `dTaught`: ∂ of
 * queries, keys and values with what teaches the product that made them and goes no further back; else that is dQKV too.
 */
export async function addStepLayerBackward(
  pass: Pass<StepBench>,
  { m, l, X }: { readonly m: StepLayer; readonly l: number; readonly X: GPUBuffer },
  attend: () => Promise<void>,
  dTaught?: GPUBuffer,
): Promise<void> {
  const { dX, dA, dB, dH, dQKV } = pass.b;
  await addGateBackward(pass, tokenGate(m.gate2, 2, l), m.mid, dX, dB);
  const last = { X: m.H, dY: dB, dX: dH };
  await linearBackward(pass, { weight: `W2.${l}`, bias: `b2.${l}` }, last, { mask: m.H });
  await linearBackward(pass, { weight: `W1.${l}`, bias: `b1.${l}` }, { X: m.n2, dY: dH, dX: dA });
  await normBackward(pass, { which: 2, layer: l }, { X: m.mid, moments: m.moments2, dY: dA, dX }, true);
  await addGateBackward(pass, tokenGate(m.gate1, 1, l), X, dX, dB);
  await linearBackward(pass, { weight: `Wo.${l}` }, { X: m.O, dY: dB, dX: dA });
  await attend();
  const [product, first] = [{ weight: `Wqkv.${l}` }, { which: 1, layer: l } as const];
  const normed = { X, moments: m.moments1, dY: dA };
  await linearGradient(pass, product, { X: m.n1, dY: dTaught ?? dQKV });
  await linearInput(pass, product, { dY: dTaught ?? dQKV, dX: dA });
  await normGradient(pass, first, normed);
  if (dTaught) await linearInput(pass, product, { dY: dQKV, dX: dA });
  await normInput(pass, first, { ...normed, dX }, true);
}
