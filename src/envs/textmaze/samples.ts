import fc from 'fast-check';
import { must } from '../../core/problem.ts';
import { below, random } from '../../core/random.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { parseCommand, SYNTAX } from './commands.ts';
import { GOALS } from './level.ts';
import { DIRECTIONS, ROOM_NAMES } from './names.ts';
import { say, textOf } from './say.ts';
import { rewardSettings, taskSettings } from './settings.ts';
import { textmaze, type TextmazeLevel } from './textmaze.ts';

/** Levels for tests. */
export function levelOf(changes: AnyValues, seed = 1, rewards: AnyValues = {}): TextmazeLevel {
  return must(
    textmaze.level({ ...defaultsOf(taskSettings), ...changes }, { ...defaultsOf(rewardSettings), ...rewards }, seed),
  );
}

/** Two red doors at once, a blue and a green one, and items that nobody asked for. */
export const MANY_DOORS =
  'rooms: hall attic vault tower office\nstart: hall\ndoor: hall east attic red\ndoor: hall south vault red\n' +
  'door: hall west tower blue\nedge: tower north office\ndoor: attic south office green\nkey: red hall\nkey: blue attic\n' +
  'item: lamp vault\nitem: coin hall\nitem: cup hall\ngoal: bring lamp tower';

/** Sixteen rooms on a torus: 32 ways, the most there can be, all of them doors in four colors. It fits no plane. */
export function torus(): string {
  const name = (x: number, y: number): string => ROOM_NAMES[4 * (y % 4) + (x % 4)]!;
  const colors = ['red', 'blue', 'green', 'yellow'];
  const lines = [`rooms: ${ROOM_NAMES.join(' ')}`, `start: ${name(0, 0)}`];
  for (let y = 0; y < 4; y++) {
    for (let x = 0; x < 4; x++) {
      lines.push(`door: ${name(x, y)} ${DIRECTIONS[0]!} ${name(x + 1, y)} ${colors[x]!}`);
      lines.push(`door: ${name(x, y)} ${DIRECTIONS[1]!} ${name(x, y + 1)} ${colors[(x + y) % 4]!}`);
    }
  }
  for (const color of colors) lines.push(`key: ${color} ${name(0, 0)}`);
  return [...lines, `item: cup ${name(2, 2)}`, `goal: bring cup ${name(3, 3)}`].join('\n');
}

/** Settings of any generated level, and any seed. */
export const anyTask: fc.Arbitrary<AnyValues> = fc.record({
  level: fc.constant('tree'),
  rooms: fc.integer({ min: 2, max: 16 }),
  chain: fc.integer({ min: 0, max: 4 }),
  loops: fc.integer({ min: 0, max: 8 }),
  goal: fc.constantFrom(...GOALS),
  distract: fc.boolean(),
  goalShown: fc.constantFrom('always', 'first'),
  metaActions: fc.boolean(),
});
export const anySeed = fc.integer({ min: 0, max: 0xffffffff });

/** Everything said in a state, as text. */
export const said = (level: TextmazeLevel, state: Uint32Array): string =>
  textOf(say(level.rules, level.goalFirst, state, 0).tokens);

/** Plays commands; the last result. */
export function play(level: TextmazeLevel, commands: readonly string[], seed = 0) {
  const state = new Uint32Array(4);
  const result = { reward: 0, flags: 0 };
  textmaze.reset(level, state, 0);
  for (const command of commands)
    textmaze.step(level, state, 0, { action: parseCommand(command, level.rules.actions), seed }, result);
  return { state, ...result };
}

/** Random commands from the start, words that are none among them, again and again. */
export function wander(
  level: TextmazeLevel,
  steps: number,
  seed: number,
  visit: (state: Uint32Array, action: number, next: Uint32Array, flags: number) => void,
): void {
  const n = level.rules.actions + 1;
  const state = new Uint32Array(4);
  const result = { reward: 0, flags: 0 };
  textmaze.reset(level, state, 0);
  for (let t = 0; t < steps; t++) {
    const before = state.slice();
    const draw = below(random(seed, 99, t, 0, 0), n);
    const action = draw === n - 1 ? SYNTAX : draw;
    textmaze.step(level, state, 0, { action, seed: seed + t }, result);
    visit(before, action, state, result.flags);
    if (state[3]! >>> 16 !== 0) textmaze.reset(level, state, 0);
  }
}
