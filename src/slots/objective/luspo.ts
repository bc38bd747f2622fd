import { settings } from '../../core/settings.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { clipSettings } from './common.ts';
import { gspo, TRAJECTORY_MEAN, trajectoryMean } from './gspo.ts';
import { clippedTerm, unitOf } from './ratio.ts';
import { NEVER } from '../../core/math/clip.ts';

const params = settings({
  epsLow: { ...clipSettings.epsLow, doc: 'Bad episodes stop being pushed down once their mean ratio is below 1 − ε.' },
  epsHigh: { ...clipSettings.epsHigh, doc: 'Good episodes stop being pushed up once their mean ratio is above 1 + ε.' },
});

/**
 * The ratio of GSPO, and every episode counts as often as it has units, n, so that its length does not dilute its credit:
 *
 *   s = exp((1/n) Σ Δ)      L = (1/B) Σ_i n·max(−A·s, −A·clip(s, 1−ε_low, 1+ε_high))      κ = −A·s, or 0 where s is held
 *
 * Per unit this is GSPO's loss; the average makes the difference: `seqMeanUnitSum`. The widths are those of TRL.
 */
export const luspo = defineObjective({
  id: 'luspo',
  title: 'LUSPO',
  rev: 1,
  source: { title: 'Length-Unbiased Sequence Policy Optimization', arxiv: '2602.05261', level: 'code' },
  formula: 'L = mean over episodes of n·max(−A·s, −A·clip(s, 1−ε_low, 1+ε_high)),  s = exp(mean Δ)',
  look: 'Long failures are pushed down as hard per step as short ones: compare their mean length with GSPO.',
  params,
  average: () => 'seqMeanUnitSum',
  clips: ({ epsLow, epsHigh }) => ({ low: 1 - epsLow, high: 1 + epsHigh, of: [0, 1] }),
  survey: ({ delta, trajectory }: UnitSet, _params, mark) => trajectoryMean(delta, trajectory, mark),
  marks: () => TRAJECTORY_MEAN,
  coefficient(unit, { epsLow, epsHigh }, out) {
    clippedTerm(unitOf(unit.A, unit.mark ?? 0), 1 - epsLow, 1 + epsHigh, NEVER, out);
  },
  wgsl: gspo.wgsl,
  uniforms: ({ epsLow, epsHigh }) => [1 - epsLow, 1 + epsHigh, NEVER, 0],
});
