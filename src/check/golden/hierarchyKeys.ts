import type { Batch } from '../../contract/columns.ts';
import { utteranceCritics } from '../../slots/advantage/hierarchy/archer.ts';
import { comparedByRole, hierarchicalAdvantage, type SegmentCut } from '../../slots/advantage/hierarchy/hae.ts';
import { nestedCredit, planCredit } from '../../slots/advantage/hierarchy/himac.ts';
import { keepPenalties } from '../../slots/advantage/hierarchy/keepPenalties.ts';
import { filteredSteps } from '../../slots/advantage/hierarchy/vsc.ts';
import { grpo } from '../../slots/advantage/grpo.ts';
import { defaultsOf } from '../../core/settings.ts';
import type { Got } from '../conformance/check.ts';
import { list, size, type Fields } from '../conformance/shape.ts';
import type { RewardCase } from './rewardCase.ts';

const steps = list('B', 'T');
const ends = (width: number) => (x: unknown, of: Readonly<Record<string, unknown>>) =>
  list(Number(of['B']) * (Number(of['T']) + 1) * width)(x, of);
const segments: Fields = {
  ...{ switch: steps, valueLow: steps, valueHigh: steps, valueTerm: steps, valueLowFinal: list('B') },
};
const penalties: Fields = { switch: steps, subgoal: steps, invalid: steps };
const pairs = list('B', 'T', 2);

const ofAll = <T>(names: readonly string[], value: T): { readonly [key: string]: T } =>
  Object.fromEntries(names.map((name) => [name, value]));
const HAE = ['haeZero', 'haeLast', 'haeFinal'];
const HIPER = ['hiperRewardFixed', 'hiperRewardNormalized'];

/** Inputs and parameters of a case that the keys below read, beside those of every case. */
export const HIERARCHY_INPUTS: { readonly [key: string]: Fields } = {
  ...ofAll(HAE, segments),
  ...ofAll(HIPER, penalties),
  himac: { P: size, N: size, macroReturn: list('P', 'N') },
  himacNested: { plan: list('B') },
  archer: { q: pairs, v: pairs, qFresh: pairs, vTargetNet: ends(2) },
  vsc: { K: size, milestoneStep: list('B', 'K'), goalValue: ends(1) },
};
export const HIERARCHY_NEEDS: { readonly [key: string]: readonly string[] } = {
  ...ofAll(HAE, ['haeGamma', 'haeLambdaLow', 'haeLambdaHigh']),
  ...ofAll(HIPER, ['keepPenalty', 'keepConsistency', 'invalidPenalty']),
  ...{ himac: [], himacNested: [], archer: ['archerGamma'], vsc: ['vscBase', 'vscMargin'] },
};

type More = {
  readonly [
    name in
      | ('switch' | 'subgoal' | 'valueLow' | 'valueHigh' | 'valueTerm' | 'valueLowFinal' | 'invalid')
      | ('macroReturn' | 'plan' | 'q' | 'v' | 'qFresh' | 'vTargetNet' | 'milestoneStep' | 'goalValue')
  ]: readonly number[];
} & { readonly K: number; readonly N: number };

/** Keys of planners and executors, each computed by the definition of its method. */
export function hierarchyKeys({ params, inputs }: RewardCase, batch: Batch): { readonly [key: string]: () => Got } {
  const more = inputs as RewardCase['inputs'] & More;
  const of = (name: string): number => params[name]!;
  // the outcome of a case is its score
  const scored = { ...batch, outcome: batch.outcomeScore! };
  const hae = (cut: SegmentCut) => (): Got => {
    const rule = { gamma: of('haeGamma'), lambdaLow: of('haeLambdaLow'), lambdaHigh: of('haeLambdaHigh'), cut };
    const credit = hierarchicalAdvantage({ ...batch, ...more, ...batch, switched: more.switch }, rule);
    const { action: low, subgoal: high, switch: term, segmentStart, segmentReturn } = credit;
    const compared = comparedByRole(credit, batch.T);
    return {
      ...{ low: low.adv, lowTarget: low.target, high: high.adv, highTarget: high.target },
      ...{ term: term.adv, termTarget: term.target, segmentStart, segmentReturn },
      ...{ lowNorm: compared.action, highNorm: compared.subgoal, termNorm: compared.switch },
    };
  };
  const hiper = (spread: 'fixed' | 'normalized') => (): Got =>
    keepPenalties(
      { ...batch, switched: more.switch, subgoal: more.subgoal, invalid: more.invalid },
      { keep: of('keepPenalty'), spread, inconsistent: of('keepConsistency'), refused: -of('invalidPenalty') },
    );
  return {
    haeZero: hae('zero'),
    haeLast: hae('last'),
    haeFinal: hae('final'),
    hiperRewardFixed: hiper('fixed'),
    hiperRewardNormalized: hiper('normalized'),
    himac: () => ({ ...planCredit(more.macroReturn, more.N), micro: grpo.run(scored, defaultsOf(grpo.params)).A }),
    himacNested: () => ({ ...nestedCredit({ ...scored, plan: more.plan }) }),
    archer: () =>
      utteranceCritics(
        { ...batch, q: more.q, v: more.v, qFresh: more.qFresh, vSlow: more.vTargetNet },
        of('archerGamma'),
      ),
    vsc() {
      const { B, T, length } = batch;
      const reached = new Float32Array(B * T);
      for (let i = 0; i < B; i++)
        for (const t of more.milestoneStep.slice(i * more.K, (i + 1) * more.K))
          if (t >= 0 && t < length[i]!) reached[i * T + t] = 1;
      return filteredSteps({ ...batch, reached, goalValue: more.goalValue }, of('vscBase'), of('vscMargin'));
    },
  };
}
