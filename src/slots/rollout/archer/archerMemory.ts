import { isMeasured } from '../../../contract/rows.ts';
import type { Tensors } from '../../../contract/state.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import { mean } from '../../../core/stats.ts';
import { place, playedIn, roomIn } from '../again/episodeStore.ts';
import { readAgain, TURN, type Read } from '../again/readAgain.ts';
import type { MemoryContext, Replay, RolloutMemory } from '../memory/types.ts';
import type { archerSettings } from './archer.ts';
import { inputOf } from './inputOf.ts';
import { TwinCritics, type ReplayedStep } from './twinCritics.ts';

type Params = ValuesOf<typeof archerSettings>;

/** The action at which the sum of π passes u times all of it; the last possible one if rounding leaves none. */
export function drawnFrom(probs: Float32Array, u: number): number {
  const all = probs.reduce((total, p) => total + p, 0);
  let [sum, last] = [0, 0];
  for (let a = 0; a < probs.length; a++) {
    if (!(probs[a]! > 0)) continue;
    sum += probs[a]!;
    last = a;
    if (u * all < sum) return a;
  }
  return last;
}

/** The steps of an episode, each with an action that the policy of now draws there. */
function stepsOf({ replay, obs, probs, stored }: Read, memory: Tensors, context: MemoryContext, from: number) {
  const { T, actions, writes } = context;
  const n = replay.actions.length;
  const words = obs.length / (n + 1);
  const seen = Array.from({ length: n + 1 }, (_, t) => inputOf(obs.subarray(t * words, (t + 1) * words), writes));
  return Array.from({ length: n }, (_, t): ReplayedStep => ({
    ...{ seen: seen[t]!, next: seen[t + 1]!, action: replay.actions[t]! },
    fresh: drawnFrom(probs.subarray(t * actions, (t + 1) * actions), context.draw(from + t)),
    reward: memory['rewards']![stored.slot * T + t]!,
    isLast: t + 1 === n && memory['ended']![stored.slot] === 1,
  }));
}

export const archerMemory: RolloutMemory<Params> = {
  report(memory, finished, context, { rows, gamma, tau, looks, sample, criticRate }) {
    const { batch } = finished;
    const { T, actions } = context;
    for (let row = 0; row < batch.B; row++) {
      if (!isMeasured(batch, row)) continue;
      const slot = roomIn(memory);
      place(memory, slot, playedIn(finished, { row, advantage: 0 }, context), context);
      (memory['rewards'] as Float32Array).set(batch.reward.subarray(row * T, (row + 1) * T), slot * T);
      memory['ended']![slot] = batch.terminated[row]!;
    }
    const read = readAgain(memory, context, rows, 0);
    const steps = read.flatMap((one, k) => stepsOf(one, memory, context, rows + k * T));
    if (steps.length === 0) return {};
    const policy = read.flatMap(({ probs, replay }) =>
      Array.from(replay.actions, (_, t) => probs.subarray(t * actions, (t + 1) * actions)),
    );
    const critics = new TwinCritics(memory);
    let squares = 0;
    for (let look = 0, n = rows + rows * T; look < looks; look++) {
      const drawn = Array.from({ length: sample }, () => {
        const k = Math.floor(context.draw(n++) * steps.length);
        return { ...steps[k]!, fresh: drawnFrom(policy[k]!, context.draw(n++)) };
      });
      squares += critics.learn(drawn, { gamma, tau, rate: criticRate });
    }
    return { criticError: Math.sqrt(squares / looks), freshAdvantage: mean(critics.advantages(steps)) };
  },

  imitate(memory, context, { rows, warmup }, turn = 0) {
    if (context.update < warmup) return [];
    const { T } = context;
    const critics = new TwinCritics(memory);
    const from = (turn + 1) * TURN;
    return readAgain(memory, context, rows, turn + 1).map((read, k): Replay => {
      const steps = stepsOf(read, memory, context, from + rows + k * T);
      return { ...read.replay, chosen: steps.map(({ fresh }) => fresh), weights: critics.advantages(steps) };
    });
  },

  own: ({ batch }) => (batch === 'stored' ? 0 : 1),
  turns: ({ turns }) => turns,
  imitationRate: ({ rate }) => rate,
};
