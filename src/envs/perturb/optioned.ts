import { fail } from '../../core/problem.ts';
import { shortestPath } from '../enumerate.ts';
import type { Environment, Move, Outcome } from '../types.ts';
import { withWord } from './withWord.ts';

/** An option repeats an action `length` times; `singles`: each action can be chosen for one step, too. */
export type OptionSettings = { readonly length: number; readonly singles: boolean };

/** Legal actions are bits of one word. */
const MOST_ACTIONS = 32;
const EVERYTHING = 0xffffffff;

/** The word in front of a state: 0 where nothing runs, else the running option + 1, and the steps that it has left << 8. */
const running = (option: number, left: number): number => (left === 0 ? 0 : (option + 1) | (left << 8));
const optionOf = (word: number): number => (word & 255) - 1;

/**
 * The world with options that are given: action a, `length` times in a row. Actions are then the options, or with `singles`
 * a and its option by turns: right, 4 right, down, 4 down, … While an option runs, whatever is chosen, its action acts, and
 * it is the only legal one; every step is one of the world.
 *
 * A state is the running option, then the words of the world; what is seen does not show it, as it changes nothing that is
 * chosen. `src/slots/wrapper/options.wgsl` is the twin.
 */
export function optioned<L>(env: Environment<L>, { length, singles }: OptionSettings): Environment<L> {
  const words = env.words + 1;
  const inFront = withWord(env);
  const { solve } = env;
  const baseOf = (option: number): number => (singles ? option >>> 1 : option);
  const stepsOf = (option: number): number => (singles && option % 2 === 0 ? 1 : length);
  const clockOf = (state: Uint32Array, at: number): number => state[at + words - 1]!;
  /** what reaches the world */
  const inner: Move = { action: 0, seed: 0 };

  /** The word after a step of `chosen`, or of what was running. */
  const after = (word: number, chosen: number): number =>
    word === 0 ? running(chosen, stepsOf(chosen) - 1) : running(optionOf(word), (word >>> 8) - 1);

  /** Names of the steps that are still to come. */
  const pending = (level: L, word: number): string[] =>
    word === 0 ? [] : Array<string>(word >>> 8).fill(env.actions(level)[baseOf(optionOf(word))]!);

  function outcomes(level: L, from: Uint32Array, chosen: number): readonly Outcome[] {
    const word = from[0]!;
    const option = word === 0 ? chosen : optionOf(word);
    const next = after(word, chosen);
    return env
      .outcomes(level, from.slice(1, words), baseOf(option))
      .map((o) => ({ ...o, state: Uint32Array.of((o.flags & 1) === 0 ? next : 0, ...o.state) }));
  }

  const world: Environment<L> = {
    ...inFront,
    level(given, rewards, seed) {
      const made = env.level(given, rewards, seed);
      if (!made.ok || !singles || 2 * env.actions(made.value).length <= MOST_ACTIONS) return made;
      const message = `would make more than ${MOST_ACTIONS} actions in this world`;
      const path = 'task.options.singles';
      const repair = { label: 'play options alone', set: [{ path, value: false }] };
      return fail({ kind: 'configRejected', issues: [{ path, message, repair }] });
    },
    actions: (level) =>
      env.actions(level).flatMap((name) => (singles ? [name, `${length} ${name}`] : [`${length} ${name}`])),
    step(level, state, at, { action, seed }, result) {
      const word = state[at]!;
      const isOver = clockOf(state, at) >>> 16 !== 0;
      inner.action = baseOf(word === 0 ? action : optionOf(word));
      inner.seed = seed;
      env.step(level, state, at + 1, inner, result);
      if (isOver) return;
      state[at] = clockOf(state, at) >>> 16 === 0 ? after(word, action) : 0;
    },
    legal(level, state, at) {
      const word = state[at]!;
      if (word !== 0) return (1 << optionOf(word)) >>> 0;
      const may = env.legal(level, state, at + 1);
      if (!singles || may === EVERYTHING) return may;
      let both = 0;
      for (let a = 0; a < MOST_ACTIONS / 2; a++) if (((may >>> a) & 1) === 1) both |= 3 << (2 * a);
      return both >>> 0;
    },
    outcomes,
    shortestPath: (level) => pathOf(level),
    ...(solve && {
      // pushes are not known beside a path of other actions
      solve(level) {
        const path = pathOf(level);
        return path ? { status: 'solved', path, pushes: null } : { ...solve(level), path: null };
      },
    }),
    scene(level, state, at) {
      const scene = env.scene(level, state, at + 1);
      const waiting = [...pending(level, state[at]!), ...(scene.waiting ?? [])];
      return waiting.length > 0 ? { ...scene, waiting } : scene;
    },
    text(level, state, at) {
      const names = pending(level, state[at]!);
      const text = env.text(level, state, at + 1);
      return names.length > 0 ? `; still to come: ${names.join(', ')}\n${text}` : text;
    },
  };

  /** With single steps the world's own best path; else a search over options, in which each is named in all of its steps. */
  function pathOf(level: L): readonly number[] | null {
    if (singles) return env.shortestPath(level)?.map((action) => 2 * action) ?? null;
    const path = shortestPath(world, level);
    return path && path.map((_, t) => path[t - (t % length)]!);
  }

  return world;
}
