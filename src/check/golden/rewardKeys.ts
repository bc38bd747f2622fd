import type { Batch } from '../../contract/columns.ts';
import { defaultsOf } from '../../core/settings.ts';
import { returnsToGo } from '../../core/batch.ts';
import { dual } from '../../slots/advantage/dual.ts';
import { informationCredit, informationRewards, type InformationCredit } from '../../slots/advantage/igpo.ts';
import { rlvmr } from '../../slots/advantage/rlvmr.ts';
import { netWins, rankedPairs, rankingLoss } from '../../slots/reward/heron.ts';
import { milestoneLabels } from '../../slots/reward/mira.ts';
import { messageReward } from '../../slots/reward/oni.ts';
import { attributed, attributionLoss } from '../../slots/reward/spa.ts';
import { tagRewards, validTags } from '../../slots/reward/earnedTags.ts';
import type { News } from '../../contract/tags.ts';
import type { Got } from '../conformance/check.ts';
import type { RewardCase } from './rewardCase.ts';

/** Parameters of a case that the keys below read. */
export const LEARNED_NEEDS: { readonly [key: string]: readonly string[] } = {
  ...{ dual: ['dualBeta'], heron: ['heronSigma'], miraLabels: [], spa: ['spaAlpha', 'spaBeta', 'spaGamma'] },
  oni: ['oniExt', 'oniInt', 'oniExponent'],
  ...{ rlvmr: ['rlvmrAlpha'], rlvmrNewAction: ['rlvmrAlpha'], igpo: ['igpoGamma'] },
};

/** Inputs of a case that the keys below read, beside those of every case. */
type More = {
  readonly [
    name in
      | ('processScore' | 'factor' | 'rmScore' | 'milestoneStep' | 'contribution' | 'grounded')
      | ('message' | 'messageLabel' | 'tag' | 'invalid' | 'answerProb')
  ]: readonly number[];
} & { readonly K: number };

/** Keys of process scores, preferences and labels, each computed by what a run would call. */
export function learnedKeys({ params, inputs }: RewardCase, batch: Batch): { readonly [key: string]: () => Got } {
  const more = inputs as RewardCase['inputs'] & More;
  const of = (name: string): number => params[name]!;
  const thoughts = (mode: 'std' | 'mean', news: News): Got => {
    const floats = (x: readonly number[]): Float32Array => Float32Array.from(x);
    const told = { tag: floats(more.tag), invalid: floats(more.invalid), did: Float32Array.from(batch.action) };
    const tagged = { ...batch, ...told, novel: newStates(batch), outcome: Float32Array.from(batch.success) };
    const { A: total, parts } = rlvmr.run(tagged, { ...defaultsOf(rlvmr.params), alpha: of('rlvmrAlpha'), mode, news });
    return { tag: validTags(tagged), stepReward: tagRewards(tagged, news), ...parts, total };
  };
  return {
    igpo() {
      const reward = informationRewards(batch, more.answerProb, batch.outcomeScore!);
      const credit = (form: InformationCredit) => informationCredit(batch, reward, form, of('igpoGamma'));
      return { reward, joint: credit('joint'), separate: credit('separate'), stepMean: credit('stepMean') };
    },
    rlvmr: () => thoughts('std', 'state'),
    rlvmrNewAction: () => thoughts('mean', 'action'),
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

/** [B, T] 1 where a step led to a state that its row had not seen. */
function newStates({ B, T, length, stateKey, finalStateKey }: Batch): Float32Array {
  const out = new Float32Array(B * T);
  for (let i = 0; i < B; i++) {
    const seen = new Set<string>();
    for (let t = 0; t < length[i]!; t++) {
      const k = 2 * (i * T + t);
      seen.add(`${stateKey[k]},${stateKey[k + 1]}`);
      const isLast = t + 1 === length[i]!;
      const next = isLast ? finalStateKey.subarray(2 * i, 2 * i + 2) : stateKey.subarray(k + 2, k + 4);
      out[i * T + t] = seen.has(`${next[0]},${next[1]}`) ? 0 : 1;
    }
  }
  return out;
}
