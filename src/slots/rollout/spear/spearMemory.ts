import { groupsOf } from '../../../core/batch.ts';
import { mean } from '../../../core/stats.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import { isMeasured } from '../../../contract/rows.ts';
import type { Tensors } from '../../../contract/state.ts';
import { creditOfRows, drop, replayOf, store, storedIn, type Stored } from '../again/episodeStore.ts';
import { drawFrom } from '../again/drawFrom.ts';
import type { RolloutMemory } from '../memory/types.ts';
import { FULL, type spearSettings } from './spear.ts';
import { imitationWeight, recalibrate } from './rules.ts';

type Params = ValuesOf<typeof spearSettings>;

/** A group mean and the level it is of, newest anywhere: [count, (mean, level seed) …]. */
function remember(history: Float64Array, value: number, levelSeed: number): void {
  const places = (history.length - 1) / 2;
  const at = 1 + 2 * (history[0]! % places);
  [history[at], history[at + 1]] = [value, levelSeed];
  history[0]!++;
}

function meansOf(history: Float64Array, levelSeed: number | null): number[] {
  const known = Math.min(history[0]!, (history.length - 1) / 2);
  const found: number[] = [];
  for (let k = 0; k < known; k++)
    if (levelSeed === null || history[2 + 2 * k] === levelSeed) found.push(history[1 + 2 * k]!);
  return found;
}

/** Ã of the stored episodes, 0 where one is not kept. */
function advantageOf(stored: readonly Stored[], memory: Tensors, now: number, { maxAge, baseline }: Params): number[] {
  const history = memory['history'] as Float64Array;
  const judged = (list: readonly Stored[], levelSeed: number | null): readonly number[] => {
    const past = {
      update: list.map(({ update }) => update),
      outcome: list.map(({ outcome }) => outcome),
      storedAdvantage: list.map(({ advantage }) => advantage),
    };
    return recalibrate(past, meansOf(history, levelSeed), { now, maxAge }).advantage;
  };
  if (baseline === 'global') return [...judged(stored, null)];
  return stored.map((one) => judged([one], one.levelSeed)[0]!);
}

export const spearMemory: RolloutMemory<Params> = {
  again(memory, context, params) {
    const { update } = context;
    const weight = imitationWeight(update, params.rise, params.coef);
    drop(
      memory,
      storedIn(memory).filter((one) => update - one.update > params.maxAge),
    );
    const stored = storedIn(memory);
    const advantage = advantageOf(stored, memory, update, params);
    const good = stored.flatMap((one, k) => (advantage[k]! > 0 ? [replayOf(memory, one, advantage[k]!, context)] : []));
    const replays = weight > 0 ? drawFrom(good, params.rows, context.draw) : [];
    return { replays, weight, measured: { againKept: stored.length > 0 ? good.length / stored.length : NaN } };
  },

  report(memory, finished, context) {
    const { batch } = finished;
    const credit = creditOfRows(finished);
    for (const group of groupsOf(batch))
      remember(
        memory['history'] as Float64Array,
        mean(group.map((i) => batch.outcome[i]!)),
        finished.name(group[0]!).levelSeed,
      );
    const good = Array.from(credit, (advantage, row) => ({ row, advantage })).filter(
      ({ row, advantage }) =>
        advantage > 0 && isMeasured(batch, row) && (batch.success[row] === 1 || batch.outcome[row]! > 0),
    );
    store(memory, finished, good, context);
    return {};
  },

  imitate(memory, context, params) {
    const stored = storedIn(memory);
    const advantage = advantageOf(stored, memory, context.update, { ...params, maxAge: Infinity });
    const above = stored.filter((_, k) => advantage[k]! > 0);
    if (above.length <= FULL * params.kept) return [];
    const replays = above.map((one) => replayOf(memory, one, 1, context));
    drop(memory, stored);
    return replays;
  },
};
