import { expect, test } from 'vitest';
import { inRanges, rangeOf } from './ranges.ts';
import type { Slice } from './recorder.ts';
import { splitText } from './split.ts';

const BINDINGS = [
  '@group(0) @binding(0) var<uniform> dims : Dims;',
  '@group(0) @binding(1) var<storage, read> x : array<f32>; // numbers',
  '@group(0) @binding(2) var<storage, read_write> y : array<vec4f>;',
];
const ENTRY = ['@compute @workgroup_size(64)', 'fn main(@builtin(global_invocation_id) id : vec3u) {'];
const RANGES =
  '@group(0) @binding(1) var<storage, read> x_0 : array<f32>; @group(0) @binding(3) var<storage, read> x_1';

const text = (body: string, own = ''): string => [...BINDINGS, own, ...ENTRY, '  ' + body, '}', ''].join('\n');

/** The body of the entry after x is bound in two ranges and y in three. */
function split(body: string, rest = ''): string | null {
  const made = splitText(text(body, rest), [
    { name: 'x', bytes: 256, parts: 2 },
    { name: 'y', bytes: 256, parts: 3 },
  ]);
  return made && /vec3u\) \{\n {2}([^]*)\n\}\n$/.exec(made.code)![1]!;
}

test('reads and writes become calls, also inside of one another', () => {
  expect(split('let a = x[id.x];')).toBe('let a = x_get(u32(id.x));');
  expect(split('y[u32(x[2u])] = vec4f(x[id.x + 1u], y[0].x, 0.0, 0.0);')).toBe(
    '{ let splitAt = u32(u32(x_get(u32(2u)))); y_set(splitAt,  vec4f(x_get(u32(id.x + 1u)), y_get(u32(0)).x, 0.0, 0.0)); }',
  );
  expect(split('for (var k = 0u; x[k] < 1.0; k++) { y[k] += v & x[k]; }')).toBe(
    'for (var k = 0u; x_get(u32(k)) < 1.0; k++) { { let splitAt = u32(k); y_set(splitAt, y_get(splitAt) + ( v & x_get(u32(k)))); } }',
  );
  expect(split('if (a.x == x[0]) { return; }')).toBe('if (a.x == x_get(u32(0))) { return; }');
});

test('ranges are bound where the array was and after all others, and elements are counted in the size of their type', () => {
  const made = splitText(text('y[0] = vec4f(x[0]);'), [
    { name: 'x', bytes: 256, parts: 2 },
    { name: 'y', bytes: 256, parts: 3 },
  ])!;
  expect(made.code).toContain(RANGES);
  expect(made.code).toContain('fn x_get(i : u32) -> f32 { if (i < 64u) { return x_0[i]; } return x_1[i - 64u]; }');
  expect(made.code).toContain('if (i < 32u) { y_1[i - 16u] = v; return; } y_2[i - 32u] = v; return; }');
  expect(made.code).not.toContain('x_set');
  expect([...made.parts]).toEqual([
    ['x_0', { of: 'x', part: 0 }],
    ['x_1', { of: 'x', part: 1 }],
    ['y_0', { of: 'y', part: 0 }],
    ['y_1', { of: 'y', part: 1 }],
    ['y_2', { of: 'y', part: 2 }],
  ]);
  expect(made.code.split('\n')).toHaveLength(text('y[0] = vec4f(x[0]);').split('\n').length);
});

test('what a function calls by the name of an array is its own', () => {
  const own = 'fn half(x : vec4f) -> f32 { return 0.5 * x[0]; }\n';
  expect(split('let a = half(y[0]);', own)).toBe('let a = half(y_get(u32(0)));');
  const made = splitText(text('let a = x[0];', own), [{ name: 'x', bytes: 256, parts: 2 }])!;
  expect(made.code).toContain('fn half(x_own : vec4f) -> f32 { return 0.5 * x_own[0]; }');
});

test('a text that changes a part of an element, or passes the array on, is left', () => {
  for (const body of [
    'y[0].x = 1.0;',
    'y[0][1] = 1.0;',
    'atomicAdd(&y[0], 1u);',
    'let n = arrayLength(&x);',
    'y[0]++;',
  ])
    expect(split(body), body).toBeNull();
});

test('arrays that fit are bound whole; others in ranges that begin where a binding may; more than the device has is refused', () => {
  const kernel = { id: 'copy', wgsl: text('y[0] = vec4f(x[0]);') };
  const slice = (label: string, size: number): Slice => ({ buffer: { label } as GPUBuffer, offset: 512, size });
  const limits = { maxStorageBufferBindingSize: 1000, maxStorageBuffersPerShaderStage: 4 };
  const bound = (x: number, y: number) => inRanges(kernel, { x: slice('a', x), y: slice('b', y) }, limits);
  expect(bound(1000, 16).kernel).toBe(kernel);
  const { parts } = bound(1792, 16);
  expect([...parts.keys()]).toEqual(['x_0', 'x_1', 'x_2']);
  const ranges = [0, 1, 2].map((k) => rangeOf(slice('a', 1792), k, limits));
  expect(ranges.map(({ offset, size }) => [offset, size])).toEqual([
    [512, 768],
    [1280, 768],
    [2048, 256],
  ]);
  expect(() => bound(1792, 1792)).toThrow('one array (a) of 1 MiB is more than the 1 MiB of this device.');
});

test.each(['alias Part = vec4f;', 'alias Part=vec4f;'])('a type may have another name: %s', (alias) => {
  const made = splitText(`${alias}\n${text('y[0] = vec4f();').replace('array<vec4f>', 'array<Part>')}`, [
    { name: 'y', bytes: 256, parts: 2 },
  ]);
  // sixteen numbers of sixteen bytes in a range
  expect(made?.code).toContain('if (i < 16u)');
});
