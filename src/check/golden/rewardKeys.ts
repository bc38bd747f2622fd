import type { Batch } from '../../contract/columns.ts';
import { defaultsOf } from '../../core/settings.ts';
import { dual } from '../../slots/advantage/dual.ts';
import type { Got } from '../conformance/check.ts';
import type { RewardCase } from './rewardCase.ts';

/** Parameters of a case that the keys below read. */
export const LEARNED_NEEDS: { readonly [key: string]: readonly string[] } = { dual: ['dualBeta'] };

/** Inputs of a case that the keys below read, beside those of every case. */
type More = { readonly processScore: readonly number[] };

/** Keys of process scores, preferences and labels, each computed by what a run would call. */
export function learnedKeys({ params, inputs }: RewardCase, batch: Batch): { readonly [key: string]: () => Got } {
  const more = inputs as RewardCase['inputs'] & More;
  return {
    dual() {
      // the outcome of a case is its score, which a module may put in the place of the reward
      const scored = { ...batch, outcome: batch.outcomeScore!, processScore: Float32Array.from(more.processScore) };
      const weighed = (beta: number) => dual.run(scored, { ...defaultsOf(dual.params), beta });
      // a case tells the step part before its weight
      return { ...weighed(1).parts, total: weighed(params['dualBeta']!).A };
    },
  };
}
