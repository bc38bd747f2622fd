import type { Buffer } from '../../gpu/network.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { GateBuffers, Level } from './tokenBuffers.ts';
import { linear, linearBackward, live, perNumber, type Pass } from './tokenOps.ts';

const KIND = { none: 0, input: 1, output: 2, highway: 3, sigtanh: 4 } as const;

/** Names of the tensors of gate 1 or 2 of a layer. */
type Names = (tensor: string) => string;
export const gateNames =
  (which: 1 | 2, layer: number): Names =>
  (tensor) =>
    `g${which}${tensor}.${layer}`;

/** out = gate(x, memory.y). */
export async function addGate(
  pass: Pass,
  level: Level,
  x: Buffer,
  m: GateBuffers,
  out: Buffer,
  name: Names,
): Promise<void> {
  const { b, theta } = pass;
  const { gate, width: D } = b.shape;
  const rows = { ...live(level), D };
  const bias = { size: b.layout.size, biasAt: b.at[name('b')] ?? 0 };
  if (gate === 'gru') {
    await linear(pass, level, m.y, b.py, name('Wy'), null, false);
    await linear(pass, level, x, b.px, name('Ux'), null, false);
    const open = { py: b.py, px: b.px, x, theta, rz: m.a, rx: m.rx };
    await perNumber(pass, kernels.gruOpen, level, D, open, { ...rows, ...bias });
    await linear(pass, level, m.rx, b.pg, name('Ug'), null, false);
    await perNumber(pass, kernels.gruJoin, level, D, { py: b.py, pg: b.pg, rz: m.a, x, h: m.h, out }, rows);
    return;
  }
  if (gate === 'sigtanh') {
    await linear(pass, level, m.y, m.a, name('Wy'), null, false);
    await linear(pass, level, m.y, m.h, name('Uy'), null, false);
  } else if (gate !== 'none') await linear(pass, level, x, m.a, name('Wx'), null, false);
  const buffers = { x, y: m.y, theta, a: m.a, h: m.h, out };
  await perNumber(pass, kernels.gate, level, D, buffers, { ...rows, ...bias, kind: KIND[gate] });
}

/** d = ∂out becomes ∂x; dy = ∂y, 0 where y (a ReLU, but for the plain sum) is not positive. Scratch: pg, py, px, dA. */
export async function addGateBackward(
  pass: Pass,
  level: Level,
  x: Buffer,
  m: GateBuffers,
  d: Buffer,
  dy: Buffer,
  name: Names,
): Promise<void> {
  const { b } = pass;
  const { gate, width: D } = b.shape;
  const rows = { ...live(level), D };
  if (gate === 'gru') {
    await perNumber(pass, kernels.gruJoinBackward, level, D, { rz: m.a, x, h: m.h, d, dpy: b.py, dpg: b.pg }, rows);
    await addColumns(pass, level, b.py, 3 * D, D, name('b'), -1);
    await linearBackward(pass, level, m.rx, b.pg, b.dA, name('Ug'), null);
    await perNumber(pass, kernels.gruOpenBackward, level, D, { rz: m.a, x, drx: b.dA, d, dpy: b.py, dpx: b.px }, rows);
    await linearBackward(pass, level, m.y, b.py, dy, name('Wy'), null, { mask: m.y });
    await linearBackward(pass, level, x, b.px, d, name('Ux'), null, { accumulate: true });
    return;
  }
  const isSigtanh = gate === 'sigtanh';
  const buffers = { x, y: m.y, a: m.a, h: m.h, d, dy: isSigtanh ? b.dA : dy, da: b.pg };
  await perNumber(pass, kernels.gateBackward, level, D, buffers, { ...rows, kind: KIND[gate] });
  if (gate === 'none') return;
  if (gate !== 'input') await addColumns(pass, level, b.pg, D, 0, name('b'), gate === 'highway' ? 1 : -1);
  if (isSigtanh) {
    await linearBackward(pass, level, m.y, b.pg, dy, name('Wy'), null);
    await linearBackward(pass, level, m.y, b.dA, dy, name('Uy'), null, { accumulate: true, mask: m.y });
  } else await linearBackward(pass, level, x, b.pg, d, name('Wx'), null, { accumulate: true });
}

/** gradient[bias] += sign · Σ over rows of D columns of dY. */
function addColumns(
  { list, b }: Pass,
  level: Level,
  dY: Buffer,
  width: number,
  first: number,
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
