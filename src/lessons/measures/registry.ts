import { rollouts, useful } from './budget.ts';
import { byChance } from './byChance.ts';
import { corridorChance } from './corridor.ts';
import { at, first, highest, last, lowest, over, stepsTaken, updates, updatesTo } from './curves.ts';
import { creditCorrelation, arrowGap, goodInFailed, signAgreement, signChanges } from './exactCredit.ts';
import { exactSuccess } from './exactSuccess.ts';
import { gaussianEss } from './gaussianEss.ts';
import { judgeAccuracy, judgeCorrelation, judgePairs } from './judge.ts';
import { law } from './law.ts';
import { choiceShare, creditOf, stepsTo } from './options.ts';
import { crossingWhen, passAt, passCrossing, passErrors, passOf } from './passK.ts';
import { mostOutside, worstDrop } from './reach.ts';
import { allEqual, silentErrors, silentShare } from './silent.ts';
import { statistics } from './statistics.ts';
import type { Measure } from './types.ts';

/** Everything that an expression of a lesson may call. */
export const measures: readonly Measure[] = [
  ...[last, first, at, over, highest, lowest, updatesTo, updates, stepsTaken],
  ...[goodInFailed, creditCorrelation, signAgreement, signChanges, arrowGap, exactSuccess],
  ...[allEqual, silentShare, silentErrors, rollouts, useful, corridorChance],
  ...[judgeAccuracy, judgeCorrelation, judgePairs],
  ...[law, gaussianEss, worstDrop, mostOutside, byChance, choiceShare, creditOf, stepsTo],
  ...[passAt, passCrossing, passOf, crossingWhen, passErrors],
  ...statistics,
];

const byId = new Map(measures.map((m) => [m.id, m]));

export const measureNamed = (id: string): Measure | undefined => byId.get(id);
