import type { Vocabulary } from '../subgoals.ts';
import type { Environment } from '../types.ts';

/** Entries at most that a state can count. */
const MOST = 15;

/**
 * The subgoals of a level in the order in which a solution brings them about, each once; those that hold from the start are
 * none. Where chance decides too, each step of the solution has its most likely outcome.
 */
export function subgoalOrder<L>(env: Environment<L>, vocabulary: Vocabulary<L> | undefined, level: L): number[] {
  const path = env.shortestPath(level);
  if (!vocabulary || path === null) return [];
  const { memory, reached } = vocabulary;
  const front = memory?.words ?? 0;
  const of = { state: new Uint32Array(front + env.words), at: front, memoryAt: 0 };
  const names = vocabulary.names(level);
  const held = names.map(() => false);
  const order: number[] = [];
  const look = (isStart: boolean): void =>
    names.forEach((_, g) => {
      if (held[g] || !reached(level, of, g)) return;
      held[g] = true;
      if (!isStart) order.push(g);
    });
  env.reset(level, of.state, front);
  memory?.begin(level, of);
  look(true);
  for (const action of path) {
    const outcomes = env.outcomes(level, of.state.slice(front), action);
    const likely = outcomes.reduce((a, b) => (b.numerator * a.denominator > a.numerator * b.denominator ? b : a));
    of.state.set(likely.state.subarray(0, env.words), front);
    memory?.follow(level, of);
    look(false);
  }
  // the last ones of a long list are where it leads
  return order.length > MOST ? [...order.slice(0, MOST - 1), order.at(-1)!] : order;
}

/** The entry of a list that is followed after a step: entries that hold are passed, and the last one stays. */
export function entryAfter(order: readonly number[], entry: number, holds: (g: number) => boolean): number {
  let k = entry;
  while (k + 1 < order.length && holds(order[k]!)) k++;
  return k;
}
