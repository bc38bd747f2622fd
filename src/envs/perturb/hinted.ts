import type { Environment, Subgoal } from '../types.ts';
import { compassBits, compassWords } from './compass.ts';
import { TOLD_WORDS } from './spoken.ts';
import { withWords } from './withWord.ts';

/** What a hint tells: of a tier, `part` + 1 parts. */
type Hint = { readonly tier: 'knowledge' | 'planning' | 'solution'; readonly part: number };

/** Parts of a tier; each hint tells those of the ones before it in its tier, too. */
const PARTS = 4;
/** Cells to each side within which a position is seen exactly; and the bits of it. */
const NEAR = 7;
const SEEN = 2 * NEAR + 1;
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
 * The world with room for hints (the hint channel of Scaf-GRPO). A state has in front the number of the hint, 0 for none, and the
 * words of what it tells, which are seen as they are. Nobody is dealt a hint: a rollout gives one to an episode that it plays once
 * more, as a variant of its level.
 *
 *   knowledge   what comes next · how far it is, in quarters of the map · how many rows away · how many columns away
 *   planning    the direction to it, as one of 2 (an axis), 4, 8 and 16
 *   solution    the first quarter, half, three quarters, all of a shortest solution: in its states, what it does there
 *
 * `src/slots/wrapper/hints.wgsl` is the twin of a world in which no hint is given.
 */
export function hinted<L>(env: Environment<L>): Environment<L> {
  const { teach, stride, deal } = env;
  const hints = stride ? ON_MAP : OFF_MAP;
  // what comes next and how far · where · which direction · what to do; without a map the first and the last
  const told = stride ? 4 : 2;
  const front = 1 + told;
  const inFront = withWords(env, front);
  const { words } = inFront;
  const inner = deal?.count ?? 1;
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
    const taught = path.length > 0 ? teach?.(level) : undefined;
    const start = new Uint32Array(env.words);
    env.reset(level, start, 0);
    const { width, height } = env.scene(level, start, 0);
    lesson = {
      ...{ path, stepOf: stepsOf(level, path), span: Math.max(1, width + height - 2) },
      ...{ subgoals: taught?.subgoals ?? [], before: words - (taught?.words ?? 0) },
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
    if (!stride) return { dx: 0, dy: 0 };
    const W = stride(level);
    const from = env.cell(state, at + front);
    return { dx: (place % W) - (from % W), dy: Math.floor(place / W) - Math.floor(from / W) };
  }

  /** Writes what the hint of a state tells there. */
  function tell(level: L, state: Uint32Array, at: number): void {
    const hint = hintIn(state, at);
    if (!hint) return;
    const own = at + 1;
    state.fill(0, own, own + told);
    const lesson = lessonOf(level);
    if (hint.tier === 'solution') {
      const k = lesson.stepOf.get(nameOf(level, state, at + front));
      const reach = Math.ceil(((hint.part + 1) / PARTS) * lesson.path.length);
      if (k !== undefined && k < reach) state[own + told - 1] = (1 << lesson.path[k]!) >>> 0;
      return;
    }
    const next = nextIn(lesson, state, at);
    if (!next) return;
    const way = wayTo(level, next, state, at);
    if (hint.tier === 'planning') {
      state[own + 2] = compassBits(way, hint.part);
      return;
    }
    for (const word of next.says) state[own]! |= 1 << TOLD_WORDS.indexOf(word);
    const quarter = Math.min(3, Math.floor((4 * (Math.abs(way.dx) + Math.abs(way.dy))) / (lesson.span + 1)));
    if (hint.part >= 1) state[own]! |= 1 << (TOLD_WORDS.length + quarter);
    const near = (d: number): number => Math.min(NEAR, Math.max(-NEAR, d)) + NEAR;
    if (hint.part >= 2) state[own + 1] = 1 << near(way.dy);
    if (hint.part >= 3) state[own + 1]! |= 1 << (SEEN + near(way.dx));
  }

  /** Rows and columns that a state tells; null: it does not. */
  const toldWay = (state: Uint32Array, at: number): { dy: number | null; dx: number | null } => {
    const [rows, columns] = [state[at + 2]! & (2 ** SEEN - 1), state[at + 2]! >>> SEEN];
    const off = (bits: number): number | null => (bits === 0 ? null : 31 - Math.clz32(bits) - NEAR);
    return { dy: off(rows), dx: off(columns) };
  };

  /** What a state tells, for people; empty: nothing. */
  function said(level: L, state: Uint32Array, at: number, hint: Hint): string {
    const own = at + 1;
    if (hint.tier === 'solution') {
      const bits = state[own + told - 1]!;
      return bits === 0 ? '' : env.actions(level)[31 - Math.clz32(bits)]!;
    }
    if (hint.tier === 'planning') return compassWords(state[own + 2]!, hint.part);
    const has = (k: number): boolean => ((state[own]! >>> k) & 1) === 1;
    const what = SPOKEN.filter((word) => has(TOLD_WORDS.indexOf(word))).join(' ');
    const far = ['close', 'not far', 'far', 'very far'].filter((_, k) => has(TOLD_WORDS.length + k));
    const { dx, dy } = stride ? toldWay(state, at) : { dx: null, dy: null };
    const off = (d: number | null, [same, less, more]: readonly [string, string, string]): string[] =>
      d === null ? [] : [d === 0 ? same : `${Math.abs(d)} ${d < 0 ? less : more}`];
    const where = [...off(dy, ['same row', 'up', 'down']), ...off(dx, ['same column', 'left', 'right'])];
    return [what.replace('cell:', ''), ...far, ...where].filter((text) => text !== '').join(', ');
  }

  /** “Hint 3 of 12, knowledge: take red key, far, 3 up.” */
  function hintText(level: L, state: Uint32Array, at: number): string | null {
    const hint = hintIn(state, at);
    if (!hint) return null;
    return `Hint ${state[at]} of ${hints.length}, ${hint.tier}: ${said(level, state, at, hint) || 'nothing here'}`;
  }

  return {
    ...inFront,
    reset(level, state, at) {
      inFront.reset(level, state, at);
      state[at] = (level as WithHint)[DEALT] ?? 0;
      tell(level, state, at);
    },
    step(level, state, at, move, result) {
      env.step(level, state, at + front, move, result);
      tell(level, state, at);
    },
    outcomes: (level, from, action) =>
      env.outcomes(level, from.slice(front, words), action).map((o) => {
        const state = new Uint32Array(words);
        state.set(from.subarray(0, front));
        state.set(o.state, front);
        tell(level, state, 0);
        return { ...o, state };
      }),
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
        forget: (state, at) => void state.fill(0, at, at + front),
        solves(level) {
          const steps = lessonOf(level).path.length;
          return steps > 0 && steps <= env.maxSteps(level);
        },
      },
    },
    features: (level) => 32 * (wordsSeen(level) + told - 1) + env.actions(level).length,
    observe(level, state, at, bits, bitsAt) {
      env.observe(level, state, at + front, bits, bitsAt);
      bits.set(state.subarray(at + 1, at + front), bitsAt + wordsSeen(level));
    },
    canonical(level, state, at, matters) {
      if (matters === 'world') state.fill(0, at, at + front);
      env.canonical?.(level, state, at + front, matters);
    },
    scene(level, state, at) {
      const scene = env.scene(level, state, at + front);
      const { dx, dy } =
        stride && hintIn(state, at)?.tier === 'knowledge' ? toldWay(state, at) : { dx: null, dy: null };
      if (dx === null || dy === null) return scene;
      // how far it is beyond that is not told
      const isSeen = Math.abs(dx) < NEAR && Math.abs(dy) < NEAR;
      const cell = isSeen ? scene.agent.cell + dy * scene.width + dx : null;
      return { ...scene, told: { words: hintText(level, state, at)!, cell } };
    },
    text(level, state, at) {
      const text = hintText(level, state, at);
      return `${text === null ? '' : `; ${text}\n`}${env.text(level, state, at + front)}`;
    },
  };
}

/** Words of a subgoal in the order in which they are said: what to do, of which color, with what. */
const ORDER = ['take', 'unlock', 'reach', 'bring', 'red', 'blue', 'green', 'yellow'];
const SPOKEN = [...ORDER, ...TOLD_WORDS.filter((word) => !ORDER.includes(word))];
