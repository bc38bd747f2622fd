import { hashInto } from '../../../../core/hash.ts';
import { below, randomPair, threefry } from '../../../../core/random.ts';
import { wholes, type Case } from '../../../conformance.ts';
import { goldenDraw, goldenHash } from '../../goldenKernels.ts';

/** One row (a, b, c, d, e, n): block, both words of random(a, b, c, d, e), below(a, n), below(random, n). */
export function draw([a, b, c, d, e, n]: readonly number[]): number[] {
  const pair = randomPair(a!, b!, c!, d!, e!);
  return [...threefry(a!, b!, c!, d!), ...pair, below(a!, n!), below(pair[0], n!)];
}

function drawCase(count: number): Case {
  const rows = wholes(11, 6 * count, 2 ** 32).map((word, k) => (k % 6 === 5 ? 1 + (word % 65_535) : word));
  const drawn = Array.from({ length: count }, (_, k) => draw([...rows.subarray(6 * k, 6 * k + 6)])).flat();
  return {
    name: `${count} draws`,
    kernel: goldenDraw,
    dims: { count },
    groups: [Math.ceil(count / 64)],
    buffers: { rows, drawn: new Uint32Array(6 * count).fill(777) },
    expected: { drawn },
  };
}

/** List k has k words, from none on. */
function hashCase(count: number): Case {
  const words = wholes(12, 1 + (count * (count - 1)) / 2, 2 ** 32);
  const lists = Array.from({ length: count }, (_, k) => [0x53544154 + k, k, (k * (k - 1)) / 2, k]).flat();
  const hashed = new Uint32Array(2 * count);
  for (let k = 0; k < count; k++) hashInto(lists[4 * k]!, k, words, lists[4 * k + 2]!, k, hashed, 2 * k);
  return {
    name: `hashes of ${count} lists`,
    kernel: goldenHash,
    dims: { count },
    groups: [Math.ceil(count / 64)],
    buffers: { lists: Uint32Array.from(lists), words, hashed: new Uint32Array(2 * count).fill(777) },
    expected: { hashed },
  };
}

export const cases: readonly Case[] = [...[1, 64, 65].map(drawCase), ...[1, 2, 65].map(hashCase)];
