import { fail, ok, type Result } from '../../core/problem.ts';
import { below, PURPOSE, random, threefryInto } from '../../core/random.ts';
import type { AnyValues } from '../../core/settings.ts';
import { FLAG, type Environment, type Move, type Outcome, type StepResult } from '../types.ts';
import { goOn as clockAfter, isOver } from './clock.ts';
import { tokenIds } from '../vocabulary.ts';

/** h levels in a row; `symbols`: colors of the doors between them, 0 where nothing is carried from one to the next. */
export type SerialSettings = {
  readonly pieces: number;
  readonly symbols: number;
  /** is a found color seen only in the step in which it is found? */
  readonly hides: boolean;
  /** updates that training spends with each number of pieces but the last; 0: all of them from the start */
  readonly growEvery: number;
};

/** Name of what belongs to a row in the level of its first piece. */
const ROW = Symbol('row of levels');
/** The levels of all pieces, how many of them are played, and the step limit of them together. */
export type Row<L> = { readonly rooms: readonly L[]; readonly pieces: number; readonly T: number };
type Serial<L> = L & { readonly [ROW]: Row<L> };

/** What belongs to a row in a level that was made for it. */
export const rowOf = <L>(level: L): Row<L> => (level as Serial<L>)[ROW];

const COLORS = ['red', 'blue', 'green', 'yellow'] as const;
const GOAL = tokenIds(['goal'])[0]!;
const DOORS = tokenIds(COLORS);
const STEPS_MOST = 2048;

// Word in front of a state: the piece; 1 + the color found; it was found in the last step; at the doors behind a piece.
const pieceIn = (word: number): number => word & 15;
const symbolIn = (word: number): number => (word >>> 4) & 7;
const FRESH = 256;
const GATE = 512;

/**
 * Levels in a row, each with its own seed: reaching the goal of one is entering the next, with the clock going on, and only
 * the last one pays and ends the episode (h1, arXiv 2510.07312; R-HORIZON, 2510.08189).
 *
 * With symbols the pieces depend on each other. Who enters a piece after the first finds a color, each equally likely; at the
 * goal of that piece stand doors in all colors, and only the one of the color found leads on. Another one ends the episode.
 * The doors are `symbols` more actions, which do nothing elsewhere. A color that is hidden is seen in the step in which it is
 * found and then has to be remembered.
 *
 *   state: piece | (1 + color) << 4 | found now << 8 | at the doors << 9, then the words of the world
 *   seen: that of the world, one of h bits for the piece, one of M bits for the color, a bit for the doors
 *
 * `src/slots/wrapper/levelRow.wgsl` is the twin.
 */
export function serial<L>(env: Environment<L>, how: SerialSettings, rewards: AnyValues): Environment<L> {
  const { pieces: h, symbols: M, hides } = how;
  const words = env.words + 1;
  const [paid, step] = [Number(rewards['goal'] ?? 1000), Number(rewards['step'] ?? 0)];
  const grows = (s: AnyValues): boolean => how.growEvery > 0 && (env.families?.(s) ?? []).length === 0;
  const here = (level: L, state: Uint32Array, at: number): L => rowOf(level).rooms[pieceIn(state[at]!)]!;
  const first = (level: L): L => rowOf(level).rooms[0]!;
  const actionsOf = (level: L): number => env.actions(first(level)).length;
  const move: Move = { action: 0, seed: 0 };

  /** Seed of piece j: its own, where levels are a ladder at the same rung. */
  const seedOf = (s: AnyValues, levelSeed: number, j: number): number => {
    const seed = grows(s) ? (levelSeed & ~7) >>> 0 : levelSeed;
    if (j === 0) return seed;
    const own = random(seed, PURPOSE.levelRow, j, 0, 0);
    return (env.families?.(s) ?? []).length > 0 ? ((own & ~255) | (seed & 255)) >>> 0 : own;
  };

  function level(s: AnyValues, own: AnyValues, levelSeed: number): Result<L> {
    if (env.asks) {
      const repair = { label: 'ask nothing', set: [{ path: 'task.question.on', value: false }] };
      const message = 'cannot repeat a world that asks a question';
      return fail({ kind: 'configRejected', issues: [{ path: 'task.levelRow.on', message, repair }] });
    }
    // each piece on its own is whole: here it is the number of pieces that grows
    const plain = { ...s, growEvery: 0 };
    const wanted = s['maxSteps'] as number;
    const one = wanted > 0 ? null : env.level(plain, own, seedOf(s, levelSeed, 0));
    if (one && !one.ok) return one;
    const whole = Math.min(STEPS_MOST, one ? h * env.maxSteps(one.value) : wanted);
    const pieces = grows(s) ? Math.min(h, (levelSeed & 7) + 1) : h;
    const T = Math.ceil((whole * pieces) / h);
    const rooms: L[] = [];
    for (let j = 0; j < h; j++) {
      const made = env.level({ ...plain, maxSteps: T }, own, seedOf(s, levelSeed, j));
      if (!made.ok) return made;
      rooms.push(made.value);
    }
    return ok({ ...rooms[0]!, [ROW]: { rooms, pieces, T } });
  }

  /** The clock of a state of the world after step t, in a world where nothing has ended. */
  function goOn(level: L, state: Uint32Array, at: number, t: number, result: StepResult): void {
    state[at + words - 1] = clockAfter(t, rowOf(level).T, result);
  }

  /** Enters the next piece, where a color is found: 1 + color, 0 where there are none. */
  function enter(level: L, state: Uint32Array, at: number, piece: number, symbol: number): void {
    state[at] = piece | (symbol << 4) | (symbol > 0 ? FRESH : 0);
    env.reset(rowOf(level).rooms[piece]!, state, at + 1);
  }

  /** What becomes of a state that reached the goal of its piece in step t. */
  function reached(level: L, state: Uint32Array, at: number, t: number, result: StepResult, symbol: number): void {
    const piece = pieceIn(state[at]!);
    if (M > 0 && piece > 0) {
      state[at] = (state[at]! & ~FRESH) | GATE;
    } else if (piece + 1 === rowOf(level).pieces) {
      return;
    } else {
      enter(level, state, at, piece + 1, symbol);
    }
    result.reward = step;
    goOn(level, state, at, t, result);
  }

  /** Door m, at the doors of a piece. */
  function pass(
    level: L,
    state: Uint32Array,
    at: number,
    m: number,
    t: number,
    result: StepResult,
    symbol: number,
  ): void {
    const word = state[at]!;
    const isTrue = symbolIn(word) === m + 1;
    const isLast = pieceIn(word) + 1 === rowOf(level).pieces;
    result.reward = step;
    result.flags = 0;
    if (isTrue && !isLast) {
      enter(level, state, at, pieceIn(word) + 1, symbol);
      return goOn(level, state, at, t, result);
    }
    if (isTrue) result.reward = step + paid;
    result.flags = FLAG.terminated | (isTrue ? FLAG.success : 0);
    state[at + words - 1] = (t + 1) | (result.flags << 16);
  }

  /** A step in which nothing happens: a door where there is none, or a move at the doors. */
  function idle(level: L, state: Uint32Array, at: number, t: number, result: StepResult): void {
    state[at]! &= ~FRESH;
    result.reward = step;
    result.flags = FLAG.noEffect;
    goOn(level, state, at, t, result);
  }

  function stepped(
    level: L,
    state: Uint32Array,
    at: number,
    { action, seed }: Readonly<Move>,
    result: StepResult,
  ): void {
    const clock = state[at + words - 1]!;
    if (isOver(clock, result)) return;
    const t = clock & 0xffff;
    const own = actionsOf(level);
    const symbol = M > 0 ? 1 + below(random(seed, PURPOSE.levelRow, pieceIn(state[at]!), 1, 0), M) : 0;
    const atDoors = (state[at]! & GATE) !== 0;
    const isDoor = action >= own && action < own + M;
    if (atDoors && isDoor) return pass(level, state, at, action - own, t, result, symbol);
    if (atDoors || isDoor) return idle(level, state, at, t, result);
    move.action = action;
    move.seed = seed;
    env.step(here(level, state, at), state, at + 1, move, result);
    state[at]! &= ~FRESH;
    if ((result.flags & FLAG.success) !== 0) reached(level, state, at, t, result, symbol);
  }

  /** All colors that may be found next, each with the state that it leads to. */
  function found(make: (symbol: number) => Omit<Outcome, 'numerator' | 'denominator'>, from: Outcome): Outcome[] {
    const all = Array.from({ length: Math.max(1, M) }, (_, m) => make(M > 0 ? m + 1 : 0));
    const isOne = all.every(({ state }) => state.every((word, k) => word === all[0]!.state[k]));
    return isOne
      ? [{ ...all[0]!, numerator: from.numerator, denominator: from.denominator }]
      : all.map((o) => ({ ...o, numerator: from.numerator, denominator: from.denominator * M }));
  }

  function outcomes(level: L, from: Uint32Array, action: number): readonly Outcome[] {
    const own = actionsOf(level);
    const atDoors = (from[0]! & GATE) !== 0;
    const isDoor = action >= own && action < own + M;
    const after = (does: (state: Uint32Array, result: StepResult) => void, start: Uint32Array) => {
      const state = start.slice();
      const result = { reward: 0, flags: 0 };
      does(state, result);
      state[words - 1] = 0;
      return { state, reward: result.reward, flags: result.flags & ~FLAG.truncated };
    };
    const sure = { numerator: 1, denominator: 1 } as Outcome;
    const start = from.slice(0, words);
    start[words - 1] = 0;
    if (atDoors && isDoor)
      return found((symbol) => after((state, r) => pass(level, state, 0, action - own, 0, r, symbol), start), sure);
    if (atDoors || isDoor) return [{ ...sure, ...after((state, r) => idle(level, state, 0, 0, r), start) }];
    return env.outcomes(here(level, from, 0), start.slice(1), action).flatMap((o) => {
      const next = Uint32Array.of(from[0]! & ~FRESH, ...o.state);
      if ((o.flags & FLAG.success) === 0) return [{ ...o, state: next }];
      const last = { reward: o.reward, flags: o.flags };
      return found((symbol) => {
        const made = after((state, r) => {
          Object.assign(r, last);
          reached(level, state, 0, 0, r, symbol);
        }, next);
        return made;
      }, o);
    });
  }

  const bitsSeen = h + (M > 0 ? M + 1 : 0);
  function observe(level: L, state: Uint32Array, at: number, bits: Uint32Array, bitsAt: number): void {
    env.observe(here(level, state, at), state, at + 1, bits, bitsAt);
    const features = env.features(first(level));
    bits.fill(0, bitsAt + Math.ceil(features / 32), bitsAt + Math.ceil((features + bitsSeen) / 32));
    const set = (k: number): void => {
      const bit = features + k;
      bits[bitsAt + (bit >>> 5)]! |= 1 << (bit & 31);
    };
    const word = state[at]!;
    set(pieceIn(word));
    if (symbolIn(word) > 0 && (!hides || (word & FRESH) !== 0)) set(h + symbolIn(word) - 1);
    if ((word & GATE) !== 0) set(h + M);
  }

  /** What a person is told beside the world. */
  function told(level: L, word: number): string[] {
    const color = COLORS[symbolIn(word) - 1];
    return [
      `level ${pieceIn(word) + 1} of ${rowOf(level).pieces}`,
      ...(color ? [color] : []),
      ...((word & GATE) !== 0 ? ['at the doors'] : []),
    ];
  }

  const { canonical, flicker } = env;
  return {
    ...{ id: env.id, title: env.title, family: env.family, settings: env.settings, rewards: env.rewards },
    ...{ editor: env.editor, words, level, step: stepped, outcomes, observe },
    ...(env.published && { published: env.published }),
    ...(env.prepare && { prepare: env.prepare }),
    ...(env.families && { families: env.families }),
    stages: (s) => (grows(s) ? h : 1),
    growEvery: () => how.growEvery,
    maxSteps: (level) => rowOf(level).T,
    actions: (level) => [...env.actions(first(level)), ...COLORS.slice(0, M).map((color) => `door ${color}`)],
    board: (level) => env.board?.(first(level)) ?? null,
    features: (level) => env.features(first(level)) + bitsSeen,
    language: {
      length: (level) => env.language.length(first(level)),
      speaks: (level) => env.language.speaks(first(level)),
      commands: (level) => [...env.language.commands(first(level)), ...DOORS.slice(0, M).map((word) => [GOAL, word])],
    },
    reset(level, state, at) {
      state[at] = 0;
      env.reset(first(level), state, at + 1);
    },
    ...(flicker && {
      flicker: {
        isOn: (level) => flicker.isOn(first(level)),
        draw: (level, state, at, seen) => flicker.draw(here(level, state, at), state, at + 1, seen),
      },
    }),
    ...(canonical && {
      canonical: (level, state, at, matters) => canonical(here(level, state, at), state, at + 1, matters),
    }),
    key(level, state, at, out, outAt) {
      env.key(here(level, state, at), state, at + 1, out, outAt);
      threefryInto(out[outAt]!, out[outAt + 1]!, state[at]!, 0, out, outAt);
    },
    legal(level, state, at) {
      const legal = env.legal(here(level, state, at), state, at + 1);
      const own = actionsOf(level);
      if (legal === 0xffffffff || own + M > 32) return 0xffffffff;
      const isGate = (state[at]! & GATE) !== 0;
      return (isGate ? (2 ** M - 1) * 2 ** own : legal & (2 ** own - 1)) >>> 0;
    },
    chances: (level) => Math.max(...rowOf(level).rooms.map((room) => env.chances(room))) * Math.max(1, M),
    // which color will be found nobody can know before
    shortestPath(level) {
      if (M > 0) return null;
      const { rooms, pieces } = rowOf(level);
      const paths = rooms.slice(0, pieces).map((room) => env.shortestPath(room));
      return paths.some((path) => path === null) ? null : paths.flatMap((path) => path!);
    },
    scene(level, state, at) {
      const scene = env.scene(here(level, state, at), state, at + 1);
      const isCue = hides && (state[at]! & FRESH) !== 0;
      return { ...scene, holding: [...scene.holding, ...told(level, state[at]!)], ...(isCue && { isCue }) };
    },
    cell: (state, at) => env.cell(state, at + 1),
    layer: (state, at) => `${state[at]},${env.layer(state, at + 1)}`,
    text: (level, state, at) =>
      `; ${told(level, state[at]!).join(', ')}\n${env.text(here(level, state, at), state, at + 1)}`,
    checkpoints: (level) => ({
      names: Array.from({ length: rowOf(level).pieces }, (_, j) => `level ${j + 1} done`),
      reached(state, at) {
        const isDone = ((state[at + words - 1]! >>> 16) & FLAG.success) !== 0;
        return pieceIn(state[at]!) + (isDone ? 1 : 0);
      },
    }),
    ...(env.gpu && {
      gpu: {
        ...env.gpu,
        packLevel(level) {
          const { rooms, pieces, T } = rowOf(level);
          const packed = rooms.map((room) => env.gpu!.packLevel(room));
          const size = packed[0]!.length;
          const all = new Uint32Array(h * size + 2);
          packed.forEach((words, j) => all.set(words, j * size));
          all.set([pieces, T], h * size);
          return all;
        },
      },
    }),
  };
}
