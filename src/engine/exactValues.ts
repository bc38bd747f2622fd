import { whyInexact } from '../config/exact.ts';
import type { AnyValues } from '../core/settings.ts';
import type { Enumeration } from '../envs/enumerate.ts';
import type { Player } from './cpu/restricted.ts';
import type { Plan } from './plan.ts';

/** (state, step) pairs up to which exact values are computed (spec metrics §10). */
export const PAIR_LIMIT = 100_000;

/** Why there can be no exact values, as one sentence; null if there can. The size of a level is another matter. */
export function noExactReason({ config, env, wrapping, flickers, policy }: Plan): string | null {
  return whyInexact({ rewards: config.reward[env.id] as AnyValues, acting: wrapping.acting, flickers, policy });
}

/** What a policy sees in all states of a level, and the actions that are legal there: [n, obsWords] and [n]. */
export function seenStates(
  { env, obsWords, level: levelOf }: Plan,
  levelSeed: number,
  { model, states }: Enumeration,
): { readonly obs: Uint32Array; readonly legal: Uint32Array } {
  const level = levelOf(levelSeed);
  const obs = new Uint32Array(model.states * obsWords);
  const legal = new Uint32Array(model.states);
  for (let s = 0; s < model.states; s++) {
    env.observe(level, states, s * env.words, obs, s * obsWords);
    legal[s] = env.legal(level, states, s * env.words);
  }
  return { obs, legal };
}

/** π(a|s) of all states of a level under the weights of one replica, [n, actions]. */
export function policyTable(
  plan: Plan,
  player: Pick<Player, 'probsOf'>,
  levelSeed: number,
  all: Enumeration,
  theta: Float32Array,
): Float32Array {
  const n = all.model.states;
  const { obs, legal } = seenStates(plan, levelSeed, all);
  const probs = new Float32Array(n * plan.actions);
  player.probsOf(theta, obs, legal, n, probs);
  return probs;
}
