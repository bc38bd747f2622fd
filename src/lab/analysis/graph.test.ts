import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryBatch } from '../../slots/advantage/arbitraryBatch.ts';
import { salt } from '../../slots/advantage/salt.ts';
import { edgeHeads } from '../../slots/advantage/edgeHeads.ts';
import { sampleBatch } from '../../slots/advantage/sampleBatch.ts';
import { drawnGraph } from './graphChains.ts';
import { edgeMeans, stepsOfEdge, trajectoryAdvantage, trajectoryGraph, type TrajectoryGraph } from './graph.ts';

const tasksOf = (taskIndex: Uint32Array): number[] => [...new Set(taskIndex)];
const anyHistory = fc.integer({ min: 0, max: 8 });

/**
 * Two ways from 1 to 4 and on to 5: over 2, or over 3. The second episode goes round once more.
 *   1 →0→ 2 →0→ 4 →0→ 5 (goal)      1 →1→ 3 →0→ 4 →1→ 1 →0→ 2 (cut)
 */
const twoWays = sampleBatch([
  { reward: [0, 0, 1], state: [1, 2, 4], finalState: 5, action: [0, 0, 0] },
  { reward: [0, 0, 0, 0], state: [1, 3, 4, 1], finalState: 2, action: [1, 0, 1, 0], terminated: false },
]);

test('without history states are merged, with it the same state after another past is another node', () => {
  const merged = trajectoryGraph(twoWays, 0, 0);
  // in order of first visit: 1 2 4 5 3
  expect([...merged.visits]).toEqual([3, 2, 2, 1, 1]);
  expect([...merged.from]).toEqual([0, 1, 2, 0, 4, 2]);
  expect([...merged.to]).toEqual([1, 2, 3, 4, 2, 0]);
  expect([...merged.action]).toEqual([0, 0, 0, 1, 0, 1]);
  expect([...merged.starts]).toEqual([2, 0, 0, 0, 0]);
  expect([...merged.successes]).toEqual([0, 0, 0, 1, 0]);
  expect([...merged.cuts]).toEqual([0, 1, 0, 0, 0]);
  expect([...stepsOfEdge(merged, 0)]).toEqual([0, 4 + 3]);
  const tree = trajectoryGraph(twoWays, 0, 4);
  expect([...tree.visits]).toEqual([2, 1, 1, 1, 1, 1, 1, 1]);
  expect([...tree.from]).toEqual([0, 1, 2, 0, 4, 5, 6]);
});

test('edges are the merged edges of SALT, and their mean trajectory credit is what SALT assigns', () => {
  fc.assert(
    fc.property(arbitraryBatch, anyHistory, (batch, history) => {
      const heads = edgeHeads(batch, history);
      const { A } = salt.run(batch, { ...defaultsOf(salt.params), history });
      const credit = trajectoryAdvantage(batch);
      for (const task of tasksOf(batch.taskIndex)) {
        const graph = trajectoryGraph(batch, task, history);
        const means = edgeMeans(graph, credit);
        for (let e = 0; e < graph.edges; e++) {
          const steps = [...stepsOfEdge(graph, e)];
          expect(new Set(steps.map((k) => heads[k])).size).toBe(1);
          for (const k of steps) expect(Math.abs(means[e]! - A[k]!)).toBeLessThanOrEqual(1e-6);
        }
        const own = heads.filter((h, k) => h >= 0 && batch.taskIndex[Math.floor(k / batch.T)] === task);
        expect(graph.edges).toBe(new Set(own).size);
      }
    }),
  );
});

/** Steps into and out of each node. */
function flow({ nodes, edges, from, to, memberStart }: TrajectoryGraph): { into: number[]; out: number[] } {
  const into = new Array<number>(nodes).fill(0);
  const out = new Array<number>(nodes).fill(0);
  for (let e = 0; e < edges; e++) {
    into[to[e]!]! += memberStart[e + 1]! - memberStart[e]!;
    out[from[e]!]! += memberStart[e + 1]! - memberStart[e]!;
  }
  return { into, out };
}

test('nobody gets lost: starts + steps in = visits = steps out + ends, and each step is on one edge', () => {
  fc.assert(
    fc.property(arbitraryBatch, anyHistory, (batch, history) => {
      let steps = 0;
      for (const task of tasksOf(batch.taskIndex)) {
        const graph = trajectoryGraph(batch, task, history);
        const { into, out } = flow(graph);
        for (let v = 0; v < graph.nodes; v++) {
          const ends = graph.successes[v]! + graph.failures[v]! + graph.cuts[v]!;
          expect(graph.starts[v]! + into[v]!).toBe(graph.visits[v]!);
          expect(out[v]! + ends).toBe(graph.visits[v]!);
        }
        steps += graph.member.length;
        graph.member.forEach((k) => expect(graph.edgeOf[k]).toBeGreaterThanOrEqual(0));
      }
      expect(steps).toBe(batch.length.reduce((a, b) => a + b, 0));
    }),
  );
});

test('a longer history only splits; with the whole past every node has at most one way in', () => {
  fc.assert(
    fc.property(arbitraryBatch, anyHistory, (batch, history) => {
      for (const task of tasksOf(batch.taskIndex)) {
        const less = trajectoryGraph(batch, task, history);
        const more = trajectoryGraph(batch, task, history + 1);
        const coarse = new Map<number, number>();
        more.nodeOf.forEach((v, at) => {
          if (v < 0) return;
          expect(coarse.get(v) ?? less.nodeOf[at]).toBe(less.nodeOf[at]);
          coarse.set(v, less.nodeOf[at]!);
        });
        const tree = trajectoryGraph(batch, task, batch.T);
        expect(new Set(tree.to).size).toBe(tree.edges);
      }
    }),
  );
});

test('folding a chain hides its inside, opening it shows every node, and no edge is lost', () => {
  fc.assert(
    fc.property(arbitraryBatch, anyHistory, (batch, history) => {
      const graph = trajectoryGraph(batch, batch.taskIndex[0]!, history);
      const folded = drawnGraph(graph, new Set());
      const hidden = folded.inside.reduce((n, list) => n + list.length - 1, 0);
      expect(folded.edges + hidden).toBe(graph.edges);
      expect([...folded.inside.flatMap((list) => [...list])].sort((a, b) => a - b)).toEqual([
        ...Array(graph.nodes).keys(),
      ]);
      for (const list of folded.inside) {
        if (list.length === 1) continue;
        const { visits } = graph;
        expect(new Set(list.map((v) => visits[v]!)).size).toBe(1);
        expect(folded.edge.filter((e) => list.includes(graph.from[e]!)).length).toBe(1);
      }
      const heads = folded.inside.filter((list) => list.length > 1).map((list) => list[0]!);
      const opened = drawnGraph(graph, new Set(heads));
      expect(opened.nodes).toBe(graph.nodes);
      expect(opened.edges).toBe(graph.edges);
    }),
  );
});

test('a corridor of its own becomes one chain', () => {
  const batch = sampleBatch([
    { reward: [0, 0, 0, 0, 1], state: [1, 2, 3, 4, 5], finalState: 6 },
    { reward: [0], state: [1], finalState: 7, action: [1] },
  ]);
  const drawn = drawnGraph(trajectoryGraph(batch, 0, 0), new Set());
  expect(drawn.inside.map((list) => [...list])).toEqual([[0], [1, 2, 3, 4], [5], [6]]);
  expect([...drawn.from]).toEqual([0, 1, 0]);
  expect([...drawn.to]).toEqual([1, 2, 3]);
});
