import { isMeasured } from '../../../contract/rows.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import { mean } from '../../../core/stats.ts';
import { replayOf, store, storedIn, type Stored } from '../again/episodeStore.ts';
import { trajectoryWeights } from '../again/trajectoryWeights.ts';
import type { RolloutMemory } from '../memory/types.ts';
import type { weightedReplaySettings } from './weightedReplay.ts';

type Params = ValuesOf<typeof weightedReplaySettings>;

/** How likely each stored episode is to be drawn. */
export function drawnWith(
  stored: readonly Pick<Stored, 'outcome' | 'levelSeed' | 'length'>[],
  { temperature, compared, draws }: Pick<Params, 'temperature' | 'compared' | 'draws'>,
): Float64Array {
  const above = (one: Pick<Stored, 'outcome' | 'levelSeed'>): number => {
    if (compared === 'all') return one.outcome;
    return (
      one.outcome - mean(stored.filter(({ levelSeed }) => levelSeed === one.levelSeed).map(({ outcome }) => outcome))
    );
  };
  const weight = trajectoryWeights(stored.map(above), temperature);
  if (draws === 'episodes') return weight;
  const total = weight.reduce((sum, w, i) => sum + w * stored[i]!.length, 0);
  return weight.map((w, i) => (w * stored[i]!.length) / total);
}

export const weightedReplayMemory: RolloutMemory<Params> = {
  report(memory, finished, context) {
    const { batch } = finished;
    const rows = Array.from({ length: batch.B }, (_, row) => row).filter((row) => isMeasured(batch, row));
    const entries = rows.map((row) => ({ row, advantage: 0 }));
    store(memory, finished, entries, context);
    return {};
  },

  imitate(memory, context, params) {
    const stored = storedIn(memory);
    if (stored.length === 0) return [];
    const weight = drawnWith(stored, params);
    return Array.from({ length: params.rows }, (_, k) => {
      const u = context.draw(k);
      let i = 0;
      for (let sum = weight[0]!; sum <= u && i + 1 < stored.length; sum += weight[i]!) i++;
      return replayOf(memory, stored[i]!, 1, context);
    });
  },

  imitationRate: ({ rate }) => rate,
};
