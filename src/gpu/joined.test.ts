import { expect, test } from 'vitest';
import WGSL from './fixtures/mirrored.wgsl?raw';
import { inTurns, join, joined, neededBy } from './joined.ts';
import { codeOf } from './kernel.ts';
import type { Given } from './together.ts';

const device = (binds: number) =>
  ({ device: { limits: { maxStorageBufferBindingSize: 2 ** 20, maxStorageBuffersPerShaderStage: binds } } }) as never;
const gpu = device(4);
const buffer = (size = 1024): GPUBuffer => ({ size }) as GPUBuffer;

const given = (x: GPUBuffer, y: Given['buffers'][string], changes: Partial<Given['kernel']> = {}): Given => ({
  kernel: { id: 'one', wgsl: WGSL, laneWords: 1, ...changes },
  dims: { n: 3 },
  groups: [2, 1, 1],
  buffers: { x, y },
});

test('a kernel needs what its entry point calls, and nothing that only has the name of a local variable', () => {
  const names = neededBy(WGSL, 'main').map(({ name }) => name);
  expect(names).toEqual(['Dims', 'dims', 'x', 'y', 'all', 'Pair', 'twice', 'main']);
});

test('kernels side by side have names of their own, share what they read, and find their numbers behind an offset', () => {
  const [x, out] = [buffer(), buffer(4096)];
  const section = (k: number) => ({ buffer: out, offset: 256 * k, size: 256 });
  const both = join(gpu, [given(x, section(0)), given(x, section(2))])!;
  expect(both.groups).toEqual([4, 1, 1]);
  expect(both.dims).toEqual({
    ...{ groups_0: 2, deep_0: 1, n_0: 3, xAt_0: 0, yAt_0: 0 },
    ...{ groups_1: 2, deep_1: 1, n_1: 3, xAt_1: 0, yAt_1: 128 },
  });
  expect(Object.values(both.buffers)).toEqual([
    { buffer: x, offset: 0, size: 1024 },
    { buffer: out, offset: 0, size: 4096 },
  ]);
  const wgsl = codeOf(both.kernel);
  expect(wgsl).toContain('y_0[dims.yAt_1 + local] = all_1[63u - local];');
  expect(wgsl).toContain('struct Pair_1 { x : f32, y : f32 }');
  expect(wgsl).toContain('= twice_1(dims.n_1 + local).x;');
  expect(wgsl).not.toContain('fn other');
});

test('kernels are not one where a device would refuse it or one would disturb another', () => {
  const x = buffer();
  const one = given(x, buffer());
  expect(join(gpu, [one, given(x, buffer())])).not.toBeNull();
  // one writes what another reads
  const y = buffer();
  expect(join(gpu, [given(x, y), given(y, buffer())])).toBeNull();
  // four storage buffers, where three may be bound
  const apart = [one, given(buffer(), buffer())];
  expect([join(gpu, apart) !== null, join(device(3), apart)]).toEqual([true, null]);
  // more memory of a workgroup than every device has
  expect(join(gpu, [one, given(x, buffer(), { laneWords: 64 })])).toBeNull();
  expect(join(gpu, [one, given(x, buffer(2 ** 21))])).toBeNull();
  expect(join(gpu, [one, given(x, buffer(), { laneWords: 0 })])).toBeNull();
  // an entry point that asks for its place in another way
  const other = WGSL.replace('@builtin(workgroup_id) group', '@builtin(global_invocation_id) group');
  expect(join(gpu, [one, given(x, buffer(), { wgsl: other })])).toBeNull();
  // barriers of 64 invocations in a workgroup of 128
  const wide = given(x, buffer(), { wgsl: WGSL.replace('size(64)', 'size(128)') });
  expect(join(gpu, [one, wide])).toBeNull();
  const calls = [one, given(x, buffer()), wide, one];
  expect(joined(gpu, calls).map(({ kernel }) => kernel.id)).toEqual(['one + one', 'one', 'one']);
});

test('a kernel of fewer invocations than a workgroup has keeps its own', () => {
  const x = buffer();
  const calm = {
    wgsl: WGSL.replace('workgroupBarrier();', '').replace('var<workgroup>', 'var<private>'),
    laneWords: 0,
  };
  const wide = given(x, buffer(), { wgsl: WGSL.replace('size(64)', 'size(128)') });
  const code = codeOf(join(gpu, [given(x, buffer(), calm), wide])!.kernel);
  expect(code).toMatch(/z < dims\.deep_0 && local < 64u/);
  expect(code).toMatch(/z < dims\.deep_1\) /);
});

test('dispatches stand in the first turn behind all that they wait for', () => {
  const [a, b, c, d] = [buffer(), buffer(), buffer(), buffer(4096)];
  const section = (k: number, size = 256) => ({ buffer: d, offset: 256 * k, size });
  const turns = (...calls: [x: GPUBuffer, y: Given['buffers'][string]][]): number[][] => {
    const all = calls.map(([x, y]) => given(x, y));
    return inTurns(all).map((turn) => turn.map((call) => all.indexOf(call)));
  };
  // nothing of each other; then what one of them has written; then both
  expect(turns([a, b], [a, c], [b, section(0)], [c, section(1)])).toEqual([
    [0, 1],
    [2, 3],
  ]);
  // what is read is not written before, nor twice at a time
  expect(turns([a, b], [c, a], [c, section(0)])).toEqual([[0, 2], [1]]);
  expect(turns([a, b], [c, b])).toEqual([[0], [1]]);
  expect(turns([a, section(0)], [b, section(1)], [c, section(1, 8)])).toEqual([[0, 1], [2]]);
  expect(turns([a, section(0, 260)], [b, section(1)])).toEqual([[0], [1]]);
});
