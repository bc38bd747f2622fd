import { threefryInto } from '../../core/random.ts';
import type { Remembered, Vocabulary } from '../subgoals.ts';
import type { Environment } from '../types.ts';

/**
 * The world with `n` words more in front of its states, which begin at 0 and which nothing changes or tells apart: everything
 * passes on to the words of the world. Whoever uses it replaces what differs, `outcomes` and what else reads the words.
 */
export function withWords<L>(env: Environment<L>, n: number): Environment<L> {
  const { asks, canonical, flicker, signals, deal, teaches, checkpoints, isJunction, recalls } = env;
  const { notebook, keeps, goals, aims, subgoals, nearby, aiming } = env;
  const { budget, help } = deal ?? {};
  return {
    ...env,
    words: env.words + n,
    reset(level, state, at) {
      state.fill(0, at, at + n);
      env.reset(level, state, at + n);
    },
    step: (level, state, at, move, result) => env.step(level, state, at + n, move, result),
    observe: (level, state, at, bits, bitsAt) => env.observe(level, state, at + n, bits, bitsAt),
    ...(flicker && {
      flicker: { isOn: flicker.isOn, draw: (level, state, at, seen) => flicker.draw(level, state, at + n, seen) },
    }),
    ...(canonical && { canonical: (level, state, at, matters) => canonical(level, state, at + n, matters) }),
    key: (level, state, at, out, outAt) => env.key(level, state, at + n, out, outAt),
    ...(signals && {
      signals: {
        ...signals,
        tell: (known, state, at, out) => signals.tell(known, state, at + n, out),
        novelKey: (level, state, at, out, outAt) => signals.novelKey(level, state, at + n, out, outAt),
        ...(signals.cover && {
          cover: (level, state, at, radius, add) => signals.cover!(level, state, at + n, radius, add),
        }),
      },
    }),
    ...(deal && {
      deal: {
        ...deal,
        ...(budget && { budget: (level, state, at) => budget(level, state, at + n) }),
        ...(help && {
          help: {
            ...help,
            told: (level, state, at) => help.told(level, state, at + n),
            forget: (state, at) => help.forget(state, at + n),
          },
        }),
      },
    }),
    ...(recalls && {
      recalls: {
        told: (level, state, at) => recalls.told(level, state, at + n),
        write: (level, state, at, counts) => recalls.write(level, state, at + n, counts),
      },
    }),
    ...(notebook && {
      notebook: {
        ...notebook,
        isDue: (state, at) => notebook.isDue(state, at + n),
        told: (state, at) => notebook.told(state, at + n),
        read: (state, at) => notebook.read(state, at + n),
        put: (state, at, note) => notebook.put(state, at + n, note),
      },
    }),
    ...(subgoals && { subgoals: subgoals.map((vocabulary) => vocabularyBehind(vocabulary, n)) }),
    ...(nearby && {
      nearby: {
        ...nearby,
        observe: (level, state, at, bits, bitsAt) => nearby.observe(level, state, at + n, bits, bitsAt),
      },
    }),
    ...(aiming && {
      aiming: {
        ...aiming,
        chosen: (state, at) => aiming.chosen(state, at + n),
        reached: (level, state, at) => aiming.reached(level, state, at + n),
        holds: (level, state, at, goal) => aiming.holds(level, state, at + n, goal),
      },
    }),
    ...(keeps && {
      keeps: {
        ...keeps,
        read: (state, at, into) => keeps.read(state, at + n, into),
        put: (state, at, from) => keeps.put(state, at + n, from),
        isNew: (state, before, at) => keeps.isNew(state, before + n, at + n),
      },
    }),
    ...(goals && {
      goals: {
        ...goals,
        reached: (level, state, at, carried, into) => goals.reached(level, state, at + n, carried, into),
      },
    }),
    ...(aims && {
      aims: {
        ...aims,
        before: aims.before + n,
        reached: (level, state, at, into) => aims.reached(level, state, at + n, into),
      },
    }),
    ...(asks && {
      asks: {
        ...asks,
        fits: (seed, state, at) => asks.fits(seed, state, at + n),
        left: (state, at) => asks.left(state, at + n),
      },
    }),
    ...(teaches && {
      teaches: {
        ...teaches,
        word: teaches.word + n,
        reached: (level, state, at) => teaches.reached(level, state, at + n),
        told: (state, at) => teaches.told(state, at + n),
      },
    }),
    ...(checkpoints && {
      checkpoints(level) {
        const known = checkpoints(level);
        return { ...known, reached: (state, at) => known.reached(state, at + n) };
      },
    }),
    legal: (level, state, at) => env.legal(level, state, at + n),
    scene: (level, state, at) => env.scene(level, state, at + n),
    cell: (state, at) => env.cell(state, at + n),
    ...(isJunction && {
      isJunction: (level, state, at, before) => isJunction(level, state, at + n, before + n),
    }),
    layer: (state, at) => env.layer(state, at + n),
    text: (level, state, at) => env.text(level, state, at + n),
  };
}

/** A vocabulary of a world that stands n words further. */
function vocabularyBehind<L>(own: Vocabulary<L>, n: number): Vocabulary<L> {
  const { memory } = own;
  const behind = (of: Remembered): Remembered => ({ ...of, at: of.at + n });
  return {
    ...own,
    reached: (level, of, g) => own.reached(level, behind(of), g),
    mark: (level, of, g, k) => own.mark(level, behind(of), g, k),
    ...(memory && {
      memory: {
        ...memory,
        begin: (level, of) => memory.begin(level, behind(of)),
        follow: (level, of) => memory.follow(level, behind(of)),
      },
    }),
  };
}

/** The same with one word, and keys and layers that tell apart states that differ in it. */
export function withWord<L>(env: Environment<L>): Environment<L> {
  return {
    ...withWords(env, 1),
    key(level, state, at, out, outAt) {
      env.key(level, state, at + 1, out, outAt);
      threefryInto(out[outAt]!, out[outAt + 1]!, state[at]!, 0, out, outAt);
    },
    layer: (state, at) => `${state[at]},${env.layer(state, at + 1)}`,
  };
}

/** The view of a world that stands one word behind, with one bit more, which tells whether something is so. */
export const withBit = <L>(
  env: Environment<L>,
  isOn: (level: L, state: Uint32Array, at: number) => boolean,
): Pick<Environment<L>, 'features' | 'observe'> => ({
  features: (level) => env.features(level) + 1,
  observe(level, state, at, bits, bitsAt) {
    env.observe(level, state, at + 1, bits, bitsAt);
    const bit = env.features(level);
    if ((bit & 31) === 0) bits[bitsAt + (bit >>> 5)] = 0;
    if (isOn(level, state, at)) bits[bitsAt + (bit >>> 5)]! |= 1 << (bit & 31);
  },
});
