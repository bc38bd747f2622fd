import { AGGREGATES } from '../../../../core/aggregate.ts';
import { wordsOfRows } from '../../../../core/slices.ts';
import { summed, untouched, type Case } from '../../../conformance.ts';
import { listKernels } from '../../../listedRows.ts';
import { minibatchOf, weights } from '../../objective/weights/weights.ts';
import { countedOf, listOf } from '../liveSteps/liveSteps.ts';

/** S, B, T */
const shapes = [
  [65, 7, 9],
  [2, 257, 2],
  [1, 2048, 1],
] as const;

/** How many steps there are, weights and places of trajectories, then their steps: what `weights` and after it `liveSteps` make. */
export const cases: readonly Case[] = shapes.flatMap(([S, B, T], seed) =>
  [false, true].flatMap((all) =>
    [false, true].map((few): Case => {
      // a weight without a division: the list has its bits
      const look = { S, B, T, most: 1, mode: AGGREGATES.indexOf('unitSum'), epoch: 1, minibatch: 2 };
      const given = minibatchOf(seed, look);
      const plan = weights(look, given.length, given.units, given.member);
      const blank = new Uint32Array(S * wordsOfRows(B, T)).fill(777);
      const listed = listOf(look, plan, all, blank);
      return {
        name: `weighedSteps ${S}×${B}×${T}${all ? ', all' : ''}${few ? '' : ', for spread'}`,
        ...summed(listKernels.weighedSteps, S, { ...look, all: Number(all), few: Number(few) }, 64),
        buffers: { ...given, plan: untouched(2 * S * B), parts: new Uint32Array(S * 2), list: blank },
        expected: { plan, list: few ? listed : countedOf(look, listed, blank) },
      };
    }),
  ),
);
