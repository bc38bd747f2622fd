import { bindingsOf, codeOf, type Kernel } from './kernel.ts';
import { LimitExceeded } from './refused.ts';
import type { Slice } from './recorder.ts';
import { splitText, type Part } from './split.ts';

type Limits = Pick<GPUSupportedLimits, 'maxStorageBufferBindingSize' | 'maxStorageBuffersPerShaderStage'>;

const mib = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;

/** Bytes of a range: as much as can be bound, beginning where a binding may begin. */
const rangeBytes = ({ maxStorageBufferBindingSize }: Limits): number =>
  Math.floor(maxStorageBufferBindingSize / 256) * 256;

/** Range `part` of an array that is bound in several. */
export function rangeOf({ buffer, offset, size }: Slice, part: number, limits: Limits): Slice {
  const bytes = rangeBytes(limits);
  return { buffer, offset: offset + part * bytes, size: Math.min(bytes, size - part * bytes) };
}

const known = new Map<string, ReturnType<typeof splitText>>();

/**
 * The kernel itself where all of its arrays can be bound, else one that has the large ones in several ranges of the same
 * buffers (split.ts) and gives the same bits: a guaranteed device binds 128 MiB at once, of buffers of 256. Fails where
 * that would be more bindings than the device has, or where the text does not allow it.
 */
export function inRanges(
  kernel: Kernel,
  slices: Readonly<Record<string, Slice>>,
  limits: Limits,
): { kernel: Kernel; parts: ReadonlyMap<string, Part> } {
  const most = limits.maxStorageBufferBindingSize;
  const large = Object.entries(slices).filter(([, { size }]) => size > most);
  if (large.length === 0) return { kernel, parts: new Map<string, Part>() };
  const code = codeOf(kernel);
  const bound = bindingsOf(code).filter(({ kind }) => kind !== 'uniform');
  const bytes = rangeBytes(limits);
  const splits = large
    .filter(([name]) => bound.some((binding) => binding.name === name))
    .map(([name, { size }]) => ({ name, bytes, parts: Math.ceil(size / bytes) }));
  if (splits.length === 0) return { kernel, parts: new Map<string, Part>() };
  const bindings = splits.reduce((n, { parts }) => n + parts - 1, bound.length);
  const key = JSON.stringify([splits, code]);
  const isTooMany = bindings > limits.maxStorageBuffersPerShaderStage;
  if (!isTooMany && !known.has(key)) known.set(key, splitText(code, splits));
  const made = isTooMany ? null : known.get(key);
  if (!made) {
    const [, slice] = large.reduce((a, b) => (b[1].size > a[1].size ? b : a));
    throw new LimitExceeded(`one array (${slice.buffer.label})`, mib(slice.size), mib(most));
  }
  return { kernel: { ...kernel, wgsl: made.code, link: [] }, parts: made.parts };
}
