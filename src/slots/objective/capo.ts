import { CLIP } from '../../core/math/clip.ts';
import { keptByExcess } from '../../core/math/keptByExcess.ts';
import { exp } from '../../core/fmath.ts';
import { LOG_RATIO_LIMIT, ratioOf } from '../../core/math/ratio.ts';
import { settings } from '../../core/settings.ts';
import { defineObjective, type StepControl, type UnitSet } from '../types.ts';

const bound = { kind: 'number', default: 0.2, min: 0.0001, max: 100, scale: 'log' } as const;
const params = settings({
  step: {
    kind: 'number',
    label: 'Assumed step',
    default: 0.25,
    min: 0,
    max: 100,
    doc: 'How far the logits of a step with credit 1 are thought to move; at 0 all are kept.',
    formula: 'η',
  },
  shift: {
    ...bound,
    label: 'Policy bound',
    doc: 'Leaves out steps whose own gradient would move the policy further than this, in nats.',
    formula: 's > δ_F',
  },
  loss: {
    ...bound,
    label: 'Objective bound',
    doc: 'Leaves out steps that would overshoot: the objective would fall by more than this.',
    formula: 'o < −δ_H',
  },
  most: {
    kind: 'number',
    label: 'Largest share',
    default: 0.08,
    min: 0,
    max: 0.5,
    doc: 'Never more than this share of a minibatch is left out: then only the worst are.',
    formula: 'r',
  },
});

/** p = e_a − π: ‖p‖² and pᵀFp with F = diag π − ππᵀ, from π(a), Σπ² and Σπ³. */
export function curvature(
  pi: number,
  squares: number,
  cubes: number,
): { readonly length: number; readonly spread: number } {
  // Σ π_b p_b² − (Σ π_b p_b)²
  const mean = pi - squares;
  const spread = pi * (1 - 2 * pi) + cubes - mean * mean;
  return { length: Math.max(0, 1 - 2 * pi + squares), spread: Math.max(0, spread) };
}

/** What a move of the logits by `by`·p does: s = ½dᵀFd in nats, and o = A·pᵀd + ½A((pᵀd)² − dᵀFd). */
export function foreseen(
  A: number,
  by: number,
  { length, spread }: ReturnType<typeof curvature>,
): { readonly s: number; readonly o: number } {
  const along = by * length;
  const across = by * by * spread;
  return { s: across / 2, o: A * along + (A * (along * along - across)) / 2 };
}

/**
 * 1 at the units that are kept. Those with s > δ_F or o < −δ_H go; of more than the share r only the worst, by how many
 * times they are beyond a bound, the earlier first.
 */
export function keptUnits(
  { A, delta, logp, powers, weight }: UnitSet,
  { step, shift, loss, most }: { step: number; shift: number; loss: number; most: number },
): Uint8Array {
  const n = A.length;
  const excess = new Float64Array(n);
  for (let u = 0; u < n; u++) {
    const by = step * weight![u]! * A[u]! * ratioOf(delta[u]!);
    const of = curvature(exp(logp[u]!), powers!.squares[u]!, powers!.cubes[u]!);
    const { s, o } = foreseen(A[u]!, by, of);
    excess[u] = Math.max(s / shift, -o / loss);
  }
  return keptByExcess(excess, Math.floor(most * n));
}

/** The share of the units of a batch that are left out. */
const rejectedOf = (marks: Float64Array): StepControl => ({
  measured: { rejectedShare: marks.filter((mark) => mark === 0).length / marks.length },
});

/**
 * No clip: the few units whose own gradient would bend the policy or the objective too much are left out, by the curvature
 * in their logits.
 *
 *   p = e_a − π      F = diag π − ππᵀ      d = η·w·A·ρ·p      s = ½dᵀFd      o = A·pᵀd + ½A((pᵀd)² − dᵀFd)
 *   left out: s > δ_F or o < −δ_H, at most the share r      ℓ = −Aρ, κ = −Aρ for the others
 *
 * The paper takes curvature through the last layer; in logits, this is ours. w is the weight of the unit in the loss
 * average, 1 in the mean. η is assumed: how far an optimizer like Adam moves logits cannot be read off its rate. Units that
 * are left out still count in the average. The mark is 1 or 0.
 */
export const capo = defineObjective({
  id: 'capo',
  title: 'CAPO',
  rev: 1,
  source: { title: 'Stabilizing policy gradients for sample-efficient RL', arxiv: '2510.00819', level: 'restated' },
  formula: 'ℓ = −Aρ, 0 where ½dᵀFd > δ_F or A·pᵀd + ½A((pᵀd)² − dᵀFd) < −δ_H,  d = η·w·A·ρ·p, at most the share r',
  look: 'Leaves out a few steps, those with the largest credit. Where successes are rare these are the successes, and learning starts later.',
  also: 'curvature, Fisher, trust region, masking',
  params,
  readsPowers: true,
  metrics: ['rejectedShare'],
  survey(set: UnitSet, values, mark) {
    mark.set(keptUnits(set, values));
    return rejectedOf(mark);
  },
  marks: ({ step, shift, loss, most }) => ({
    of: 'excess',
    wgsl: `fn excessOf(u: Unit) -> f32 {
  let by = f32(${step}) * u.weight * u.A * exp(clamp(u.delta, -20.0, 20.0));
  let pi = exp(u.logp);
  let mean = pi - u.squares;
  let along = by * max(0.0, 1.0 - 2.0 * pi + u.squares);
  let across = by * by * max(0.0, pi * (1.0 - 2.0 * pi) + u.cubes - mean * mean);
  let o = u.A * along + u.A * (along * along - across) / 2.0;
  return max(across / 2.0 / f32(${shift}), -o / f32(${loss}));
}
`,
    counts: (n) => [Math.floor(most * n), 0],
  }),
  tells: rejectedOf,
  coefficient({ A, delta, mark = 1 }, _params, out) {
    const isHeld = A !== 0 && (delta > LOG_RATIO_LIMIT || delta < -LOG_RATIO_LIMIT);
    out.loss = mark === 0 ? 0 : -A * ratioOf(delta);
    out.kappa = isHeld ? 0 : out.loss;
    out.clip = mark === 0 ? CLIP.dropped : isHeld ? CLIP.guard : CLIP.none;
  },
  wgsl: `// p = (unused, unused, unused, 0 where the unit is left out)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  if (p.w == 0.0) { return vec3f(0.0, 0.0, 5.0); }
  if ((bitcast<u32>(delta) & 0x7fffffffu) > 0x7f800000u) { return vec3f(delta, delta, 0.0); }
  let loss = -A * exp(clamp(delta, -20.0, 20.0));
  let isHeld = A != 0.0 && abs(delta) > 20.0;
  return vec3f(loss, select(loss, 0.0, isHeld), select(0.0, 4.0, isHeld));
}
`,
  uniforms: () => [0, 0, 0, 1],
});
