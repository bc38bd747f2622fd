import { fail, ok, type Result } from '../../core/problem.ts';
import type { AnyValues } from '../../core/settings.ts';
import { shortestPath } from '../enumerate.ts';
import { climbed, NOT_NUMBERED } from '../ladder.ts';
import { INDEX_LIMIT, indexTable, rowOfKey, type IndexTable } from '../indexTable.ts';
import type { Environment, Outcome, StepResult } from '../types.ts';
import { ACTION, commandCount, COMMANDS, commandTokens } from './commands.ts';
import { LADDER_STEPS, textmazeFamilies } from './families.ts';
import { generateSpread, type Spread } from './clues.ts';
import type { TreeParams } from './generate.ts';
import { layoutOf, type Layout } from './layout.ts';
import { lengthOfMaze, lengthOfTree } from './length.ts';
import { LEVEL_ERRORS, parseMaze, writeMaze, type Goal, type Maze } from './level.ts';
import { packLevel } from './pack.ts';
import { record, stagesOf } from './record.ts';
import {
  canSlip,
  exitsOf,
  keyOf,
  possibleActions,
  resetState,
  roomOf,
  stepForced,
  stepState,
  WORDS,
  type Rewards,
  type Rules,
} from './rules.ts';
import { BAG_FEATURES, say, sentencesOf, textOf, writeBag, writeTokens } from './say.ts';
import { sceneOf } from './scene.ts';
import { FIXED } from './settings.ts';
import { textmazeSignals } from './signals.ts';
import { textmazeNearby, textmazeSubgoals } from './subgoals.ts';
import { subgoalsOf } from './teach.ts';
import { easier, falseNames, falseRooms } from './trust.ts';

/** A parsed level: rules, view, drawing. Immutable. */
export type TextmazeLevel = {
  readonly rules: Rules;
  readonly layout: Layout;
  readonly view: { readonly kind: 'bag' | 'tokens' } | { readonly kind: 'index'; readonly table: IndexTable };
  /** observation bits of the view */
  readonly features: number;
  /** longest observation in tokens, for all levels of the config */
  readonly length: number;
  readonly goalFirst: boolean;
  readonly maskActions: boolean;
};

/** Id of the command that lists the rooms seen. */
const RECALL = ACTION.recall;

const rejected = (path: string, message: string): Result<never> =>
  fail({ kind: 'configRejected', issues: [{ path: `task.textmaze.${path}`, message }] });

const treeOf = (s: AnyValues): TreeParams => ({
  rooms: s['rooms'] as number,
  chain: s['chain'] as number,
  loops: s['loops'] as number,
  goal: s['goal'] as Goal['kind'],
  distract: s['distract'] === true,
});

/** Longest observation of all rows of all families. */
const longestOfLadder = (s: AnyValues, metaActions: boolean, goalFirst: boolean): number =>
  Math.max(
    ...textmazeFamilies.flatMap(({ rows }) =>
      rows.map((row) => lengthOfTree(treeOf({ ...s, ...row }), metaActions, goalFirst)),
    ),
  );

/** The maze of a task, and the longest observation of all mazes that the settings can lead to. */
function mazeOf(s: AnyValues, levelSeed: number): Result<{ maze: Maze; length: number }> {
  const id = s['level'] as string;
  const metaActions = s['metaActions'] === true;
  const goalFirst = s['goalShown'] === 'first';
  if (id === 'ladder') {
    const made = mazeOf(climbed(s, textmazeFamilies, levelSeed), levelSeed);
    return made.ok ? ok({ maze: made.value.maze, length: longestOfLadder(s, metaActions, goalFirst) }) : made;
  }
  if (id === 'tree') {
    const params = treeOf(s);
    const length = lengthOfTree(params, metaActions, goalFirst);
    return ok({ maze: generateSpread(levelSeed, params, s['dispersion'] as Spread), length });
  }
  const parsed = parseMaze(Object.hasOwn(FIXED, id) ? FIXED[id]! : (s['text'] as string));
  if (parsed.ok) return ok({ maze: parsed.maze, length: lengthOfMaze(parsed.maze, metaActions, goalFirst) });
  const { code, line, column } = parsed;
  return fail({ kind: 'levelRejected', code, line, column, detail: LEVEL_ERRORS[code] ?? code });
}

/**
 * The maze of a stage: the same rooms and locks, but what is looked for lies behind lock number `locks` of the shortest
 * solution. So each stage goes one lock further than what was learned already, and what is there is still new.
 */
function nearer(whole: TextmazeLevel, locks: number): Maze {
  const { maze } = whole.rules;
  const state = new Uint32Array(WORDS);
  resetState(whole.rules, state, 0);
  let opened = 0;
  for (const action of shortestPath(textmaze, whole) ?? []) {
    const from = roomOf(state[0]!);
    stepState(whole.rules, state, 0, action, 0, { reward: 0, flags: 0 });
    if (action >= ACTION.unlock && action < ACTION.takeItem) opened++;
    const room = roomOf(state[0]!);
    if (opened < locks || room === from) continue;
    const { goal } = maze;
    if (goal.kind === 'reach') return { ...maze, goal: { ...goal, room } };
    return { ...maze, itemRoom: maze.itemRoom.map((at, item) => (item === goal.item ? room : at)) };
  }
  return maze;
}

/** Rooms that tell their exits wrong are drawn with a generated maze. */
const hasFalse = (s: AnyValues): boolean => s['level'] === 'tree' || s['level'] === 'ladder';

function makeLevel(s: AnyValues, r: AnyValues, levelSeed: number): Result<TextmazeLevel> {
  const slip = s['slip'] as readonly [number, number, number];
  if (slip[0] + slip[1] + slip[2] < 1) return rejected('slip', 'needs at least one weight above 0');
  const source = mazeOf(s, levelSeed);
  if (!source.ok) return source;
  const { maze, length } = source.value;
  const falseExits = hasFalse(s) ? falseRooms(levelSeed, maze.names.length, s['truthful'] as number) : 0;
  const of = (maze: Maze): TextmazeLevel => levelOf(s, r, { maze, falseExits }, length);
  const whole = of(maze);
  const stage = levelSeed & 7;
  if (stagesOf(s) === 1 || stage + 1 >= stagesOf(s)) return withView(s, whole);
  const byTrust = s['growBy'] === 'trust';
  return withView(s, of(byTrust ? easier(maze, falseExits, stage + 1, levelSeed) : nearer(whole, stage + 1)));
}

/** Ten steps a room; on a ladder those of the longest level. */
const usualSteps = (s: AnyValues, { names }: Maze): number =>
  s['level'] === 'ladder' ? LADDER_STEPS : 10 * (s['level'] === 'tree' ? (s['rooms'] as number) : names.length);

type Drawn = Pick<Rules, 'maze' | 'falseExits'>;

function levelOf(s: AnyValues, r: AnyValues, { maze, falseExits }: Drawn, length: number): TextmazeLevel {
  const rules: Rules = {
    maze,
    falseExits,
    T: (s['maxSteps'] as number) || usualSteps(s, maze),
    actions: commandCount(s['metaActions'] === true),
    slip: s['slip'] as Rules['slip'],
    rewards: r as unknown as Rewards,
    ...exitsOf(maze),
  };
  return {
    rules,
    layout: layoutOf(maze),
    view: { kind: 'bag' },
    features: BAG_FEATURES,
    length,
    goalFirst: s['goalShown'] === 'first',
    maskActions: s['maskActions'] === true,
  };
}

function withView(s: AnyValues, level: TextmazeLevel): Result<TextmazeLevel> {
  if (s['view'] === 'tokens') return ok({ ...level, view: { kind: 'tokens' }, features: 8 * level.length });
  if (s['view'] !== 'index') return ok(level);
  if (s['level'] === 'ladder') return rejected('level', NOT_NUMBERED);
  const table = indexTable(textmaze, level);
  if (table) return ok({ ...level, view: { kind: 'index', table }, features: table.rows });
  return rejected(
    'level',
    `has more than ${INDEX_LIMIT.toLocaleString('en')} states, too many for a table; use a neural network`,
  );
}

/** A line that names the rooms whose exits are told wrong. */
const falseText = ({ maze, falseExits }: Rules): string =>
  falseExits === 0 ? '' : `; exits told a quarter turn off in: ${falseNames(maze, falseExits).join(' ')}\n`;

/** Rooms at most, and keys and items that may be carried. */
const ROOMS = 16;
const CARRIED = 8;
const found = new Uint32Array(2);

/** Row of a state in the table. */
function rowOf(table: IndexTable, state: Uint32Array, at: number): number {
  keyOf(state, at, found, 0);
  return rowOfKey(table, found);
}

/** The results of an action. */
function outcomesOf({ rules }: TextmazeLevel, from: Uint32Array, action: number): Outcome[] {
  const [left, straight, right] = rules.slip;
  const slips: readonly (readonly [weight: number, draw: number])[] = canSlip(rules, action)
    ? (
        [
          [left, 0],
          [straight, left],
          [right, left + straight],
        ] as const
      ).filter(([weight]) => weight > 0)
    : [[1, 0]];
  const denominator = slips.reduce((sum, [weight]) => sum + weight, 0);
  return slips.map(([numerator, draw]) => {
    const state = from.slice(0, WORDS);
    state[WORDS - 1] = 0;
    const result: StepResult = { reward: 0, flags: 0 };
    stepForced(rules, state, action, draw, result);
    return { numerator, denominator, state, reward: result.reward, flags: result.flags };
  });
}

/** Text-maze: rooms, doors, keys and items behind sentences and commands. Spec environments §4. */
export const textmaze: Environment<TextmazeLevel> = {
  ...record,
  hides: (s) => s['view'] !== 'index',
  families: (s) => (s['level'] === 'ladder' ? textmazeFamilies : []),
  level: makeLevel,
  maxSteps: (level) => level.rules.T,
  actions: ({ rules }) => COMMANDS.slice(0, rules.actions),
  features: (level) => level.features,
  language: {
    length: (level) => level.length,
    speaks: ({ view }) => view.kind === 'tokens',
    commands: ({ rules }) => commandTokens(rules.actions),
  },
  reset: (level, state, at) => resetState(level.rules, state, at),
  step: (level, state, at, { action, seed }, result) => stepState(level.rules, state, at, action, seed, result),
  observe(level, state, at, bits, bitsAt) {
    const { rules, view, features, goalFirst } = level;
    bits.fill(0, bitsAt, bitsAt + Math.ceil(features / 32));
    if (view.kind === 'index') {
      const row = rowOf(view.table, state, at);
      bits[bitsAt + (row >>> 5)]! |= 1 << (row & 31);
    } else if (view.kind === 'tokens') writeTokens(say(rules, goalFirst, state, at), bits, bitsAt);
    else writeBag(say(rules, goalFirst, state, at), bits, bitsAt);
  },
  // what is possible does not depend on word 2; what is said does, and the rooms seen only where they can be recalled
  canonical({ rules }, state, at, matters) {
    const seen = matters === 'policy' && rules.actions > RECALL ? state[at + 2]! & 0xffff : 1 << rules.maze.start;
    state[at + 2] = matters === 'world' ? seen : seen | (state[at + 2]! & ~0xffff);
  },
  key: (_level, state, at, out, outAt) => keyOf(state, at, out, outAt),
  legal: (level, state, at) => (level.maskActions ? possibleActions(level.rules, state, at) : 0xffffffff),
  chances: ({ rules }) => (rules.slip[0] + rules.slip[2] > 0 ? 3 : 1),
  outcomes: outcomesOf,
  shortestPath: (level) => shortestPath(textmaze, level),
  teach: (level) => ({ words: WORDS, subgoals: subgoalsOf(textmaze, level) }),
  subgoals: textmazeSubgoals,
  nearby: textmazeNearby,
  // the number of the room; where it is drawn depends on the level and is told by the scene
  cell: (state, at) => roomOf(state[at]!),
  goals: {
    words: 1,
    bits: () => ROOMS + CARRIED,
    reached: (_level, state, at, carried, into) =>
      void (into[0] = 1 + roomOf(state[at]!) + (carried ? ((state[at]! >>> 4) & (2 ** CARRIED - 1)) << 16 : 0)),
    show(_level, goal, set) {
      set((goal[0]! & 0xffff) - 1);
      for (let k = 0; k < CARRIED; k++) if ((goal[0]! >>> (16 + k)) & 1) set(ROOMS + k);
    },
  },
  // after a door
  isJunction: (_, state, at, before) => roomOf(state[at]!) !== roomOf(state[before]!),
  placeBits: 4,
  layer: (state, at) => `${state[at]! >>> 4},${state[at + 1]}`,
  scene: (level, state, at) =>
    sceneOf(level.rules, level.layout, sentencesOf(say(level.rules, level.goalFirst, state, at)), state, at),
  text: ({ rules, goalFirst }, state, at) =>
    `; ${textOf(say(rules, goalFirst, state, at).tokens)}\n${falseText(rules)}${writeMaze(rules.maze)}`,
  signals: textmazeSignals(() => textmaze),
  gpu: { wgsl: async () => (await import('./stepWgsl.ts')).stepWgsl, packLevel },
};
