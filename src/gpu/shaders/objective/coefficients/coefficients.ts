import { actionTree, type Tree } from '../../../../contract/units.ts';
import { entropyOf, forwardKlOf, klOf, type Pair } from '../../../../core/math/distribution.ts';
import { wordsOfRows } from '../../../../core/slices.ts';
import { isExact, KL_PENALTIES, klTerm } from '../../../../core/math/kl.ts';
import { ratioOf } from '../../../../core/math/ratio.ts';
import { valueLoss as lossOf, type ValueForm } from '../../../critic.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { LIVE_WORDS } from '../../../live.ts';
import { pathOf, wordsAt } from '../../commandWorld.ts';
import { listedRows } from '../../../listedRows.ts';
import { coefficientsWith } from '../../kernels.ts';
import { listOf, liveSteps, packed } from '../../rollout/liveSteps/liveSteps.ts';

/** A clipped objective with all four parameters, to test the frame around any objective. */
export const SNIPPET = `fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  let ratio = exp(clamp(delta, -20.0, 20.0));
  let isHeld = (A > 0.0 && ratio > p.y) || (A < 0.0 && ratio < p.x);
  return vec3f(max(-A * ratio, -A * clamp(ratio, p.x, p.y)) + p.z * logp + p.w, select(-A * ratio, 0.0, isHeld) + p.z, select(0.0, select(select(2.0, 1.0, A > 0.0), 3.0, abs(delta) > 1.0), isHeld));
}`;
export const P = [0.8, 1.2, 0.1, 0.05] as const;

function objective(A: number, delta: number, logp: number, mark: number): { loss: number; clip: number } {
  const ratio = ratioOf(delta);
  const isHeld = (A > 0 && ratio > P[1]) || (A < 0 && ratio < P[0]);
  const clip = !isHeld ? 0 : Math.abs(delta) > 1 ? 3 : A > 0 ? 1 : 2;
  return { loss: Math.max(-A * ratio, -A * Math.max(P[0], Math.min(P[1], ratio))) + P[2] * logp + mark, clip };
}

/** Whether the objective's own codes count, the bounds, and what their ratio is made of: see clipping.wgsl. */
export type Clip = { clips: number; low: number; high: number; ofDelta: number; ofMark: number };
export const USUAL: Clip = { clips: 1, low: 0.8, high: 1.28, ofDelta: 1, ofMark: 0 };

/** Clip code of a unit that is counted, and whether its ratio is outside the bounds. */
export function judge(x: Clip, own: number, A: number, delta: number, mark: number): { code: number; out: boolean } {
  const usual = A > 0 && ratioOf(delta) > x.high ? 1 : A < 0 && ratioOf(delta) < x.low ? 2 : 0;
  const held = ratioOf(x.ofDelta * delta + x.ofMark * mark);
  return { code: x.clips === 1 ? own : usual, out: held < x.low || held > x.high };
}

/** One step: outputs z (and V), reference outputs, legal bits, what was written and with which log-probabilities. */
export type Step = {
  readonly z: readonly number[];
  readonly ref: readonly number[];
  readonly legal: number;
  readonly written: number;
  readonly unitLogp: readonly number[];
  /** of each value */
  readonly valueOld: readonly number[];
  readonly A: number;
  /** A of each unit, where they have their own */
  readonly unitA?: readonly number[];
  readonly target: number;
  readonly w: number;
  /** of each unit; without them the fourth parameter */
  readonly marks?: readonly number[];
};
export type Settings = ValueForm & {
  readonly g: Tree;
  readonly perStep: boolean;
  /** with `perStep`: the ratio is the geometric mean of those of the units */
  readonly isMean?: boolean;
  readonly inverse: number;
  readonly entropyCoef: number;
  readonly klCoef: number;
  /** place in KL_PENALTIES */
  readonly klForm: number;
  /** only the critic learns */
  readonly warmsUp?: boolean;
  readonly clip: Clip;
};
export const PLAIN: Omit<Settings, 'g'> = {
  ...{ perStep: false, inverse: 1 / 0.7, entropyCoef: 0, klCoef: 0, klForm: 0, clip: USUAL },
  ...{ valueCoef: 0.5, valueClip: 0, valueMode: 1, valueHuber: 0 },
};

/** The KL penalty of one unit whose choice is `chosen`; of a form with a plus, k2, which has its gradient. */
function penaltyOf(form: number, pair: Pair, chosen: number): number {
  const penalty = form > 5 ? 'k2' : KL_PENALTIES[form]!;
  if (isExact(penalty)) return penalty === 'exact' ? klOf(pair) : forwardKlOf(pair);
  const term = { loss: 0, kappa: 0 };
  klTerm(penalty, pair.now.logp[chosen]! - pair.ref.logp[chosen]!, term);
  return term.loss;
}

/** Everything the loss of one step is made of; units share Δ with `perStep`. */
export function terms(step: Step, x: Settings) {
  const units = pathOf(x.g, step.written).map((c, k) => {
    const { node } = x.g.slots[c]!;
    const { first, count } = x.g.prefixes[node]!;
    const of = (z: readonly number[]) => {
      const { p, logp } = wordsAt(x.g, node, (b) => z[b]!, step.legal, x.inverse);
      return { p: Float64Array.from(p), logp: Float64Array.from(logp) };
    };
    const pair: Pair = { now: of(step.z), at: 0, ref: of(step.ref), refAt: 0, count };
    const logp = pair.now.logp[c - first]!;
    return {
      logp,
      delta: logp - step.unitLogp[k]!,
      entropy: entropyOf(pair.now.p, 0, count),
      kl: x.klCoef > 0 ? klOf(pair) : 0,
      held: x.klCoef > 0 ? penaltyOf(x.klForm, pair, c - first) : 0,
    };
  });
  const total = (f: (d: (typeof units)[number]) => number): number => units.reduce((a, d) => a + f(d), 0);
  const delta = total((d) => d.delta);
  const share = x.isMean ? 1 / units.length : 1;
  const judgedBy = x.perStep ? [{ logp: share * total((d) => d.logp), delta: share * delta }] : units;
  const losses = judgedBy.map((u, k) => {
    const A = x.perStep ? step.A : (step.unitA?.[k] ?? step.A);
    const mark = step.marks?.[k] ?? P[3];
    const { loss, clip } = objective(A, u.delta, u.logp, mark);
    return { loss, clip, ...judge(x.clip, clip, A, u.delta, mark) };
  });
  const valueLoss = step.z
    .slice(x.g.slots.length)
    .reduce((sum, V, h) => sum + lossOf(V, step.valueOld[h]!, step.target, x), 0);
  return {
    loss: losses.reduce((a, l) => a + l.loss, 0),
    clip: losses[0]!.clip,
    units: judgedBy.length,
    k3: judgedBy.reduce((a, u) => a + Math.exp(u.delta) - 1 - u.delta, 0),
    ratioMax: Math.max(...judgedBy.map((u) => Math.exp(u.delta))),
    ratio: judgedBy.reduce((a, u) => a + Math.exp(u.delta), 0),
    squares: judgedBy.reduce((a, u) => a + u.delta ** 2, 0),
    clips: [1, 2, 3].map((code) => losses.filter((j) => j.code === code).length),
    outside: losses.filter((j) => j.out).length,
    delta,
    deltas: units.map((d) => d.delta),
    entropy: total((d) => d.entropy),
    kl: total((d) => d.kl),
    held: total((d) => d.held),
    valueLoss,
  };
}

/** The loss whose gradient the kernel writes. */
export function loss(step: Step, x: Settings): number {
  const { loss: l, entropy, held, valueLoss } = terms(step, x);
  const value = step.z.length > x.g.slots.length ? x.valueCoef * valueLoss : 0;
  const policy = x.warmsUp ? 0 : l - x.entropyCoef * entropy + x.klCoef * held;
  return step.w * (policy + value);
}

/** ∂loss/∂z by central differences in f64: the definition of the gradient is the loss itself. */
export function gradient(step: Step, x: Settings): number[] {
  const h = 1e-5;
  return step.z.map((_, k) => {
    const slot = x.g.slots[k];
    if (slot && x.g.masked && (slot.actions & step.legal) === 0) return 0;
    const at = (d: number): number => loss({ ...step, z: step.z.map((v, j) => (j === k ? v + d : v)) }, x);
    return (at(h) - at(-h)) / (2 * h);
  });
}

type Variant = readonly [name: string, changes: Partial<Settings>, values: number, marked?: boolean];
const variants: readonly Variant[] = [
  ['objective alone', {}, 0],
  ['entropy bonus', { entropyCoef: 0.3 }, 0],
  ['KL to the reference', { klCoef: 0.7 }, 0],
  ...['KL from the reference', 'k1', 'k2', 'k3', '|Δ|', 'k1+', 'k3+', '|Δ|+'].map((name, k): Variant => [
    name,
    { klCoef: 0.7, klForm: k + 1 },
    0,
  ]),
  ['marks', {}, 0, true],
  ['critic with clip', { valueClip: 0.2 }, 1],
  ['two values, the mean of both branches, Huber', { valueClip: 0.4, valueMode: 2, valueHuber: 0.5 }, 2],
  ['everything, one of two warms up', { entropyCoef: 0.1, klCoef: 0.2, valueClip: 0.4, warmsUp: true }, 1],
  ['two values without a clip', { valueClip: 0.4, valueMode: 0 }, 2],
  ['everything', { entropyCoef: 0.1, klCoef: 0.2, valueClip: 0.4, inverse: 0.5 }, 1],
];

const actions = 5;
export const SIZES = { S: 2, B: 13, T: 3 } as const;
const N = SIZES.S * SIZES.B * SIZES.T;

/** A case of every step of a batch, with outputs [S, B·T, n]. */
export function caseOf([name, changes, values, marked = false]: Variant, k: number, out: Float32Array): Case {
  const settings: Settings = { ...PLAIN, g: actionTree(actions), ...changes };
  const { S, B, T } = SIZES;
  const n = actions + values;
  const section = N + 3;
  const ref_ = numbers(k + 1, N * n, -2, 2);
  const choice = new Uint32Array(2 * section);
  const sampled = numbers(k + 2, 5 * section, -2, 0);
  const credit = numbers(k + 3, (marked ? 3 : 2) * section, -2, 2);
  const plan = Float32Array.from({ length: 2 * S * B }, (_, i) =>
    i % 2 === 0 ? [0, 0.5, 0.25][(i >> 1) % 3]! : 1 + ((i >> 1) % T),
  );
  const masks = wholes(k + 4, N, 2 ** actions - 1);
  const dOut = new Float32Array(N * n);
  const stats = new Float32Array(N * 6);
  // the second replica of the last variant
  const warmsUp = (s: number): number => Number(settings.warmsUp === true && s === 1);
  const ownOf = (s: number): Settings => ({
    ...settings,
    entropyCoef: settings.entropyCoef * (s + 1),
    klCoef: settings.klCoef / (s + 1),
    warmsUp: warmsUp(s) === 1,
  });
  const live = new Float32Array(LIVE_WORDS);
  for (let s = 0; s < S; s++) live.set([warmsUp(s), ownOf(s).entropyCoef, ownOf(s).klCoef, settings.klForm], 4 * s);
  for (let step = 0; step < N; step++) {
    const legal = step % 2 === 0 ? 0xffffffff : masks[step]! + 1;
    let action = step % actions;
    while (((legal >>> action) & 1) === 0) action = (action + 1) % actions;
    choice[step] = legal;
    choice[section + step] = action;
    const row = Math.floor(step / T);
    const w = plan[2 * row]!;
    if (step % T >= plan[2 * row + 1]! || w === 0) continue;
    const part = (a: Float32Array): number[] => [...a.subarray(step * n, (step + 1) * n)];
    const one: Step = {
      z: part(out),
      ref: part(ref_),
      legal,
      written: action,
      unitLogp: [sampled[step]!],
      valueOld: (values === 2 ? [3, 4] : [2]).map((at) => sampled[at * section + step]!),
      A: credit[step]!,
      target: credit[section + step]!,
      w,
      ...(marked ? { marks: [credit[2 * section + step]!] } : {}),
    };
    const own = ownOf(Math.floor(row / B));
    const t = terms(one, own);
    dOut.set(gradient(one, own), step * n);
    stats.set([w * t.loss, (w * t.valueLoss) / Math.max(1, values), t.kl, t.clip, t.delta, 0], step * 6);
  }
  const { inverse, valueCoef, valueClip, valueMode, valueHuber } = settings;
  return {
    name: `coefficients: ${name}`,
    kernel: coefficientsWith(SNIPPET),
    dims: {
      ...{ S, B, T, actions, n, section, floatSection: section, marksAt: marked ? 2 * section : 0, creditAt: 0 },
      ...{ inverse, valueCoef, valueClip, valueMode, valueHuber, p0: P[0], p1: P[1], p2: P[2], p3: P[3] },
      mostRows: B * T,
    },
    groups: [Math.ceil((B * T) / 64), 1, S],
    buffers: {
      ...{ out, ref_, choice, sampled, credit, plan, live },
      ...{ dOut: untouched(N * n), stats: untouched(N * 6) },
    },
    expected: { dOut, stats },
    // ratios up to e^4 = 55 times credit up to 2 with f32 exp; central differences add 1e-9
    tolerance: { abs: 5e-5, rel: 5e-5 },
  };
}

/** The same over a list of live steps: outputs and gradients lie one after the other, other statistics are zeros. */
export function listed(whole: Case): Case {
  const { S, B, T } = whole.dims as Record<'S' | 'B' | 'T', number>;
  const sizes = { S, B, T };
  const { plan, out, dOut, ...buffers } = whole.buffers as Record<string, Float32Array>;
  const stats = new Float32Array(6 * S * B * T);
  const lists = liveSteps(sizes, plan!, false);
  const mostRows = Math.max(1, ...lists.map((steps) => steps.length));
  lists.forEach((steps, s) => {
    for (const obs of steps) {
      const at = 6 * (s * B * T + obs - Math.floor(obs / (T + 1)));
      stats.set(
        Array.from({ length: 6 }, (_, k) => whole.expected['stats']![at + k]!),
        at,
      );
    }
  });
  const rows = listOf(sizes, plan!, false, new Uint32Array(S * wordsOfRows(B, T)));
  return {
    ...whole,
    name: `${whole.name}, listed`,
    kernel: coefficientsWith(SNIPPET, listedRows.coefficients),
    dims: { ...whole.dims, mostRows },
    groups: [Math.ceil(mostRows / 64), 1, S],
    buffers: { ...buffers, rows, out: packed(sizes, plan!, false, out!), dOut: dOut! },
    expected: { dOut: packed(sizes, plan!, false, Float32Array.from(whole.expected['dOut']!)), stats },
  };
}

const everyStep = variants.map((variant, k) => caseOf(variant, k, numbers(k, N * (actions + variant[2]), -2, 2)));
export const cases: readonly Case[] = [...everyStep, ...everyStep.map(listed)];
