import type { Batch } from '../../contract/columns.ts';
import { defaultsOf } from '../../core/settings.ts';
import { returnsToGo } from '../../core/batch.ts';
import { dual } from '../../slots/advantage/dual.ts';
import { netWins, rankedPairs, rankingLoss } from '../../slots/reward/heron.ts';
import { milestoneLabels } from '../../slots/reward/mira.ts';
import { messageReward } from '../../slots/reward/oni.ts';
import { attributed, attributionLoss } from '../../slots/reward/spa.ts';
import type { Got } from '../conformance/check.ts';
import type { RewardCase } from './rewardCase.ts';

/** Parameters of a case that the keys below read. */
export const LEARNED_NEEDS: { readonly [key: string]: readonly string[] } = {
  ...{ dual: ['dualBeta'], heron: ['heronSigma'], miraLabels: [], spa: ['spaAlpha', 'spaBeta', 'spaGamma'] },
  oni: ['oniExt', 'oniInt', 'oniExponent'],
};

/** Inputs of a case that the keys below read, beside those of every case. */
type More = {
  readonly [
    name in
      | ('processScore' | 'factor' | 'rmScore' | 'milestoneStep' | 'contribution' | 'grounded')
      | ('message' | 'messageLabel')
  ]: readonly number[];
} & { readonly K: number };

/** Keys of process scores, preferences and labels, each computed by what a run would call. */
export function learnedKeys({ params, inputs }: RewardCase, batch: Batch): { readonly [key: string]: () => Got } {
  const more = inputs as RewardCase['inputs'] & More;
  const of = (name: string): number => params[name]!;
  return {
    heron() {
      const ranked = rankedPairs({ ...batch, factor: Float32Array.from(more.factor) }, of('heronSigma'), [0, 1, 2]);
      const pairs = ranked.flatMap(({ i, j, winner, level }) => [i, j, winner, level]);
      return { pairs, ...rankingLoss(more.rmScore, ranked), netWins: netWins(batch, ranked) };
    },
    miraLabels() {
      const { B, T, length } = batch;
      const labels = new Float64Array(B * (T + 1));
      for (let i = 0; i < B; i++)
        labels.set(
          milestoneLabels(more.milestoneStep.slice(i * more.K, (i + 1) * more.K), more.K, length[i]!),
          i * (T + 1),
        );
      return labels;
    },
    oni() {
      const { B, T, length, reward } = batch;
      const pays = { size: of('oniInt'), exponent: of('oniExponent') };
      const out = new Float32Array(B * T);
      for (let i = 0; i < B; i++)
        messageReward(more.message.slice(i * T, i * T + length[i]!), (m) => more.messageLabel[m] === 1, pays).forEach(
          (r, t) => (out[i * T + t] = of('oniExt') * reward[i * T + t]! + r),
        );
      return { reward: out };
    },
    spa() {
      const { B, T, length } = batch;
      const row = <A extends ArrayLike<number>>(x: A, i: number) => Array.from(x).slice(i * T, i * T + length[i]!);
      const paid = (redistribute: boolean, alpha: number, beta: number): Float32Array => {
        const out = new Float32Array(B * T);
        for (let i = 0; i < B; i++)
          out.set(
            attributed(row(more.contribution, i), batch.outcomeScore![i]!, row(more.grounded, i), {
              alpha,
              beta,
              redistribute,
            }),
            i * T,
          );
        return out;
      };
      const reward = paid(false, of('spaAlpha'), of('spaBeta'));
      const sums = Array.from({ length: B }, (_, i) => row(more.contribution, i).reduce((a, b) => a + b, 0));
      return {
        ...{ reward, returns: returnsToGo({ ...batch, reward }, of('spaGamma')), redistributed: paid(true, 1, 0) },
        ...attributionLoss(sums, batch.outcomeScore!),
      };
    },
    dual() {
      // the outcome of a case is its score, which a module may put in the place of the reward
      const scored = { ...batch, outcome: batch.outcomeScore!, processScore: Float32Array.from(more.processScore) };
      const weighed = (beta: number) => dual.run(scored, { ...defaultsOf(dual.params), beta });
      // a case tells the step part before its weight
      return { ...weighed(1).parts, total: weighed(params['dualBeta']!).A };
    },
  };
}
