import { threefryInto } from '../../core/random.ts';
import type { Environment } from '../types.ts';

/**
 * The world with one word more in front of its states, which begins at 0 and which nothing changes: everything passes on to
 * the words of the world. Whoever uses it replaces what differs, `step`, `outcomes` and what else reads the word. Keys and
 * layers tell apart states that differ in the word.
 */
export function withWord<L>(env: Environment<L>): Environment<L> {
  const { asks, canonical, flicker, signals, deal, teaches, checkpoints, isJunction } = env;
  const { budget, help } = deal ?? {};
  return {
    ...env,
    words: env.words + 1,
    reset(level, state, at) {
      state[at] = 0;
      env.reset(level, state, at + 1);
    },
    observe: (level, state, at, bits, bitsAt) => env.observe(level, state, at + 1, bits, bitsAt),
    ...(flicker && {
      flicker: { isOn: flicker.isOn, draw: (level, state, at, seen) => flicker.draw(level, state, at + 1, seen) },
    }),
    ...(canonical && { canonical: (level, state, at, matters) => canonical(level, state, at + 1, matters) }),
    key(level, state, at, out, outAt) {
      env.key(level, state, at + 1, out, outAt);
      threefryInto(out[outAt]!, out[outAt + 1]!, state[at]!, 0, out, outAt);
    },
    ...(signals && {
      signals: {
        ...signals,
        tell: (known, state, at, out) => signals.tell(known, state, at + 1, out),
        novelKey: (level, state, at, out, outAt) => signals.novelKey(level, state, at + 1, out, outAt),
        ...(signals.cover && {
          cover: (level, state, at, radius, add) => signals.cover!(level, state, at + 1, radius, add),
        }),
      },
    }),
    ...(deal && {
      deal: {
        ...deal,
        ...(budget && { budget: (level, state, at) => budget(level, state, at + 1) }),
        ...(help && {
          help: {
            ...help,
            told: (level, state, at) => help.told(level, state, at + 1),
            forget: (state, at) => help.forget(state, at + 1),
          },
        }),
      },
    }),
    ...(asks && { asks: { ...asks, left: (state, at) => asks.left(state, at + 1) } }),
    ...(teaches && {
      teaches: {
        reached: (level, state, at) => teaches.reached(level, state, at + 1),
        told: (state, at) => teaches.told(state, at + 1),
      },
    }),
    ...(checkpoints && {
      checkpoints(level) {
        const known = checkpoints(level);
        return { ...known, reached: (state, at) => known.reached(state, at + 1) };
      },
    }),
    legal: (level, state, at) => env.legal(level, state, at + 1),
    scene: (level, state, at) => env.scene(level, state, at + 1),
    cell: (state, at) => env.cell(state, at + 1),
    ...(isJunction && {
      isJunction: (level, state, at, before) => isJunction(level, state, at + 1, before + 1),
    }),
    layer: (state, at) => `${state[at]},${env.layer(state, at + 1)}`,
    text: (level, state, at) => env.text(level, state, at + 1),
  };
}
