import type { Buffer } from '../../gpu/network.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { GateBuffers } from './gateBuffers.ts';
import { linear, linearBackward, live, perNumber, type Bench, type Pass } from './tokenOps.ts';

const KIND = { none: 0, input: 1, output: 2, highway: 3, sigtanh: 4 } as const;
/** A plain sum with what a ReLU made. */
const SUM_OF_RELU = 5;
const kindOf = ({ hasReLU, shape: { gate } }: Bench): number =>
  gate === 'none' && hasReLU ? SUM_OF_RELU : gate === 'gru' ? -1 : KIND[gate];

/** One gate of a layer: what it keeps, and the names of its tensors. */
export type TokenGate = { readonly m: GateBuffers; readonly name: (tensor: string) => string };
export const tokenGate = (m: GateBuffers, which: 1 | 2, layer: number): TokenGate => ({
  m,
  name: (tensor) => `g${which}${tensor}.${layer}`,
});

/** out = gate(x, memory.y). */
export async function addGate(pass: Pass, { m, name }: TokenGate, x: Buffer, out: Buffer): Promise<void> {
  const { b, theta, level } = pass;
  const { gate, width: D } = b.shape;
  const rows = { ...live(level), D };
  const bias = { size: b.layout.size, biasAt: b.at[name('b')] ?? 0 };
  if (gate === 'gru') {
    await linear(pass, { weight: name('Wy') }, m.y, b.py);
    await linear(pass, { weight: name('Ux') }, x, b.px);
    const open = { py: b.py, px: b.px, x, theta, rz: m.a, rx: m.rx };
    await perNumber(pass, kernels.gruOpen, D, open, { ...rows, ...bias });
    await linear(pass, { weight: name('Ug') }, m.rx, b.pg);
    await perNumber(pass, kernels.gruJoin, D, { py: b.py, pg: b.pg, rz: m.a, x, h: m.h, out }, rows);
    return;
  }
  if (gate === 'sigtanh') {
    await linear(pass, { weight: name('Wy') }, m.y, m.a);
    await linear(pass, { weight: name('Uy') }, m.y, m.h);
  } else if (gate !== 'none') await linear(pass, { weight: name('Wx') }, x, m.a);
  const buffers = { x, y: m.y, theta, a: m.a, h: m.h, out };
  await perNumber(pass, kernels.gate, D, buffers, { ...rows, ...bias, kind: kindOf(b) });
}

/** d = ∂out becomes ∂x; dy = ∂y, 0 where y is not positive, if it is a ReLU. Scratch: pg, py, px, dA. */
export async function addGateBackward(
  pass: Pass,
  { m, name }: TokenGate,
  x: Buffer,
  d: Buffer,
  dy: Buffer,
): Promise<void> {
  const { b, level } = pass;
  const { gate, width: D } = b.shape;
  const rows = { ...live(level), D };
  if (gate === 'gru') {
    await perNumber(pass, kernels.gruJoinBackward, D, { rz: m.a, x, h: m.h, d, dpy: b.py, dpg: b.pg }, rows);
    await addColumns(pass, { dY: b.py, width: 3 * D, first: D }, name('b'), -1);
    await linearBackward(pass, { weight: name('Ug') }, { X: m.rx, dY: b.pg, dX: b.dA });
    await perNumber(pass, kernels.gruOpenBackward, D, { rz: m.a, x, drx: b.dA, d, dpy: b.py, dpx: b.px }, rows);
    await linearBackward(pass, { weight: name('Wy') }, { X: m.y, dY: b.py, dX: dy }, { mask: m.y });
    await linearBackward(pass, { weight: name('Ux') }, { X: x, dY: b.px, dX: d }, { accumulate: true });
    return;
  }
  const isSigtanh = gate === 'sigtanh';
  const buffers = { x, y: m.y, a: m.a, h: m.h, d, dy: isSigtanh ? b.dA : dy, da: b.pg };
  await perNumber(pass, kernels.gateBackward, D, buffers, { ...rows, kind: kindOf(b) });
  if (gate === 'none') return;
  if (gate !== 'input')
    await addColumns(pass, { dY: b.pg, width: D, first: 0 }, name('b'), gate === 'highway' ? 1 : -1);
  if (isSigtanh) {
    await linearBackward(pass, { weight: name('Wy') }, { X: m.y, dY: b.pg, dX: dy });
    await linearBackward(pass, { weight: name('Uy') }, { X: m.y, dY: b.dA, dX: dy }, { accumulate: true, mask: m.y });
  } else await linearBackward(pass, { weight: name('Wx') }, { X: x, dY: b.pg, dX: d }, { accumulate: true });
}

/** Columns first … first + D − 1 of rows of this width. */
type Columns = { readonly dY: Buffer; readonly width: number; readonly first: number };

/** gradient[bias] += sign · Σ over rows of D columns of dY. */
function addColumns(
  { list, b, level }: Pass,
  { dY, width, first }: Columns,
  bias: string,
  sign: 1 | -1,
): Promise<void> {
  const { width: D } = b.shape;
  const dims = {
    ...live(level),
    stride: b.stride,
    width,
    first,
    D,
    slices: b.slices,
    size: b.layout.size,
    biasAt: b.at[bias]!,
    sign,
  };
  const groups = [Math.ceil(D / 64), b.slices, b.S] as const;
  return list.add(kernels.columnGradient, { rows: b.rows, dY, partials: b.partials }, dims, groups);
}
