import TOP from '../../../../core/math/topSet.wgsl?raw';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { actionsAt, bound, grammarWords, rowsOf } from '../../commandWorld.ts';
import { restrictWordsWith } from '../../restrictKernels.ts';
import { narrowed } from './restrict.ts';

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

const g = bound;
const ACTIONS = g.commands.length;

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
  const listed = steps.flatMap((list, s) =>
    list.map((local, r) => {
      const step = s * B * T + local;
      const z = (s * d.R + r) * d.n;
      return { step, p: actionsAt(g, (c) => out[z + c]!, choice[step]!, d.inverse) };
    }),
  );
  return { d, steps, out, choice, want: narrowed(d, ACTIONS, d, choice, listed) };
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
  const { S, minKeep: p1, topP: p0, ...dims } = d;
  const common = {
    dims: { ...dims, J: g.prefixes.length, masked: 1, actions: ACTIONS, p0, p1, p2: 0, p3: 0 },
    groups: [Math.ceil(d.R / 64), 1, S] as const,
  };
  const read = { rows: rowsOf(d.R, steps), logits: out, grammar: grammarWords(g) };
  const before = new Uint32Array(untouched(S * B));
  const counts = new Uint32Array(2 * S);
  return [
    {
      ...{ ...common, name: `restrict of words, ${B}, ${topP}`, kernel: restrictWordsWith(TOP, 'main') },
      buffers: { ...read, choice, before, counts },
      expected: { choice: want.choice, before: want.before, counts: want.counts },
    },
    {
      ...{ ...common, name: `restrict of words, ${B} taken back`, kernel: restrictWordsWith(TOP, 'restore') },
      buffers: { ...read, choice: want.choice, before: want.before, counts },
      expected: { choice, before: want.before, counts },
    },
  ];
});
