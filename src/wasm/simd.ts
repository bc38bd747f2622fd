import { BINARY } from './binary.ts';

/** What src/wasm/kernels exports. Addresses count bytes in the memory of the instance; 0 stands for "none". */
export type SimdExports = {
  /** first byte behind the tables of the kernels */
  readonly free: () => number;
  readonly product: (
    rows: number,
    K: number,
    cols: number,
    a: number,
    aRow: number,
    aStep: number,
    b: number,
    bRow: number,
    bCol: number,
    start: number,
    c: number,
    room: number,
  ) => void;
  readonly addTo: (n: number, from: number, to: number) => void;
  readonly columnSums: (rows: number, cols: number, dY: number, g: number) => void;
  readonly sparseForward: (
    bits: number,
    words: number,
    rows: number,
    w: number,
    bias: number,
    out: number,
    y: number,
    room: number,
  ) => void;
  readonly sparseGradient: (
    bits: number,
    words: number,
    rows: number,
    dY: number,
    out: number,
    w: number,
    bias: number,
    room: number,
  ) => void;
  readonly activate: (kind: number, z: number, count: number, h: number) => void;
  readonly activateBackward: (kind: number, z: number, h: number, count: number, d: number) => void;
  readonly adam: (
    n: number,
    theta: number,
    g: number,
    m: number,
    v: number,
    beta1: number,
    beta2: number,
    epsilon: number,
    decay: number,
    c1: number,
    c2: number,
    rate: number,
  ) => number;
  readonly squares: (n: number, g: number) => number;
  readonly softmax: (
    n: number,
    z: number,
    stride: number,
    count: number,
    inverse: number,
    measures: boolean,
    at: number,
  ) => void;
  readonly weightSums: (n: number, theta: number, last: number, g: number, old: number, out: number) => void;
};

/** One instance with its own memory, which is freed with it and never grows. */
export type Simd = { readonly buffer: ArrayBuffer; readonly run: SimdExports };

let isOn = true;
let compiled: WebAssembly.Module | null | undefined;

/** Turns the fast path off and on for instances that are opened from now on: tests compare both. */
export function switchSimd(on: boolean): void {
  isOn = on;
}

/** The module, compiled once; null where WebAssembly, its SIMD instructions or the content policy do not allow it. */
function moduleOf(): WebAssembly.Module | null {
  if (compiled !== undefined) return compiled;
  try {
    compiled = new WebAssembly.Module(Uint8Array.from(BINARY, (byte) => byte.charCodeAt(0) - 40));
  } catch {
    compiled = null;
  }
  return compiled;
}

const PAGE = 65536;

/** An instance with room for this many bytes, or null: then the plain form computes the same bits. */
export function openSimd(bytes: number): Simd | null {
  const module = isOn ? moduleOf() : null;
  if (!module) return null;
  try {
    const pages = Math.ceil(bytes / PAGE);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const { exports } = new WebAssembly.Instance(module, { env: { memory, abort: () => undefined } });
    return { buffer: memory.buffer, run: exports as SimdExports };
  } catch {
    return null; // no memory left for it
  }
}
