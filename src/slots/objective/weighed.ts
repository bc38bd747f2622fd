import { CLIP, NEVER } from '../../core/math/clip.ts';
import { ratioOf } from '../../core/math/ratio.ts';
import { settings } from '../../core/settings.ts';
import type { Coefficient, Unit, UnitSet } from '../types.ts';
import { clipSettings, dualSettings } from './common.ts';
import { CLIPPED_WGSL, clippedTerm, unitOf } from './ratio.ts';

/** The clip of objectives that weigh units by themselves, as verl has it: a dual clip at 3 unless switched off. */
export const weighedClip = settings({
  epsLow: { ...clipSettings.epsLow, doc: 'Bound on the ratio to the policy at the start of the update.' },
  epsHigh: { ...clipSettings.epsHigh, doc: 'Bound on the ratio to the policy at the start of the update.' },
  dual: { ...dualSettings.dual, default: true },
  dualC: dualSettings.dualC,
});

type Clip = { readonly epsLow: number; readonly epsHigh: number; readonly dual: boolean; readonly dualC: number };

const term: Coefficient = { loss: 0, kappa: 0, clip: 0 };

/**
 * Marks units of weight v that are clipped around the policy at the start of the update: v·π_θ/π_prox, or −v times the
 * bound that holds this ratio. A unit of weight 0 is left out.
 */
export function markWeighed(set: UnitSet, v: Float64Array, clip: Clip, mark: Float64Array): void {
  const dual = clip.dual ? clip.dualC : NEVER;
  for (let u = 0; u < mark.length; u++) {
    const A = set.A[u]!;
    const delta = set.delta[u]! - set.prox[u]!;
    clippedTerm(unitOf(A, delta), 1 - clip.epsLow, 1 + clip.epsHigh, dual, term);
    // ℓ of a held unit is −A times its bound, and A is not 0
    mark[u] = v[u]! * (term.clip === CLIP.none ? ratioOf(delta) : term.loss / A);
  }
}

/** `weighedMark(u, v)` is that mark in WGSL; what is no number stays so. */
export const weighedMarkWgsl = (clip: Clip): string => `${CLIPPED_WGSL}
fn weighedMark(u: Unit, v: f32) -> f32 {
  let delta = u.delta - u.prox;
  if ((bitcast<u32>(delta) & 0x7fffffffu) > 0x7f800000u) { return delta; }
  let c = clipped(u.A, delta, f32(${1 - clip.epsLow}), f32(${1 + clip.epsHigh}), f32(${clip.dual ? clip.dualC : NEVER}));
  return v * select(c.x / u.A, exp(clamp(delta, -20.0, 20.0)), c.z == 0.0);
}
`;

/** ℓ = −A·|mark|, κ the same or 0 where the mark is negative. Which of two bounds holds a bad action is not told apart. */
export function weighedTerm({ A, mark: m = 0 }: Unit, out: Coefficient): void {
  out.loss = -A * Math.abs(m);
  out.kappa = m < 0 ? 0 : -A * m;
  out.clip = m === 0 ? CLIP.dropped : m > 0 || Number.isNaN(m) ? CLIP.none : A > 0 ? CLIP.high : CLIP.low;
}

/** The same in WGSL: (ℓ, κ, clip) of `weighed(A, mark)`. */
export const WEIGHED_WGSL = `fn weighed(A: f32, m: f32) -> vec3f {
  if ((bitcast<u32>(m) & 0x7fffffffu) > 0x7f800000u) { return vec3f(m, m, 0.0); }
  if (m == 0.0) { return vec3f(0.0, 0.0, 5.0); }
  if (m < 0.0) { return vec3f(A * m, 0.0, select(2.0, 1.0, A > 0.0)); }
  return vec3f(-A * m, -A * m, 0.0);
}
`;
