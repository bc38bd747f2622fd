import type { Environment, Goals } from '../types.ts';
import { withWords } from './withWord.ts';

/** Of a world in which nothing can be asked for. */
const NONE: Goals<unknown> = {
  words: 1,
  bits: () => 0,
  reached: (_level, _state, _at, _carried, into) => void into.fill(1),
  show: () => undefined,
};

/**
 * The world with what is asked of the agent in front of its states, which is seen. All 0, as in every episode that is played, it
 * is what the level is about: what the last state of a shortest solution brings about. A rollout may ask for something else where
 * an episode is played again. Nothing of it changes the world, or what succeeds.
 *
 * `src/slots/wrapper/goal.wgsl` is the twin of a world in which nothing else is asked for.
 */
export function aimed<L>(env: Environment<L>, { carried }: { readonly carried: boolean }): Environment<L> {
  const goals: Goals<L> = env.goals ?? (NONE as Goals<L>);
  const n = goals.words;
  const inFront = withWords(env, n);
  const { words } = inFront;
  const wordsSeen = (level: L): number => Math.ceil(env.features(level) / 32);
  const wordsOf = (level: L): number => Math.ceil(goals.bits(level) / 32);
  const known = new WeakMap<object, Uint32Array>();

  /** The last state of a shortest solution, where chance does the most likely; null: there is none. */
  function endOf(level: L): Uint32Array | null {
    const path = env.shortestPath(level);
    if (!path) return null;
    let state = new Uint32Array(env.words);
    env.reset(level, state, 0);
    for (const action of path) {
      const results = env.outcomes(level, state, action);
      const chance = (o: (typeof results)[number]): number => o.numerator / o.denominator;
      state = Uint32Array.from(results.reduce((most, o) => (chance(o) > chance(most) ? o : most)).state);
    }
    return state;
  }

  const bitsOf = (level: L, goal: Uint32Array): Uint32Array => {
    const bits = new Uint32Array(wordsOf(level));
    goals.show(level, goal, (bit) => (bits[bit >>> 5]! |= 1 << (bit & 31)));
    return bits;
  };

  /** The bits of what the level is about. */
  function wantedIn(level: L): Uint32Array {
    let bits = known.get(level as object);
    if (bits) return bits;
    const goal = new Uint32Array(n);
    const end = goals.wanted ? null : endOf(level);
    goals.wanted?.(level, goal);
    if (end) goals.reached(level, end, 0, carried, goal);
    bits = goals.wanted || end ? bitsOf(level, goal) : new Uint32Array(wordsOf(level));
    known.set(level as object, bits);
    return bits;
  }

  const isAsked = (state: Uint32Array, at: number): boolean => state.subarray(at, at + n).some((word) => word !== 0);

  return {
    ...inFront,
    aims: {
      ...{ words: n, before: 0 },
      reached: (level, state, at, into) => goals.reached(level, state, at + n, carried, into),
    },
    outcomes: (level, from, action) =>
      env.outcomes(level, from.slice(n, words), action).map((o) => {
        const state = new Uint32Array(words);
        state.set(from.subarray(0, n));
        state.set(o.state, n);
        return { ...o, state };
      }),
    features: (level) => 32 * wordsSeen(level) + goals.bits(level),
    observe(level, state, at, bits, bitsAt) {
      env.observe(level, state, at + n, bits, bitsAt);
      const own = isAsked(state, at) ? bitsOf(level, state.slice(at, at + n)) : wantedIn(level);
      bits.set(own, bitsAt + wordsSeen(level));
    },
    canonical(level, state, at, matters) {
      if (matters === 'world') state.fill(0, at, at + n);
      env.canonical?.(level, state, at + n, matters);
    },
    scene(level, state, at) {
      const scene = env.scene(level, state, at + n);
      if (!isAsked(state, at)) return scene;
      let first = -1;
      goals.show(level, state.slice(at, at + n), (bit) => (first = first < 0 ? bit : first));
      return {
        ...scene,
        told: { words: 'Asked for this, not for the goal', cell: env.stride && first >= 0 ? first : null },
      };
    },
    text: (level, state, at) =>
      `${isAsked(state, at) ? '; asked for something else than the goal\n' : ''}${env.text(level, state, at + n)}`,
    ...(env.gpu && {
      gpu: {
        ...env.gpu,
        packLevel: (level) => Uint32Array.of(...env.gpu!.packLevel(level), wordsOf(level), ...wantedIn(level)),
      },
    }),
  };
}
