import { untouched, wholes, type Case } from '../../../conformance.ts';
import { budgetPay } from '../../signalKernels.ts';

const SHAPES = [
  [1, 1],
  [5, 13],
  [65, 40],
  [64, 3],
] as const;

export const cases: readonly Case[] = SHAPES.flatMap(([rows, L], seed) =>
  [0, 1].map((clamp): Case => {
    const length = wholes(seed, rows, L).map((n) => n + 1);
    const budget = Float32Array.from(wholes(seed + 1, rows, L), (b) => b + 1);
    const ending = wholes(seed + 2, 4 * rows, 2);
    const table = Float32Array.from({ length: L + 1 }, (_, n) => Math.cos((Math.PI * n) / (2 * L)));
    const late = 2 / L;
    const kept = budget.map((b) => table[b]!);
    const paid = budget.map((b, row) => {
      if (ending[4 * row] === 0) return 0;
      const n = length[row]!;
      const worth = n <= b ? table[b]! : table[n]! - late * (n - b);
      return n > b && clamp === 1 ? Math.max(0, worth) : worth;
    });
    return {
      name: `budgetPay of ${rows} rows in ${L} steps${clamp === 1 ? ', never below 0' : ''}`,
      kernel: budgetPay,
      dims: { rows, L, late, clamp_: clamp },
      groups: [Math.ceil(rows / 64)],
      buffers: { budget, length, ending, table, kept: untouched(rows), paid: untouched(rows) },
      expected: { kept, paid },
      // a number of up to 2, rounded on its way as a slope, a product and a difference
      tolerance: { abs: 3 * 2 ** -23, rel: 0 },
    };
  }),
);
