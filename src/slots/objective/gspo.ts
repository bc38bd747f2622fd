import { settings } from '../../core/settings.ts';
import type { DeviceMarks } from './types.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { CLIPPED_WGSL, clippedTerm, unitOf } from './ratio.ts';
import { NEVER } from '../../core/math/clip.ts';

const params = settings({
  epsLow: {
    kind: 'number',
    label: 'Clip below',
    default: 0.03,
    min: 0.0001,
    max: 1,
    doc: 'Bad episodes stop being pushed down once their mean ratio is below 1 − ε.',
    formula: '1 − ε_low',
  },
  epsHigh: {
    kind: 'number',
    label: 'Clip above',
    default: 0.04,
    min: 0.0001,
    max: 10,
    doc: 'Good episodes stop being pushed up once their mean ratio is above 1 + ε.',
    formula: '1 + ε_high',
  },
});

/** What `of` makes of the sum over the n units of each unit's trajectory, written at every unit. */
export function perTrajectory(
  x: Float64Array,
  trajectory: Uint32Array,
  out: Float64Array,
  of: (sum: number, n: number) => number,
): void {
  for (let from = 0; from < x.length;) {
    let to = from;
    let total = 0;
    while (to < x.length && trajectory[to] === trajectory[from]) total += x[to++]!;
    out.fill(of(total, to - from), from, to);
    from = to;
  }
}

/** Mean of Δ over the units of each unit's trajectory, written at every unit. */
export function trajectoryMean(delta: Float64Array, trajectory: Uint32Array, mean: Float64Array): void {
  perTrajectory(delta, trajectory, mean, (sum, n) => sum / n);
}

/** The same as marks on a device. */
export const TRAJECTORY_MEAN: DeviceMarks = {
  of: 'trajectory',
  wgsl: `fn termOf(A: f32, delta: f32) -> vec2f { return vec2f(delta, 0.0); }
fn markOf(sum: vec2f, n: f32, A: f32, delta: f32) -> f32 { return sum.x / n; }
`,
};

/**
 * One ratio for a whole trajectory, the geometric mean of the ratios of its n units, in the form per unit:
 *
 *   s = exp((1/n) Σ Δ)      ℓ = max(−A·s, −A·clip(s, 1−ε_low, 1+ε_high))      κ = −A·s, or 0 where s is held
 *
 * s counts as constant and each unit passes its gradient. The paper averages within an episode first: `seqMeanUnitMean`.
 */
export const gspo = defineObjective({
  id: 'gspo',
  title: 'GSPO',
  rev: 1,
  source: { title: 'Group Sequence Policy Optimization', arxiv: '2507.18071', level: 'code' },
  formula: 'ℓ = max(−A·s, −A·clip(s, 1−ε_low, 1+ε_high)),  s = exp(mean Δ of the episode)',
  look: 'Episodes are clipped as a whole: the clip fraction moves in steps of one episode.',
  params,
  average: () => 'seqMeanUnitMean',
  clips: ({ epsLow, epsHigh }) => ({ low: 1 - epsLow, high: 1 + epsHigh, of: [0, 1] }),
  survey: ({ delta, trajectory }: UnitSet, _params, mark) => trajectoryMean(delta, trajectory, mark),
  marks: () => TRAJECTORY_MEAN,
  coefficient(unit, { epsLow, epsHigh }, out) {
    clippedTerm(unitOf(unit.A, unit.mark ?? 0), 1 - epsLow, 1 + epsHigh, NEVER, out);
  },
  wgsl: `${CLIPPED_WGSL}
// p = (1 − ε_low, 1 + ε_high, no bound, mean Δ of the trajectory)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  return clipped(A, p.w, p.x, p.y, p.z);
}
`,
  uniforms: ({ epsLow, epsHigh }) => [1 - epsLow, 1 + epsHigh, NEVER, 0],
});
