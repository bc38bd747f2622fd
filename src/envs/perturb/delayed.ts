import type { AnyValues } from '../../core/settings.ts';
import { FLAG, type Environment, type Move, type Outcome, type StepResult } from '../types.ts';
import { goOn, isOver } from './clock.ts';
import { withWord } from './withWord.ts';

/** What a step pays in which nothing happens. */
export const waitingReward = (rewards: AnyValues): number => (rewards['step'] as number | undefined) ?? 0;

/** Byte of the queue where nothing was chosen yet, and where what was written is no command. */
const NONE = 0xff;
const NO_COMMAND = 0xfe;
const WORDS_WITHOUT_MEANING = 0xffffffff;

/** The queue of the start: nothing chosen. */
const emptyQueue = (d: number): number => 2 ** (8 * d) - 1;

/** The queue after an action was chosen: the first byte was due, the last one is new. */
function pushed(queue: number, action: number, d: number): number {
  return (queue >>> 8) | (Math.min(action, NO_COMMAND) << (8 * (d - 1)));
}

/** What the first byte of the queue does in the world. */
const dueIn = (queue: number): number => {
  const due = queue & 255;
  return due === NO_COMMAND ? WORDS_WITHOUT_MEANING : due;
};

/** The pending actions by name, next one first. */
function pending(queue: number, d: number, names: readonly string[]): string[] {
  return Array.from({ length: d }, (_, k) => (queue >>> (8 * k)) & 255)
    .filter((action) => action !== NONE)
    .map((action) => names[action] ?? 'no command');
}

/**
 * The world with a delay of d steps, 1 ≤ d ≤ 3: the action that acts at t is the one that was chosen at t − d. Before
 * that nothing happens: no effect, the reward of a step (`waiting`, in thousandths), and the clock ticks.
 *
 * A state is the queue of the chosen actions (8 bits each, next one in the low byte), then the words of the world. What
 * is seen does not show the queue. No action is forbidden: what will be possible when it acts is not known yet.
 * `src/slots/wrapper/actionDelay.wgsl` is the twin.
 */
export function delayed<L>(env: Environment<L>, d: number, waiting: number): Environment<L> {
  const words = env.words + 1;
  const inFront = withWord(env);
  const { solve } = env;
  /** what reaches the world */
  const due: Move = { action: 0, seed: 0 };

  function step(level: L, state: Uint32Array, at: number, { action, seed }: Readonly<Move>, result: StepResult): void {
    const clock = state[at + words - 1]!;
    if (isOver(clock, result)) return;
    const queue = state[at]!;
    state[at] = pushed(queue, action, d);
    if ((queue & 255) !== NONE) {
      due.action = dueIn(queue);
      due.seed = seed;
      return env.step(level, state, at + 1, due, result);
    }
    const t = clock & 0xffff;
    result.reward = waiting;
    result.flags = FLAG.noEffect;
    state[at + words - 1] = goOn(t, env.maxSteps(level), result);
  }

  function outcomes(level: L, from: Uint32Array, action: number): readonly Outcome[] {
    const queue = from[0]!;
    const withQueue = (rest: Uint32Array): Uint32Array => Uint32Array.of(pushed(queue, action, d), ...rest);
    const rest = from.slice(1, words);
    if ((queue & 255) !== NONE)
      return env.outcomes(level, rest, dueIn(queue)).map((o) => ({ ...o, state: withQueue(o.state) }));
    rest[env.words - 1] = 0;
    return [{ numerator: 1, denominator: 1, state: withQueue(rest), reward: waiting, flags: FLAG.noEffect }];
  }

  /** Waiting changes nothing, so the best path is the world's own; what is chosen after it never acts. */
  const late = (path: readonly number[]): number[] => [...path, ...Array<number>(d).fill(path.at(-1) ?? 0)];

  return {
    ...inFront,
    reset(level, state, at) {
      state[at] = emptyQueue(d);
      env.reset(level, state, at + 1);
    },
    step,
    legal: () => 0xffffffff,
    outcomes,
    shortestPath(level) {
      const path = env.shortestPath(level);
      return path && late(path);
    },
    ...(solve && {
      solve(level) {
        const found = solve(level);
        return { ...found, path: found.path && late(found.path) };
      },
    }),
    scene: (level, state, at) => ({
      ...env.scene(level, state, at + 1),
      waiting: pending(state[at]!, d, env.actions(level)),
    }),
    text(level, state, at) {
      const names = pending(state[at]!, d, env.actions(level));
      const text = env.text(level, state, at + 1);
      return names.length > 0 ? `; still to come: ${names.join(', ')}\n${text}` : text;
    },
  };
}
