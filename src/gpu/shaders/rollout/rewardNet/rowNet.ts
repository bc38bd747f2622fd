import { tanh } from '../../../../core/fmath.ts';
import { TANH } from '../../../accuracy.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { rewardNet } from '../../rewardNetKernels.ts';
import { opponents } from '../rankedPairs/rankedPairs.ts';

const [HIDDEN, REST, BIAS, OUT] = [16, 545, 512, 528];

/** Hidden units of every row, in each of its states, and w₂·h + b₂. */
export function rowAnswers(B: number, T: number, z: Float32Array, rest: Float32Array, length: Uint32Array) {
  const hidden = new Float32Array(z.length);
  const y = Float32Array.from(length, (n, row) => {
    const at = (k: number): number => rest[REST * Math.floor(row / B) + k]!;
    let sum = at(REST - 1);
    for (let j = 0; j < HIDDEN; j++) {
      const states = Array.from({ length: n + 1 }, (_, t) => HIDDEN * (row * (T + 1) + t) + j);
      const h = tanh(states.reduce((all, k) => all + z[k]!, 0) / (n + 1) + at(BIAS + j));
      for (const k of states) hidden[k] = h;
      sum += at(OUT + j) * h;
    }
    return sum;
  });
  return { hidden, y };
}

type Ranked = Readonly<Record<'y' | 'z', Float32Array>> & Readonly<Record<'taskIndex' | 'length', Uint32Array>>;
type Sizes = { readonly S: number; readonly B: number; readonly T: number };

/** Slopes of the loss of all decided pairs in every state, how many of these were ranked wrong, and where there are none. */
export function rankingSlopes({ S, B, T }: Sizes, given: Ranked, how: { order: readonly number[]; sigma: number }) {
  const { y, length } = given;
  const slope = new Float32Array(S * B * (T + 1));
  const [error, rests] = [new Float32Array(S), new Uint32Array(S)];
  for (let s = 0; s < S; s++) {
    const rows = Array.from({ length: B }, (_, i) => s * B + i);
    const pairs = rows.flatMap((row) =>
      opponents({ B, ...how }, given, row)
        .filter(({ wins }) => wins > 0)
        .map(({ j }) => ({ winner: row, loser: j })),
    );
    if (pairs.length === 0) rests[s] = 1;
    error[s] = pairs.length === 0 ? NONE : pairs.filter((p) => y[p.winner]! <= y[p.loser]!).length / pairs.length;
    for (const row of rows) {
      const pull = pairs.reduce((sum, { winner, loser }) => {
        if (row !== winner && row !== loser) return sum;
        const wrong = 1 / (1 + Math.exp(y[winner]! - y[loser]!));
        return sum + (row === winner ? -wrong : wrong) / pairs.length;
      }, 0);
      const n = length[row]! + 1;
      slope.fill(pull / n, row * (T + 1), row * (T + 1) + n);
    }
  }
  return { slope, error, rests };
}

const NONE = 77;

/** Blocks of rows of a task, or anywhere (block = B); `alike`: so many wishes of all rows are the same. */
const SHAPES: readonly (readonly [S: number, B: number, T: number, block: number, alike: number, sigma: number])[] = [
  [1, 1, 1, 1, 0, 0.3],
  [2, 6, 4, 3, 0, 0],
  [2, 7, 3, 4, 3, 0.3],
  [3, 67, 5, 67, 1, 0.7],
  [1, 130, 2, 65, 0, 0.3],
];

export const cases: readonly Case[] = SHAPES.flatMap(([S, B, T, block, alike, sigma], seed): Case[] => {
  const [rows, all] = [S * B, S * B * (T + 1)];
  const name = `${S}×${B}×${T} in blocks of ${block}`;
  const length = wholes(seed, rows, T).map((n) => n + 1);
  const rest = numbers(seed + 1, S * REST);
  const hidden = numbers(seed + 2, HIDDEN * all, -2, 2);
  const anywhere = wholes(seed + 3, rows, 4);
  const taskIndex = block === B ? anywhere : anywhere.map((_, row) => Math.floor((row % B) / block));
  const z = Float32Array.from(wholes(seed + 4, 3 * rows, 40), (n, k) =>
    k % 3 < alike ? 1 : [n % 2, n % 5, -n][k % 3]!,
  );
  const y = numbers(seed + 5, rows, -3, 3);
  const order = [1, 0, 2] as const;
  const [k0, k1, k2] = order;
  const { slope, error, rests } = rankingSlopes({ S, B, T }, { y, z, taskIndex, length }, { order, sigma });
  return [
    {
      name: `answers of rows of ${name}`,
      kernel: rewardNet.rowAnswers,
      dims: { B, T },
      groups: [Math.ceil(B / 4), 1, S],
      buffers: { length, rest, hidden: hidden.slice(), y: untouched(rows) },
      expected: rowAnswers(B, T, hidden, rest, length),
      // 16 tanh of means of up to 6 numbers up to 2, weights up to 1, and as many sums up to 17
      tolerance: { abs: 16 * (TANH + 16 * 2 ** -24) + 17 * 2 ** -20, rel: 0 },
    },
    ...[0, 1].map((first): Case => ({
      name: `ranking of ${name}, look ${1 - first}`,
      kernel: rewardNet.ranking,
      dims: { B, T, block, k0, k1, k2, sigma, first, none: NONE },
      groups: [1, 1, S],
      buffers: { length, y, z, taskIndex, slope: untouched(all), error: untouched(S), rests: wholes(seed, S, 2) },
      expected: { slope, error: first === 1 ? error : untouched(S), rests },
      // up to 66 sigmoids of numbers up to 6, and two divisions
      tolerance: { abs: 66 * 2 ** -19, rel: 1e-5 },
    })),
  ];
});
