import type { Told } from '../contract/signals.ts';
import type { Checkpoints, Environment } from './types.ts';

const SUCCESS = 'success';
const POTENTIAL = { of: 'distance', gamma: 1 } as const;
const known = new WeakMap<object, Checkpoints>();

/** The checkpoints of a level: those that the world names, or the milestones that its signals tell; success comes last. */
export function checkpointsOf(env: Environment, level: object): Checkpoints {
  let found = known.get(level);
  if (!found) known.set(level, (found = env.checkpoints?.(level) ?? milestonesOf(env, level)));
  return found;
}

function milestonesOf({ signals }: Environment, level: object): Checkpoints {
  const table = signals?.fits(level, POTENTIAL) ? signals.table(level, POTENTIAL) : null;
  if (!signals || !table) return { names: [SUCCESS], reached: () => 0 };
  const about = { level, table, potential: POTENTIAL };
  const told: Told = { reached: 0, completion: 0, phi: 0, cost: 0, isLost: false };
  return {
    names: Array.from({ length: Math.max(1, table[0]!) }, (_, k) => `milestone ${k + 1}`),
    reached(state, at) {
      signals.tell(about, state, at, told);
      return told.reached;
    },
  };
}

/** Checkpoints that an episode passed, from states in a row, [states, words] from `at`: all of them where it succeeded. */
export function passedOf(
  { names, reached }: Checkpoints,
  state: Uint32Array,
  { at, states, words }: { readonly at: number; readonly states: number; readonly words: number },
  isSuccess: boolean,
): number {
  const last = names.length - 1;
  if (isSuccess) return last + 1;
  let most = 0;
  for (let k = 0; k < states && most < last; k++) most = Math.max(most, reached(state, at + k * words));
  return Math.min(most, last);
}
