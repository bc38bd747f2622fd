import { random, uniform } from '../core/random.ts';
import type { Gpu } from './device.ts';
import type { Kernel } from './kernel.ts';
import type { Call } from './products.ts';
import { CommandList, readBack, whole } from './recorder.ts';
import { stepCalls } from './stepSums.ts';
import { sumCalls } from './sums.ts';

export type Numbers = Float32Array | Uint32Array | Int32Array;

/**
 * One comparison of a kernel with its definition. `buffers` holds every binding by name, outputs filled with what they
 * hold before; `expected` what the definition makes of the outputs. Integers must be equal; floats agree within
 * abs + rel·|expected|, both finite.
 */
export type Case = {
  readonly name: string;
  readonly kernel: Kernel;
  readonly dims: Readonly<Record<string, number>>;
  readonly groups: readonly [number, number?, number?];
  /** dispatches that follow on the same buffers */
  readonly after?: readonly Call[];
  readonly buffers: Readonly<Record<string, Numbers>>;
  readonly expected: Readonly<Record<string, ArrayLike<number>>>;
  readonly tolerance?: { readonly abs: number; readonly rel: number };
};

/** A value no kernel computes: an output cell that nobody wrote still holds it. */
export const UNTOUCHED = 12345;

/** Reproducible numbers in [low, high). */
export function numbers(seed: number, count: number, low = -1, high = 1): Float32Array {
  return Float32Array.from({ length: count }, (_, k) => low + (high - low) * uniform(random(seed, 301, k, 0, 0)));
}
/** Reproducible whole numbers 0 … n − 1. */
export function wholes(seed: number, count: number, n: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, k) => Math.floor(n * uniform(random(seed, 302, k, 0, 0))));
}
/** An output to start with: `count` cells that nobody wrote. */
export const untouched = (count: number): Float32Array => new Float32Array(count).fill(UNTOUCHED);

/** Kernel, dims, groups and what follows of a case over sums of rows, on this many lanes. */
export function summed(
  kernel: Kernel,
  S: number,
  dims: Call['dims'] & { readonly B: number },
  lanes: number,
  spreads = false,
): Pick<Case, 'kernel' | 'dims' | 'groups'> & { readonly after: readonly Call[] } {
  const [first, ...after] = sumCalls(kernel, S, dims, spreads, lanes);
  return { ...first, after };
}

/** Forms of devices, that of cards in small workgroups, which compile sooner; and lanes of which each has several of the rows. */
const STEP_FORMS = { software: [null, undefined], card: [32, undefined], 'few lanes': [null, 128] } as const;

/** The same of a kernel over the steps of rows. */
export function stepped(
  kernel: Kernel,
  S: number,
  dims: Call['dims'] & Readonly<Record<'B' | 'T', number>>,
  form: keyof typeof STEP_FORMS,
): Pick<Case, 'kernel' | 'dims' | 'groups'> & { readonly after: readonly Call[] } {
  const [lanes, all] = STEP_FORMS[form];
  const [first, ...after] = stepCalls(kernel, S, dims, lanes, all);
  return { ...first!, after };
}

/** Runs a case once; the outputs by name. */
async function run(gpu: Gpu, c: Case): Promise<Record<string, Uint32Array>> {
  const made: Record<string, GPUBuffer> = {};
  for (const [name, values] of Object.entries(c.buffers)) {
    made[name] = gpu.buffer(name, values.length, 0x80 | 0x40 | 0x08 | 0x04);
    gpu.device.queue.writeBuffer(made[name], 0, values as Float32Array<ArrayBuffer>);
  }
  const list = new CommandList(gpu, c.name);
  try {
    for (const { kernel, dims, groups } of [c, ...(c.after ?? [])]) await list.add(kernel, made, dims, groups);
    const encoder = gpu.device.createCommandEncoder({ label: c.name });
    list.encode(encoder);
    gpu.device.queue.submit([encoder.finish()]);
    const got: Record<string, Uint32Array> = {};
    for (const name of Object.keys(c.expected)) {
      got[name] = new Uint32Array(await readBack(gpu, whole(made[name]!))).slice(0, c.buffers[name]!.length);
    }
    return got;
  } finally {
    list.dispose();
    for (const buffer of Object.values(made)) gpu.free(buffer);
  }
}

/** Runs a case twice. Null if it agrees with its definition and repeats bit for bit, else what is wrong, in words. */
export async function check(gpu: Gpu, c: Case): Promise<string | null> {
  const once = await run(gpu, c);
  const twice = await run(gpu, c);
  const { abs, rel } = c.tolerance ?? { abs: 0, rel: 0 };
  for (const [name, want] of Object.entries(c.expected)) {
    const bits = once[name]!;
    const isFloat = c.buffers[name] instanceof Float32Array;
    const got: ArrayLike<number> = isFloat ? new Float32Array(bits.buffer) : bits;
    for (let k = 0; k < want.length; k++) {
      if (bits[k] !== twice[name]![k]) return `${c.name}: ${name}[${k}] differs between two runs on the same input`;
      const expected = isFloat ? want[k]! : want[k]! >>> 0;
      const isGood = isFloat
        ? Number.isFinite(got[k]!) && Math.abs(got[k]! - expected) <= abs + rel * Math.abs(expected)
        : got[k] === expected;
      if (!isGood) return `${c.name}: ${name}[${k}] is ${got[k]}, the definition says ${expected}`;
    }
  }
  return null;
}
