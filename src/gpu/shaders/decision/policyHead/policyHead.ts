import { actionTree, Units, type Tree } from '../../../../contract/units.ts';
import { random, uniform } from '../../../../core/random.ts';
import { softMin } from '../../../critic.ts';
import { numbers, UNTOUCHED, untouched, wholes, type Case } from '../../../conformance.ts';
import { bound, free, grammarWords, rowsOf } from '../../commandWorld.ts';
import { commandKernels } from '../../commandKernels.ts';
import { kernels } from '../../kernels.ts';

type Sizes = {
  readonly S: number;
  readonly B: number;
  readonly T: number;
  /** outputs of a row: logits of all slots, then values */
  readonly n: number;
  readonly section: number;
  readonly floatSection: number;
  readonly inverse: number;
  readonly shown: number;
};
/** A step that is decided and where its outputs begin. */
type Place = { readonly step: number; readonly z: number };
type Result = { choice: Uint32Array; sampled: Float32Array; probs: Float32Array; flags: Uint32Array; margin: number };

/**
 * The decisions of these steps with the draws random(seed, purpose, update, i, t | depth << 16), as `Units` makes them; where
 * a demonstration dictates an action, that one. `margin` is the smallest distance of a draw to a boundary between two
 * choices. `K` = 0: a step is one unit and has its numbers in its own columns.
 */
export function policyHead(
  d: Sizes,
  tree: Tree,
  K: number,
  places: readonly Place[],
  { logits, roll, choice }: { logits: Float32Array; roll: Uint32Array; choice: Uint32Array },
): Result {
  const { S, B, T, section, floatSection } = d;
  const [slots, actions] = [tree.slots.length, tree.commands.length];
  const units = new Units(tree, 1 / d.inverse);
  const heads = 3 + 2 * K;
  const result: Result = {
    choice: choice.slice(),
    sampled: untouched((heads + (d.n > slots + 1 ? 2 : 0)) * floatSection),
    probs: untouched(S * B * T * actions),
    flags: new Uint32Array(S),
    margin: Infinity,
  };
  const { sampled } = result;
  for (const { step, z } of places) {
    const s = Math.floor(step / (B * T));
    const [i, t] = [Math.floor(step / T) % B, step % T];
    const draws: number[] = [];
    const draw = (depth: number): number => {
      draws.push(uniform(random(roll[2 + s]!, roll[0]!, roll[1]!, i, t | (depth << 16))));
      return draws.at(-1)!;
    };
    units.at(logits, z, choice[step]!);
    if (!units.write(draw, d.shown > 0 ? roll[d.shown + step]! - 1 : -1)) {
      result.flags[s] = 1;
      continue;
    }
    draws.forEach((u, k) => {
      let running = 0;
      for (let c = units.firstOf(k); c < units.firstOf(k) + units.countOf(k); c++) {
        running += units.p[c]!;
        if (units.p[c]! > 0) result.margin = Math.min(result.margin, Math.abs(u - running));
      }
    });
    units.probs(result.probs, step * actions, true);
    result.choice[section + step] = units.action;
    if (K > 0) result.choice[2 * section + step] = units.written;
    sampled[step] = units.total(units.logp);
    sampled[floatSection + step] = units.total(units.entropy);
    for (let k = 0; k < K; k++) {
      sampled[3 * floatSection + step * K + k] = k < units.n ? units.logp[k]! : 0;
      sampled[(3 + K) * floatSection + step * K + k] = k < units.n ? units.entropy[k]! : 0;
    }
    const values = [...logits.subarray(z + slots, z + d.n)];
    if (values.length > 0)
      sampled[2 * floatSection + step] = values.length === 1 ? values[0]! : softMin(values[0]!, values[1]!);
    if (values.length === 2) values.forEach((V, h) => (sampled[(heads + h) * floatSection + step] = V));
  }
  return result;
}

/** A u within rounding of a boundary may fall either way: such draws are avoided by taking the next seed. */
function clear<T extends { readonly want: Result }>(seed: number, make: (seed: number) => T): T {
  for (let k = seed; ; k += 1000) {
    const made = make(k);
    if (made.want.margin > 2e-6) return made;
  }
}

/** exp and log of numbers below 9 have relative errors near 1e-6 in WGSL; sums of three log-probabilities down to −9 */
const TOLERANCE = { abs: 2e-5, rel: 2e-5 };
const outputsOf = (want: Result) => ({
  sampled: untouched(want.sampled.length),
  probs: untouched(want.probs.length),
  flags: new Uint32Array(want.flags.length),
});
const expected = ({ choice, sampled, probs, flags }: Result) => ({ choice, sampled, probs, flags });
/** What of the sizes a kernel is told. */
const placed = ({ B, T, n, section, floatSection, inverse, shown }: Sizes): Record<string, number> => ({
  ...{ B, T, n, section, floatSection, inverse, shown },
});

/** Logits around `high`, of which exp alone is nothing or no number; their distances are exact, as those of small ones nearly are. */
const around = (high: number, logits: Float32Array): Float32Array =>
  high === 0 ? logits : logits.map((x) => high + Math.round(64 * x) / 64);

const steps = (
  [
    [1, 1, 1, 1, 0, 0],
    [2, 5, 3, 4, 1, 0],
    [3, 65, 2, 5, 0, 0],
    [1, 63, 2, 17, 1, 0],
    [2, 33, 3, 3, 2, 0],
    [1, 9, 2, 4, 0, 200],
    [1, 9, 2, 4, 0, -200],
  ] as const
).map(([S, B, T, actions, critic, high], at): Case => {
  const n = actions + critic;
  const [maxRows, section, t] = [B + 3, S * B * T + 7, T - 1];
  // with a critic every third step has its action dictated: the first one, which is then legal
  const shown = critic > 0 ? 2 + S : 0;
  const d: Sizes = { S, B, T, n, section, floatSection: section + 5, shown, inverse: high === 0 ? 1 / 0.7 : 1 };
  const { logits, length, roll, choice, want } = clear(at, (seed) => {
    const logits = around(high, numbers(seed, S * maxRows * n, -3, 3));
    const length = wholes(seed + 1, S * B, 5).map((x) => (x === 0 ? 1 : 0));
    const told = Uint32Array.from({ length: shown > 0 ? S * B * T : 0 }, (_, k) => (k % 3 === 0 ? 1 : 0));
    const roll = Uint32Array.of(18, 40 + seed, ...wholes(seed + 2, S, 1000), ...told);
    const choice = new Uint32Array(2 * section).fill(777);
    const masks = wholes(seed + 3, S * B * T, 2 ** actions);
    for (let k = 0; k < S * B * T; k++) choice[k] = k % 3 === 0 ? masks[k]! | 1 : 0xffffffff;
    const places = [...length.keys()]
      .filter((row) => length[row] === 0)
      .map((row): Place => ({ step: row * T + t, z: (Math.floor(row / B) * maxRows + (row % B)) * n }));
    const want = policyHead(d, actionTree(actions), 0, places, { logits, roll, choice });
    return { logits, length, roll, choice, want };
  });
  return {
    name: `policyHead ${S}×${B}×${T}, ${actions} actions, ${critic} values${high === 0 ? '' : `, logits around ${high}`}`,
    kernel: kernels.policyHead,
    dims: { ...placed(d), t, actions, maxRows },
    groups: [Math.ceil(B / 64), 1, S],
    buffers: { logits, length, roll, choice, ...outputsOf(want) },
    expected: expected(want),
    tolerance: TOLERANCE,
  };
});

const dimsOf = (d: Sizes, g: Tree, R: number): Record<string, number> => ({
  ...placed(d),
  ...{ R, J: g.prefixes.length, masked: g.masked ? 1 : 0, decisions: g.decisions, actions: g.commands.length },
});

const rows = (
  [
    [bound, 1, 0],
    [bound, 65, 1],
    [free, 5, 1],
    [free, 64, 0],
    [bound, 7, 2],
  ] as const
).map(([g, B, critic], at): Case => {
  const [S, T, R] = [3, 3, B + 2];
  const [actions, n, section] = [g.commands.length, g.slots.length + critic, S * B * T + 7];
  // with a critic every third trajectory is told what to write: a command that is legal
  const shown = critic > 0 ? 2 + S : 0;
  const d: Sizes = { S, B, T, n, section, floatSection: section + 5, inverse: 1 / 0.7, shown };
  // step 1 of all, of none, of every second trajectory
  const all = Array.from({ length: B }, (_, i) => i * T + 1);
  const listed = [all, [], all.filter((_, i) => i % 2 === 0)];
  const places = listed.flatMap((list, s) =>
    list.map((local, r): Place => ({ step: s * B * T + local, z: (s * R + r) * n })),
  );
  const { logits, roll, choice, want } = clear(at, (seed) => {
    const logits = numbers(seed, S * R * n, -3, 3);
    const choice = new Uint32Array(3 * section).fill(777);
    const masks = wholes(seed + 3, S * B * T, 2 ** actions - 1);
    for (let k = 0; k < S * B * T; k++) choice[k] = k % 3 === 0 ? 0xffff_ffff : masks[k]! + 1;
    const told = Uint32Array.from({ length: shown > 0 ? S * B * T : 0 }, (_, k) =>
      Math.floor(k / T) % 3 === 0 ? 32 - Math.clz32(choice[k]! & (2 ** actions - 1)) : 0,
    );
    const roll = Uint32Array.of(18, 40 + seed, ...wholes(seed + 2, S, 1000), ...told);
    return { logits, roll, choice, want: policyHead(d, g, g.decisions, places, { logits, roll, choice }) };
  });
  return {
    name: `policyHead of ${B} trajectories that write, ${g.masked ? 'only commands' : 'any words'}, ${critic} values`,
    kernel: commandKernels.policyHeadWords,
    dims: dimsOf(d, g, R),
    groups: [Math.ceil(R / 64), 1, S],
    buffers: { rows: rowsOf(R, listed), logits, grammar: grammarWords(g), roll, choice, ...outputsOf(want) },
    expected: expected(want),
    tolerance: TOLERANCE,
  };
});

/** A logit that is not finite raises flag 1, unless it belongs to an illegal choice. */
const broken = [NaN, Infinity].flatMap((x): Case[] => {
  const d = { B: 1, T: 1, t: 0, actions: 2, n: 2, maxRows: 1, section: 1, floatSection: 1, inverse: 1, shown: 0 };
  const words: Sizes = { S: 2, B: 1, T: 1, n: 5, section: 2, floatSection: 2, inverse: 1, shown: 0 };
  const roll = Uint32Array.of(18, 0, 1, 2);
  return [
    {
      name: `policyHead with ${x}`,
      kernel: kernels.policyHead,
      dims: d,
      groups: [1, 1, 2],
      buffers: {
        ...{ logits: Float32Array.of(0, x, 0, x), length: new Uint32Array(2), roll },
        ...{ choice: Uint32Array.of(3, 1, 0, 0), sampled: new Float32Array(6) },
        ...{ probs: new Float32Array(4).fill(UNTOUCHED), flags: new Uint32Array(2) },
      },
      expected: { flags: Uint32Array.of(1, 0) },
    },
    {
      name: `policyHead that writes, with ${x}`,
      kernel: commandKernels.policyHeadWords,
      dims: dimsOf(words, bound, 1),
      groups: [1, 1, 2],
      buffers: {
        ...{ rows: rowsOf(1, [[0], [0]]), logits: Float32Array.of(0, 0, x, 0, 0, 0, 0, x, 0, 0), roll },
        ...{ grammar: grammarWords(bound), choice: Uint32Array.of(15, 1, 0, 0, 0, 0), sampled: new Float32Array(14) },
        ...{ probs: new Float32Array(8), flags: new Uint32Array(2) },
      },
      expected: { flags: Uint32Array.of(1, 0), choice: Uint32Array.of(15, 1, 0xffff_ffff, 0, 0, 5 | (3 << 8)) },
    },
  ];
});

export const cases: readonly Case[] = [...steps, ...rows, ...broken];
