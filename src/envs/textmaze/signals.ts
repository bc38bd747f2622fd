import { defineSignals, type WorldSignals } from '../../contract/signals.ts';
import { isCountable } from '../countable.ts';
import { stateTable, tellFrom, type Milestone } from '../stateTable.ts';
import type { Environment, StepResult } from '../types.ts';
import { keyOf, resetState, roomOf, stepState, WORDS } from './rules.ts';
import type { TextmazeLevel } from './textmaze.ts';

/** First bit of word 0 that says what is held; below it stands the room. */
const HELD = 4;

/** What a shortest solution takes and opens, in its order, then the goal: the facts of the walkthrough but its rooms. */
function milestonesOf(env: Environment<TextmazeLevel>, level: TextmazeLevel): Milestone[] {
  const rules = { ...level.rules, slip: [0, 1, 0] as const };
  const found: Milestone[] = [];
  const state = new Uint32Array(WORDS);
  const result: StepResult = { reward: 0, flags: 0 };
  resetState(rules, state, 0);
  for (const action of env.shortestPath(level) ?? []) {
    const [held, doors] = [state[0]! >>> HELD, state[1]!];
    stepState(rules, state, 0, action, 0, result);
    const bit = (word: number, fresh: number, from: number): void => {
      if (fresh !== 0) found.push({ kind: 'bit', word, at: from + 31 - Math.clz32(fresh), value: 1 });
    };
    bit(0, (state[0]! >>> HELD) & ~held, HELD);
    bit(1, state[1]! & ~doors, 0);
  }
  return [...found, { kind: 'success' }];
}

/** What a text-maze tells beside its reward. Spec methods/reward §1. */
export const textmazeSignals = (env: () => Environment<TextmazeLevel>): WorldSignals<TextmazeLevel> =>
  defineSignals<TextmazeLevel>({
    fits: (level) => isCountable(env(), level),
    table: (level, potential) =>
      stateTable(env(), level, { level, keyOf }, () => milestonesOf(env(), level), potential),
    tell({ table, potential: { of } }, state, at, out) {
      tellFrom(table, state, at, { status: state[at + 3]! >>> 16, keyOf, stateKey: keyOf, of }, out);
      out.completion = out.reached / table[0]!;
    },
    novelKey: (_level, state, at, out, outAt) => keyOf(state, at, out, outAt),
    cover({ rules: { maze } }, state, at, _radius, add) {
      const room = roomOf(state[at]!);
      add(room);
      maze.keyRoom.forEach((place, color) => place === room && add(16 + color));
      maze.itemRoom.forEach((place, item) => place === room && add(32 + item));
    },
    messages: async () => (await import('./messages.ts')).messages,
    milestone: 'completion',
    wastes: 'idle',
    effort: 'steps',
    wgsl: async () => (await import('./signalsWgsl.ts')).signalsWgsl,
  });
