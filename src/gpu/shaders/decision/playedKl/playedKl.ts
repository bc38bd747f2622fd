import { actionTree } from '../../../../contract/units.ts';
import { entropyOf } from '../../../../core/math/distribution.ts';
import { mostMoved, nearKl } from '../../../../core/math/nearKl.ts';
import { wordsOfRows } from '../../../../core/slices.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { actionsAt, bound, free, grammarWords, pathOf, rowsOf, wordsAt } from '../../commandWorld.ts';
import { listedRows } from '../../../listedRows.ts';
import { playedKlWith, playedKlWords } from '../../playedKlKernels.ts';
import { listOf, packed } from '../../rollout/liveSteps/liveSteps.ts';

/** WGSL promises log to 2⁻²¹ near 1; δ has an error of about 1e-6, which counts twice and in proportion to δ. */
const TOLERANCE = { abs: 2 ** -21, rel: 1e-4 };

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
  // a weight of 0 does not keep a step out
  const plan = Float32Array.from({ length: 2 * S * B }, (_, k) => (k % 2 === 1 ? length[k >> 1]! : (k >> 1) % 2));
  const out = numbers(seed + 1, N * n, -2, 2);
  const before = moved(seed + 2, out, size);
  const section = N + 1;
  const choice = new Uint32Array(2 * section);
  choice.set(wholes(seed + 3, N, 31).map((bits) => bits + 1));
  const played = new Float32Array(N * actions);
  const [floatSection, probsAt] = [N + 3, 3 * (N + 3) + 2];
  const seen = untouched(probsAt + N * actions);
  const most = new Float32Array(S);
  for (let k = 0; k < N; k++) {
    const of = (z: Float32Array) => actionsAt(actionTree(actions), (c) => z[k * n + c]!, choice[k]!, inverse);
    played.set(of(before), k * actions);
    if (k % T >= length[Math.floor(k / T)]!) continue;
    const s = Math.floor(k / (B * T));
    seen[floatSection + k] = entropyOf(of(out), 0, actions);
    seen[2 * floatSection + k] = nearKl(played, k * actions, of(out), 0, actions);
    seen.set(of(out), probsAt + k * actions);
    most[s] = Math.max(most[s]!, mostMoved(played, k * actions, of(out), 0, actions));
  }
  return {
    name: `playedKl ${S}×${B}×${T}, logits moved by up to ${size}`,
    kernel: playedKlWith(),
    dims: { B, T, actions, n, section, floatSection, probsAt, inverse },
    groups: [Math.ceil((B * T) / 64), 1, S],
    buffers: { out, choice, plan, played, seen: untouched(seen.length), most: new Float32Array(S) },
    expected: { seen, most },
    tolerance: TOLERANCE,
  };
});

/** The same over a list of all real steps. */
const listed = dense.map((whole): Case => {
  const { B, T } = whole.dims as Record<'B' | 'T', number>;
  const sizes = { S: whole.groups[2]!, B, T };
  const { plan, out, ...buffers } = whole.buffers as Record<string, Float32Array>;
  const rows = listOf(sizes, plan!, true, new Uint32Array(sizes.S * wordsOfRows(B, T)));
  return {
    ...whole,
    name: `${whole.name}, listed`,
    kernel: playedKlWith(listedRows.places),
    buffers: { ...buffers, rows, out: packed(sizes, plan!, true, out!) },
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
  const decisions = g.decisions;
  const section = N + 1;
  const masks = wholes(seed + 3, N, 2 ** actions - 1);
  const choice = new Uint32Array(3 * section).fill(777);
  for (let k = 0; k < N; k++) {
    choice[k] = (masks[k]! + 1) | (1 << (k % actions));
    // without a mask also words that are no command
    choice[2 * section + k] = !g.masked && k % 4 === 0 ? 2 + 256 : g.commands[k % actions]!;
  }
  const played = new Float32Array(N * actions);
  const floatSection = N + 3;
  const probsAt = (3 + 2 * decisions) * floatSection + 2;
  const seen = untouched(probsAt + N * actions);
  const most = new Float32Array(S);
  steps.forEach((list, s) =>
    list.forEach((local, r) => {
      const step = s * B * T + local;
      const legal = choice[step]!;
      const of = (z: Float32Array): readonly number[] => actionsAt(g, (c) => z[(s * R + r) * n + c]!, legal, inverse);
      played.set(of(before), step * actions);
      seen[2 * floatSection + step] = nearKl(played, step * actions, of(out), 0, actions);
      most[s] = Math.max(most[s]!, mostMoved(played, step * actions, of(out), 0, actions));
      seen.set(of(out), probsAt + step * actions);
      const units = pathOf(g, choice[2 * section + step]!).map((c) => {
        const { p } = wordsAt(g, g.slots[c]!.node, (b) => out[(s * R + r) * n + b]!, legal, inverse);
        return entropyOf(p, 0, p.length);
      });
      seen.set(units, (3 + decisions) * floatSection + step * decisions);
      seen[floatSection + step] = units.reduce((sum, h) => sum + h, 0);
    }),
  );
  return {
    name: `playedKl of words, ${g.masked ? 'only commands' : 'any words'}, logits moved by up to ${size}`,
    kernel: playedKlWords,
    dims: {
      ...{ B, T, R, J: g.prefixes.length, n, masked: g.masked ? 1 : 0, decisions, actions },
      ...{ section, floatSection, probsAt, inverse },
    },
    groups: [Math.ceil(R / 64), 1, S],
    buffers: {
      rows: rowsOf(R, steps),
      out,
      grammar: grammarWords(g),
      choice,
      played,
      seen: untouched(seen.length),
      most: new Float32Array(S),
    },
    expected: { seen, most },
    tolerance: TOLERANCE,
  };
});

export const cases: readonly Case[] = [...dense, ...listed, ...commands];
