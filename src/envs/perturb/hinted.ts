import type { Environment, Subgoal } from '../types.ts';
import { compassBits, compassWords } from './compass.ts';
import { TOLD_WORDS } from './spoken.ts';
import { withWords } from './withWord.ts';

/** What a hint tells: of a tier, `part` + 1 parts. */
type Hint = { readonly tier: 'knowledge' | 'planning' | 'solution'; readonly part: number };

/** Parts of a tier; each hint tells those of the ones before it in its tier, too. */
const PARTS = 4;
/** Cells to each side within which a position is seen exactly. */
const NEAR = 7;
const FOUR = [0, 1, 2, 3];
const tier = (name: Hint['tier'], parts: readonly number[]): Hint[] => parts.map((part) => ({ tier: name, part }));

/** The hints of a world with a map, weakest first, and those of one without: nothing there has a place or a direction. */
const ON_MAP = [...tier('knowledge', FOUR), ...tier('planning', FOUR), ...tier('solution', FOUR)];
const OFF_MAP = [...tier('knowledge', [0]), ...tier('solution', FOUR)];

const DEALT = Symbol('hint');
const BASE = Symbol('base');
type WithHint = { readonly [DEALT]?: number; readonly [BASE]?: object };

/** What is known of a level. */
type Lesson = {
  /** words of a state in front of those that subgoals test */
  readonly before: number;
  readonly subgoals: readonly Subgoal[];
  /** a shortest solution, and which of its steps a state is at, by its key */
  readonly path: readonly number[];
  readonly stepOf: ReadonlyMap<string, number>;
  /** no two places of the map are further apart */
  readonly span: number;
};

/**
 * The world with room for hints (the hint channel of Scaf-GRPO). A state is the number of the hint, 0 for none, then the words
 * of the world. Nobody is dealt a hint: a rollout gives one to an episode that it plays once more, as a variant of its level.
 *
 *   knowledge   what comes next · how far it is, in quarters of the map · how many rows away · how many columns away
 *   planning    the direction to it, as one of 2 (an axis), 4, 8 and 16
 *   solution    the first quarter, half, three quarters, all of a shortest solution: in its states, what it does there
 *
 * `src/slots/wrapper/hints.wgsl` is the twin of a world in which no hint is given.
 */
export function hinted<L>(env: Environment<L>): Environment<L> {
  const inFront = withWords(env, 1);
  const { words } = inFront;
  const { teach, stride, deal } = env;
  const hints = stride ? ON_MAP : OFF_MAP;
  const inner = deal?.count ?? 1;
  const ownWords = stride ? 4 : 2;
  const wordsSeen = (level: L): number => Math.ceil(env.features(level) / 32);
  const hintIn = (state: Uint32Array, at: number): Hint | undefined => hints[state[at]! - 1];
  const lessons = new WeakMap<object, Lesson>();
  const key = new Uint32Array(2);
  const nameOf = (level: L, state: Uint32Array, at: number): string => {
    env.key(level, state, at, key, 0);
    return `${key[0]} ${key[1]}`;
  };

  /** Steps of a path by the states it meets, where chance does the most likely. */
  function stepsOf(level: L, path: readonly number[]): Map<string, number> {
    let state = new Uint32Array(env.words);
    env.reset(level, state, 0);
    const found = new Map<string, number>();
    path.forEach((action, k) => {
      const name = nameOf(level, state, 0);
      if (!found.has(name)) found.set(name, k);
      const results = env.outcomes(level, state, action);
      const chance = (o: (typeof results)[number]): number => o.numerator / o.denominator;
      state = Uint32Array.from(results.reduce((most, o) => (chance(o) > chance(most) ? o : most)).state);
    });
    return found;
  }

  function lessonOf(level: L): Lesson {
    const base = (level as WithHint)[BASE] ?? (level as object);
    let lesson = lessons.get(base);
    if (lesson) return lesson;
    const path = env.shortestPath(level) ?? [];
    const told = path.length > 0 ? teach?.(level) : undefined;
    const start = new Uint32Array(env.words);
    env.reset(level, start, 0);
    const { width, height } = env.scene(level, start, 0);
    lesson = {
      ...{ path, stepOf: stepsOf(level, path), span: Math.max(1, width + height - 2) },
      ...{ subgoals: told?.subgoals ?? [], before: words - (told?.words ?? 0) },
    };
    lessons.set(base, lesson);
    return lesson;
  }

  /** The first subgoal of the list that does not hold; the last one is success, which holds in no state that is played on. */
  const nextIn = ({ subgoals, before }: Lesson, state: Uint32Array, at: number): Subgoal | undefined =>
    subgoals.find(({ word, at: shift, mask, least, most }, k) => {
      if (k === subgoals.length - 1) return true;
      const field = ((state[at + before + word]! >>> shift) & mask) >>> 0;
      return field < least || field > most;
    });

  /** Columns and rows from the agent to a place. */
  function wayTo(level: L, { place }: Subgoal, state: Uint32Array, at: number): { dx: number; dy: number } {
    const W = stride!(level);
    const from = env.cell(state, at + 1);
    return { dx: (place % W) - (from % W), dy: Math.floor(place / W) - Math.floor(from / W) };
  }

  const quarterOf = ({ span }: Lesson, { dx, dy }: { dx: number; dy: number }): number =>
    Math.min(3, Math.floor((4 * (Math.abs(dx) + Math.abs(dy))) / (span + 1)));

  /** What the solution does in a state, where the hint reaches that far; −1: nothing is told. */
  function actionIn(level: L, lesson: Lesson, part: number, state: Uint32Array, at: number): number {
    const k = lesson.stepOf.get(nameOf(level, state, at + 1));
    const reach = Math.ceil(((part + 1) / PARTS) * lesson.path.length);
    return k !== undefined && k < reach ? lesson.path[k]! : -1;
  }

  function tell(level: L, state: Uint32Array, at: number, bits: Uint32Array, own: number): void {
    const { tier, part } = hintIn(state, at)!;
    const lesson = lessonOf(level);
    if (tier === 'solution') {
      const action = actionIn(level, lesson, part, state, at);
      if (action >= 0) bits[own + ownWords - 1] = (1 << action) >>> 0;
      return;
    }
    const next = nextIn(lesson, state, at);
    if (!next) return;
    const way = stride ? wayTo(level, next, state, at) : { dx: 0, dy: 0 };
    if (tier === 'planning') {
      bits[own + 2] = compassBits(way, part);
      return;
    }
    for (const word of next.says) bits[own]! |= 1 << TOLD_WORDS.indexOf(word);
    if (part >= 1) bits[own]! |= 1 << (TOLD_WORDS.length + quarterOf(lesson, way));
    const near = (d: number): number => Math.min(NEAR, Math.max(-NEAR, d)) + NEAR;
    if (part >= 2) bits[own + 1] = 1 << near(way.dy);
    if (part >= 3) bits[own + 1]! |= 1 << (2 * NEAR + 1 + near(way.dx));
  }

  /** The same for people. */
  function said(level: L, state: Uint32Array, at: number): string {
    const { tier, part } = hintIn(state, at)!;
    const lesson = lessonOf(level);
    if (tier === 'solution') {
      const action = actionIn(level, lesson, part, state, at);
      return action < 0 ? 'nothing here' : env.actions(level)[action]!;
    }
    const next = nextIn(lesson, state, at);
    if (!next) return 'nothing here';
    const way = stride ? wayTo(level, next, state, at) : { dx: 0, dy: 0 };
    if (tier === 'planning') return compassWords(way, part);
    const quarter = ['close', 'not far', 'far', 'very far'][quarterOf(lesson, way)]!;
    const rows = way.dy === 0 ? 'same row' : `${Math.abs(way.dy)} ${way.dy < 0 ? 'up' : 'down'}`;
    const columns = way.dx === 0 ? 'same column' : `${Math.abs(way.dx)} ${way.dx < 0 ? 'left' : 'right'}`;
    const what = next.says.join(' ').replace('cell:', '');
    return [what, quarter, rows, columns].slice(0, part + 1).join(', ');
  }

  /** Hint 3 of 12, knowledge: take red key, far, 3 up. */
  function hintText(level: L, state: Uint32Array, at: number): string | null {
    const hint = hintIn(state, at);
    return hint ? `Hint ${state[at]} of ${hints.length}, ${hint.tier}: ${said(level, state, at)}` : null;
  }

  return {
    ...inFront,
    reset(level, state, at) {
      state[at] = (level as WithHint)[DEALT] ?? 0;
      env.reset(level, state, at + 1);
    },
    outcomes: (level, from, action) =>
      env
        .outcomes(level, from.slice(1, words), action)
        .map((o) => ({ ...o, state: Uint32Array.of(from[0]!, ...o.state) })),
    deal: {
      ...inFront.deal,
      count: inner * (1 + hints.length),
      variant: (member, trains) => deal?.variant(member, trains) ?? 0,
      level(level, variant) {
        const own = variant % inner === 0 ? level : deal!.level(level, variant % inner);
        return { ...own, [DEALT]: Math.floor(variant / inner), [BASE]: own };
      },
      help: {
        ...{ count: hints.length, step: inner, told: hintText },
        forget: (state, at) => (state[at] = 0),
        solves(level) {
          const steps = lessonOf(level).path.length;
          return steps > 0 && steps <= env.maxSteps(level);
        },
      },
    },
    features: (level) => 32 * (wordsSeen(level) + ownWords - 1) + env.actions(level).length,
    observe(level, state, at, bits, bitsAt) {
      env.observe(level, state, at + 1, bits, bitsAt);
      const own = bitsAt + wordsSeen(level);
      bits.fill(0, own, own + ownWords);
      if (state[at] !== 0) tell(level, state, at, bits, own);
    },
    canonical(level, state, at, matters) {
      if (matters === 'world') state[at] = 0;
      env.canonical?.(level, state, at + 1, matters);
    },
    scene(level, state, at) {
      const scene = env.scene(level, state, at + 1);
      const hint = hintIn(state, at);
      const next = hint && hint.tier !== 'solution' ? nextIn(lessonOf(level), state, at) : undefined;
      if (!next || !stride) return scene;
      const W = stride(level);
      const cell = Math.floor(next.place / W) * scene.width + (next.place % W);
      return { ...scene, told: { words: said(level, state, at), cell } };
    },
    text(level, state, at) {
      const told = hintText(level, state, at);
      return `${told === null ? '' : `; ${told}\n`}${env.text(level, state, at + 1)}`;
    },
  };
}
