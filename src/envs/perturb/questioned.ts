import { rungAt } from '../../contract/taskContext.ts';
import { below, PURPOSE, random } from '../../core/random.ts';
import { fail, ok } from '../../core/problem.ts';
import type { AnyValues } from '../../core/settings.ts';
import { branches, firstStates } from '../enumerate.ts';
import { FLAG, type Environment, type Move, type Outcome, type StepResult } from '../types.ts';
import { isOver } from './clock.ts';
import { tokenIds } from '../vocabulary.ts';
import { ANSWER_WORDS, ANSWERS } from './spoken.ts';
import { withWord } from './withWord.ts';

/** How many answers there are, and how many signs that each exclude one of the wrong ones. */
export type QuestionSettings = { readonly answers: number; readonly signs: number };

/** How a sign is drawn. */
const SIGN = { item: 'bonus' } as const;
const GOAL = tokenIds(['goal'])[0]!;
/** Levels with more states are not listed: their signs stand at places among the first. */
const MOST_STATES = 20_000;
const FIRST_STATES = 2000;

// Word in front of a state: answers that are excluded, bit m; signs that were read, bit 8 + k.
const excludedIn = (word: number): number => word & 15;
const isRead = (word: number, k: number): boolean => ((word >>> (8 + k)) & 1) === 1;
const bitsIn = (x: number): number => (x & 1) + ((x >>> 1) & 1) + ((x >>> 2) & 1) + ((x >>> 3) & 1);

/** The true answer of an episode with this seed. */
export const truthOf = (seed: number, answers: number): number =>
  below(random(seed, PURPOSE.question, 0, 0, 0), answers);

/** Where the signs of a level are: places as `cell` tells them, and the cell of the drawing. */
type Signs = { readonly places: Uint32Array; readonly drawn: readonly number[] };

/** Places that the agent can reach, in the order in which it can, without the start; null: no other, or too much chance. */
function signsOf<L>(env: Environment<L>, level: L, signs: number): Signs | null {
  const all = firstStates(env, level, MOST_STATES + 1);
  if (!all) return null;
  const places = new Map<number, Uint32Array>();
  for (const state of all.length <= MOST_STATES ? all : all.slice(0, FIRST_STATES)) {
    const place = env.cell(state, 0);
    if (!places.has(place)) places.set(place, state);
  }
  const [, ...others] = [...places];
  if (others.length === 0) return null;
  // where there are fewer places than signs, some places have several
  const chosen = Array.from({ length: signs }, (_, k) => others[Math.floor(((k + 1) * others.length) / (signs + 1))]!);
  return {
    places: Uint32Array.from(chosen, ([place]) => place),
    drawn: chosen.map(([, state]) => env.scene(level, state, 0).agent.cell),
  };
}

/**
 * A question in a world: the treasure is behind one of M colors. Signs lie at places of the level, spread evenly over the
 * order in which they are reached; who comes to one for the first time learns of one wrong answer that it is wrong. M more
 * actions answer, and end the episode: with success where the answer is the true one of the episode, which its seed draws.
 * The goal of the world itself pays nothing and ends nothing.
 *
 *   state: excluded answers | signs read << 8, then the words of the world        an answer that is left is true with 1/left
 *
 * So what an agent knows is the state, and values are exact. `src/slots/wrapper/question.wgsl` is the twin.
 */
export function questioned<L>(
  env: Environment<L>,
  { answers: M, signs: K }: QuestionSettings,
  rewards: AnyValues,
): Environment<L> {
  const inFront = withWord(env);
  const words = inFront.words;
  const [paid, step] = [Number(rewards['goal'] ?? 1000), Number(rewards['step'] ?? 0)];
  const known = new WeakMap<object, Signs | null>();
  const signsIn = (level: L): Signs | null => {
    const found = known.get(level as object);
    if (found !== undefined) return found;
    const made = signsOf(env, level, K);
    known.set(level as object, made);
    return made;
  };
  const ownOf = (level: L): number => env.actions(level).length;
  const wordsSeen = (level: L): number => Math.ceil(env.features(level) / 32);
  const move: Move = { action: 0, seed: 0 };

  /** Answer m ends the episode. */
  function answered(isTrue: boolean, t: number, state: Uint32Array, at: number, result: StepResult): void {
    result.reward = step + (isTrue ? paid : 0);
    result.flags = FLAG.terminated | (isTrue ? FLAG.success : 0);
    state[at + words - 1] = (t + 1) | (result.flags << 16);
  }

  /** The word after coming to `place`; `pick(n, k)`: which of n wrong answers sign k excludes. */
  function readAt(
    level: L,
    place: number,
    word: number,
    truth: number,
    pick: (n: number, k: number) => number,
  ): number {
    const { places } = signsIn(level)!;
    for (let k = 0; k < K; k++) {
      if (places[k] !== place || isRead(word, k)) continue;
      word |= 1 << (8 + k);
      const n = M - 1 - bitsIn(excludedIn(word));
      if (n <= 0) continue;
      let left = pick(n, k);
      for (let m = 0; m < M; m++) {
        if (m === truth || ((word >>> m) & 1) === 1) continue;
        if (left-- === 0) word |= 1 << m;
      }
    }
    return word;
  }

  const { solve: _none, teach: _neither, ...rest } = inFront;
  return {
    ...rest,
    asks: {
      answers: M,
      first: ownOf,
      truth: (seed) => truthOf(seed, M),
      fits: (seed, state, at) => ((state[at]! >>> truthOf(seed, M)) & 1) === 0,
      left: (state, at) => M - bitsIn(excludedIn(state[at]!)),
    },
    level(given, own, seed) {
      const made = env.level(given, own, seed);
      if (!made.ok) return made;
      // on a ladder the easiest levels decide for all: they are the smallest ones
      const easiest = (env.families?.(given) ?? []).map((_, family) => env.level(given, own, rungAt(seed, family, 0)));
      const hasRoom = easiest.every((rung) => rung.ok && signsIn(rung.value) !== null);
      if (hasRoom && signsIn(made.value)) return ok(made.value);
      const message = branches(env, made.value)
        ? 'needs a world in which less moves by chance'
        : 'needs a level in which there is more than one place to be';
      const repair = { label: 'ask nothing', set: [{ path: 'task.question.on', value: false }] };
      return fail({ kind: 'configRejected', issues: [{ path: 'task.question.on', message, repair }] });
    },
    actions: (level) => [...env.actions(level), ...ANSWERS.slice(0, M).map((color) => `answer ${color}`)],
    features: (level) => 32 * wordsSeen(level) + (env.language.speaks(level) ? 32 : M),
    language: {
      ...env.language,
      length: (level) => env.language.length(level) + 4,
      commands: (level) => [...env.language.commands(level), ...ANSWER_WORDS.slice(0, M).map((word) => [GOAL, word])],
    },
    step(level, state, at, { action, seed }, result) {
      const clock = state[at + words - 1]!;
      if (isOver(clock, result)) return;
      const t = clock & 0xffff;
      const own = ownOf(level);
      if (action >= own && action < own + M) return answered(action - own === truthOf(seed, M), t, state, at, result);
      move.action = action;
      move.seed = seed;
      env.step(level, state, at + 1, move, result);
      if ((result.flags & FLAG.success) !== 0) {
        result.reward = step;
        const isLast = t + 1 >= env.maxSteps(level);
        result.flags = (result.flags & ~15) | (isLast ? FLAG.truncated : 0);
        state[at + words - 1] = (t + 1) | ((result.flags & 15) << 16);
      }
      const pick = (n: number, k: number): number => below(random(seed, PURPOSE.question, 1, k, 0), n);
      state[at] = readAt(level, env.cell(state, at + 1), state[at]!, truthOf(seed, M), pick);
    },
    observe(level, state, at, bits, bitsAt) {
      env.observe(level, state, at + 1, bits, bitsAt);
      const excluded = excludedIn(state[at]!);
      let seen = excluded;
      if (env.language.speaks(level)) {
        seen = 0;
        for (let m = 0; m < M; m++) if (((excluded >>> m) & 1) === 1) seen |= ANSWER_WORDS[m]! << (8 * m);
      }
      bits[bitsAt + wordsSeen(level)] = seen;
    },
    legal(level, state, at) {
      const legal = env.legal(level, state, at + 1);
      const own = ownOf(level);
      if (legal === 0xffffffff || own + M > 32) return 0xffffffff;
      return ((legal & (2 ** own - 1)) | ((2 ** M - 1) << own)) >>> 0;
    },
    chances: (level) => env.chances(level) * M,
    outcomes(level, from, action): readonly Outcome[] {
      const own = ownOf(level);
      const word = from[0]!;
      const left = M - bitsIn(excludedIn(word));
      if (action >= own && action < own + M) {
        const isLeft = ((word >>> (action - own)) & 1) === 0;
        return [true, false].flatMap((isTrue): Outcome[] => {
          const numerator = isTrue ? (isLeft ? 1 : 0) : isLeft ? left - 1 : left;
          if (numerator === 0) return [];
          const state = from.slice(0, words);
          const result = { reward: 0, flags: 0 };
          answered(isTrue, 0, state, 0, result);
          state[words - 1] = 0;
          return [{ numerator, denominator: left, state, ...result }];
        });
      }
      return env.outcomes(level, from.slice(1, words), action).flatMap((o): Outcome[] => {
        const isGoal = (o.flags & FLAG.success) !== 0;
        const same = { reward: isGoal ? step : o.reward, flags: isGoal ? o.flags & ~15 : o.flags };
        const results = new Map<number, number>();
        // each answer that is left is equally likely the true one, and the sign picks among the others
        for (let truth = 0; truth < M; truth++) {
          if (((word >>> truth) & 1) === 1) continue;
          for (let j = 0; j < Math.max(1, left - 1); j++) {
            const next = readAt(level, env.cell(o.state, 0), word, truth, () => j);
            results.set(next, (results.get(next) ?? 0) + 1);
          }
        }
        const all = left * Math.max(1, left - 1);
        return [...results].map(([next, n]) => ({
          ...same,
          numerator: o.numerator * n,
          denominator: o.denominator * all,
          state: Uint32Array.of(next, ...o.state),
        }));
      });
    },
    // which answer is true nobody can know before
    shortestPath: () => null,
    scene(level, state, at) {
      const scene = env.scene(level, state, at + 1);
      const word = state[at]!;
      const cells = scene.cells.map((cell) => (cell.item === 'goal' ? { ground: cell.ground } : cell));
      signsIn(level)?.drawn.forEach((cell, k) => {
        const at = cells[cell]!;
        if (isRead(word, k)) return;
        if (at.label !== undefined) cells[cell] = { ...at, items: [...(at.items ?? []), SIGN] };
        else if (at.item === undefined) cells[cell] = { ...at, ...SIGN };
      });
      const excluded = ANSWERS.filter((_, m) => ((word >>> m) & 1) === 1).map((color) => `not ${color}`);
      const said = scene.said && [...scene.said, ...excluded.map((words) => `${words} .`)];
      return { ...scene, cells, holding: [...scene.holding, ...excluded], ...(said ? { said } : {}) };
    },
    text(level, state, at) {
      const word = state[at]!;
      const left = ANSWERS.slice(0, M).filter((_, m) => ((word >>> m) & 1) === 0);
      return `; the answer may be: ${left.join(', ')}\n${env.text(level, state, at + 1)}`;
    },
    ...(env.gpu && {
      gpu: {
        ...env.gpu,
        packLevel: (level) => Uint32Array.of(...env.gpu!.packLevel(level), ...signsIn(level)!.places),
      },
    }),
  };
}
