import { actionTree, legalSlots, type Tree } from '../../../../contract/units.ts';
import { entropyOf } from '../../../../core/math/distribution.ts';
import { exp, log } from '../../../../core/fmath.ts';
import { partsOf } from '../../../../core/slices.ts';
import { numbers, stepped, untouched, wholes, type Case } from '../../../conformance.ts';
import { bound, free, grammarWords, pathOf } from '../../commandWorld.ts';
import { policyMixWith } from '../../kernels.ts';

type Sizes = { readonly S: number; readonly B: number; readonly T: number; readonly temperature: number };
type Batch = {
  readonly probs: Float32Array;
  readonly length: Uint32Array;
  readonly legal: Uint32Array;
  readonly written: Uint32Array;
  /** of the k-th unit of a step at K·step + k */
  readonly entropy: Float32Array;
};

/**
 * record [S, 16]: entropy of the average policy, mean over units of H / log(legal choices); at 3 the mean over steps of Σ
 * log(legal choices), at 4 the mean entropy of p ∝ π^temperature where a step is one unit. The rest is left alone.
 */
export function policyMix(
  tree: Tree,
  { S, B, T, temperature }: Sizes,
  batch: Batch,
  record: Float32Array,
): Float32Array {
  const { probs, length, legal, written, entropy } = batch;
  const [K, actions] = [tree.decisions, tree.commands.length];
  const result = record.slice();
  for (let s = 0; s < S; s++) {
    const mean = new Float64Array(actions);
    let [share, most, plain, steps, units] = [0, 0, 0, 0, 0];
    for (let row = s * B; row < (s + 1) * B; row++) {
      for (let step = row * T; step < row * T + length[row]!; step++) {
        const p = probs.subarray(step * actions, (step + 1) * actions);
        p.forEach((x, b) => (mean[b]! += x));
        plain += plainEntropy(p, temperature);
        steps++;
        pathOf(tree, written[step]!).forEach((c, k) => {
          const n = legalSlots(tree, tree.slots[c]!.node, legal[step]!);
          units++;
          if (n < 2) return;
          share += entropy[step * K + k]! / log(n);
          most += log(n);
        });
      }
    }
    const average = mean.map((sum) => sum / steps);
    result.set([entropyOf(average, 0, actions), share / units], 16 * s);
    result[16 * s + 3] = most / steps;
    if (K === 1) result[16 * s + 4] = plain / steps;
  }
  return result;
}

function plainEntropy(probs: Float32Array, temperature: number): number {
  const logs = Array.from(
    probs.filter((p) => p > 0),
    (p) => temperature * log(p),
  );
  const z = logs.reduce((sum, l) => sum + exp(l), 0);
  return log(z) - logs.reduce((sum, l) => sum + exp(l) * l, 0) / z;
}

/** π of every real step, 1e30 elsewhere. */
function probsOf(k: number, { B, T, S }: Sizes, actions: number, length: Uint32Array): Float32Array {
  const raw = numbers(k + 1, S * B * T * actions, 0, 1).map((x, at) => (at % actions === 1 && k === 1 ? 0 : x));
  return raw.map((x, at) => {
    const step = Math.floor(at / actions);
    let sum = 0;
    for (let b = 0; b < actions; b++) sum += raw[step * actions + b]!;
    return step % T < length[Math.floor(step / T)]! ? x / sum : 1e30;
  });
}

/** means of at most 910 numbers below 4; log of a GPU has an error of 2⁻²¹ in the middle of its range */
const TOLERANCE = { abs: 1e-5, rel: 1e-5 };

const actionCases = (
  [
    [1, 1, 1, 2, 1, 'software'],
    [3, 5, 4, 3, 2, 'software'],
    [2, 65, 7, 6, 0.5, 'software'],
    [2, 300, 3, 9, 0.5, 'few lanes'],
    [1, 130, 4, 32, 1, 'software'],
    [1, 1, 1, 2, 1, 'card'],
    [2, 5, 37, 6, 0.5, 'card'],
    [1, 100, 3, 6, 2, 'card'],
    [2, 130, 7, 6, 1, 'card'],
    // smaller workgroups, as many actions need them
    [1, 150, 5, 32, 1, 'card'],
  ] as const
).map(([S, B, T, actions, temperature, form], k): Case => {
  const N = S * B * T;
  const section = N + 3;
  const sizes = { S, B, T, temperature };
  const length = wholes(k, S * B, T).map((n) => n + 1);
  const probs = probsOf(k, sizes, actions, length);
  const written = wholes(k + 4, N, actions - 1);
  // every third step allows everything, also actions that do not exist
  const legal = wholes(k + 2, N, 2 ** Math.min(actions, 24)).map((bits, at) => (at % 3 === 0 ? 0xffffffff : bits | 1));
  const choice = new Uint32Array(2 * section);
  choice.set(legal);
  choice.set(written, section);
  const sampled = numbers(k + 3, 3 * section, 0, 2);
  const batch = { probs, length, legal, written, entropy: sampled.subarray(section) };
  const record = untouched(S * 16);
  return {
    name: `policyMix ${S}×${B}×${T} with ${actions} actions, temperature ${temperature}, ${form}`,
    ...stepped(policyMixWith(actions), S, { B, T, actions, section, floatSection: section, temperature }, form),
    buffers: { probs, length, choice, sampled, record, parts: untouched(partsOf(S, B, actions)) },
    expected: { record: policyMix(actionTree(actions), sizes, batch, record) },
    tolerance: TOLERANCE,
  };
});

const wordCases = (
  [
    [bound, 1, 1, 1, 'software'],
    [bound, 2, 65, 7, 'software'],
    [free, 3, 5, 4, 'software'],
    [free, 2, 130, 3, 'software'],
    [bound, 3, 5, 11, 'card'],
    [free, 2, 130, 7, 'card'],
  ] as const
).map(([g, S, B, T, device], seed): Case => {
  const [N, K, actions] = [S * B * T, g.decisions, g.commands.length];
  const section = N + 3;
  const sizes = { S, B, T, temperature: 0.5 };
  const length = wholes(seed, S * B, T).map((n) => n + 1);
  const probs = probsOf(seed, sizes, actions, length);
  const picks = wholes(seed + 1, N, actions);
  // the written command is always legal; every third step allows everything
  const legal = wholes(seed + 2, N, 2 ** actions).map((bits, k) =>
    k % 3 === 0 ? 0xffffffff : bits | (1 << picks[k]!),
  );
  const written = picks.map((a) => g.commands[a]!);
  const choice = new Uint32Array(3 * section).fill(777);
  choice.set(legal);
  choice.set(written, 2 * section);
  const entropy = numbers(seed + 3, N * K, 0, 1);
  const sampled = numbers(seed + 4, (3 + 2 * K) * section, 5, 6);
  sampled.set(entropy, (3 + K) * section);
  const record = untouched(S * 16);
  const form = { J: g.prefixes.length, masked: g.masked ? 1 : 0, decisions: K };
  return {
    name: `policyMix of words ${S}×${B}×${T}, ${g.masked ? 'only commands' : 'any words'}, ${device}`,
    ...stepped(
      policyMixWith(actions, true),
      S,
      { B, T, actions, ...form, section, floatSection: section, temperature: 0.5 },
      device,
    ),
    buffers: {
      grammar: grammarWords(g),
      probs,
      length,
      choice,
      sampled,
      record,
      parts: untouched(partsOf(S, B, actions)),
    },
    expected: { record: policyMix(g, sizes, { probs, length, legal, written, entropy }, record) },
    tolerance: TOLERANCE,
  };
});

export const cases: readonly Case[] = [...actionCases, ...wordCases];
