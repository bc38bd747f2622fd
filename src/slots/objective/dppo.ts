import { exp, log } from '../../core/fmath.ts';
import { settings } from '../../core/settings.ts';
import { defineObjective } from '../types.ts';
import { ratioOf } from '../../core/math/ratio.ts';
import { CLIP, unitClip } from '../../core/math/clip.ts';

const threshold = { kind: 'number', min: 0.0001, scale: 'log' } as const;
const tv = { ...threshold, default: 0.15, max: 1, when: { setting: 'form', is: ['tv'] } } as const;
const kl = { ...threshold, default: 0.05, max: 10, when: { setting: 'form', is: ['kl'] } } as const;
const BELOW = { label: 'Bound below', doc: 'Bad actions that have lost more than this are left alone.' } as const;
const ABOVE = { label: 'Bound above', doc: 'Good actions that have gained more than this are left alone.' } as const;

const params = settings({
  form: {
    kind: 'choice',
    label: 'Distance',
    default: 'tv',
    options: ['tv', 'kl'],
    optionLabels: ['change of probability', 'KL of chosen or not'],
    doc: 'How far the probability of the sampled action has moved.',
  },
  tvLow: { ...tv, ...BELOW, formula: 'π_old − π ≤ τ₋' },
  tvHigh: { ...tv, ...ABOVE, formula: 'π − π_old ≤ τ₊' },
  klLow: { ...kl, ...BELOW, formula: 'D ≤ τ₋' },
  klHigh: { ...kl, ...ABOVE, formula: 'D ≤ τ₊' },
  cap: {
    kind: 'number',
    label: 'Cap of weights',
    default: 20,
    min: 1,
    max: 1000,
    scale: 'log',
    doc: 'The ratio is only a weight here, and never larger than this; the actor of verl uses 3 unless told otherwise.',
    formula: 'min(ρ, c)',
  },
});

/** Keeps the logarithms finite where an action is certain. */
const EPS = 1e-8;
/** No logarithm of them is larger. */
const MOST_LOG = 19;

/** KL of two outcomes, the sampled action or another one: from π_old = `before` to π = `now`; `delta` = log π − log π_old. */
export function twoOutcomeKl(before: number, now: number, delta: number): number {
  return -before * delta + (1 - before) * log((1 - before + EPS) / (1 - now + EPS));
}

/**
 * A trust region in probability, not in ratio (arXiv 2602.04879; verl has both forms).
 *
 *   κ = −A·min(ρ, c)·keep      ℓ = κ·log π(a), κ held
 *   tv: keep = [π − π_old ≤ τ₊] where A > 0, else [π_old − π ≤ τ₋]
 *   kl: keep = [D ≤ τ₊ or π ≤ π_old] where A > 0, else [D ≤ τ₋ or π ≥ π_old],   D = KL(π_old‖π) of two outcomes
 *
 * A step that is not kept stays in the average. `clips` are the ratios that every step which is not kept lies beyond:
 * π > π_old + τ₊ needs ρ > 1 + τ₊; D > τ₋ needs Δ < −τ₋ on the way down, and on the way up ρ > 1 + τ₊/19, D ≤ 19·(1 − π_old).
 */
export const dppo = defineObjective({
  id: 'dppo',
  title: 'DPPO',
  rev: 1,
  source: { title: 'Rethinking the Trust Region in LLM Reinforcement Learning', arxiv: '2602.04879', level: 'code' },
  formula: 'κ = −A·min(ρ, c)·[|π − π_old| ≤ τ, or KL of two outcomes ≤ τ, or the move leads back]',
  look: 'Rare good actions grow a hundredfold in one update, where PPO clip stops them at a fifth.',
  params,
  restsAtOne: 'trust region',
  clips: ({ form, tvLow, tvHigh, klLow, klHigh }) =>
    form === 'tv' ? unitClip(1 - tvLow, 1 + tvHigh) : unitClip(exp(-klLow), 1 + klHigh / MOST_LOG),
  coefficient({ A, delta, logp }, { form, tvLow, tvHigh, klLow, klHigh, cap }, out) {
    const ratio = ratioOf(delta);
    const now = exp(logp);
    // rounding alone puts log π_old above 0
    const before = exp(logp - delta > 0 ? 0 : logp - delta);
    const gain = now - before;
    let isHigh = gain > tvHigh;
    let isLow = -gain > tvLow;
    if (form === 'kl') {
      const D = twoOutcomeKl(before, now, delta);
      isHigh = D > klHigh && gain > 0;
      isLow = D > klLow && gain < 0;
    }
    out.clip = A > 0 && isHigh ? CLIP.high : A < 0 && isLow ? CLIP.low : CLIP.none;
    out.kappa = out.clip === CLIP.none ? -A * (ratio > cap ? cap : ratio) : 0;
    out.loss = out.kappa * logp;
  },
  wgsl: `// p = (τ₋, τ₊, c, 1 for the KL form)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  // min and clamp would turn a NaN into a number and hide it
  if ((bitcast<u32>(delta) & 0x7fffffffu) > 0x7f800000u) { return vec3f(delta, delta, 0.0); }
  // exp(0) need not be 1 on a device, and above it the logarithm below would be that of a negative number
  let now = min(exp(logp), 1.0);
  let before = min(exp(min(logp - delta, 0.0)), 1.0);
  let gain = now - before;
  var isHigh = gain > p.y;
  var isLow = -gain > p.x;
  if (p.w != 0.0) {
    let D = -before * delta + (1.0 - before) * log((1.0 - before + ${EPS}) / (1.0 - now + ${EPS}));
    isHigh = D > p.y && gain > 0.0;
    isLow = D > p.x && gain < 0.0;
  }
  if (A > 0.0 && isHigh) { return vec3f(0.0, 0.0, 1.0); }
  if (A < 0.0 && isLow) { return vec3f(0.0, 0.0, 2.0); }
  let kappa = -A * min(exp(clamp(delta, -20.0, 20.0)), p.z);
  return vec3f(kappa * logp, kappa, 0.0);
}
`,
  uniforms: ({ form, tvLow, tvHigh, klLow, klHigh, cap }) =>
    form === 'tv' ? [tvLow, tvHigh, cap, 0] : [klLow, klHigh, cap, 1],
});
