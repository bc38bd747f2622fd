import { log } from '../../core/fmath.ts';
import type { Environment } from '../types.ts';
import { withWords } from './withWord.ts';

/** Words of a state that hold what is recalled: two numbers for each of 32 actions at most, eight in a word. */
const WORDS = 8;
/** Bits of a number, and what it has to exceed for each: a scale of ln(1 + count)/ln 17, which is 1 at 16 times. */
const BITS = 4;
const STEPS = [0.125, 0.375, 0.625, 0.875];

/** A count as bits of a scale: more than about ½, 2, 5 and 11 times. */
export function scaleOf(count: number): number {
  const share = log(1 + count) / log(17);
  return STEPS.reduce((bits, step, k) => (share > step ? bits | (1 << k) : bits), 0);
}

/**
 * The world with room for what is recalled of a state: how often each action was good there, then how often it was bad. A state
 * has eight words more, in front, which are 0 until a rollout writes into them. Nothing of it changes the world.
 *
 * `src/slots/wrapper/library.wgsl` is the twin of a world in which nothing is recalled.
 */
export function recalled<L>(env: Environment<L>): Environment<L> {
  const inFront = withWords(env, WORDS);
  const { words } = inFront;
  const wordsSeen = (level: L): number => Math.ceil(env.features(level) / 32);
  const numberOf = (state: Uint32Array, at: number, n: number): number =>
    (state[at + (n >>> 3)]! >>> (BITS * (n & 7))) & 15;

  /** “good: right; bad: left, up”: the most frequent actions of each kind. */
  function told(level: L, state: Uint32Array, at: number): string | null {
    const names = env.actions(level);
    const most = (kind: string, from: number): string[] => {
      const numbers = names.map((_, a) => numberOf(state, at, from + a));
      const top = Math.max(...numbers);
      return top === 0 ? [] : [`${kind}: ${names.filter((_, a) => numbers[a] === top).join(', ')}`];
    };
    const found = [...most('good', 0), ...most('bad', names.length)];
    return found.length === 0 ? null : found.join('; ');
  }

  return {
    ...inFront,
    outcomes: (level, from, action) =>
      env.outcomes(level, from.slice(WORDS, words), action).map((o) => {
        const state = new Uint32Array(words);
        state.set(from.subarray(0, WORDS));
        state.set(o.state, WORDS);
        return { ...o, state };
      }),
    recalls: {
      told,
      write(level, state, at, counts) {
        state.fill(0, at, at + WORDS);
        const n = counts ? 2 * env.actions(level).length : 0;
        for (let k = 0; k < n; k++) state[at + (k >>> 3)]! |= scaleOf(counts![k]!) << (BITS * (k & 7));
      },
    },
    features: (level) => 32 * wordsSeen(level) + 2 * BITS * env.actions(level).length,
    observe(level, state, at, bits, bitsAt) {
      env.observe(level, state, at + WORDS, bits, bitsAt);
      const own = bitsAt + wordsSeen(level);
      const n = Math.ceil(env.actions(level).length / 4);
      for (let k = 0; k < n; k++) bits[own + k] = state[at + k]!;
    },
    canonical(level, state, at, matters) {
      if (matters === 'world') state.fill(0, at, at + WORDS);
      env.canonical?.(level, state, at + WORDS, matters);
    },
    text(level, state, at) {
      const known = told(level, state, at);
      return `${known === null ? '' : `; the library says ${known}\n`}${env.text(level, state, at + WORDS)}`;
    },
  };
}
