import { exp, log } from '../../../core/fmath.ts';
import { valueLoss as lossOf, type ValueForm } from '../../critic.ts';
import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { LIVE_WORDS } from '../../live.ts';
import { coefficientsWith } from '../kernels.ts';

/** A clipped objective with all four parameters, to test the frame around any objective. */
const SNIPPET = `fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  let ratio = exp(clamp(delta, -20.0, 20.0));
  let isHeld = (A > 0.0 && ratio > p.y) || (A < 0.0 && ratio < p.x);
  return vec3f(max(-A * ratio, -A * clamp(ratio, p.x, p.y)) + p.z * logp + p.w, select(-A * ratio, 0.0, isHeld) + p.z, select(0.0, 1.0, isHeld));
}`;
const P = [0.8, 1.2, 0.1, 0.05] as const;

function coefficient(
  A: number,
  delta: number,
  logp: number,
  mark: number = P[3],
): { loss: number; kappa: number; clip: number } {
  const ratio = exp(Math.max(-20, Math.min(20, delta)));
  const isHeld = (A > 0 && ratio > P[1]) || (A < 0 && ratio < P[0]);
  const loss = Math.max(-A * ratio, -A * Math.max(P[0], Math.min(P[1], ratio))) + P[2] * logp + mark;
  return { loss, kappa: (isHeld ? 0 : -A * ratio) + P[2], clip: isHeld ? 1 : 0 };
}

/** One step: outputs z (and V), reference logits, legal bits, action, old log-probability, old value, A, target, weight. */
export type Step = {
  z: number[];
  ref: number[];
  legal: number;
  action: number;
  logpOld: number;
  /** of each value */
  valueOld: readonly number[];
  A: number;
  target: number;
  w: number;
  /** what takes the place of the last parameter where units carry marks */
  mark?: number;
};
export type Settings = ValueForm & {
  actions: number;
  inverse: number;
  entropyCoef: number;
  klCoef: number;
  /** 0 exact, 1 exact forward, 2 k1, 3 k2, 4 k3, 5 |Δ| */
  klForm: number;
  /** only the critic learns */
  warmsUp?: boolean;
};

function policy(z: readonly number[], legal: number, { actions, inverse }: Settings): { p: number[]; logp: number[] } {
  const x = Array.from({ length: actions }, (_, b) => (((legal >>> b) & 1) === 1 ? z[b]! * inverse : -Infinity));
  const top = Math.max(...x);
  const logZ = top + log(x.reduce((sum, v) => sum + (v === -Infinity ? 0 : exp(v - top)), 0));
  return { p: x.map((v) => (v === -Infinity ? 0 : exp(v - logZ))), logp: x.map((v) => v - logZ) };
}

/** The KL penalty of one decision: distributions now and of the reference, Δ of the chosen action. */
export function penalty(form: number, now: Distribution, ref: Distribution, d: number): number {
  const sum = (f: (b: number) => number): number => now.p.reduce((a, p, b) => (p > 0 ? a + f(b) : a), 0);
  if (form === 0) return sum((b) => now.p[b]! * (now.logp[b]! - ref.logp[b]!));
  if (form === 1) return sum((b) => ref.p[b]! * (ref.logp[b]! - now.logp[b]!));
  return [d, 0.5 * d * d, exp(-d) + d - 1, Math.abs(d)][form - 2]!;
}
type Distribution = { readonly p: readonly number[]; readonly logp: readonly number[] };

/** Everything the loss of one step is made of. */
export function terms(step: Step, settings: Settings) {
  const now = policy(step.z, step.legal, settings);
  const ref = policy(step.ref, step.legal, settings);
  const logp = now.logp[step.action]!;
  const c = coefficient(step.A, logp - step.logpOld, logp, step.mark);
  const held = settings.klCoef > 0 ? penalty(settings.klForm, now, ref, logp - ref.logp[step.action]!) : 0;
  let entropy = 0;
  let kl = 0;
  now.p.forEach((p, b) => {
    if (p > 0) {
      entropy -= p * now.logp[b]!;
      kl += p * (now.logp[b]! - ref.logp[b]!);
    }
  });
  const valueLoss = step.z
    .slice(settings.actions)
    .reduce((sum, V, h) => sum + lossOf(V, step.valueOld[h]!, step.target, settings), 0);
  return { ...c, entropy, kl: settings.klCoef > 0 ? kl : 0, held, valueLoss, delta: logp - step.logpOld };
}

/** The loss whose gradient the kernel writes. */
export function loss(step: Step, settings: Settings): number {
  const { loss: l, entropy, held, valueLoss } = terms(step, settings);
  const value = step.z.length > settings.actions ? settings.valueCoef * valueLoss : 0;
  const policy = settings.warmsUp ? 0 : l - settings.entropyCoef * entropy + settings.klCoef * held;
  return step.w * (policy + value);
}

/** ∂loss/∂z by central differences in f64: the definition of the gradient is the loss itself. */
export function gradient(step: Step, settings: Settings): number[] {
  const h = 1e-5;
  return step.z.map((_, k) => {
    if (k < settings.actions && ((step.legal >>> k) & 1) === 0) return 0;
    const at = (d: number): number => loss({ ...step, z: step.z.map((x, j) => (j === k ? x + d : x)) }, settings);
    return (at(h) - at(-h)) / (2 * h);
  });
}

const variants: readonly [name: string, changes: Partial<Settings>, values: number, marked?: boolean][] = [
  ['objective alone', {}, 0],
  ['entropy bonus', { entropyCoef: 0.3 }, 0],
  ['KL to the reference', { klCoef: 0.7 }, 0],
  ...['KL from the reference', 'k1', 'k2', 'k3', '|Δ|'].map((name, k): (typeof variants)[number] => [
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

export const cases: readonly Case[] = variants.map(([name, changes, values, marked = false], k): Case => {
  const settings: Settings = {
    actions: 5,
    inverse: 1 / 0.7,
    entropyCoef: 0,
    klCoef: 0,
    klForm: 0,
    valueCoef: 0.5,
    valueClip: 0,
    valueMode: 1,
    valueHuber: 0,
    ...changes,
  };
  const [S, B, T] = [2, 13, 3];
  const { actions } = settings;
  const n = actions + values;
  const N = S * B * T;
  const section = N + 3;
  const out = numbers(k, N * n, -2, 2);
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
      action,
      logpOld: sampled[step]!,
      valueOld: (values === 2 ? [3, 4] : [2]).map((at) => sampled[at * section + step]!),
      A: credit[step]!,
      target: credit[section + step]!,
      w,
      ...(marked ? { mark: credit[2 * section + step]! } : {}),
    };
    const own = ownOf(Math.floor(row / B));
    const t = terms(one, own);
    dOut.set(gradient(one, own), step * n);
    stats.set([w * t.loss, (w * t.valueLoss) / Math.max(1, values), t.kl, t.clip, t.delta, 0], step * 6);
  }
  return {
    name: `coefficients: ${name}`,
    kernel: coefficientsWith(SNIPPET),
    dims: {
      S,
      B,
      T,
      actions,
      n,
      section,
      floatSection: section,
      inverse: settings.inverse,
      valueCoef: settings.valueCoef,
      valueClip: settings.valueClip,
      valueMode: settings.valueMode,
      valueHuber: settings.valueHuber,
      p0: P[0],
      p1: P[1],
      p2: P[2],
      p3: P[3],
    },
    groups: [Math.ceil((B * T) / 64), 1, S],
    buffers: {
      out,
      ref_,
      choice,
      sampled,
      credit,
      plan,
      live,
      dOut: untouched(N * n),
      stats: untouched(N * 6),
    },
    expected: { dOut, stats },
    // ratios up to e^4 = 55 times credit up to 2 with f32 exp; central differences add 1e-9
    tolerance: { abs: 5e-5, rel: 5e-5 },
  };
});
