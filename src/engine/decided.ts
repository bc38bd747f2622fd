import { part } from '../contract/columns.ts';
import { STEP_ROLES } from '../contract/units.ts';
import type { Arrays } from './arrays.ts';
import type { Plan, Tasks } from './plan.ts';

/** [actions] what each action decides, its place in STEP_ROLES; null where all of them are actions of the world. */
export function rolesOfActions({ env, level, firstLevelSeed }: Plan): readonly number[] | null {
  const roles = env.decides?.(level(firstLevelSeed));
  return roles ? roles.map((role) => STEP_ROLES.indexOf(role)) : null;
}

/** [B·T] what each step of one replica decides, by its action; 0 on padding. */
export function decidedSteps(
  plan: Plan,
  { action, length }: { readonly action: Uint32Array; readonly length: Uint32Array },
): Uint8Array {
  const { B, T } = plan;
  const decides = new Uint8Array(B * T);
  const roles = rolesOfActions(plan);
  if (!roles) return decides;
  for (let i = 0; i < B; i++) for (let k = i * T; k < i * T + length[i]!; k++) decides[k] = roles[action[k]!] ?? 0;
  return decides;
}

/** [B·(T+1)] the subgoal that is followed in each state of one replica, from 1; 0: none. */
export function followedAims(
  { B, T, env }: Plan,
  { state, length }: { readonly state: Uint32Array; readonly length: Uint32Array },
): Uint8Array {
  const { aiming, words } = env;
  const followed = new Uint8Array(B * (T + 1));
  if (!aiming) return followed;
  for (let i = 0; i < B; i++)
    for (let t = 0; t <= length[i]!; t++) {
      const k = i * (T + 1) + t;
      followed[k] = 1 + aiming.chosen(state, k * words);
    }
  return followed;
}

/** Fills what a run has of these columns, for replica s of a batch that was played. */
export function tellDecided(plan: Plan, arrays: Arrays, tasks: Pick<Tasks, 'levels' | 'levelOf'>, s: number): void {
  const { S, B, T, env } = plan;
  const own = <A extends Uint32Array | Uint8Array>(array: A): A => part(array, S, s);
  const played = { action: own(arrays.action), state: own(arrays.state), length: own(arrays.length) };
  if (arrays.decides.length > 0) own(arrays.decides).set(decidedSteps(plan, played));
  if (arrays.subgoal.length > 0) own(arrays.subgoal).set(followedAims(plan, played));
  const { aiming, words } = env;
  if (arrays.subgoalHeld.length === 0 || !aiming) return;
  const held = own(arrays.subgoalHeld);
  for (let i = 0; i < B; i++) {
    const level = tasks.levels[tasks.levelOf[s * B + i]!];
    for (let t = 0; t <= played.length[i]!; t++) {
      const k = i * (T + 1) + t;
      held[k] = Number(aiming.reached(level, played.state, k * words));
      if (aiming.movedOn?.(played.state, k * words)) held[k]! |= 2;
    }
  }
}
