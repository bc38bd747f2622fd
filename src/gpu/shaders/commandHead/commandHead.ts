import { random, uniform } from '../../../core/random.ts';
import { softMin } from '../../critic.ts';
import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { actionsAt, bound, free, grammarWords, rowsOf, wordsAt, type CommandGrammar } from '../commandWorld.ts';
import { kernels } from '../kernels.ts';

type Sizes = {
  S: number;
  B: number;
  T: number;
  R: number;
  n: number;
  actions: number;
  section: number;
  floatSection: number;
  inverse: number;
  shown: number;
};
type Result = {
  choice: Uint32Array;
  sampled: Float32Array;
  probs: Float32Array;
  flags: Uint32Array;
  margin: number;
};

/**
 * Every row writes a command word by word with the draws random(seed, purpose, update, i, t | depth << 16). Where a
 * demonstration dictates an action, its command is written. `margin` is the smallest distance of a draw to a boundary between two words.
 */
export function commandHead(
  d: Sizes,
  g: CommandGrammar,
  steps: readonly (readonly number[])[],
  out: Float32Array,
  roll: Uint32Array,
  choice: Uint32Array,
): Result {
  const { B, T, section, floatSection, actions } = d;
  const K = g.decisions;
  const slots = g.slots.length;
  const result: Result = {
    choice: choice.slice(),
    sampled: untouched((3 + 2 * K + (d.n > slots + 1 ? 2 : 0)) * floatSection),
    probs: untouched(d.S * B * T * actions),
    flags: new Uint32Array(d.S),
    margin: Infinity,
  };
  const row = (s: number, r: number, local: number): void => {
    const [i, t] = [Math.floor(local / T), local % T];
    const step = s * B * T + local;
    const legal = choice[step]!;
    const z = (s * d.R + r) * d.n;
    const at = (j: number) => wordsAt(g, j, (c) => out[z + c]!, legal, d.inverse);
    const probs = actionsAt(g, (c) => out[z + c]!, legal, d.inverse);
    result.probs.set(probs, step * actions);
    let command = 0;
    let action = -1;
    const told = d.shown > 0 ? roll[d.shown + step]! : 0;
    const units = { logp: new Float32Array(K), entropy: new Float32Array(K) };
    let n = 0;
    for (let j = 0; j >= 0; n++) {
      const { depth, first } = g.prefixes[j]!;
      const { p, logp } = at(j);
      const u = uniform(random(roll[2 + s]!, roll[0]!, roll[1]!, i, t | (depth << 16)));
      let running = 0;
      let chosen = -1;
      p.forEach((q, k) => {
        running += q;
        if (q > 0) result.margin = Math.min(result.margin, Math.abs(u - running));
        if (q > 0) units.entropy[n]! -= q * logp[k]!;
        if (chosen < 0 && q > 0 && u < running) chosen = k;
      });
      if (told > 0) {
        const token = (g.commands[told - 1]! >>> (8 * depth)) & 255;
        chosen = p.findIndex((_, k) => g.slots[first + k]!.token === token);
      }
      units.logp[n] = logp[chosen]!;
      const slot = g.slots[first + chosen]!;
      command |= slot.token << (8 * depth);
      action = slot.action;
      j = slot.next;
    }
    result.choice[section + step] = action;
    result.choice[2 * section + step] = g.masked ? g.commands[action]! : command;
    const sum = (x: Float32Array): number => x.reduce((a, b) => a + b, 0);
    result.sampled[step] = sum(units.logp);
    result.sampled[floatSection + step] = sum(units.entropy);
    const values = [...out.subarray(z + slots, z + d.n)];
    if (values.length === 1) result.sampled[2 * floatSection + step] = values[0]!;
    if (values.length === 2) {
      result.sampled[2 * floatSection + step] = softMin(values[0]!, values[1]!);
      values.forEach((V, h) => (result.sampled[(3 + 2 * K + h) * floatSection + step] = V));
    }
    result.sampled.set(units.logp, 3 * floatSection + step * K);
    result.sampled.set(units.entropy, (3 + K) * floatSection + step * K);
  };
  steps.forEach((list, s) => list.forEach((local, r) => row(s, r, local)));
  return result;
}

function make(seed: number, g: CommandGrammar, B: number, critic: number) {
  const [S, T] = [3, 3];
  const R = B + 2;
  const actions = g.commands.length;
  const n = g.slots.length + critic;
  const section = S * B * T + 7;
  // with a critic every third trajectory is told what to write: a command that is legal
  const shown = critic > 0 ? 2 + S : 0;
  const d: Sizes = { S, B, T, R, n, actions, section, floatSection: section + 5, inverse: 1 / 0.7, shown };
  // step 1 of all, of none, of every second trajectory
  const all = Array.from({ length: B }, (_, i) => i * T + 1);
  const steps = [all, [], all.filter((_, i) => i % 2 === 0)];
  const out = numbers(seed, S * R * n, -3, 3);
  const choice = new Uint32Array(3 * section).fill(777);
  const masks = wholes(seed + 3, S * B * T, 2 ** actions - 1);
  for (let k = 0; k < S * B * T; k++) choice[k] = k % 3 === 0 ? 0xffff_ffff : masks[k]! + 1;
  const told = Uint32Array.from({ length: shown > 0 ? S * B * T : 0 }, (_, k) =>
    Math.floor(k / T) % 3 === 0 ? 32 - Math.clz32(choice[k]! & (2 ** actions - 1)) : 0,
  );
  const roll = Uint32Array.of(18, 40 + seed, ...wholes(seed + 2, S, 1000), ...told);
  return { d, g, steps, out, roll, choice, want: commandHead(d, g, steps, out, roll, choice) };
}

/** A u within rounding of a boundary may fall either way: such draws are avoided by taking the next seed. */
function clear(seed: number, g: CommandGrammar, B: number, critic: number) {
  for (let k = seed; ; k += 1000) {
    const made = make(k, g, B, critic);
    if (made.want.margin > 2e-6) return made;
  }
}

const dimsOf = (d: Sizes, g: CommandGrammar): Record<string, number> => {
  const { S: _, ...dims } = d;
  return {
    ...dims,
    J: g.prefixes.length,
    slots: g.slots.length,
    masked: g.masked ? 1 : 0,
    decisions: g.decisions,
  };
};

const shapes = [
  [bound, 1, 0],
  [bound, 65, 1],
  [free, 5, 1],
  [free, 64, 0],
  [bound, 7, 2],
] as const;

const ordinary = shapes.map(([g, B, critic], seed): Case => {
  const { d, steps, out, roll, choice, want } = clear(seed, g, B, critic);
  return {
    name: `commandHead of ${B} trajectories, ${g.masked ? 'only commands' : 'any words'}`,
    kernel: kernels.commandHead,
    dims: dimsOf(d, g),
    groups: [Math.ceil(d.R / 64), 1, d.S],
    buffers: {
      rows: rowsOf(d.R, steps),
      out,
      grammar: grammarWords(g),
      roll,
      choice,
      sampled: untouched(want.sampled.length),
      probs: untouched(want.probs.length),
      flags: new Uint32Array(d.S),
    },
    expected: { choice: want.choice, sampled: want.sampled, probs: want.probs, flags: want.flags },
    // exp and log of numbers below 9 have relative errors near 1e-6 in WGSL; sums of three log-probabilities down to −9
    tolerance: { abs: 2e-5, rel: 2e-5 },
  };
});

/** A logit that is not finite raises flag 1, unless it belongs to a word that no legal command has. */
const broken = [NaN, Infinity].map((x): Case => {
  const d: Sizes = { S: 2, B: 1, T: 1, R: 1, n: 5, actions: 4, section: 2, floatSection: 2, inverse: 1, shown: 0 };
  return {
    name: `commandHead with ${x}`,
    kernel: kernels.commandHead,
    dims: dimsOf(d, bound),
    groups: [1, 1, 2],
    buffers: {
      rows: rowsOf(1, [[0], [0]]),
      out: Float32Array.of(0, 0, x, 0, 0, 0, 0, x, 0, 0),
      grammar: grammarWords(bound),
      roll: Uint32Array.of(18, 0, 1, 2),
      choice: Uint32Array.of(15, 1, 0, 0, 0, 0),
      sampled: new Float32Array(14),
      probs: new Float32Array(8),
      flags: new Uint32Array(2),
    },
    expected: { flags: Uint32Array.of(1, 0), choice: Uint32Array.of(15, 1, 0xffff_ffff, 0, 0, 5 | (3 << 8)) },
  };
});

export const cases: readonly Case[] = [...ordinary, ...broken];
