export type Aggregate = 'unitMean' | 'seqMeanUnitMean' | 'seqMeanUnitSum' | 'constant';

/**
 * Weight w of one unit in Loss = Σ w·ℓ (spec objective §0).
 *
 *   unitMean 1/Σn     seqMeanUnitMean 1/(B⁺·n)     seqMeanUnitSum 1/B⁺     constant 1/(B·L)
 *
 * n: units of the unit's trajectory; units: Σn; active: B⁺, trajectories with a unit; slots: B·L, padding included.
 */
export function unitWeight(mode: Aggregate, n: number, units: number, active: number, slots: number): number {
  switch (mode) {
    case 'unitMean':
      return 1 / units;
    case 'seqMeanUnitMean':
      return 1 / (active * n);
    case 'seqMeanUnitSum':
      return 1 / active;
    case 'constant':
      return 1 / slots;
  }
}
