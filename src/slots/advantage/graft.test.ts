import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { graft, graphValues } from './graft.ts';
import { sampleBatch } from './sampleBatch.ts';
import { stateGraph } from './stateGraph.ts';

test('values of a fork and a loop, by hand', () => {
  // γ = ½. 8 → goal: V = ½. 9 → 9 → end: V(9) = (½·V(9) + 0)/2, so 0. 7 → 8 and 7 → 9: (¼ + 0)/2.
  const list = [
    { reward: [0, 1], state: [7, 8] },
    { reward: [0, 0, 0], state: [7, 9, 9], finalState: 5 },
  ];
  const { now, next } = graphValues(stateGraph(sampleBatch(list)), 0.5);
  [0.125, 0.5, 0, 0.125, 0, 0].forEach((v, k) => expect(now[k]).toBeCloseTo(v, 8));
  [0.5, 1, 0, 0, 0, 0].forEach((v, k) => expect(next[k]).toBeCloseTo(v, 8));
  const { A } = graft.run(sampleBatch(list), { gamma: 0.5 });
  [Math.SQRT1_2, 0, 0, -Math.SQRT1_2, 0, 0].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 4));
});

test('a loop on the way costs its steps', () => {
  // 7 → 7 → goal: V = (½·V + ½)/2 → V = ⅓
  const { now } = graphValues(stateGraph(sampleBatch([{ reward: [0, 1], state: [7, 7] }])), 0.5);
  expect(now[0]).toBeCloseTo(1 / 3, 8);
});

test('values solve their equation and lie between 0 and 1', () => {
  fc.assert(
    fc.property(arbitraryBatch, fc.constantFrom(0, 0.5, 0.99), (batch, gamma) => {
      const graph = stateGraph(batch);
      const { now, next } = graphValues(graph, gamma);
      const mean = new Map<number, [number, number]>();
      graph.from.forEach((s, k) => {
        if (s < 0) return;
        const [total, n] = mean.get(s) ?? [0, 0];
        mean.set(s, [total + gamma * next[k]!, n + 1]);
      });
      graph.from.forEach((s, k) => {
        if (s < 0) return;
        const [total, n] = mean.get(s)!;
        expect(Math.abs(now[k]! - total / n)).toBeLessThan(1e-9);
        expect(now[k]).toBeGreaterThanOrEqual(0);
        expect(now[k]).toBeLessThanOrEqual(1);
      });
    }),
  );
});

test('a state with one way out has no credit', () => {
  const list = [
    { reward: [0, 1], state: [7, 8] },
    { reward: [0, 0], state: [7, 8], finalState: 5 },
  ];
  const { A } = graft.run(sampleBatch(list), { gamma: 0.9 });
  expect([A[0], A[2]]).toEqual([0, 0]);
  expect(A[1]).toBeGreaterThan(0);
});
