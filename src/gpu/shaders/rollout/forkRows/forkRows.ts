import { wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** A child that is none: see forkRows.wgsl. */
const NO_FORK = 0xffffffff;

/** A column after the children took over the prefix of their parents; `forks`: child, parent, shared steps of each. */
function copyPrefix(x: Uint32Array, forks: Uint32Array, entries: number, width: number, more: number): Uint32Array {
  const to = x.slice();
  for (let k = 0; k < forks.length; k += 3) {
    const [child, parent, steps] = [forks[k]!, forks[k + 1]!, forks[k + 2]!];
    if (child === NO_FORK) continue;
    const from = parent * entries * width;
    to.set(x.subarray(from, from + (steps + more) * width), child * entries * width);
  }
  return to;
}

/** Results with reward so far and first step of the children. */
function beginForks(x: Uint32Array, forks: Uint32Array, T: number, endingAt: number): Uint32Array {
  const to = x.slice();
  for (let k = 0; k < forks.length; k += 3) {
    const [child, , steps] = [forks[k]!, forks[k + 1]!, forks[k + 2]!];
    if (child === NO_FORK) continue;
    const rewards = x.subarray(child * T, child * T + steps);
    to[endingAt + 4 * child + 2] = rewards.reduce((sum, reward) => (sum + reward) >>> 0, 0);
    to[endingAt + 4 * child + 3] = steps;
  }
  return to;
}

/** Every third of the `rows` forks is none; the others join the last rows to the first ones. */
function forksOf(B: number, rows: number, T: number): Uint32Array {
  const steps = wholes(B, rows, T);
  const forkOf = (k: number): number[] => [k % 3 === 2 ? NO_FORK : B - rows + k, k % (B - rows), steps[k]!];
  return Uint32Array.from(Array.from({ length: rows }, (_, k) => forkOf(k)).flat());
}

export const cases: readonly Case[] = (
  [
    [2, 1, 1, 1],
    [7, 3, 4, 2],
    [150, 80, 3, 5],
  ] as const
).flatMap(([B, rows, T, width]): Case[] => {
  const forks = forksOf(B, rows, T);
  const copies = [0, 1].map((more): Case => {
    const entries = T + more;
    const x = wholes(B + more, B * entries * width, 2 ** 32);
    return {
      name: `forkRows.copy ${rows} of ${B} rows of ${entries}×${width}`,
      kernel: kernels.copyPrefix,
      dims: { rows, entries, width, more, T, endingAt: 0 },
      groups: [Math.ceil((rows * entries * width) / 64)],
      buffers: { forks, x },
      expected: { x: copyPrefix(x, forks, entries, width, more) },
    };
  });
  const endingAt = B * T + 5;
  const results = wholes(B + 2, endingAt + 4 * B, 2 ** 32);
  return [
    ...copies,
    {
      name: `forkRows.begin ${rows} of ${B} rows`,
      kernel: kernels.beginForks,
      dims: { rows, entries: T, width: 1, more: 0, T, endingAt },
      groups: [Math.ceil(rows / 64)],
      buffers: { forks, x: results },
      expected: { x: beginForks(results, forks, T, endingAt) },
    },
  ];
});
