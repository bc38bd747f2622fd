import { expect, test } from 'vitest';
import { boxesOf, folds, movable } from './cut.ts';

test.each([
  [[1, 1, 1], 4, 1],
  [[7, 1, 1], 4, 4],
  [[5, 3, 2], 8, 8],
  [[2, 1, 3], 100, 6],
  [[65_535, 3, 1], 16, 16],
] as const)('%j workgroups in %d pieces: each one once, in pieces of about one size', (size, pieces, count) => {
  const boxes = boxesOf(size, pieces);
  expect(boxes).toHaveLength(count);
  const groups = boxes.map(({ size: [x, y, z] }) => x * y * z);
  const all = size[0] * size[1] * size[2];
  expect(groups.reduce((a, b) => a + b)).toBe(all);
  expect(Math.max(...groups)).toBeLessThanOrEqual(Math.max(1, (4 * all) / pieces));
  if (all > 1000) return;
  const seen = boxes.flatMap(({ at, size: [X, Y, Z] }) =>
    Array.from({ length: X * Y * Z }, (_, k) =>
      [at[0]! + (k % X), at[1]! + (Math.floor(k / X) % Y), at[2]! + Math.floor(k / (X * Y))].join(' '),
    ),
  );
  expect(new Set(seen).size).toBe(all);
});

const kernels = import.meta.glob<string>('./shaders/**/*.wgsl', { eager: true, query: '?raw', import: 'default' });

test('every entry point that knows its workgroup can begin at any workgroup, on the line where it stood', () => {
  for (const [path, code] of Object.entries(kernels)) {
    const moved = movable(code);
    const entries = code.match(/@builtin\((workgroup_id|global_invocation_id)/g)?.length ?? 0;
    expect(moved.match(/InPiece \+ firstGroup/g)?.length ?? 0, path).toBe(entries);
    if (entries === 0) expect(moved).toBe(code);
    expect(moved.startsWith(code.slice(0, code.indexOf('@compute'))) || entries === 0).toBe(true);
  }
  expect(movable('fn f(id : vec3u) {}')).toBe('fn f(id : vec3u) {}');
  expect(movable('@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) id : vec3u) {\n}')).toBe(
    '@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) idInPiece : vec3u) {' +
      ' let id = idInPiece + firstGroup * vec3u(64, 1u, 1u);\n}' +
      `\n${kernels['./shaders/credit/firstGroup/firstGroup.wgsl']}`,
  );
});

test.each([
  ['by itself', 'network/fill', 'fill', 'main', true],
  ['in a function on one line', 'credit/keyMatch', 'keyMatch', 'insert', true],
  ['in one entry of several', 'objective/stopAbove', 'stopAbove', 'keep', true],
  ['not in another', 'objective/stopAbove', 'stopAbove', 'hold', false],
  ['nowhere', 'rollout/dropRows', 'dropRows', 'main', false],
])('a kernel reads where its workgroup is in a second row: %s', (_, folder, name, entry, does) => {
  const code = kernels[`./shaders/${folder}/${name}.wgsl`]!;
  expect(code).toContain(`fn ${entry}(`);
  expect(folds(code, entry)).toBe(does);
});

test('tiles of a product are in the second row where the linked text says so', () => {
  const linked = (form: string): string =>
    kernels[`./shaders/network/${form}/${form}Tiled.wgsl`]! + kernels['./shaders/network/denseForward/tile.wgsl']!;
  expect(folds(linked('denseForward'), 'main')).toBe(true);
  expect(folds(linked('denseGradient'), 'main')).toBe(false);
});
