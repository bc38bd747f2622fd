import { CLIP, LEFT_OUT } from '../../core/math/clip.ts';
import { quantileSorted } from '../../core/stats.ts';
import { defineObjective, type Objective, type UnitSet } from '../types.ts';
import { trajectoryMean } from './gspo.ts';

/** Which units learn, whatever the objective: the share q of highest entropy, and rows not too far off policy. */
export type Masks = {
  /** q; 1 = all */
  readonly topEntropy: number;
  /** τ; 0 = off */
  readonly offPolicyKl: number;
};

/** As the settings that hold for every objective have them. */
export const masksOf = (slot: { readonly [name: string]: unknown }): Masks => ({
  topEntropy: slot['topEntropy'] as number,
  offPolicyKl: slot['offPolicyKl'] as number,
});

/** Entropies this near to each other count as equal: rounding decides nothing. */
const SAME = 1e-5;

/** 1 where H reaches the (1−q)-quantile of all H, with linear interpolation; the others are left out. */
export function topEntropy(H: Float64Array, q: number): Uint8Array {
  const least = quantileSorted(Float64Array.from(H).sort(), 1 - q) - SAME;
  return Uint8Array.from(H, (h) => (h < least ? 0 : 1));
}

/**
 * 1 at the units of rows that are kept; a row is left out where its mean credit S < 0 and mean(log π_old − log π_θ) > τ.
 * The mean may be negative: a failure that became more likely always stays.
 */
export function onPolicyRows(
  { A, delta, trajectory }: Pick<UnitSet, 'A' | 'delta' | 'trajectory'>,
  limit: number,
): Uint8Array {
  const [credit, moved] = [new Float64Array(A.length), new Float64Array(A.length)];
  trajectoryMean(A, trajectory, credit);
  trajectoryMean(delta, trajectory, moved);
  return Uint8Array.from(A, (_, u) => (credit[u]! < 0 && -moved[u]! > limit ? 0 : 1));
}

/**
 * An objective that leaves units out: ℓ = 0 and κ = 0 there, and they still count in the average (TRL). Entropy is that of
 * the policy that sampled. The mark of such a unit is LEFT_OUT.
 */
export function withMasks(objective: Objective, { topEntropy: q, offPolicyKl }: Masks): Objective {
  if (q >= 1 && offPolicyKl <= 0) return objective;
  // which units are left out is known on the CPU
  const { marks: _marks, ...surveyed } = objective;
  return defineObjective({
    ...surveyed,
    readsEntropy: objective.readsEntropy === true || q < 1,
    survey(set, params, mark) {
      // without a survey the last number of p is a setting
      if (!objective.survey) mark.fill(objective.uniforms(params)[3]);
      const control = objective.survey?.(set, params, mark);
      const masks = [
        ...(q < 1 && set.entropy ? [topEntropy(set.entropy, q)] : []),
        ...(offPolicyKl > 0 ? [onPolicyRows(set, offPolicyKl)] : []),
      ];
      for (const kept of masks)
        kept.forEach((is, u) => {
          // what is no number is not hidden
          if (is === 0 && !Number.isNaN(set.A[u]! + set.delta[u]!)) mark[u] = LEFT_OUT;
        });
      return control;
    },
    coefficient(unit, params, out) {
      if (unit.mark !== LEFT_OUT) return objective.coefficient(unit, params, out);
      out.loss = 0;
      out.kappa = 0;
      out.clip = CLIP.dropped;
    },
    wgsl: `${objective.wgsl.replace('fn coefficient(', 'fn coefficientOfAll(')}
// the last of p is LEFT_OUT where a mask leaves the unit out
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  if (p.w != 0x1p100f) { return coefficientOfAll(A, delta, logp, p); }
  return vec3f(0.0, 0.0, 5.0);
}
`,
  });
}
