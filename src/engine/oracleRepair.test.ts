import { describe, expect, test } from 'vitest';
import { must } from '../core/problem.ts';
import { defaultsOf, type ValuesOf } from '../core/settings.ts';
import { environments } from '../envs/registry.ts';
import type { RowContext, RowsSeen } from '../slots/rollout/types.ts';
import { judgeOf } from '../slots/rollout/oracleRepair/mistakes.ts';
import { oracleRepair } from '../slots/rollout/oracleRepair/oracleRepair.ts';

const env = environments.find(({ id }) => id === 'grid')!;
const [RIGHT, DOWN, LEFT] = [0, 1, 2];
const levelOf = (text: string, maxSteps: number): object =>
  must(
    env.level({ ...defaultsOf(env.settings), level: 'custom', text, maxSteps }, defaultsOf(env.rewards), 1),
  ) as object;
/** Four steps to the right. */
const corridor = levelOf('S...G', 12);

/** The states of an episode with these actions, and how many steps it took. */
function play(level: object, actions: readonly number[], T: number): { state: Uint32Array; length: number } {
  const { words } = env;
  const state = new Uint32Array((T + 1) * words);
  env.reset(level, state, 0);
  actions.forEach((action, t) => {
    state.copyWithin((t + 1) * words, t * words, (t + 1) * words);
    env.step(level, state, (t + 1) * words, { action, seed: 1 }, { reward: 0, flags: 0 });
  });
  return { state, length: actions.length };
}

test('by hand, with γ = 0.9: a step back costs 0.9³ − 0.9⁵, one against the wall 0.9³ − 0.9⁴, the right one nothing', () => {
  const judge = judgeOf(env, corridor, 0.9)!;
  const { state } = play(corridor, [], 12);
  expect(judge.best(state, 0)).toBe(RIGHT);
  expect(judge.loss(state, 0, RIGHT)).toBeCloseTo(0, 8);
  expect(judge.loss(state, 0, DOWN)).toBeCloseTo(0.9 ** 3 - 0.9 ** 4, 7);
  const second = play(corridor, [RIGHT], 12).state;
  expect(judge.loss(second, env.words, LEFT)).toBeCloseTo(0.9 ** 2 - 0.9 ** 4, 7);
});

test('where nothing can be won nobody makes a mistake, and nothing is best', () => {
  const walled = levelOf('S.#.G', 12);
  const judge = judgeOf(env, walled, 0.9)!;
  const { state } = play(walled, [], 12);
  expect([judge.loss(state, 0, LEFT), judge.best(state, 0)]).toEqual([0, null]);
});

describe('repairs', () => {
  const T = 12;
  type Values = ValuesOf<typeof oracleRepair.params>;
  const values = (changes: Partial<Record<string, unknown>> = {}): Values =>
    ({ ...defaultsOf(oracleRepair.params), ...changes }) as Values;
  /** One task: these episodes were played fresh, of which the ones that are named succeeded. */
  function next(episodes: readonly (readonly number[])[], won: readonly number[], changes: Partial<Values> = {}) {
    const G = 4;
    const { words } = env;
    const seen = {
      ...{ count: episodes.length, taskIndex: new Uint32Array(G), length: new Uint32Array(G) },
      ...{ success: new Uint32Array(G), state: new Uint32Array(G * (T + 1) * words), action: new Uint32Array(G * T) },
    };
    episodes.forEach((actions, row) => {
      const { state, length } = play(corridor, actions, T);
      seen.state.set(state, row * (T + 1) * words);
      seen.action.set(actions, row * T);
      seen.length[row] = length;
      seen.success[row] = Number(won.includes(row));
    });
    const context = { env, T, G, tasks: [0, 0], level: () => corridor } as unknown as RowContext;
    return oracleRepair.next!(seen as unknown as RowsSeen, context, values(changes));
  }
  const wanders = [RIGHT, RIGHT, LEFT, LEFT, RIGHT];

  test('half of a group is played fresh, at least one', () => {
    expect([4, 5, 1].map((G) => oracleRepair.fresh!(values(), G))).toEqual([2, 2, 1]);
    expect(oracleRepair.fresh!(values({ repairs: 1 }), 4)).toBe(1);
  });

  test('a failure parts before its first mistake, with the best action; then the policy continues', () => {
    const fork = { task: 0, origin: 'fork', measured: false } as const;
    expect(next([wanders, [LEFT, LEFT]], [])).toEqual([
      { ...fork, parent: 0, branchStep: 2, actions: [-1, -1, RIGHT] },
      { ...fork, parent: 1, branchStep: 0, actions: [RIGHT] },
    ]);
    // both places repair the only failure
    expect(next([[RIGHT, RIGHT, RIGHT, RIGHT], wanders], [0]).map(({ parent }) => parent)).toEqual([1, 1]);
  });

  test('or the solver continues to the end', () => {
    const [repair] = next([wanders, wanders], [], { tail: 'oracle' } as never);
    expect(repair!.actions).toEqual([-1, -1, RIGHT, RIGHT]);
  });

  test('without a failure, or with one whose detours are no mistakes, episodes start fresh', () => {
    const late = { task: 0, origin: 'late' };
    expect(next([[RIGHT], [RIGHT]], [0, 1])).toEqual([late, late]);
    expect(next([wanders, wanders], [], { loss: 0.5 } as never)).toEqual([late, late]);
  });
});
