import { exp, log } from '../../core/fmath.ts';
import { settings } from '../../core/settings.ts';
import { defineObjective, type Coefficient, type UnitSet } from '../types.ts';
import { CLIP, NEVER, unitClip } from '../../core/math/clip.ts';

const params = settings({
  reward: {
    kind: 'choice',
    label: 'Reward of an episode',
    default: 'credit',
    options: ['credit', 'batch'],
    optionLabels: ['credit of its steps', 'shares of the batch'],
    doc: 'Where values start: at the credit, or at success and failure, with the rarer one larger.',
    formula: 'R > 0: r̃ = 5(1 − s), else −2(1 − s), s the share of its kind in the batch',
  },
  tau: {
    kind: 'number',
    label: 'Temperature of values',
    default: 1,
    min: 0.01,
    max: 100,
    scale: 'log',
    doc: 'How much value a change of log π by 1 is worth: small values move the policy further.',
    formula: 'τ',
  },
  clip: {
    kind: 'number',
    label: 'Cap of values',
    default: 0,
    min: 0,
    max: 0.99,
    doc: 'Values stop learning above log(1 + ε) or below log(1 − ε); 0 = no cap.',
    formula: 'ε',
  },
});

/**
 * r̃ of every episode of a batch as the released code for mathematics has it, whatever task it belongs to: 5(1 − s) where
 * R > 0, s the share of such episodes; −2(1 − s) where R ≤ 0, s the share of those. NaN stays NaN.
 */
export function batchReward(outcome: Float32Array): Float64Array {
  const good = outcome.reduce((n, R) => n + (R > 0 ? 1 : 0), 0) / outcome.length;
  return Float64Array.from(outcome, (R) => (Number.isNaN(R) ? NaN : R > 0 ? 5 * (1 - good) : -2 * good));
}

/** y of every unit, from r̃ and m(π) − m(π_old): see `rover`. */
export function roverTarget(
  reward: Float64Array,
  meanChange: Float64Array,
  trajectory: UnitSet['trajectory'],
  tau: number,
): Float64Array {
  return reward.map((r, u) =>
    u + 1 < reward.length && trajectory[u + 1] === trajectory[u] ? r + tau * meanChange[u + 1]! : r,
  );
}

/** Smallest and largest q that still learns away from 0: log(1 ∓ ε), none for ε = 0. */
const capsOf = (clip: number): readonly [low: number, high: number] =>
  clip > 0 ? [log(1 - clip), log(1 + clip)] : [-NEVER, NEVER];

/** (q − y)² and its slope; q beyond a cap is held there where y lies still further out. */
export function roverTerm(delta: number, target: number, tau: number, out: Coefficient, clip = 0): void {
  const [low, high] = capsOf(clip);
  const q = tau * delta;
  out.clip = q > high && target > q ? CLIP.high : q < low && target < q ? CLIP.low : CLIP.none;
  const error = (out.clip === CLIP.high ? high : out.clip === CLIP.low ? low : q) - target;
  out.loss = error * error;
  out.kappa = out.clip === CLIP.none ? 2 * tau * error : 0;
}

/**
 * Values of the random policy instead of a policy gradient (ROVER, arXiv 2509.24981).
 *
 *   q_u = τ(log π(a_u) − log π_old(a_u))      y_u = r̃ + τ·(m(π) − m(π_old)) at the next unit, 0 after the last
 *   ℓ = (q_u − y_u)², y held      κ = 2τ(q_u − y_u)
 *
 * m = mean of log π over the legal actions: the backup asks what a random policy would get. r̃ is the credit A, in the
 * paper the outcome compared within its group, or that of `batchReward`. The mark is y. With a cap ε > 0 a unit whose q is beyond log(1 ± ε), and
 * whose y lies further out, has no gradient (an option of the released code). On fresh data κ = −2τA: twice REINFORCE at τ = 1.
 */
export const rover = defineObjective({
  id: 'rover',
  title: 'ROVER',
  rev: 1,
  source: { title: 'Random Policy Valuation is Enough', arxiv: '2509.24981', level: 'code' },
  formula: 'ℓ = (q − y)²,  q = τ(log π − log π_old),  y = r̃ + τ(m(π) − m(π_old)) of the next state',
  look: 'Keeps more entropy than PPO clip at the same success (more with larger τ) and takes longer. The backup assumes a tree; in mazes, where paths meet and loop, it is partly wrong.',
  params,
  readsMeans: true,
  clips({ tau, clip }) {
    // q = τΔ
    const [low, high] = capsOf(clip);
    return clip > 0 ? unitClip(exp(low / tau), exp(high / tau)) : null;
  },
  readsReturns: ({ reward }) => reward === 'batch',
  survey(set, { tau, reward }, mark) {
    let r = set.A;
    if (reward === 'batch') {
      const paid = batchReward(set.outcome);
      r = Float64Array.from(set.trajectory, (i) => paid[i]!);
    }
    mark.set(roverTarget(r, set.meanChange!, set.trajectory, tau));
  },
  // shares of the batch are counted on the CPU alone
  unused: ({ reward }) => (reward === 'batch' ? ['marks'] : []),
  marks: ({ tau }) => ({
    of: 'next',
    wgsl: `fn markOf(A: f32, change: f32) -> f32 { return A + f32(${tau}) * change; }\n`,
  }),
  coefficient(unit, { tau, clip }, out) {
    roverTerm(unit.delta, unit.mark ?? 0, tau, out, clip);
  },
  wgsl: `// p = (τ, log(1 − ε), log(1 + ε), y)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  let q = p.x * delta;
  if (q > p.z && p.w > q) { return vec3f((p.z - p.w) * (p.z - p.w), 0.0, 1.0); }
  if (q < p.y && p.w < q) { return vec3f((p.y - p.w) * (p.y - p.w), 0.0, 2.0); }
  return vec3f((q - p.w) * (q - p.w), 2.0 * p.x * (q - p.w), 0.0);
}
`,
  uniforms: ({ tau, clip }) => [tau, ...capsOf(clip), 0],
});
