import { below, PURPOSE, random } from '../../core/random.ts';
import type { AnyValues } from '../../core/settings.ts';
import { FLAG, type Environment, type Outcome } from '../types.ts';
import { goOn, isOver } from './clock.ts';
import { waitingReward } from './delayed.ts';
import { withBit, withWord } from './withWord.ts';

/** `switching`: chance in thousandths that the gate changes after a step; `shown`: the agent sees it. */
export type GateSettings = { readonly switching: number; readonly shown: boolean };

const SHUT = 1;
const WHOLE = 1000;

/** Does the gate change after step t of an episode with this seed? */
export const changesAt = (seed: number, t: number, switching: number): boolean =>
  below(random(seed, PURPOSE.externalChain, t, 0, 0), WHOLE) < switching;

/**
 * The world behind a gate that opens and shuts by itself: a chain with two states, which begins open, changes after each step
 * with a fixed probability and does not care what the agent does (NeoRL-2, arXiv 2503.19267). While it is shut nothing
 * happens: no effect, the reward of a step, and the clock ticks.
 *
 *   state: 0 open, 1 shut, then the words of the world       seen, where it is shown: that of the world, one bit: shut
 *
 * `src/slots/wrapper/externalChain.wgsl` is the twin.
 */
export function gated<L>(env: Environment<L>, { switching, shown }: GateSettings, rewards: AnyValues): Environment<L> {
  const inFront = withWord(env);
  const { words } = inFront;
  const waiting = waitingReward(rewards);
  const { solve: _none, ...rest } = inFront;
  return {
    ...rest,
    step(level, state, at, move, result) {
      const clock = state[at + words - 1]!;
      if (isOver(clock, result)) return;
      const t = clock & 0xffff;
      if (state[at] === SHUT) {
        result.reward = waiting;
        result.flags = FLAG.noEffect;
        state[at + words - 1] = goOn(t, env.maxSteps(level), result);
      } else env.step(level, state, at + 1, move, result);
      if (changesAt(move.seed, t, switching)) state[at]! ^= SHUT;
    },
    chances: (level) => 2 * env.chances(level),
    outcomes(level, from, action) {
      const still = from.slice(1, words);
      still[env.words - 1] = 0;
      const waits: Outcome = { numerator: 1, denominator: 1, state: still, reward: waiting, flags: FLAG.noEffect };
      const inner = from[0] === SHUT ? [waits] : env.outcomes(level, from.slice(1, words), action);
      return inner.flatMap((o) =>
        [0, SHUT].flatMap((change): Outcome[] => {
          const parts = change === SHUT ? switching : WHOLE - switching;
          const state = Uint32Array.of(from[0]! ^ change, ...o.state);
          return parts === 0
            ? []
            : [{ ...o, numerator: o.numerator * parts, denominator: o.denominator * WHOLE, state }];
        }),
      );
    },
    ...(shown && withBit(env, (_, state, at) => state[at] === SHUT)),
    legal: (level, state, at) => env.legal(level, state, at + 1),
    scene(level, state, at) {
      const scene = env.scene(level, state, at + 1);
      return state[at] === SHUT ? { ...scene, holding: [...scene.holding, 'shut: nothing moves'] } : scene;
    },
    text: (level, state, at) =>
      `${state[at] === SHUT ? '; shut: nothing moves\n' : ''}${env.text(level, state, at + 1)}`,
  };
}
