import type { Tree } from '../../../../contract/units.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { liveOfAll } from '../../../live.ts';
import { bound, free, grammarWords, rowsOf } from '../../commandWorld.ts';
import { coefficientsOfWordsWith } from '../../commandKernels.ts';
import { gradient, P, PLAIN, SNIPPET, terms, USUAL, type Settings, type Step } from './coefficients.ts';

/** How a case is made besides its settings: units with marks, and with credit of their own. */
type Extras = { readonly isMarked?: boolean; readonly isCredited?: boolean };

const variants: readonly [name: string, g: Tree, changes: Partial<Settings>, values: number, extras?: Extras][] = [
  ['a unit per word', bound, {}, 0],
  ['a unit per command', bound, { perStep: true }, 0],
  ['a unit per command, by the mean of its words', free, { perStep: true, isMean: true }, 0],
  ['entropy bonus, any words', free, { entropyCoef: 0.3 }, 0],
  ['KL to the reference', bound, { klCoef: 0.7 }, 0],
  ['KL from the reference', free, { klCoef: 0.7, klForm: 1 }, 0],
  ['k2, a unit per command', bound, { klCoef: 0.7, klForm: 3, perStep: true }, 0],
  ['k3', bound, { klCoef: 0.7, klForm: 4 }, 0],
  ['critic with clip, any words', free, { valueClip: 0.2, perStep: true }, 1],
  ['everything while the critic warms up', bound, { entropyCoef: 0.1, klCoef: 0.2, warmsUp: true }, 1],
  ['two values, the mean of both branches, Huber', bound, { valueClip: 0.4, valueMode: 2, valueHuber: 0.5 }, 2],
  ['everything', bound, { entropyCoef: 0.1, klCoef: 0.2, valueClip: 0.4, inverse: 0.5 }, 1],
  ['marks, a unit per word', bound, {}, 0, { isMarked: true }],
  ['marks, a unit per command, any words', free, { perStep: true }, 1, { isMarked: true }],
  ['marks, no clip', bound, { clip: { ...USUAL, clips: 0 } }, 0, { isMarked: true }],
  ['bounds around the mark', free, { clip: { ...USUAL, low: 0.7, ofMark: -1 } }, 0, { isMarked: true }],
  ['credit of every unit', bound, {}, 0, { isCredited: true }],
  ['credit of every unit and marks, any words', free, { klCoef: 0.2 }, 1, { isMarked: true, isCredited: true }],
  ['credit of every unit, a ratio per command', free, { perStep: true }, 0, { isCredited: true }],
  ['everything, any words', free, { entropyCoef: 0.1, klCoef: 0.2, perStep: true, inverse: 0.5 }, 1],
];

export const cases: readonly Case[] = variants.map(([name, g, changes, values, extras = {}], seed): Case => {
  const x: Settings = { ...PLAIN, g, ...changes };
  const { isMarked = false, isCredited = false } = extras;
  const [S, B, T] = [3, seed === 0 ? 30 : 5, 3];
  const K = g.decisions;
  const slots = g.slots.length;
  const n = slots + values;
  const N = S * B * T;
  const R = B * T + 1;
  const outSection = S * R * n + 3;
  const section = N + 3;
  const unitsAt = 6 * N + 1;
  const marksAt = isMarked ? 2 * section : 0;
  const creditAt = isCredited ? (isMarked ? 2 + K : 2) * section : 0;
  const outs = numbers(seed, 3 * outSection, -2, 2);
  const choice = new Uint32Array(3 * section).fill(777);
  const sampled = numbers(seed + 2, (5 + 2 * K) * section, -1.5, 0);
  const credit = numbers(seed + 3, (2 + 2 * K) * section, -2, 2);
  const plan = Float32Array.from({ length: 2 * S * B }, (_, k) => (k % 2 === 0 ? [0.5, 0.25, 0][(k >> 1) % 3]! : 1e30));
  const all = Array.from({ length: B * T }, (_, k) => k);
  const steps = [all, [], all.filter((k) => k % 2 === 1)];
  const wantOuts = outs.slice();
  const deltaAt = unitsAt + 8 * N + 1;
  const stats = untouched(deltaAt + K * N);
  const masks = wholes(seed + 4, N, 2 ** g.commands.length - 1);
  steps.forEach((list, s) =>
    list.forEach((local, r) => {
      const step = s * B * T + local;
      const at = (s * R + r) * n;
      const isFree = !g.masked && step % 4 === 0;
      const a = step % g.commands.length;
      choice[step] = step % 2 === 0 ? 0xffff_ffff : masks[step]! | (1 << a);
      choice[2 * section + step] = isFree ? 2 + 256 : g.commands[a]!;
      const w = plan[2 * (s * B + Math.floor(local / T))]!;
      const to = 2 * outSection + at;
      wantOuts.fill(0, to, to + n);
      stats.fill(0, 6 * step, 6 * step + 6);
      stats.fill(0, unitsAt + 8 * step, unitsAt + 8 * step + 8);
      stats.fill(0, deltaAt + K * step, deltaAt + K * step + K);
      if (w === 0) return;
      const ofUnits = (from: number): number[] => [...credit.subarray(from + step * K, from + step * K + K)];
      const one: Step = {
        z: [...outs.subarray(at, at + n)],
        ref: [...outs.subarray(outSection + at, outSection + at + n)],
        legal: choice[step]!,
        written: choice[2 * section + step]!,
        unitLogp: [...sampled.subarray(3 * section + step * K, 3 * section + step * K + K)],
        valueOld: (values === 2 ? [3 + 2 * K, 4 + 2 * K] : [2]).map((k) => sampled[k * section + step]!),
        A: credit[step]!,
        target: credit[section + step]!,
        w,
        ...(isMarked ? { marks: ofUnits(marksAt) } : {}),
        ...(isCredited ? { unitA: ofUnits(creditAt) } : {}),
      };
      const t = terms(one, x);
      wantOuts.set(gradient(one, x), to);
      stats.set([w * t.loss, (w * t.valueLoss) / Math.max(1, values), t.kl, 0, t.delta, t.units], 6 * step);
      stats.set([t.k3, t.ratioMax, t.ratio, t.squares, ...t.clips, t.outside], unitsAt + 8 * step);
      stats.set(t.deltas, deltaAt + K * step);
    }),
  );
  const { inverse, valueCoef, valueClip, valueMode, valueHuber } = x;
  return {
    name: `coefficients of words: ${name}`,
    kernel: coefficientsOfWordsWith(SNIPPET),
    dims: {
      ...{ B, T, R, J: g.prefixes.length, n, masked: g.masked ? 1 : 0, decisions: K },
      perStep: x.perStep ? (x.isMean ? 2 : 1) : 0,
      ...{ outSection, section, floatSection: section, marksAt, creditAt, unitsAt, deltaAt, inverse },
      ...{ valueCoef, valueClip, valueMode, valueHuber, ...x.clip, p0: P[0], p1: P[1], p2: P[2], p3: P[3] },
    },
    groups: [Math.ceil(R / 64), 1, S],
    buffers: {
      ...{ rows: rowsOf(R, steps), grammar: grammarWords(g), choice, sampled, credit, plan, outs },
      ...{ stats: untouched(stats.length), live: liveOfAll([x.warmsUp ? 1 : 0, x.entropyCoef, x.klCoef, x.klForm]) },
    },
    expected: { outs: wantOuts, stats },
    // log-ratios up to 4 with f32 errors of 1e-6, ratios up to 55 times credit up to 2
    tolerance: { abs: 5e-5, rel: 5e-5 },
  };
});
