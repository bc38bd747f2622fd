import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { longScanCalls } from '../../../scan.ts';
import { kernels } from '../../kernels.ts';

/** x[t] = b[t] + a·x[t+1] from the last real step of each row back to the first; padding is 0. */
export function reverseScan(rows: number, cols: number, a: number, b: Float32Array, length: Uint32Array): Float32Array {
  const x = new Float32Array(rows * cols);
  for (let row = 0; row < rows; row++) {
    let carry = 0;
    for (let t = length[row]! - 1; t >= 0; t--) {
      carry = b[row * cols + t]! + a * carry;
      x[row * cols + t] = carry;
    }
  }
  return x;
}

const shapes = [
  [1, 1],
  [3, 5],
  [63, 1],
  [64, 17],
  [65, 257],
] as const;

const whole: readonly Case[] = shapes.map(([rows, cols], k): Case => {
  // some rows are empty, some full; padding is poisoned
  const length = wholes(k, rows, cols + 1);
  if (rows > 2) length[1] = cols;
  const b = numbers(k + 50, rows * cols).map((x, at) => (at % cols < length[Math.floor(at / cols)]! ? x : 1e30));
  return {
    name: `reverseScan ${rows}×${cols}`,
    kernel: kernels.reverseScan,
    dims: { rows, cols, a: 0.94 },
    groups: [Math.ceil(rows / 64)],
    buffers: { b, length, x: untouched(rows * cols) },
    expected: { x: reverseScan(rows, cols, Math.fround(0.94), b, length) },
    // a recurrence with factor 0.94 keeps about 17 roundings of numbers below 17
    tolerance: { abs: 2e-5, rel: 1e-5 },
  };
});

/** tiles [rows, ⌈cols/64⌉, 2] after `reduce`: the value at the first step of a tile as if nothing came behind, and a^steps. */
function reduced(rows: number, cols: number, a: number, b: Float32Array, length: Uint32Array): Float32Array {
  const n = Math.ceil(cols / 64);
  const tiles = new Float32Array(rows * n * 2);
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < n; k++) {
      const to = Math.min(64 * k + 64, cols, length[row]!);
      let [value, power] = [0, 1];
      for (let t = to - 1; t >= 64 * k; t--) {
        value = b[row * cols + t]! + a * value;
        power *= a;
      }
      tiles.set([value, power], 2 * (row * n + k));
    }
  }
  return tiles;
}

/** tiles after `carry`: x at the first step behind each tile takes the place of the value. */
function carried(cols: number, x: Float32Array, tiles: Float32Array): Float32Array {
  const n = Math.ceil(cols / 64);
  return tiles.map((value, at) => {
    const [row, k] = [Math.floor(at / (2 * n)), Math.floor(at / 2) % n];
    if (at % 2 === 1) return value;
    return 64 * k + 64 < cols ? x[row * cols + 64 * k + 64]! : 0;
  });
}

/** The three stages one by one: each gets what the definition says the stage before it leaves. */
const inTiles = (
  [
    [1, 1],
    [3, 63],
    [2, 65],
    [65, 257],
    [3, 1000],
  ] as const
).flatMap(([rows, cols], k): Case[] => {
  const a = Math.fround(0.94);
  const length = wholes(k + 9, rows, cols + 1);
  if (rows > 2) length[1] = cols;
  const b = numbers(k + 70, rows * cols).map((x, at) => (at % cols < length[Math.floor(at / cols)]! ? x : 1e30));
  const x = reverseScan(rows, cols, a, b, length);
  const first = reduced(rows, cols, a, b, length);
  const second = carried(cols, x, first);
  const before = [untouched(first.length), first, second];
  const expected = [{ tiles: first }, { tiles: second }, { x }];
  return longScanCalls(rows, cols, 0.94).map((call, stage) => ({
    ...call,
    name: `${call.kernel.id} ${rows}×${cols}`,
    buffers: { b, length, tiles: before[stage]!, x: untouched(rows * cols) },
    expected: expected[stage]!,
    // as above: about 17 roundings of numbers below 17
    tolerance: { abs: 2e-5, rel: 1e-5 },
  }));
});

export const cases: readonly Case[] = [...whole, ...inTiles];
