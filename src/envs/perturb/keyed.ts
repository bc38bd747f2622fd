import { hashInto, STATE_TAG } from '../../core/hash.ts';
import { fail, type Result } from '../../core/problem.ts';
import { enumerate, type Enumeration } from '../enumerate.ts';
import { bisimulation } from '../keys/bisimulation.ts';
import { MOST_STATES } from '../facts.ts';
import { images, type Images } from '../keys/images.ts';
import { reductions } from '../keys/reduced.ts';
import { actionBefore, actionImage, canonicalGrid } from '../keys/symmetry.ts';
import type { Environment } from '../types.ts';

export const KEY_MODES = ['exact', 'reduced', 'symmetric', 'bisimulation'] as const;
export type KeyMode = (typeof KEY_MODES)[number];

/** A world whose states are told apart by other keys. Everything that groups or counts states sees them by these. */
export function keyed(env: Environment, { stateKeys }: { readonly stateKeys: KeyMode }): Environment {
  switch (stateKeys) {
    case 'exact':
      return env;
    case 'reduced':
      return reduced(env);
    case 'symmetric':
      return symmetric(env);
    case 'bisimulation':
      return bisimilar(env);
  }
}

const PATH = 'task.stateKeys';
const repair = { label: 'use exact keys', set: [{ path: PATH, value: 'exact' }] };
const refused = (message: string): Result<never> =>
  fail({ kind: 'configRejected', issues: [{ path: PATH, message, repair }] });

/** The same world with levels that are looked at before they are played: a text says why one cannot be. */
const checked =
  (env: Environment, why: (level: unknown) => string | null): Environment['level'] =>
  (s, r, seed) => {
    const made = env.level(s, r, seed);
    const message = made.ok ? why(made.value) : null;
    return message === null ? made : refused(message);
  };

function reduced(env: Environment): Environment {
  const reduce = Object.hasOwn(reductions, env.id) ? reductions[env.id]! : null;
  if (!reduce) return { ...env, level: checked(env, () => 'drops nothing in this world') };
  const left = new Uint32Array(env.words);
  return {
    ...env,
    key(level, state, at, out, outAt) {
      left.set(state.subarray(at, at + env.words));
      reduce(level as never, left, 0);
      env.key(level, left, 0, out, outAt);
    },
  };
}

/**
 * The key of a state is the exact key of the first state of its class. Levels are listed when they are played, not when a form
 * judges them; one with too many states keeps exact keys.
 */
function bisimilar(env: Environment): Environment {
  type Classes = { readonly all: Enumeration; readonly first: Uint32Array };
  const known = new WeakMap<object, Classes | null>();
  const classesOf = (level: unknown): Classes | null => {
    let found = known.get(level as object);
    if (found === undefined) {
      const all = enumerate(env, level, MOST_STATES);
      const first = all && firstOf(bisimulation(all.model));
      known.set(level as object, (found = all && first && { all, first }));
    }
    return found;
  };
  return {
    ...env,
    key(level, state, at, out, outAt) {
      const classes = classesOf(level);
      const row = classes ? classes.all.rowOf(state, at) : -1;
      if (row < 0) return env.key(level, state, at, out, outAt);
      env.key(level, classes!.all.states, classes!.first[row]! * env.words, out, outAt);
    },
  };
}

/** The first state of the class of each state. */
function firstOf(classes: Uint32Array): Uint32Array {
  const first = new Map<number, number>();
  return classes.map((own, s) => {
    if (!first.has(own)) first.set(own, s);
    return first.get(own)!;
  });
}

/**
 * The world by its canonical image: of all ways to turn and mirror level and state together the one whose list of cells is
 * smallest. The policy sees that image and acts in it, and its action is turned back, so that it does the same in states
 * that are images of each other by construction; they share a key.
 */
function symmetric(env: Environment): Environment {
  const of = (Object.hasOwn(images, env.id) ? images[env.id]! : null) as Images<unknown> | null;
  if (!of) return { ...env, level: checked(env, () => 'knows no symmetries of this world') };
  const turned = new WeakMap<object, unknown[]>();
  const levelImage = (level: unknown, transform: number): unknown => {
    let all = turned.get(level as object);
    if (!all) turned.set(level as object, (all = []));
    return (all[transform] ??= transform === 0 ? level : of.level(level, transform));
  };
  // the state that was looked at last: a step looks at it several times
  let seen: { readonly level: unknown; readonly words: Uint32Array } | null = null;
  let view = { transform: 0, words: new Uint32Array(0), state: new Uint32Array(env.words) };
  const look = (level: unknown, state: Uint32Array, at: number): typeof view => {
    const isSame = seen?.level === level && seen?.words.every((word, w) => word === state[at + w]);
    if (isSame) return view;
    const { height, width } = of.size(level);
    const { cells, rest } = of.cells(level, state, at);
    const { canonical, transform } = canonicalGrid(cells, height, width);
    const image = new Uint32Array(env.words);
    of.state(level, transform, { state, at }, image);
    seen = { level, words: state.slice(at, at + env.words) };
    view = { transform, words: Uint32Array.from([height, width, ...rest, ...canonical]), state: image };
    return view;
  };
  const done = (level: unknown, state: Uint32Array, at: number, action: number): number =>
    action > 3 ? action : actionBefore(action, look(level, state, at).transform);
  /** actions of the world as the policy would choose them on the way */
  const asSeen = (level: unknown, path: readonly number[]): number[] => {
    let state = new Uint32Array(env.words);
    env.reset(level, state, 0);
    return path.map((action) => {
      const image = actionImage(action, look(level, state, 0).transform);
      const ways = env.outcomes(level, state, action);
      state = ways.reduce((a, b) => (b.numerator > a.numerator ? b : a)).state as typeof state;
      return image;
    });
  };
  const move = { action: 0, seed: 0 };
  return {
    ...env,
    level: checked(env, (level) => {
      const why = of.refuses(level);
      return why === null ? null : `finds no symmetries where ${why}`;
    }),
    // right and left of the image, which need not be those of the map
    actions: (level) => env.actions(level).map((name) => `${name} as seen`),
    step(level, state, at, { action, seed }, result) {
      move.action = done(level, state, at, action);
      move.seed = seed;
      env.step(level, state, at, move, result);
    },
    observe(level, state, at, bits, bitsAt) {
      const { transform, state: image } = look(level, state, at);
      env.observe(levelImage(level, transform), image, 0, bits, bitsAt);
    },
    ...(env.flicker && {
      flicker: {
        isOn: env.flicker.isOn,
        draw(level, state, at, into) {
          const { transform, state: image } = look(level, state, at);
          env.flicker!.draw(levelImage(level, transform), image, 0, into);
        },
      } satisfies Environment['flicker'],
    }),
    legal(level, state, at) {
      const { transform, state: image } = look(level, state, at);
      return env.legal(levelImage(level, transform), image, 0);
    },
    key(level, state, at, out, outAt) {
      const { words } = look(level, state, at);
      hashInto(STATE_TAG, env.family, words, 0, words.length, out, outAt);
    },
    outcomes: (level, state, action) => env.outcomes(level, state, done(level, state, 0, action)),
    shortestPath(level) {
      const path = env.shortestPath(level);
      return path && asSeen(level, path);
    },
    ...(env.solve && {
      solve(level: unknown) {
        const found = env.solve!(level);
        return { ...found, path: found.path && asSeen(level, found.path) };
      },
    }),
  };
}
