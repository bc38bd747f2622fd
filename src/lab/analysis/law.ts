import { exp } from '../../core/fmath.ts';
import { entropyLaw, type EntropyLaw } from '../../slots/metrics/covariance.ts';

/** Evaluations between two fits, fewest points of a usable one, and least R² (spec metrics §8). */
export const REFIT_EVERY = 10;
const FEWEST = 8;
const LEAST_R2 = 0.8;

/** What the law assumes is not so; both come from the run. */
export type LawFacts = {
  readonly entropyBonus: boolean;
  /** the policy or its reference was set back during a run */
  readonly reset: boolean;
  readonly lowest: number;
  readonly highest: number;
};

export type LawFlag = 'few' | 'loose' | 'wrongSign' | 'ceiling' | 'bonus' | 'reset';

/** The fit of R = −a·e^H + b, on how many points it stands, its predicted ceiling before, and why not to believe it. */
export type LawFit = EntropyLaw & {
  readonly points: number;
  /** predicted ceiling of the fit ten evaluations earlier; null without one */
  readonly ceilingBefore: number | null;
  readonly flags: readonly LawFlag[];
};

/** Sentences for the flags, as a person reads them. */
export const LAW_FLAGS: Readonly<Record<LawFlag, string>> = {
  few: 'Fewer than 8 evaluations: too few for a fit.',
  loose: 'R² is below 0.8, or undefined as success never changes: the points do not follow the law.',
  wrongSign: 'a is negative: success would rise with entropy, which the law rules out.',
  ceiling: 'The predicted ceiling is outside the range of the reward: the law is not usable here.',
  bonus: 'An entropy bonus is on; the law is about training without one.',
  reset: 'The reference was reset during the run; the law is about training without resets.',
};

/** Points that a fit stands on: all while there are fewer than ten, then a multiple of ten. */
export const fittedPoints = (evaluations: number): number =>
  evaluations < REFIT_EVERY ? evaluations : evaluations - (evaluations % REFIT_EVERY);

/** The law over the evaluations so far; null with fewer than two points or constant entropy. */
export function fitLaw(entropy: ArrayLike<number>, performance: ArrayLike<number>, facts: LawFacts): LawFit | null {
  const n = fittedPoints(entropy.length);
  const fit = fitOf(entropy, performance, n);
  if (!fit) return null;
  const before = n > REFIT_EVERY ? fitOf(entropy, performance, n - REFIT_EVERY) : null;
  const flags: LawFlag[] = [];
  if (n < FEWEST) flags.push('few');
  if (fit.r2 === null || fit.r2 < LEAST_R2) flags.push('loose');
  if (fit.a < 0) flags.push('wrongSign');
  if (fit.ceiling < facts.lowest || fit.ceiling > facts.highest) flags.push('ceiling');
  if (facts.entropyBonus) flags.push('bonus');
  if (facts.reset) flags.push('reset');
  return { ...fit, points: n, ceilingBefore: before?.ceiling ?? null, flags };
}

function fitOf(entropy: ArrayLike<number>, performance: ArrayLike<number>, n: number): EntropyLaw | null {
  if (n < 2) return null;
  const first = (x: ArrayLike<number>): Float64Array => Float64Array.from({ length: n }, (_, k) => x[k]!);
  return entropyLaw(first(entropy), first(performance));
}

/** R that the law predicts at entropy H. */
export const lawAt = ({ a, b }: EntropyLaw, H: number): number => -a * exp(H) + b;
