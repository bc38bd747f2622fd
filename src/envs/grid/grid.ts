import { fail, ok, type Result } from '../../core/problem.ts';
import { shortestPath } from '../enumerate.ts';
import { climbed, NOT_NUMBERED } from '../ladder.ts';
import { INDEX_LIMIT, indexTable, rowOfKey, type IndexTable } from '../indexTable.ts';
import type { Environment, Outcome, StepResult } from '../types.ts';
import type { AnyValues } from '../../core/settings.ts';
import { defaultSteps, generateLevel, type Params } from './generate.ts';
import { editor } from './editor.ts';
import { FRAME, framed, gridFamilies } from './families.ts';
import { KIND, LEVEL_ERRORS, parseMap, writeRows, type GridMap } from './level.ts';
import {
  boardOf,
  cellsShownBy,
  featuresOf,
  observeLooks,
  observeState,
  observeTokens,
  stateChars,
  tokensOf,
  type View,
} from './observe.ts';
import { tokenIds } from '../vocabulary.ts';
import {
  canSlip,
  cellOf,
  FAMILY,
  keyOf,
  possibleActions,
  resetState,
  stepForced,
  stepState,
  WORDS,
  type Rewards,
  type Rules,
  openNeighbors,
  keysHeld,
} from './rules.ts';
import { sceneOf } from './scene.ts';
import { FIXED, rewardSettings, taskSettings } from './settings.ts';
import { gridSignals } from './signals.ts';
import { gridNearby, gridSubgoals } from './subgoals.ts';
import { subgoalsOf } from './teach.ts';
import { packLevel } from './pack.ts';

/** A parsed level: map, rules, view. Immutable. */
export type GridLevel = {
  readonly rules: Rules;
  readonly view: View | { readonly kind: 'index'; readonly table: IndexTable } | { readonly kind: 'tokens' };
  readonly maskActions: boolean;
  /** the cell that tells where the goal is; only where there is one */
  readonly cue?: number;
};

const MOVES = ['right', 'down', 'left', 'up'];
const TURNS = ['turn left', 'turn right', 'forward', 'pick up', 'open'];
/** The same as one word each: directions for walking; for turning the words of the maze language that come closest. */
const MOVE_WORDS = tokenIds(['east', 'south', 'west', 'north']);
const TURN_WORDS = tokenIds(['west', 'east', 'go', 'take', 'unlock']);

/** Stages of a corridor whose start moves away from the goal; everything else is whole from the first update on. */
function stagesOf(s: AnyValues): number {
  const grows = s['level'] === 'corridor' && (s['growEvery'] as number) > 0;
  return grows ? Math.min(8, Math.ceil((s['n'] as number) / (s['startDistance'] as number))) : 1;
}

/** Steps from the start of a stage to the goal: so many more in each, and in the last the whole corridor. */
function distanceAt(s: AnyValues, stage: number): number {
  const [n, first] = [s['n'] as number, s['startDistance'] as number];
  return stage >= stagesOf(s) - 1 ? n : Math.min(n, first * (stage + 1));
}

/** A level of a family, framed to the size of the largest. */
function ladderText(s: AnyValues, levelSeed: number): Result<{ text: string; maxSteps: number }> {
  const made = levelText(climbed(s, gridFamilies, levelSeed), levelSeed);
  return made.ok ? ok({ text: framed(made.value.text), maxSteps: FRAME.steps }) : made;
}

function levelText(s: AnyValues, levelSeed: number): Result<{ text: string; maxSteps: number }> {
  const id = s['level'] as string;
  if (id === 'ladder') return ladderText(s, levelSeed);
  const plain = Object.fromEntries(
    Object.entries(s)
      .filter(([, value]) => typeof value === 'number' || typeof value === 'boolean')
      .map(([k, v]) => [k, Number(v)]),
  ) as Params;
  const params = stagesOf(s) > 1 ? { ...plain, distance: distanceAt(s, levelSeed & 7) } : plain;
  if (id === 'custom') return ok({ text: s['text'] as string, maxSteps: 0 });
  const fixed = Object.hasOwn(FIXED, id) ? FIXED[id] : undefined;
  if (fixed) return ok(fixed);
  const made = generateLevel(id, levelSeed, params);
  if (made.ok) return ok({ text: made.text, maxSteps: defaultSteps(id, params, s['actions'] === 'turn') });
  const message = 'leaves no room for everything the level needs; make it larger or ask for fewer things';
  return fail({ kind: 'configRejected', issues: [{ path: 'task.grid.level', message }] });
}

/** The niche of a T-maze, above or below its start. */
const nicheOf = ({ start, W, kind }: GridMap): number =>
  [start - W, start + W].find((cell) => kind[cell] === KIND.floor) ?? -1;

/** The map with the slip of the settings; 0 1 0 leaves the level's own. */
function slippery(map: GridMap, slip: GridMap['slip']): GridMap {
  const [left, straight, right] = slip;
  return left === 0 && straight === 1 && right === 0 ? map : { ...map, slip, iceAll: true };
}

function makeLevel(s: AnyValues, r: AnyValues, levelSeed: number): Result<GridLevel> {
  const slip = s['slip'] as GridMap['slip'];
  if (slip[0] + slip[1] + slip[2] === 0) {
    const message = 'has only zeros; at least one weight must be positive';
    return fail({ kind: 'configRejected', issues: [{ path: 'task.grid.slip', message }] });
  }
  const source = levelText(s, levelSeed);
  if (!source.ok) return source;
  const parsed = parseMap(source.value.text);
  if (!parsed.ok) {
    const { code, line, column } = parsed;
    return fail({ kind: 'levelRejected', code, line, column, detail: LEVEL_ERRORS[code] ?? code });
  }
  const map = slippery(parsed.map, slip);
  const turn = s['actions'] === 'turn';
  const isCorridor = s['level'] === 'corridor';
  const wanted =
    (s['maxSteps'] as number) ||
    source.value.maxSteps ||
    Math.max(20, 2 * (map.W + map.H) + Math.floor((map.W * map.H) / 2));
  const rules: Rules = {
    map,
    T: wanted,
    turn,
    dirs: turn ? [] : isCorridor ? [0, 2] : [0, 1, 2, 3],
    rewards: r as unknown as Rewards,
    noisyTiles: s['noisyTiles'] === true,
  };
  const maskActions = s['maskActions'] === true;
  if (s['view'] === 'ego') {
    const cue = s['level'] === 'tMaze' ? { cue: nicheOf(map) } : {};
    return ok({ rules, maskActions, view: { kind: 'ego', size: (s['window'] as number) | 1 }, ...cue });
  }
  if (s['view'] === 'tokens') return ok({ rules, maskActions, view: { kind: 'tokens' } });
  const level: GridLevel = { rules, maskActions, view: { kind: 'planes' } };
  if (s['view'] !== 'index') return ok(level);
  if (s['level'] === 'ladder')
    return fail({ kind: 'configRejected', issues: [{ path: 'task.grid.level', message: NOT_NUMBERED }] });
  const table = indexTable(grid, level);
  if (table) return ok({ ...level, view: { kind: 'index', table } });
  const message = `has more than ${INDEX_LIMIT.toLocaleString('en')} states, too many for a table; use a neural network`;
  return fail({ kind: 'configRejected', issues: [{ path: 'task.grid.level', message }] });
}

/** Colors of keys. */
const KEYS = 4;
const found = new Uint32Array(2);

/** Row of a state in the table. */
function rowOf(table: IndexTable, state: Uint32Array, at: number): number {
  keyOf(state, at, found, 0);
  return rowOfKey(table, found);
}

function outcomesOf(level: GridLevel, from: Uint32Array, action: number): Outcome[] {
  const { rules } = level;
  const [left, straight, right] = rules.map.slip;
  const obstacles = rules.map.obstacles.length;
  const slips: [number, number][] = canSlip(rules, from, 0, action)
    ? (
        [
          [left, 0],
          [straight, left],
          [right, left + straight],
        ] as [number, number][]
      ).filter(([weight]) => weight > 0)
    : [[1, 0]];
  const total = slips.reduce((sum, [weight]) => sum + weight, 0);
  const list: Outcome[] = [];
  for (const [weight, u] of slips) {
    for (let code = 0; code < 5 ** obstacles; code++) {
      const draws = [u];
      for (let k = 0; k < obstacles; k++) draws.push(Math.floor(code / 5 ** (obstacles - 1 - k)) % 5);
      const state = from.slice(0, WORDS);
      state[WORDS - 1] = 0;
      const result: StepResult = { reward: 0, flags: 0 };
      stepForced(rules, state, action, draws, result);
      list.push({
        numerator: weight,
        denominator: total * 5 ** obstacles,
        state,
        reward: result.reward,
        flags: result.flags,
      });
    }
  }
  return list;
}

/** Grid-world: walls, keys and doors, lava, ice, bonus tiles, ordered goals, moving obstacles. Spec environments §2. */
export const grid: Environment<GridLevel> = {
  id: 'grid',
  title: 'Grid-world',
  family: FAMILY,
  editor,
  words: WORDS,
  settings: taskSettings,
  rewards: rewardSettings,
  level: makeLevel,
  stages: stagesOf,
  hides: (s) => s['view'] === 'ego',
  families: (s) => (s['level'] === 'ladder' ? gridFamilies : []),
  maxSteps: (level) => level.rules.T,
  actions: ({ rules }) => (rules.turn ? TURNS : rules.dirs.map((d) => MOVES[d]!)),
  board: ({ rules, view }) => (view.kind === 'planes' || view.kind === 'ego' ? boardOf(rules, view) : null),
  features: ({ rules, view }) =>
    view.kind === 'index' ? view.table.rows : view.kind === 'tokens' ? 8 * tokensOf(rules) : featuresOf(rules, view),
  language: {
    length: ({ rules }) => tokensOf(rules),
    speaks: ({ view }) => view.kind === 'tokens',
    commands: ({ rules }) => (rules.turn ? TURN_WORDS : rules.dirs.map((d) => MOVE_WORDS[d]!)).map((word) => [word]),
  },
  reset: (level, state, at) => resetState(level.rules, state, at),
  step: (level, state, at, { action, seed }, result) => stepState(level.rules, state, at, action, seed, result),
  observe(level, state, at, bits, bitsAt) {
    if (level.view.kind === 'tokens') return observeTokens(level.rules, state, at, bits, bitsAt);
    if (level.view.kind !== 'index') return observeState(level.rules, level.view, state, at, bits, bitsAt);
    bits.fill(0, bitsAt, bitsAt + Math.ceil(level.view.table.rows / 32));
    const row = rowOf(level.view.table, state, at);
    bits[bitsAt + (row >>> 5)]! |= 1 << (row & 31);
  },
  flicker: {
    isOn: ({ rules, view }) => rules.noisyTiles === true && (view.kind === 'planes' || view.kind === 'ego'),
    draw({ rules, view }, state, at, { episodeSeed, obs, obsAt }) {
      if (rules.noisyTiles && (view.kind === 'planes' || view.kind === 'ego'))
        observeLooks(rules, view, state, at, episodeSeed, obs, obsAt);
    },
  },
  key: (_level, state, at, out, outAt) => keyOf(state, at, out, outAt),
  legal: (level, state, at) => (level.maskActions ? possibleActions(level.rules, state, at) || 0xffffffff : 0xffffffff),
  chances: ({ rules }) => (rules.map.slip[0] + rules.map.slip[2] > 0 ? 3 : 1) * 5 ** rules.map.obstacles.length,
  outcomes: outcomesOf,
  // obstacles move, so a path can only be planned as if they were not there
  shortestPath: (level) =>
    shortestPath(grid, { ...level, rules: { ...level.rules, map: { ...level.rules.map, obstacles: [] } } }),
  teach: (level) => ({ words: WORDS, subgoals: subgoalsOf(grid, level) }),
  subgoals: gridSubgoals,
  nearby: gridNearby,
  stride: ({ rules }) => rules.map.W,
  cell: (state, at) => cellOf(state[at]!),
  goals: {
    words: 1,
    bits: ({ rules }) => rules.map.W * rules.map.H + KEYS,
    reached: (_level, state, at, carried, into) =>
      void (into[0] = 1 + cellOf(state[at]!) + (carried ? keysHeld(state[at]!) << 16 : 0)),
    show({ rules }, goal, set) {
      set((goal[0]! & 0xffff) - 1);
      for (let k = 0; k < KEYS; k++) if ((goal[0]! >>> (16 + k)) & 1) set(rules.map.W * rules.map.H + k);
    },
  },
  isJunction: (level, state, at) => openNeighbors(level.rules.map, state, at) >= 3,
  placeBits: 10,
  layer: (state, at) => `${state[at]! >>> 12},${state[at + 1]},${state[at + 2]}`,
  scene(level, state, at) {
    const scene = sceneOf(level.rules, state, at);
    if (level.view.kind !== 'ego') return scene;
    const shown = cellsShownBy(level.rules, level.view, state, at);
    return { ...scene, shown, ...(shown.includes(level.cue ?? -1) && { isCue: true }) };
  },
  text: (level, state, at) => writeRows(level.rules.map, stateChars(level.rules, state, at)),
  signals: gridSignals(() => grid),
  gpu: { wgsl: async () => (await import('./stepWgsl.ts')).stepWgsl, packLevel },
};
