import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { graphGpo } from './graphGpo.ts';
import { grpo } from './grpo.ts';
import { sampleBatch } from './sampleBatch.ts';
import { GOAL, stateGraph, stepsToGoal } from './stateGraph.ts';

const params = defaultsOf(graphGpo.params);

/** 7 → 8 → goal; 7 → 9 → 8, cut; 7 → 9, where it died. */
const maze = [
  { reward: [0, 1], state: [7, 8] },
  { reward: [0, 0], state: [7, 9], finalState: 8, terminated: false },
  { reward: [0], state: [7], finalState: 9 },
];

test('steps to the goal along ways that any episode took', () => {
  const graph = stateGraph(sampleBatch(maze));
  const distance = stepsToGoal(graph);
  expect(graph.to[1]).toBe(GOAL);
  // 7: two steps, 8: one, 9: one step to 8 and one more
  expect([0, 1, 3].map((k) => distance[graph.from[k]!])).toEqual([2, 1, 2]);
});

test('a failed episode earns credit for a step towards the goal, by hand', () => {
  // State 7 led to 8 (d = 1), 9 (d = 2), 9: w^d = 0.1, 0.01, 0.01; mean 0.04, sample std √(0.0054/2)
  const { parts } = graphGpo.run(sampleBatch(maze), params);
  const s = Math.sqrt(0.0054 / 2);
  [0.06 / s, 0, -0.03 / s, 0, -0.03 / s].forEach((a, k) => expect(parts!['step']![k]).toBeCloseTo(a, 3));
});

test('a state without a known way counts as one step farther than the farthest', () => {
  const list = [
    { reward: [1], state: [7] },
    { reward: [0], state: [7], finalState: 5 },
  ];
  // d = 0 and 1 + 1 = 2: w^d = 1 and 0.01; normalized ±√½
  const { parts } = graphGpo.run(sampleBatch(list), params);
  expect(parts!['step']![0]).toBeCloseTo(Math.SQRT1_2, 4);
  expect(parts!['step']![1]).toBeCloseTo(-Math.SQRT1_2, 4);
});

test('tasks that nobody solved have the credit of GRPO', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(list.map((x) => ({ ...x, success: false })));
      expect(graphGpo.run(batch, params).A).toEqual(grpo.run(batch, {}).A);
    }),
  );
});

test('at one state, the step that leads closer never gets less', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(list);
      const graph = stateGraph(batch);
      const distance = stepsToGoal(graph);
      const after = Array.from(graph.to, (v) => (v === GOAL ? 0 : v < 0 ? -1 : distance[v]!));
      const step = graphGpo.run(batch, params).parts!['step']!;
      after.forEach((d, k) => {
        after.forEach((e, j) => {
          if (d >= 0 && e > d && graph.from[j] === graph.from[k]) expect(step[k]).toBeGreaterThanOrEqual(step[j]!);
        });
      });
    }),
  );
});
