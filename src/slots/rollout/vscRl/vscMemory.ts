import { comesToHold } from '../../../contract/followed.ts';
import { isMeasured } from '../../../contract/rows.ts';
import { tensorsOf, type Tensors } from '../../../contract/state.ts';
import type { Batch } from '../../../contract/columns.ts';
import { exp, log } from '../../../core/fmath.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import { filteredSteps } from '../../advantage/hierarchy/vsc.ts';
import { RewardNet, type Input } from '../../reward/learned/net.ts';
import { place, playedIn, roomIn } from '../again/episodeStore.ts';
import { readAgain, type Read } from '../again/readAgain.ts';
import { inputOf } from '../archer/inputOf.ts';
import type { MemoryContext, Replay, RolloutMemory } from '../memory/types.ts';
import type { vscSettings } from './vscRl.ts';

type Params = ValuesOf<typeof vscSettings>;

/** [T] 1 where a row reached the subgoal that was active, or succeeded. */
export function reachedIn(batch: Batch, row: number): Uint8Array {
  const { T } = batch;
  const reached = new Uint8Array(T);
  const { subgoal, subgoalHeld } = batch;
  for (let t = 0; t < batch.length[row]!; t++) {
    const isLast = t + 1 === batch.length[row];
    const isReached = subgoal && subgoalHeld && comesToHold(subgoal, subgoalHeld, row * (T + 1) + t);
    reached[t] = Number(isReached || (isLast && batch.success[row] === 1));
  }
  return reached;
}

/** V(o, g) in (0, 1): the chance that what is active is reached. */
export class SuccessCritic {
  private readonly net: RewardNet;

  constructor(memory: Tensors) {
    this.net = new RewardNet(tensorsOf(memory, 'critic'));
  }

  of(seen: Input): number {
    return 1 / (1 + exp(-this.net.of(seen)));
  }

  /** One step on the cross-entropy with what came true, 0 or 1 each; its mean before the step. */
  learn(seen: readonly Input[], came: readonly number[], rate: number): number {
    let loss = 0;
    seen.forEach((one, k) => {
      const p = this.of(one);
      loss -= log(Math.max(1e-12, came[k] === 1 ? p : 1 - p)) / seen.length;
      this.net.addGradient(one, (p - came[k]!) / seen.length);
    });
    this.net.step(rate);
    return loss;
  }
}

/** What the critic reads in each state of an episode, the last one included. */
function seenIn({ obs, replay }: Read, { writes }: MemoryContext): Input[] {
  const n = replay.actions.length;
  const words = obs.length / (n + 1);
  return Array.from({ length: n + 1 }, (_, t) => inputOf(obs.subarray(t * words, (t + 1) * words), writes));
}

/** The steps of an episode that are kept, by a critic. */
function filtered(memory: Tensors, { stored }: Read, goalValue: readonly number[], { T }: MemoryContext, by: Params) {
  const n = stored.length;
  const reached = memory['reached']!.subarray(stored.slot * T, stored.slot * T + n);
  return filteredSteps({ B: 1, T: n, length: [n], reached, goalValue }, by.base, by.margin);
}

export const vscMemory: RolloutMemory<Params> = {
  report(memory, finished, context, params) {
    const { batch } = finished;
    const { T } = context;
    const { rows, looks, sample, criticRate } = params;
    for (let row = 0; row < batch.B; row++) {
      if (!isMeasured(batch, row)) continue;
      const slot = roomIn(memory);
      place(memory, slot, playedIn(finished, { row, advantage: 0 }, context), context);
      (memory['reached'] as Uint8Array).set(reachedIn(batch, row), slot * T);
    }
    const read = readAgain(memory, context, rows, 0);
    const critic = new SuccessCritic(memory);
    const episodes = read.map((one) => ({ one, seen: seenIn(one, context) }));
    const steps = episodes.flatMap(({ one, seen }) => {
      const { mcReturn } = filtered(
        memory,
        one,
        seen.map(() => 0),
        context,
        params,
      );
      return Array.from(mcReturn, (mc, t) => ({ seen: seen[t]!, came: Number(mc > 0) }));
    });
    if (steps.length === 0) return {};
    let loss = 0;
    for (let look = 0, n = rows; look < looks; look++) {
      const drawn = Array.from({ length: sample }, () => steps[Math.floor(context.draw(n++) * steps.length)]!);
      loss += critic.learn(
        drawn.map(({ seen }) => seen),
        drawn.map(({ came }) => came),
        criticRate,
      );
    }
    let [kept, open, keptOpen] = [0, 0, 0];
    for (const { one, seen } of episodes) {
      const values = seen.map((o) => critic.of(o));
      const { keep, mcReturn } = filtered(memory, one, values, context, params);
      keep.forEach((isKept, t) => {
        kept += isKept;
        if (mcReturn[t]! > 0) return;
        open++;
        keptOpen += isKept;
      });
    }
    return {
      ...{ successLoss: loss / looks, keptSteps: kept / steps.length },
      keptUnfinished: open === 0 ? NaN : keptOpen / open,
    };
  },

  imitate(memory, context, params, turn = 0) {
    const critic = new SuccessCritic(memory);
    return readAgain(memory, context, params.rows, turn + 1).map((read): Replay => {
      const values = seenIn(read, context).map((o) => critic.of(o));
      const { keep } = filtered(memory, read, values, context, params);
      return { ...read.replay, weights: keep.map((isKept) => (isKept === 1 ? 1 : params.reference)) };
    });
  },

  own: () => 0,
  turns: ({ turns }) => turns,
  imitationRate: ({ rate }) => rate,
};
