import { differInCost } from '../../config/bySteps.ts';
import type { Config } from '../../config/slots.ts';
import type { ScoreKind } from './strata.ts';

/**
 * What runs of these experiments are judged by unless somebody chooses: at equal environment steps where an update of one
 * costs other steps than one of another, or fewer as it learns to drop less.
 */
export const usualScore = (configs: readonly Config[]): ScoreKind =>
  differInCost(configs) ? 'equalSteps' : 'lastTenth';
