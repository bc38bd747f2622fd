import type { Batch } from '../../contract/columns.ts';
import { generalizedAdvantage } from '../../slots/advantage/generalizedAdvantage.ts';
import { poad } from '../../slots/advantage/poad.ts';
import { wordAdvantage } from '../../slots/advantage/wordAdvantage.ts';
import type { Got } from '../conformance/check.ts';
import { list, size, type Fields } from '../conformance/shape.ts';
import type { RewardCase } from './rewardCase.ts';

const words: Fields = {
  K: size,
  tokenCount: list('B', 'T'),
  tokenValue: list('B', 'T', 'K'),
  tokenValueFinal: list('B'),
};
const WORDS = ['poad', 'ntpo', 'poadLambda1', 'actionGae', 'actionGaeLambda1'];

/** Parameters and inputs of a case that the keys below read, beside those of every case. */
export const UNIT_NEEDS = Object.fromEntries(WORDS.map((key) => [key, ['badGamma', 'badLambda']]));
export const UNIT_INPUTS = Object.fromEntries(WORDS.map((key) => [key, words]));

type More = { readonly [name in 'tokenCount' | 'tokenValue' | 'tokenValueFinal']: readonly number[] } & {
  readonly K: number;
};

/** Keys of credit that units of a step have of their own, each computed by what would credit a run. */
export function unitKeys({ params, inputs }: RewardCase, batch: Batch): { readonly [key: string]: () => Got } {
  const more = inputs as RewardCase['inputs'] & More;
  const { K } = more;
  const told = (): Batch => ({
    ...{ ...batch, K },
    units: Uint8Array.from(more.tokenCount),
    unitValue: Float32Array.from(more.tokenValue),
    value: Float32Array.from(batch.reward, (_, k) => more.tokenValue[k * K]!),
    valueFinal: Float32Array.from(more.tokenValueFinal),
  });
  const gamma = params['badGamma']!;
  const byWords = (backup: 'between' | 'everyWord', lambda: number) => (): Got => {
    const rule = { backup, gamma, lambda, innerLambda: lambda, cut: 'bootstrap' as const };
    const seen = told();
    return { ...wordAdvantage(seen, rule), whitened: poad.run(seen, rule).A };
  };
  const byAction = (lambda: number) => (): Got => generalizedAdvantage(told(), gamma, lambda, 'bootstrap').adv;
  return {
    poad: byWords('between', params['badLambda']!),
    ntpo: byWords('everyWord', params['badLambda']!),
    poadLambda1: byWords('between', 1),
    actionGae: byAction(params['badLambda']!),
    actionGaeLambda1: byAction(1),
  };
}
