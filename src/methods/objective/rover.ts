import { log } from '../../core/fmath.ts';
import { settings } from '../../core/settings.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import type { Row } from './distribution.ts';

const params = settings({
  tau: {
    kind: 'number',
    label: 'Temperature of values',
    default: 1,
    min: 0.01,
    max: 100,
    scale: 'log',
    doc: 'How much value a change of log π by 1 stands for: small values move the policy further.',
    formula: 'τ',
  },
});

/** Probabilities that an f32 cannot hold count as the smallest that it can. */
const LEAST = 1.1754943508222875e-38;

/** m(π): mean of log π over the legal actions. */
export function meanLogp(p: Row, at: number, actions: number, legal: number): number {
  let sum = 0;
  let n = 0;
  for (let b = 0; b < actions; b++) {
    if (((legal >>> b) & 1) === 0) continue;
    sum += log(Math.max(p[at + b]!, LEAST));
    n++;
  }
  return sum / n;
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

export function roverTerm(delta: number, target: number, tau: number, out: { loss: number; kappa: number }): void {
  const error = tau * delta - target;
  out.loss = error * error;
  out.kappa = 2 * tau * error;
}

/**
 * Values of the random policy instead of a policy gradient (ROVER, arXiv 2509.24981).
 *
 *   q_u = τ(log π(a_u) − log π_old(a_u))      y_u = r̃ + τ·(m(π) − m(π_old)) at the next unit, 0 after the last
 *   ℓ = (q_u − y_u)², y held      κ = 2τ(q_u − y_u)
 *
 * m = mean of log π over the legal actions: the backup asks what a random policy would get. r̃ is the credit A, in the
 * paper the outcome compared within its group. The mark is y. On fresh data κ = −2τA: twice REINFORCE at τ = 1.
 */
export const rover = defineObjective({
  id: 'rover',
  title: 'ROVER',
  rev: 1,
  source: { title: 'Random Policy Valuation is Enough', arxiv: '2509.24981', level: 'abstract' },
  formula: 'ℓ = (q − y)²,  q = τ(log π − log π_old),  y = A + τ(m(π) − m(π_old)) of the next state',
  look: 'Keeps more entropy than PPO clip at the same success, the more the larger τ, and takes longer. The backup assumes a tree: in mazes, where paths meet and run in circles, it is wrong in part.',
  params,
  readsMeans: true,
  survey(set, { tau }, mark) {
    mark.set(roverTarget(set.A, set.meanChange!, set.trajectory, tau));
  },
  coefficient(unit, { tau }, out) {
    roverTerm(unit.delta, unit.mark ?? 0, tau, out);
    out.clip = 0;
  },
  wgsl: `// p = (τ, unused, unused, y)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  let error = p.x * delta - p.w;
  return vec3f(error * error, 2.0 * p.x * error, 0.0);
}
`,
  uniforms: ({ tau }) => [tau, 0, 0, 0],
});
