import type { Environment } from '../../envs/types.ts';

/** What a note may be about: where the agent is, what it holds or has found, where the goal is, the answer that is true. */
export const FACTS = ['place', 'holding', 'goal', 'answer'] as const;
export type Fact = (typeof FACTS)[number];

type Moment = {
  readonly level: object;
  readonly state: Uint32Array;
  readonly at: number;
  readonly seed: number;
};

/** What is so in a state, in words; null: nothing of that kind. */
export function factsAt(env: Environment, { level, state, at, seed }: Moment): Record<Fact, string | null> {
  const { holding, cells, agent } = env.scene(level, state, at);
  const goals = cells.flatMap(({ item }, cell) => (item === 'goal' ? [cell] : []));
  return {
    place: `cell ${agent.cell + 1}`,
    holding: holding.join(', ') || 'nothing',
    goal: goals.length > 0 ? `cell ${goals.map((cell) => cell + 1).join(', ')}` : null,
    answer: env.asks ? `answer ${env.asks.truth(seed) + 1}` : null,
  };
}
