import type { Case, Numbers } from '../../../conformance.ts';
import { join } from '../../../joined.ts';
import { bindingsOf, codeOf } from '../../../kernel.ts';
import type { Slice } from '../../../recorder.ts';
import { cases as ofMix } from '../policyMix/policyMix.ts';
import { cases as ofBatch } from '../../metrics/batchStats/batchStats.ts';
import { cases as ofUpdate } from '../../metrics/updateStats/updateStats.ts';
import { cases as ofRatios } from '../../objective/ratioStats/ratioStats.ts';
import { cases as ofSize } from '../../credit/creditSize/creditSize.ts';
import { cases as ofCredit } from '../../credit/creditSums/creditSums.ts';
import { cases as ofHashes } from '../../credit/hashRows/hashRows.ts';

/** A buffer in which several kernels have sections. */
type Shared = { readonly buffer: GPUBuffer; readonly values: Numbers[]; words: number };

const bytesOf = (words: number): number => 256 * Math.ceil((4 * words) / 256);

/** Several cases as one, of kernels side by side whose numbers lie in few buffers, those that they write apart from others. */
function together(all: readonly Case[]): Case {
  const shared = new Map<string, Shared>();
  const wanted = new Map<Shared, { readonly at: number; readonly values: ArrayLike<number> }[]>();
  const put = (values: Numbers, name: string, isOwn: boolean): [Shared, Slice] => {
    const one = shared.get(name) ?? { buffer: { size: 0 } as GPUBuffer, values: [], words: 0 };
    shared.set(name, one);
    const slice = { buffer: one.buffer, offset: 4 * one.words, size: 4 * values.length };
    const padded = new (values.constructor as Float32ArrayConstructor)(
      isOwn ? values.length : bytesOf(values.length) / 4,
    );
    padded.set(values as Float32Array);
    one.values.push(padded);
    one.words += padded.length;
    return [one, slice];
  };
  const calls = all.map(({ kernel, dims, groups: [x, y = 1, z = 1], buffers, expected }, k) => {
    const kinds = new Map(bindingsOf(codeOf(kernel)).map(({ name, kind }) => [name, kind]));
    const slices = Object.entries(buffers).map(([name, values]) => {
      const type = values.constructor.name;
      // scratch and what is no plain numbers are on their own, and what a kernel asks the length of
      const isOwn = /^(parts|flags)$/.test(name) || codeOf(kernel).includes(`arrayLength(&${name})`);
      const [to, slice] = put(values, isOwn ? `${name} ${k}` : `${type} ${kinds.get(name)!}`, isOwn);
      if (expected[name]) wanted.set(to, [...(wanted.get(to) ?? []), { at: slice.offset / 4, values: expected[name] }]);
      return [name, slice] as const;
    });
    return { kernel, dims, groups: [x, y, z] as const, buffers: Object.fromEntries(slices) };
  });
  for (const { buffer, words } of shared.values()) (buffer as { size: number }).size = 4 * words;
  const limits = { maxStorageBufferBindingSize: 2 ** 30, maxStorageBuffersPerShaderStage: 10 };
  const one = join({ device: { limits } } as never, calls);
  if (!one) throw new Error(`${all.map(({ name }) => name).join(' and ')} cannot be one kernel.`);
  const whole = ({ values, words }: Shared): Numbers => {
    const joined = new (values[0]!.constructor as Float32ArrayConstructor)(words);
    let at = 0;
    for (const part of values) {
      joined.set(part as Float32Array, at);
      at += part.length;
    }
    return joined;
  };
  const bound = Object.entries(one.buffers).map(([name, slice]) => {
    const { buffer } = slice as Slice;
    return [name, [...shared.values()].find((of) => of.buffer === buffer)!] as const;
  });
  const expected = bound.flatMap(([name, of]) => {
    const numbers = wanted.get(of);
    if (!numbers) return [];
    const values = Array.from(whole(of));
    for (const { at, values: own } of numbers) Array.from(own).forEach((x, k) => (values[at + k] = x));
    return [[name, values] as const];
  });
  const tolerances = all.map(({ tolerance = { abs: 0, rel: 0 } }) => tolerance);
  return {
    name: `side by side: ${all.map(({ name }) => name).join(' | ')}`,
    ...{ kernel: one.kernel, dims: one.dims, groups: one.groups },
    buffers: Object.fromEntries(bound.map(([name, of]) => [name, whole(of)])),
    expected: Object.fromEntries(expected),
    tolerance: {
      abs: Math.max(...tolerances.map(({ abs }) => abs)),
      rel: Math.max(...tolerances.map(({ rel }) => rel)),
    },
  };
}

/** The last case of a device that takes one dispatch. */
const of = (device: 'card' | 'software', cases: readonly Case[]): Case =>
  cases.findLast(({ name, after }) => name.includes(device) && !name.includes('words') && !after?.length)!;

export const cases: readonly Case[] = [
  together([of('software', ofBatch), ofHashes[1]!]),
  together([of('card', ofSize), of('card', ofCredit), of('card', ofMix)]),
  together([of('card', ofUpdate), of('card', ofRatios)]),
];
