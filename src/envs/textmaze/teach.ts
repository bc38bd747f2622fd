import type { Environment, Subgoal } from '../types.ts';
import { ACTION, COMMANDS } from './commands.ts';
import { resetState, roomOf, stepState, WORDS } from './rules.ts';
import type { TextmazeLevel } from './textmaze.ts';

/** Bits of word 0 from here on say what is held. */
const HELD = 4;
const SUCCESS = { word: 255, at: 0, mask: 0, least: 0, most: 0 } as const;

/** What a shortest solution takes and unlocks, told by its own commands, then the goal. */
export function subgoalsOf(env: Environment<TextmazeLevel>, level: TextmazeLevel): Subgoal[] {
  const path = env.shortestPath(level);
  if (!path) return [];
  const rules = { ...level.rules, slip: [0, 1, 0] as const };
  const state = new Uint32Array(WORDS);
  const found: Subgoal[] = [];
  resetState(rules, state, 0);
  for (const [t, action] of path.entries()) {
    const [held, doors] = [state[0]! >>> HELD, state[1]!];
    stepState(rules, state, 0, action, 0, { reward: 0, flags: 0 });
    const place = roomOf(state[0]!);
    const says = COMMANDS[action]!.split(' ');
    if (t === path.length - 1) {
      found.push({
        ...SUCCESS,
        place,
        says: action >= ACTION.takeItem && action < ACTION.look ? says : ['reach', 'goal'],
      });
      break;
    }
    const bit = (word: number, fresh: number, from: number): void => {
      const at = from + 31 - Math.clz32(fresh);
      if (fresh !== 0) found.push({ word, at, mask: 1, least: 1, most: 1, place, says });
    };
    bit(0, (state[0]! >>> HELD) & ~held, HELD);
    bit(1, state[1]! & ~doors, 0);
  }
  return found;
}
