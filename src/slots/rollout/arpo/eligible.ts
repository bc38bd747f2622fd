import { FLAG, type Move, type StepResult } from '../../../envs/types.ts';
import type { RowContext, RowsSeen } from '../types.ts';

/** Which steps may fork: all but the first, or those with a choice in a new state, at a junction, or with new information. */
export type Eligible = 'newState' | 'junction' | 'newInformation' | 'all';

/** Cells around the agent that count as in view, where a world says what is. */
const RADIUS = 2;

type Seen = RowsSeen<'length' | 'stateKey' | 'state' | 'legal'>;
type Test = (row: number, t: number) => boolean;

const move: Move = { action: 0, seed: 0 };
const result: StepResult = { reward: 0, flags: 0 };

/** May an episode be forked at a step t ≥ 1? A choice: at least two legal actions change the state. */
export function mayForkAt(eligible: Eligible, seen: Seen, context: RowContext): Test {
  if (eligible === 'all') return () => true;
  const tests = { newState: newStates, junction: junctions, newInformation: newThings };
  const isRight = tests[eligible](seen, context);
  const choice = choices(seen, context);
  return (row, t) => isRight(row, t) && choice(row, t);
}

/** Answers for whole rows, asked once for each. */
function perRow(answers: (row: number) => readonly boolean[]): Test {
  const known = new Map<number, readonly boolean[]>();
  return (row, t) => {
    let own = known.get(row);
    if (!own) known.set(row, (own = answers(row)));
    return own[t]!;
  };
}

/** The state has not been met before in its episode. */
const newStates = ({ length, stateKey }: Seen, { T }: RowContext): Test =>
  perRow((row) => {
    const met = new Set<string>();
    return Array.from({ length: length[row]! }, (_, t) => {
      const at = 2 * (row * T + t);
      return met.size < met.add(`${stateKey[at]} ${stateKey[at + 1]}`).size;
    });
  });

/** Ways part here, as the world says. */
const junctions =
  ({ state }: Seen, { env, T, level }: RowContext): Test =>
  (row, t) => {
    const at = (row * (T + 1) + t) * env.words;
    return env.isJunction?.(level(row), state, at, at - env.words) === true;
  };

/** Something is in view that was not in view before in the episode: a cell, a room, an object; a box in a new place. */
const newThings = ({ length, state }: Seen, { env, T, level }: RowContext): Test =>
  perRow((row) => {
    const met = new Set<number>();
    return Array.from({ length: length[row]! }, (_, t) => {
      const before = met.size;
      env.signals?.cover?.(level(row), state, (row * (T + 1) + t) * env.words, RADIUS, (item) => met.add(item));
      return met.size > before;
    });
  });

/** At least two legal actions change the state. */
function choices({ stateKey, state, legal }: Seen, { env, T, actions, level, episodeSeed }: RowContext): Test {
  const after = new Uint32Array(env.words);
  const key = new Uint32Array(2);
  const changes = (row: number, t: number, action: number): boolean => {
    if (((legal[row * T + t]! >>> action) & 1) === 0) return false;
    const at = (row * (T + 1) + t) * env.words;
    after.set(state.subarray(at, at + env.words));
    move.action = action;
    move.seed = episodeSeed(row);
    env.step(level(row), after, 0, move, result);
    if ((result.flags & FLAG.terminated) !== 0) return true;
    env.key(level(row), after, 0, key, 0);
    return key[0] !== stateKey[2 * (row * T + t)] || key[1] !== stateKey[2 * (row * T + t) + 1];
  };
  return (row, t) => {
    let useful = 0;
    for (let a = 0; a < actions && useful < 2; a++) if (changes(row, t, a)) useful++;
    return useful >= 2;
  };
}
