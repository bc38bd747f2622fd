import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STEP_ROLES } from '../../contract/units.ts';
import { trainedRoles } from '../revise/trainedRoles.ts';
import { blueprints } from '../rollout/blueprints/blueprints.ts';
import type { RowContext, RowsSeen } from '../rollout/types.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { grpo } from './grpo.ts';
import { himac } from './himac.ts';
import { sampleBatch } from './sampleBatch.ts';

const [ACTION, PLAN] = [STEP_ROLES.indexOf('action'), STEP_ROLES.indexOf('plan')];
const row = (reward: number, parent: number) => ({
  ...{ decides: [PLAN, ACTION], reward: [0, reward], parent, branchStep: parent < 0 ? 0 : 1 },
});
// two plans of one task, each followed twice: means ½ and 1
const four = sampleBatch([row(1, -1), row(1, -1), row(0, 0), row(1, 1)]);
const rounded = (A: Float32Array): number[] => Array.from(A, (a) => Math.round(1e4 * a) / 1e4 + 0);

test('nested by hand: entries by the mean of their executions, actions among executions of their plan', () => {
  expect(rounded(himac.run(four, { acts: 'nested' }).A)).toEqual([
    ...[-0.7071, 0.7071],
    ...[0.7071, 0],
    ...[-0.7071, -0.7071],
    ...[0.7071, 0],
  ]);
});

test('the best plan by hand: plans by their first execution, actions among the further ones alone', () => {
  const batch = sampleBatch([row(1, -1), row(0, -1), row(0, 0), row(1, 0)]);
  expect(rounded(himac.run(batch, { acts: 'best' }).A)).toEqual([
    ...[0.7071, 0],
    ...[-0.7071, 0],
    ...[0, -0.7071],
    ...[0, 0.7071],
  ]);
});

test('plans that agree teach nothing about planning, and executions that agree nothing about acting', () => {
  const batch = sampleBatch([row(1, -1), row(1, -1), row(1, 0), row(1, 1)]);
  for (const acts of ['nested', 'best'] as const) expect(himac.run(batch, { acts }).A.every((a) => a === 0)).toBe(true);
});

const seen = (outcome: readonly number[]) =>
  ({
    count: 4,
    // two, one, no and two entries before the world moves
    action: Uint32Array.of(5, 5, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 5, 5, 0, 0),
    length: Uint32Array.of(4, 3, 2, 4),
    outcome: Float32Array.from(outcome),
  }) as unknown as RowsSeen;
const context = {
  env: { decides: () => ['action', 'action', 'action', 'action', 'action', 'plan'] },
  ...{ B: 10, P: 2, G: 5, T: 4, tasks: [0, 0, 1, 1], level: () => ({}) },
} as unknown as RowContext;

test('the rest of a group follows every plan in turn, from its last entry on', () => {
  const rows = blueprints.next!(seen([0, 0, 0, 0]), context, { plans: 2, again: 'every' } as never);
  expect(rows.map(({ task, parent, branchStep }) => [task, parent, branchStep])).toEqual([
    ...[
      [0, 0, 2],
      [0, 1, 1],
      [0, 0, 2],
    ],
    ...[
      [1, 2, 0],
      [1, 3, 2],
      [1, 2, 0],
    ],
  ]);
  expect(rows.every(({ origin }) => origin === 'fork')).toBe(true);
});

test('or the best plan of its task, the first of equal ones', () => {
  const rows = blueprints.next!(seen([0, 1, 0.5, 0.5]), context, { plans: 2, again: 'best' } as never);
  expect(rows.map(({ parent }) => parent)).toEqual([1, 1, 1, 2, 2, 2]);
});

test('one score for both roles: a mask leaves the steps of the other role out, and the score as it is', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const { A } = grpo.run(batch, { mode: 'std', rows: 'trajectories', singleton: 'zero' } as never);
      const of = (role: 'planner' | 'executor' | 'both'): Float32Array => {
        const own = A.slice();
        trainedRoles.run(own, { batch, probs: new Float32Array(0), actions: 3 }, { role });
        return own;
      };
      const [planner, executor] = [of('planner'), of('executor')];
      expect(of('both')).toEqual(A);
      for (let k = 0; k < A.length; k++) {
        const plans = ['switch', 'subgoal', 'plan'].includes(STEP_ROLES[batch.decides![k]!]!);
        expect([planner[k], executor[k]]).toEqual(plans ? [A[k], 0] : [0, A[k]]);
      }
    }),
    { numRuns: 40 },
  );
});
