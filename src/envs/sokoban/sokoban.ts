import { fail, ok, type Result } from '../../core/problem.ts';
import { LevelStream } from '../../core/random.ts';
import type { AnyValues } from '../../core/settings.ts';
import { climbed, NOT_NUMBERED } from '../ladder.ts';
import { INDEX_LIMIT, indexTable, rowOfKey, type IndexTable } from '../indexTable.ts';
import { NEVER_GROWS, type Environment, type Outcome, type StepResult } from '../types.ts';
import { tokenIds } from '../vocabulary.ts';
import { boxobanCount, boxobanLevel, loadBoxoban, type BoxobanSet } from './boxoban.ts';
import { readCollection } from './collection.ts';
import { generateReverse, type ReverseParams } from './generate.ts';
import { boardChars, LEVEL_ERRORS, parseLevel, rowsOf, type SokobanMap } from './level.ts';
import {
  boardAround,
  boardWhole,
  featuresAround,
  featuresOf,
  observeAround,
  observePlanes,
  observeTokens,
  tokenWords,
} from './observe.ts';
import { packLevel } from './pack.ts';
import { practiceBoard } from './practice.ts';
import { practises, record, stagesOf } from './record.ts';
import { FAMILY, keyOf, possibleActions, resetState, stepState, stepToward, WORDS } from './rules.ts';
import type { Rewards, Rules } from './rules.ts';
import { sceneOf } from './scene.ts';
import { LADDER_STEPS, sokobanFamilies } from './families.ts';
import { LESSONS } from './settings.ts';
import { shortestPath, solve } from './solver.ts';
import { sokobanSignals } from './signals.ts';
import { has, SIDE, squareOf } from './board.ts';
import { sokobanNearby, sokobanSubgoals } from './subgoals.ts';
import { subgoalsOf } from './teach.ts';

/** A parsed level: board, rules, view. Immutable. */
export type SokobanLevel = {
  readonly rules: Rules;
  readonly view:
    | { readonly kind: 'planes' }
    | { readonly kind: 'around' }
    | { readonly kind: 'tokens' }
    | { readonly kind: 'index'; readonly table: IndexTable };
  readonly maskActions: boolean;
};

/** States that one search of `solve` looks at before it gives up. */
const SEARCH_LIMIT = 1_000_000;
/** Words of a set of squares. */
const BOARD = (SIDE * SIDE) / 32;
const MOVES = ['right', 'down', 'left', 'up'];
const COMMANDS = tokenIds(['east', 'south', 'west', 'north']).map((id) => [id]);
/** Step limit where the level has none of its own. */
const USUAL_STEPS = 120;
/** Levels of one's own travel in the link, so they stay small. */
const OWN_SIDE = 12;

const refused = (path: string, message: string): Result<never> =>
  fail({ kind: 'configRejected', issues: [{ path: `task.sokoban.${path}`, message }] });

function parsed(text: string, side: number, firstLine = 1): Result<SokobanMap> {
  const level = parseLevel(text, side);
  if (level.ok) return ok(level.map);
  const { code, line, column } = level;
  const sentence =
    code === 'tooLarge' ? `The board is too large; at most ${side} × ${side} cells.` : (LEVEL_ERRORS[code] ?? code);
  return fail({ kind: 'levelRejected', code, line: line + firstLine - 1, column, detail: sentence });
}

/**
 * One of the levels of a text, picked by the level seed and padded with wall to the largest of them. A row with a
 * character that is no cell reads like a title in a collection; where that breaks a level, the row is what is reported.
 */
function ownLevel(text: string, levelSeed: number): Result<SokobanMap> {
  const whole = parseLevel(text, OWN_SIDE);
  const entries = readCollection(text);
  const isTypo = !whole.ok && whole.code === 'unknownCell' && text.split(/\r\n?|\n/)[whole.line - 1]!.includes('#');
  if (whole.ok || entries.length === 0) return parsed(text, OWN_SIDE);
  const maps: SokobanMap[] = [];
  for (const { level, line } of entries) {
    const one = parsed(level, OWN_SIDE, line);
    if (!one.ok) return isTypo ? parsed(text, OWN_SIDE) : one;
    maps.push(one.value);
  }
  const map = maps[new LevelStream(levelSeed, FAMILY).below(maps.length)]!;
  return ok({ ...map, W: Math.max(...maps.map(({ W }) => W)), H: Math.max(...maps.map(({ H }) => H)) });
}

/** The board of a stage: longer solutions each, and as many pushes as there are boxes at least. */
function grown(params: ReverseParams, stages: number, stage: number): ReverseParams {
  if (stages === 1) return params;
  const { pulls, boxes } = params;
  return { ...params, pulls: Math.max(1, Math.min(boxes, pulls), Math.ceil((pulls * (stage + 1)) / stages)) };
}

function boardOf(s: AnyValues, levelSeed: number): Result<SokobanMap> {
  const id = s['level'] as string;
  if (Object.hasOwn(LESSONS, id)) return parsed(LESSONS[id]!.text, OWN_SIDE);
  if (id === 'ladder') return boardOf(climbed(s, sokobanFamilies, levelSeed), levelSeed);
  if (id === 'custom') return ownLevel(s['text'] as string, levelSeed);
  if (id === 'boxoban') {
    if (practises(s) && (levelSeed & 7) === 0) return practiceBoard(levelSeed);
    const set = s['set'] as BoxobanSet;
    const text = boxobanLevel(set, new LevelStream(levelSeed, FAMILY).below(boxobanCount(set)));
    return text === null ? refused('level', 'is still being loaded') : parsed(text, 16);
  }
  const made = generateReverse(levelSeed, grown(s as unknown as ReverseParams, stagesOf(s), levelSeed & 7));
  if (made.ok) return parsed(made.level, 16);
  return refused('boxes', 'leaves no board with that many boxes and pushes; make it larger or ask for fewer');
}

function makeLevel(s: AnyValues, r: AnyValues, levelSeed: number): Result<SokobanLevel> {
  const slip = s['slip'] as Rules['slip'];
  if (slip[0] + slip[1] + slip[2] === 0) return refused('slip', 'has only zeros; at least one weight must be positive');
  const board = boardOf(s, levelSeed);
  if (!board.ok) return board;
  const usual = s['level'] === 'ladder' ? LADDER_STEPS : USUAL_STEPS;
  const own = LESSONS[s['level'] as string]?.maxSteps ?? usual;
  const rules: Rules = {
    map: board.value,
    T: (s['maxSteps'] as number) || own,
    rewards: r as unknown as Rewards,
    deadEnd: s['deadEnd'] === true,
    slip,
  };
  const maskActions = s['maskActions'] === true;
  if (s['view'] === 'tokens') return ok({ rules, maskActions, view: { kind: 'tokens' } });
  const level: SokobanLevel = { rules, maskActions, view: { kind: s['view'] === 'around' ? 'around' : 'planes' } };
  if (s['view'] !== 'index') return ok(level);
  if (s['level'] === 'ladder') return refused('level', NOT_NUMBERED);
  const table = indexTable(sokoban, level);
  if (table) return ok({ ...level, view: { kind: 'index', table } });
  const most = INDEX_LIMIT.toLocaleString('en');
  return refused('level', `has more than ${most} states, too many for a table; use a neural network`);
}

const found = new Uint32Array(2);

/** Row of a state in the table. */
function rowOf(table: IndexTable, state: Uint32Array, at: number): number {
  keyOf(state, at, found, 0);
  return rowOfKey(table, found);
}

function outcomesOf({ rules }: SokobanLevel, from: Uint32Array, action: number): Outcome[] {
  const [left, straight, right] = rules.slip;
  const ways: readonly (readonly [number, number])[] =
    left + right === 0
      ? [[1, action]]
      : [
          [left, (action + 3) & 3],
          [straight, action],
          [right, (action + 1) & 3],
        ];
  const total = ways.reduce((sum, [weight]) => sum + weight, 0);
  return ways
    .filter(([weight]) => weight > 0)
    .map(([weight, direction]) => {
      const state = from.slice(0, WORDS);
      state[WORDS - 1] = 0;
      const result: StepResult = { reward: 0, flags: 0 };
      stepToward(rules, state, 0, direction, result);
      return { numerator: weight, denominator: total, state, reward: result.reward, flags: result.flags };
    });
}

function bitsOf({ rules, view }: SokobanLevel): number {
  switch (view.kind) {
    case 'planes':
      return featuresOf(rules.map);
    case 'around':
      return featuresAround(rules.map);
    case 'tokens':
      return 32 * tokenWords(rules.map);
    case 'index':
      return view.table.rows;
  }
}

/** Sokoban: push every box onto a target; boxes cannot be pulled. Spec environments §3. */
export const sokoban: Environment<SokobanLevel> = {
  ...record,
  prepare: (s) => (s['level'] === 'boxoban' ? loadBoxoban(s['set'] as BoxobanSet) : null),
  families: (s) => (s['level'] === 'ladder' ? sokobanFamilies : []),
  growEvery: (s) => (practises(s) ? NEVER_GROWS : (s['growEvery'] as number)),
  level: makeLevel,
  maxSteps: (level) => level.rules.T,
  actions: () => MOVES,
  board: ({ rules: { map }, view: { kind } }) =>
    kind === 'planes' ? boardWhole(map) : kind === 'around' ? boardAround(map) : null,
  features: bitsOf,
  language: {
    length: ({ rules }) => rules.map.W * rules.map.H,
    speaks: ({ view }) => view.kind === 'tokens',
    commands: () => COMMANDS,
  },
  reset: (level, state, at) => resetState(level.rules, state, at),
  step: (level, state, at, { action, seed }, result) => stepState(level.rules, state, at, action, seed, result),
  observe({ rules, view }, state, at, bits, bitsAt) {
    if (view.kind === 'planes') return observePlanes(rules.map, state, at, bits, bitsAt);
    if (view.kind === 'around') return observeAround(rules.map, state, at, bits, bitsAt);
    if (view.kind === 'tokens') return observeTokens(rules.map, state, at, bits, bitsAt);
    bits.fill(0, bitsAt, bitsAt + Math.ceil(view.table.rows / 32));
    const row = rowOf(view.table, state, at);
    bits[bitsAt + (row >>> 5)]! |= 1 << (row & 31);
  },
  key: (_level, state, at, out, outAt) => keyOf(state, at, out, outAt),
  legal: (level, state, at) =>
    level.maskActions ? possibleActions(level.rules.map, state, at) || 0xffffffff : 0xffffffff,
  chances: ({ rules }) => (rules.slip[0] + rules.slip[2] > 0 ? 3 : 1),
  outcomes: outcomesOf,
  solve({ rules }) {
    const { status, moves, pushes, minPushes } = solve(rules.map, SEARCH_LIMIT);
    return { status: moves || pushes ? 'solved' : status, path: moves ?? pushes, pushes: minPushes };
  },
  shortestPath: ({ rules }) => shortestPath(rules.map),
  teach: (level) => ({ words: WORDS, subgoals: subgoalsOf(sokoban, level) }),
  subgoals: sokobanSubgoals,
  nearby: sokobanNearby,
  stride: () => SIDE,
  cell: (state, at) => state[at]!,
  goals: {
    words: BOARD,
    bits: ({ rules }) => rules.map.W * rules.map.H,
    reached: (_level, state, at, _carried, into) => into.set(state.subarray(at + 1, at + 1 + BOARD)),
    show({ rules: { map } }, goal, set) {
      for (let cell = 0; cell < map.W * map.H; cell++) if (has(goal, 0, squareOf(map.W, cell))) set(cell);
    },
    wanted: ({ rules }, into) => into.set(rules.map.targets),
  },
  // after a push
  isJunction: (_, state, at, before) => {
    for (let w = 1; w < WORDS - 1; w++) if (state[at + w] !== state[before + w]) return true;
    return false;
  },
  layer: (state, at) => state.subarray(at + 1, at + WORDS - 1).join(','),
  scene: (level, state, at) => sceneOf(level.rules.map, state, at),
  text: ({ rules: { map } }, state, at) => rowsOf(map.W, boardChars(map, state, at + 1, state[at]!)),
  signals: sokobanSignals(() => sokoban),
  gpu: {
    wgsl: async () => (await import('./stepWgsl.ts')).stepWgsl,
    packLevel: (level) => packLevel(level, bitsOf(level)),
  },
};
