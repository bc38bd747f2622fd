import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { bound, free, grammarWords, rowsOf, wordsAt, type CommandGrammar } from '../commandWorld.ts';
import { kernels } from '../kernels.ts';

/** Σ p log(p/q) + q − p over the actions with p > 0; q is held above 1e-30. */
export function nearKl(p: ArrayLike<number>, q: readonly number[]): number {
  return q.reduce((sum, x, a) => sum + (p[a]! > 0 ? p[a]! * Math.log(p[a]! / Math.max(x, 1e-30)) + x - p[a]! : 0), 0);
}

/** Largest |log q − log p| over the actions with p > 1e-30. */
const mostMoved = (p: ArrayLike<number>, q: readonly number[]): number =>
  Math.max(...q.map((x, a) => (p[a]! > 1e-30 ? Math.abs(Math.log(Math.max(x, 1e-30) / p[a]!)) : 0)));

/** Softmax over the legal actions of logits / τ. */
function probsOf(logits: ArrayLike<number>, legal: number, inverse: number): number[] {
  const e = Array.from(logits, (z, a) => ((legal >>> a) & 1 ? Math.exp(z * inverse) : 0));
  const total = e.reduce((a, b) => a + b, 0);
  return e.map((x) => x / total);
}

/** π(a|o) of every action: the product along its words. */
function commandProbs(
  g: CommandGrammar,
  logits: (slot: number) => number,
  legal: number,
  inverse: number,
): Float64Array {
  const probs = new Float64Array(g.commands.length);
  const reach = g.prefixes.map((_, j): number => (j === 0 ? 1 : 0));
  g.prefixes.forEach(({ first, count }, j) => {
    const { p } = wordsAt(g, j, logits, legal, inverse);
    for (let k = 0; k < count; k++) {
      const slot = g.slots[first + k]!;
      if (slot.next >= 0) reach[slot.next] = reach[j]! * p[k]!;
      else if (slot.action >= 0) probs[slot.action] = reach[j]! * p[k]!;
    }
  });
  return probs;
}

/** What played and what is compared with it: the same logits, moved by up to `size`. */
const moved = (seed: number, now: Float32Array, size: number): Float32Array =>
  now.map((z, k) => z + size * numbers(seed, now.length)[k]!);

const dense = (
  [
    [1, 1, 1, 0.3],
    [3, 5, 4, 0.01],
    [2, 65, 3, 4],
  ] as const
).map(([S, B, T, size], seed): Case => {
  const [actions, n, N, inverse] = [5, 6, S * B * T, 1.4];
  const length = wholes(seed, S * B, T).map((x) => x + 1);
  const out = numbers(seed + 1, N * n, -2, 2);
  const before = moved(seed + 2, out, size);
  const choice = wholes(seed + 3, N, 31).map((bits) => bits + 1);
  const played = new Float32Array(N * actions);
  const y = untouched(N);
  const most = new Float32Array(S);
  for (let k = 0; k < N; k++) {
    const of = (z: Float32Array): number[] => probsOf(z.subarray(k * n, k * n + actions), choice[k]!, inverse);
    played.set(of(before), k * actions);
    if (k % T >= length[Math.floor(k / T)]!) continue;
    const s = Math.floor(k / (B * T));
    y[k] = nearKl(played.subarray(k * actions), of(out));
    most[s] = Math.max(most[s]!, mostMoved(played.subarray(k * actions), of(out)));
  }
  return {
    name: `playedKl ${S}×${B}×${T}, logits moved by up to ${size}`,
    kernel: kernels.playedKl,
    dims: { B, T, actions, n, inverse },
    groups: [Math.ceil((B * T) / 64), 1, S],
    buffers: { out, choice, length, played, y: untouched(N), most: new Float32Array(S) },
    expected: { y, most },
    // δ has an error of about 1e-6, which counts twice and in proportion to δ
    tolerance: { abs: 2e-8, rel: 1e-4 },
  };
});

const commands = (
  [
    [bound, 0.02],
    [free, 3],
  ] as const
).map(([g, size], seed): Case => {
  const [S, B, T, inverse] = [3, 5, 3, 1.4];
  const [R, n, actions, N] = [B * T + 1, g.slots.length + 1, g.commands.length, S * B * T];
  const out = numbers(seed + 1, S * R * n, -2, 2);
  const before = moved(seed + 2, out, size);
  const all = Array.from({ length: B * T }, (_, k) => k);
  const steps = [all, [], all.filter((k) => k % 2 === 1)];
  const choice = wholes(seed + 3, N, 2 ** actions - 1).map((bits) => bits + 1);
  const played = new Float32Array(N * actions);
  const y = untouched(N);
  const most = new Float32Array(S);
  steps.forEach((list, s) =>
    list.forEach((local, r) => {
      const step = s * B * T + local;
      const of = (z: Float32Array): Float64Array =>
        commandProbs(g, (c) => z[(s * R + r) * n + c]!, choice[step]!, inverse);
      played.set(of(before), step * actions);
      y[step] = nearKl(played.subarray(step * actions), [...of(out)]);
      most[s] = Math.max(most[s]!, mostMoved(played.subarray(step * actions), [...of(out)]));
    }),
  );
  return {
    name: `commandKl, ${g.masked ? 'only commands' : 'any words'}, logits moved by up to ${size}`,
    kernel: kernels.commandKl,
    dims: { B, T, R, J: g.prefixes.length, n, masked: g.masked ? 1 : 0, actions, inverse },
    groups: [Math.ceil(R / 64), 1, S],
    buffers: {
      rows: rowsOf(R, steps),
      out,
      grammar: grammarWords(g),
      choice,
      played,
      y: untouched(N),
      most: new Float32Array(S),
    },
    expected: { y, most },
    tolerance: { abs: 2e-8, rel: 1e-4 },
  };
});

export const cases: readonly Case[] = [...dense, ...commands];
