import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { answerProb } from '../../signalKernels.ts';

type Sizes = { readonly rows: number; readonly cols: number; readonly actions: number; readonly answers: number };
type Columns = { readonly probs: Float32Array } & Readonly<Record<'truth' | 'length' | 'ending', Uint32Array>>;

/** What the policy would answer before each step, and after the last what came of it; the answers are the last actions. */
function answered({ rows, cols, actions, answers }: Sizes, { probs, truth, length, ending }: Columns): Float32Array {
  const p = new Float32Array(rows * (cols + 1));
  for (let i = 0; i < rows; i++) {
    const at = (t: number): number => {
      const of = probs.subarray((i * cols + t + 1) * actions - answers, (i * cols + t + 1) * actions);
      const all = of.reduce((sum, x) => sum + x, 0);
      return all > 0 ? of[truth[i]!]! / all : 0;
    };
    const end = length[i]!;
    for (let t = 0; t < end; t++) p[i * (cols + 1) + t] = at(t);
    p[i * (cols + 1) + end] = ending[4 * i + 1] === 1 ? ending[4 * i]! : at(end - 1);
  }
  return p;
}

const SHAPES = [
  [1, 1, 2, 2],
  [5, 13, 7, 3],
  [65, 3, 5, 4],
] as const;

export const cases: readonly Case[] = SHAPES.map(([rows, cols, actions, answers], seed): Case => {
  const sizes = { rows, cols, actions, answers };
  const length = wholes(seed, rows, cols).map((n) => n + 1);
  const truth = wholes(seed + 1, rows, answers);
  const ending = wholes(seed + 2, 4 * rows, 2);
  const probs = numbers(seed + 3, rows * cols * actions, 0, 1);
  // where no answer is possible
  if (rows > 1) probs.fill(0, 0, actions);
  return {
    name: `answerProb of ${rows}×${cols}, ${answers} of ${actions} actions`,
    kernel: answerProb,
    dims: { rows, cols, actions, first: actions - answers, answers },
    groups: [Math.ceil((rows * (cols + 1)) / 64)],
    buffers: { probs, truth, length, ending, p: untouched(rows * (cols + 1)) },
    expected: { p: answered(sizes, { probs, truth, length, ending }) },
    // three sums and a division good to 2.5 units in the last place, of a number up to 1
    tolerance: { abs: 0, rel: 2 ** -20 },
  };
});
