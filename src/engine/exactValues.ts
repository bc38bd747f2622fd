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

/** π(a|s) of all states of a level under the weights of one replica, [n, actions]. */
export function policyTable(
  plan: Plan,
  player: Pick<Player, 'probsOf'>,
  levelSeed: number,
  all: Enumeration,
  theta: Float32Array,
): Float32Array {
  const { env, obsWords, actions } = plan;
  const n = all.model.states;
  const level = plan.level(levelSeed);
  const obs = new Uint32Array(n * obsWords);
  const legal = new Uint32Array(n);
  for (let s = 0; s < n; s++) {
    env.observe(level, all.states, s * env.words, obs, s * obsWords);
    legal[s] = env.legal(level, all.states, s * env.words);
  }
  const probs = new Float32Array(n * actions);
  player.probsOf(theta, obs, legal, n, probs);
  return probs;
}
