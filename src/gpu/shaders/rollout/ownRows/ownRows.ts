import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** Lengths with 0 for demonstrations, and weights and lengths [rows, 2] with 0 for them. */
export function ownRows(
  isShown: readonly boolean[],
  length: Uint32Array,
  plan: Float32Array,
): { own: Uint32Array; plan: Float32Array } {
  return {
    own: length.map((n, row) => (isShown[row] ? 0 : n)),
    plan: plan.map((x, k) => (isShown[k >> 1] ? 0 : x)),
  };
}

export const cases: readonly Case[] = [1, 64, 65].flatMap((rows): Case[] => {
  const [T, shown] = [3, 5];
  const demos = wholes(rows, rows, 2);
  const length = wholes(rows + 1, rows, T).map((n) => n + 1);
  const plan = numbers(rows + 2, 2 * rows, 1, 2);
  // later actions of an episode say nothing
  const roll = Uint32Array.from({ length: shown + rows * T }, (_, k) => {
    const step = k - shown;
    return step < 0 ? 9 : step % T === 0 ? 4 * demos[step / T]! : 7;
  });
  const isShown = Array.from(demos, (x) => x === 1);
  const want = ownRows(isShown, length, plan);
  const own = new Uint32Array(untouched(rows));
  const common = { dims: { rows, T, shown }, groups: [Math.ceil(rows / 64)] as const };
  const buffers = { roll, length, own, plan };
  return [
    {
      ...{ ...common, name: `lengths of ${rows} trajectories`, kernel: kernels.ownLengths, buffers },
      expected: { own: want.own, plan },
    },
    {
      ...{ ...common, name: `weights of ${rows} trajectories`, kernel: kernels.ownWeights, buffers },
      expected: { own, plan: want.plan },
    },
  ];
});
