import { exp } from '../../../core/fmath.ts';
import { valueLoss as lossOf, type ValueForm } from '../../critic.ts';
import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { penalty } from '../coefficients/coefficients.ts';
import { bound, free, grammarWords, pathOf, rowsOf, wordsAt, type CommandGrammar } from '../commandWorld.ts';
import { liveOfAll } from '../../live.ts';
import { commandCoefficientsWith } from '../kernels.ts';

/** A clipped objective with all four parameters, to test the frame around any objective. */
const SNIPPET = `fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  let ratio = exp(clamp(delta, -20.0, 20.0));
  let isHeld = (A > 0.0 && ratio > p.y) || (A < 0.0 && ratio < p.x);
  return vec3f(max(-A * ratio, -A * clamp(ratio, p.x, p.y)) + p.z * logp + p.w, select(-A * ratio, 0.0, isHeld) + p.z, select(0.0, select(select(2.0, 1.0, A > 0.0), 3.0, abs(delta) > 1.0), isHeld));
}`;
const P = [0.8, 1.2, 0.1, 0.05] as const;

function objective(A: number, delta: number, logp: number, mark: number): { loss: number; clip: number } {
  const ratio = exp(Math.max(-20, Math.min(20, delta)));
  const isHeld = (A > 0 && ratio > P[1]) || (A < 0 && ratio < P[0]);
  const clip = !isHeld ? 0 : Math.abs(delta) > 1 ? 3 : A > 0 ? 1 : 2;
  return { loss: Math.max(-A * ratio, -A * Math.max(P[0], Math.min(P[1], ratio))) + P[2] * logp + mark, clip };
}

/** Whether the objective's own codes count, the bounds, and what their ratio is made of: see clipping.wgsl. */
export type Clip = { clips: number; low: number; high: number; ofDelta: number; ofMark: number };

/** Clip code of a unit that is counted, and whether its ratio is outside the bounds. */
export function judge(x: Clip, own: number, A: number, delta: number, mark: number): { code: number; out: boolean } {
  const ratioOf = (d: number): number => exp(Math.max(-20, Math.min(20, d)));
  const usual = A > 0 && ratioOf(delta) > x.high ? 1 : A < 0 && ratioOf(delta) < x.low ? 2 : 0;
  const held = ratioOf(x.ofDelta * delta + x.ofMark * mark);
  return { code: x.clips === 1 ? own : usual, out: held < x.low || held > x.high };
}

/** One step: outputs z (and V), reference outputs, legal bits, what was written and with which log-probabilities. */
export type Step = {
  z: readonly number[];
  ref: readonly number[];
  legal: number;
  command: number;
  unitLogp: readonly number[];
  /** of each value */
  valueOld: readonly number[];
  A: number;
  target: number;
  w: number;
  /** of each decision; without them the fourth parameter */
  marks?: readonly number[];
};
export type Settings = ValueForm & {
  g: CommandGrammar;
  perStep: boolean;
  /** with `perStep`: the ratio is the geometric mean of those of the words */
  isMean?: boolean;
  inverse: number;
  entropyCoef: number;
  klCoef: number;
  klForm: number;
  /** only the critic learns */
  warmsUp?: boolean;
  isMarked?: boolean;
  clip: Clip;
};

/** Everything the loss of one step is made of; units share Δ with `perStep`. */
export function terms(step: Step, x: Settings) {
  const decisions = pathOf(x.g, step.command).map((c, k) => {
    const { node } = x.g.slots[c]!;
    const now = wordsAt(x.g, node, (b) => step.z[b]!, step.legal, x.inverse);
    const ref = wordsAt(x.g, node, (b) => step.ref[b]!, step.legal, x.inverse);
    const logp = now.logp[c - x.g.prefixes[node]!.first]!;
    const sum = (f: (p: number, b: number) => number): number =>
      now.p.reduce((a, p, b) => (p > 0 ? a + f(p, b) : a), 0);
    return {
      logp,
      delta: logp - step.unitLogp[k]!,
      entropy: -sum((p, b) => p * now.logp[b]!),
      kl: x.klCoef > 0 ? sum((p, b) => p * (now.logp[b]! - ref.logp[b]!)) : 0,
      held: x.klCoef > 0 ? penalty(x.klForm, now, ref, logp - ref.logp[c - x.g.prefixes[node]!.first]!) : 0,
    };
  });
  const total = (f: (d: (typeof decisions)[number]) => number): number => decisions.reduce((a, d) => a + f(d), 0);
  const delta = total((d) => d.delta);
  const share = x.isMean ? 1 / decisions.length : 1;
  const units = x.perStep ? [{ logp: share * total((d) => d.logp), delta: share * delta }] : decisions;
  const losses = units.map((u, k) => objective(step.A, u.delta, u.logp, step.marks?.[k] ?? P[3]));
  const judged = units.map((u, k) => judge(x.clip, losses[k]!.clip, step.A, u.delta, step.marks?.[k] ?? P[3]));
  const valueLoss = step.z
    .slice(x.g.slots.length)
    .reduce((sum, V, h) => sum + lossOf(V, step.valueOld[h]!, step.target, x), 0);
  return {
    loss: losses.reduce((a, l) => a + l.loss, 0),
    units: units.length,
    k3: units.reduce((a, u) => a + exp(u.delta) - 1 - u.delta, 0),
    ratioMax: Math.max(...units.map((u) => exp(u.delta))),
    ratio: units.reduce((a, u) => a + exp(u.delta), 0),
    squares: units.reduce((a, u) => a + u.delta ** 2, 0),
    clips: [1, 2, 3].map((code) => judged.filter((j) => j.code === code).length),
    outside: judged.filter((j) => j.out).length,
    delta,
    deltas: decisions.map((d) => d.delta),
    entropy: total((d) => d.entropy),
    kl: total((d) => d.kl),
    held: total((d) => d.held),
    valueLoss,
  };
}

/** The loss whose gradient the kernel writes. */
export function loss(step: Step, x: Settings): number {
  const t = terms(step, x);
  const policy = x.warmsUp ? 0 : t.loss - x.entropyCoef * t.entropy + x.klCoef * t.held;
  return step.w * (policy + x.valueCoef * t.valueLoss);
}

/**
 * ∂loss/∂z by central differences in f64. With `perStep` every word gets the derivative by the shared log-ratio, which
 * is what differentiating the sum gives, or with `isMean` the mean; logits of prefixes that were not reached and of illegal words get 0.
 */
export function gradient(step: Step, x: Settings): number[] {
  const h = 1e-5;
  return step.z.map((_, k) => {
    const slot = x.g.slots[k];
    if (slot && x.g.masked && (slot.actions & step.legal) === 0) return 0;
    const at = (d: number): number => loss({ ...step, z: step.z.map((v, j) => (j === k ? v + d : v)) }, x);
    return (at(h) - at(-h)) / (2 * h);
  });
}

const USUAL: Clip = { clips: 1, low: 0.8, high: 1.28, ofDelta: 1, ofMark: 0 };

const variants: readonly [name: string, g: CommandGrammar, changes: Partial<Settings>, values: number][] = [
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
  ['marks, a unit per word', bound, { isMarked: true }, 0],
  ['marks, a unit per command, any words', free, { isMarked: true, perStep: true }, 1],
  ['marks, no clip', bound, { isMarked: true, clip: { ...USUAL, clips: 0 } }, 0],
  ['bounds around the mark', free, { isMarked: true, clip: { ...USUAL, low: 0.7, ofMark: -1 } }, 0],
  ['everything, any words', free, { entropyCoef: 0.1, klCoef: 0.2, perStep: true, inverse: 0.5 }, 1],
];

export const cases: readonly Case[] = variants.map(([name, g, changes, values], seed): Case => {
  const x: Settings = {
    g,
    perStep: false,
    inverse: 1 / 0.7,
    entropyCoef: 0,
    klCoef: 0,
    klForm: 0,
    valueCoef: 0.5,
    valueClip: 0,
    valueMode: 1,
    valueHuber: 0,
    clip: USUAL,
    ...changes,
  };
  const [S, B, T] = [3, seed === 0 ? 30 : 5, 3];
  const K = g.decisions;
  const slots = g.slots.length;
  const n = slots + values;
  const N = S * B * T;
  const R = B * T + 1;
  const outSection = S * R * n + 3;
  const section = N + 3;
  const unitsAt = 6 * N + 1;
  const outs = numbers(seed, 3 * outSection, -2, 2);
  const choice = new Uint32Array(3 * section).fill(777);
  const sampled = numbers(seed + 2, (5 + 2 * K) * section, -1.5, 0);
  const credit = numbers(seed + 3, (x.isMarked ? 2 + K : 2) * section, -2, 2);
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
      const one: Step = {
        z: [...outs.subarray(at, at + n)],
        ref: [...outs.subarray(outSection + at, outSection + at + n)],
        legal: choice[step]!,
        command: choice[2 * section + step]!,
        unitLogp: [...sampled.subarray(3 * section + step * K, 3 * section + step * K + K)],
        valueOld: (values === 2 ? [3 + 2 * K, 4 + 2 * K] : [2]).map((k) => sampled[k * section + step]!),
        A: credit[step]!,
        target: credit[section + step]!,
        w,
        ...(x.isMarked ? { marks: [...credit.subarray(2 * section + step * K, 2 * section + step * K + K)] } : {}),
      };
      const t = terms(one, x);
      wantOuts.set(gradient(one, x), to);
      stats.set([w * t.loss, (w * t.valueLoss) / Math.max(1, values), t.kl, 0, t.delta, t.units], 6 * step);
      stats.set([t.k3, t.ratioMax, t.ratio, t.squares, ...t.clips, t.outside], unitsAt + 8 * step);
      stats.set(t.deltas, deltaAt + K * step);
    }),
  );
  return {
    name: `commandCoefficients: ${name}`,
    kernel: commandCoefficientsWith(SNIPPET),
    dims: {
      B,
      T,
      R,
      J: g.prefixes.length,
      slots,
      n,
      masked: g.masked ? 1 : 0,
      decisions: K,
      perStep: x.perStep ? (x.isMean ? 2 : 1) : 0,
      outSection,
      section,
      floatSection: section,
      unitsAt,
      deltaAt,
      inverse: x.inverse,
      valueCoef: x.valueCoef,
      valueClip: x.valueClip,
      valueMode: x.valueMode,
      valueHuber: x.valueHuber,
      ...x.clip,
      p0: P[0],
      p1: P[1],
      p2: P[2],
      p3: P[3],
    },
    groups: [Math.ceil(R / 64), 1, S],
    buffers: {
      rows: rowsOf(R, steps),
      grammar: grammarWords(g),
      choice,
      sampled,
      credit,
      plan,
      outs,
      stats: untouched(stats.length),
      live: liveOfAll([x.warmsUp ? 1 : 0, x.entropyCoef, x.klCoef, x.klForm]),
    },
    expected: { outs: wantOuts, stats },
    // log-ratios up to 4 with f32 errors of 1e-6, ratios up to 55 times credit up to 2
    tolerance: { abs: 5e-5, rel: 5e-5 },
  };
});
