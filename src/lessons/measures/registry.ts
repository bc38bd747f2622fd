import { rollouts, useful } from './budget.ts';
import { corridorChance } from './corridor.ts';
import { at, first, highest, last, lowest, over, updates, updatesTo } from './curves.ts';
import { creditCorrelation, creditSum, goodInFailed, signAgreement, signChanges } from './exactCredit.ts';
import { exactSuccess } from './exactSuccess.ts';
import { judgeAccuracy, judgeCorrelation, judgePairs } from './judge.ts';
import { allEqual, silentErrors, silentShare } from './silent.ts';
import { statistics } from './statistics.ts';
import type { Measure } from './types.ts';

/** Everything that an expression of a lesson may call. */
export const measures: readonly Measure[] = [
  ...[last, first, at, over, highest, lowest, updatesTo, updates],
  ...[goodInFailed, creditCorrelation, signAgreement, signChanges, creditSum, exactSuccess],
  ...[allEqual, silentShare, silentErrors, rollouts, useful, corridorChance],
  ...[judgeAccuracy, judgeCorrelation, judgePairs],
  ...statistics,
];

const byId = new Map(measures.map((m) => [m.id, m]));

export const measureNamed = (id: string): Measure | undefined => byId.get(id);
