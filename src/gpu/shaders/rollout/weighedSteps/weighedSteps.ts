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

/** Looks 5 … of three minibatches an epoch, the last first. */
const lookAt = (at: number) => ({ most: 1, mode: AGGREGATES.indexOf('unitSum'), look: 5 - at, minibatches: 3 });

/** How many steps there are, weights and places of trajectories, then their steps: what `weights` and after it `liveSteps` make. */
export const cases: readonly Case[] = shapes.flatMap(([S, B, T], seed) =>
  [1, 4].flatMap((looks) =>
    [false, true].flatMap((all) =>
      [false, true].map((few): Case => {
        const sizes = { S, B, T };
        const given = minibatchOf(seed, { ...sizes, most: 1 });
        // weights without a division: the list has their bits
        const plans = Array.from({ length: looks }, (_, at) =>
          weights({ ...sizes, ...lookAt(at) }, given.length, given.units, given.member),
        );
        const blank = new Uint32Array(S * wordsOfRows(B, T)).fill(777);
        const lists = plans.map((plan) => {
          const listed = listOf(sizes, plan, all, blank);
          return few ? listed : countedOf(sizes, listed, blank);
        });
        const dims = { ...sizes, ...lookAt(0), all: Number(all), few: Number(few) };
        return {
          name: `weighedSteps ${S}×${B}×${T}, ${looks} looks${all ? ', all' : ''}${few ? '' : ', for spread'}`,
          ...summed(listKernels.weighedSteps, S * looks, dims, 64),
          buffers: {
            ...{ ...given, plan: untouched(2 * S * B), parts: new Uint32Array(S * 2) },
            list: new Uint32Array(looks * blank.length).fill(777),
          },
          expected: { plan: plans[0]!, list: Uint32Array.from(lists.flatMap((list) => [...list])) },
        };
      }),
    ),
  ),
);
