import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { actionsAt, bound, grammarWords, rowsOf } from '../commandWorld.ts';
import { kernels } from '../kernels.ts';
import { bitsOf, keptOf } from './topSet.ts';

type Sizes = {
  readonly S: number;
  readonly B: number;
  readonly T: number;
  readonly R: number;
  readonly n: number;
  readonly minKeep: number;
  readonly topP: number;
  readonly inverse: number;
};
type Result = { choice: Uint32Array; before: Uint32Array; counts: Uint32Array; margin: number };

const g = bound;
const ACTIONS = g.commands.length;

/** For every row the set under the probabilities of the commands replaces the legal bits of its step. */
export function commandSet(
  d: Sizes,
  steps: readonly (readonly number[])[],
  out: Float32Array,
  legalBits: Uint32Array,
): Result {
  const { S, B, T, R, n } = d;
  const result: Result = {
    ...{ choice: legalBits.slice(), before: new Uint32Array(untouched(S * B)) },
    ...{ counts: new Uint32Array(2 * S), margin: Infinity },
  };
  const row = (s: number, r: number, local: number): void => {
    const step = s * B * T + local;
    const z = (s * R + r) * n;
    const { kept, margin } = keptOf(
      actionsAt(g, (c) => out[z + c]!, legalBits[step]!, d.inverse),
      d,
    );
    const legal = bitsOf(legalBits[step]!, ACTIONS);
    result.before[Math.floor(step / T)] = legalBits[step]!;
    result.choice[step] = kept;
    result.counts[2 * s]! += legal;
    result.counts[2 * s + 1]! += legal - bitsOf(kept, ACTIONS);
    result.margin = Math.min(result.margin, margin);
  };
  steps.forEach((list, s) => list.forEach((local, r) => row(s, r, local)));
  return result;
}

function make(seed: number, B: number, minKeep: number, topP: number) {
  const [S, T, critic] = [3, 3, 1];
  const d: Sizes = { S, B, T, R: B + 2, n: g.slots.length + critic, minKeep, topP, inverse: 1 / 0.7 };
  // step 1 of all, of none, of every second trajectory
  const all = Array.from({ length: B }, (_, i) => i * T + 1);
  const steps = [all, [], all.filter((_, i) => i % 2 === 0)];
  const out = numbers(seed, S * d.R * d.n, -3, 3);
  const masks = wholes(seed + 3, S * B * T, 2 ** ACTIONS - 1);
  const choice = Uint32Array.from({ length: S * B * T + 7 }, (_, k) =>
    k % 3 === 0 ? 0xffff_ffff : (masks[k] ?? 0) + 1,
  );
  return { d, steps, out, choice, want: commandSet(d, steps, out, choice) };
}

/** A sum within rounding of topP may fall either way, and so may two nearly equal actions: the next seed is taken. */
function clear(seed: number, B: number, minKeep: number, topP: number) {
  for (let k = seed; ; k += 1000) {
    const made = make(k, B, minKeep, topP);
    if (made.want.margin > 2e-6) return made;
  }
}

export const cases: readonly Case[] = (
  [
    [1, 1, 0.9],
    [65, 2, 0.5],
    [7, 1, 0],
  ] as const
).flatMap(([B, minKeep, topP], seed): Case[] => {
  const { d, steps, out, choice, want } = clear(seed, B, minKeep, topP);
  const { S, ...dims } = d;
  const common = {
    dims: { ...dims, J: g.prefixes.length, masked: 1, actions: ACTIONS },
    groups: [Math.ceil(d.R / 64), 1, S] as const,
  };
  const read = { rows: rowsOf(d.R, steps), out, grammar: grammarWords(g) };
  const before = new Uint32Array(untouched(S * B));
  const counts = new Uint32Array(2 * S);
  return [
    {
      ...{ ...common, name: `commandSet of ${B}, ${topP}`, kernel: kernels.commandSet },
      buffers: { ...read, choice, before, counts },
      expected: { choice: want.choice, before: want.before, counts: want.counts },
    },
    {
      ...{ ...common, name: `commandSet of ${B} taken back`, kernel: kernels.commandSetRestore },
      buffers: { ...read, choice: want.choice, before: want.before, counts },
      expected: { choice, before: want.before, counts },
    },
  ];
});
