import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryBatch } from '../../slots/advantage/arbitraryBatch.ts';
import { sampleBatch } from '../../slots/advantage/sampleBatch.ts';
import { drawnGraph } from './graphChains.ts';
import { layoutGraph, type GraphLayout, type Net } from './graphLayout.ts';
import { trajectoryGraph } from './graph.ts';

/** Any graph in which every node is reached from node 0. */
const anyNet: fc.Arbitrary<Net> = fc.integer({ min: 1, max: 40 }).chain((nodes) =>
  fc
    .record({
      tree: fc.array(fc.nat(), { minLength: nodes - 1, maxLength: nodes - 1 }),
      more: fc.array(fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1)), { maxLength: 60 }),
    })
    .map(({ tree, more }) => {
      const pairs = [...tree.map((p, k) => [p % (k + 1), k + 1] as const), ...more];
      return {
        nodes,
        from: Uint32Array.from(pairs, (p) => p[0]),
        to: Uint32Array.from(pairs, (p) => p[1]),
        weight: pairs.map((_, e) => 1 + (e % 5)),
        isSource: Uint8Array.from({ length: nodes }, (_, v) => (v === 0 ? 1 : 0)),
      };
    }),
);

function check(net: Net, layout: GraphLayout): void {
  const rows = new Map<number, number[]>();
  layout.layer.forEach((l, v) => rows.set(l, [...(rows.get(l) ?? []), v]));
  for (const row of rows.values()) {
    const y = row.map((v) => layout.y[v]!).sort((a, b) => a - b);
    for (let k = 1; k < y.length; k++) expect(y[k]! - y[k - 1]!).toBeGreaterThan(1 - 1e-4);
  }
  net.from.forEach((v, e) => {
    const span = layout.layer[net.to[e]!]! - layout.layer[v]!;
    expect(layout.isBack[e] === 1 ? span <= 0 : span === 1, `edge ${e} spans ${span}`).toBe(true);
  });
  expect(layout.y.every((y) => y >= layout.top && y <= layout.bottom)).toBe(true);
}

test('no two nodes of a layer overlap, edges lead one layer on unless they are marked, equal graphs are drawn alike', () => {
  fc.assert(
    fc.property(anyNet, (net) => {
      const layout = layoutGraph(net);
      check(net, layout);
      expect(layoutGraph(structuredClone(net))).toEqual(layout);
    }),
  );
});

test('graphs of batches are laid out for every history', () => {
  fc.assert(
    fc.property(arbitraryBatch, fc.integer({ min: 0, max: 8 }), (batch, history) => {
      const graph = trajectoryGraph(batch, batch.taskIndex[0]!, history);
      const drawn = drawnGraph(graph, new Set());
      const isSource = Uint8Array.from(drawn.inside, (list) => (graph.starts[list[0]!]! > 0 ? 1 : 0));
      const net = { ...drawn, weight: Array.from(drawn.edge, () => 1), isSource };
      check(net, layoutGraph(net));
    }),
  );
});

test('a crossing that can be avoided is avoided', () => {
  // 0 → 1, 2; the children of 1 and 2 were met in the wrong order: 1 → 4, 2 → 3
  const net: Net = {
    nodes: 5,
    from: Uint32Array.of(0, 0, 2, 1),
    to: Uint32Array.of(1, 2, 3, 4),
    weight: [1, 1, 1, 1],
    isSource: Uint8Array.of(1, 0, 0, 0, 0),
  };
  const { y } = layoutGraph(net);
  expect(Math.sign(y[1]! - y[2]!)).toBe(Math.sign(y[4]! - y[3]!));
});

test('thousands of nodes are laid out: no two at one place, forward edges from a layer to the next', () => {
  // 128 episodes that share a part of their way: a tree of thousands of nodes
  const episodes = Array.from({ length: 128 }, (_, i) => {
    const action = Array.from({ length: 64 }, (_, t) => (Math.imul((i >> (t % 7)) + 1, 2654435761) >>> 28) % 4);
    return { reward: action.map(() => 0), state: action.map((_, t) => 1 + ((i * 7 + t * t) % 97)), action };
  });
  const graph = trajectoryGraph(sampleBatch(episodes), 0, 64);
  expect(graph.nodes).toBeGreaterThan(3000);
  const isSource = graph.starts.map((n) => (n > 0 ? 1 : 0));
  const net: Net = { ...graph, weight: Array.from(graph.from, () => 1), isSource: Uint8Array.from(isSource) };
  check(net, layoutGraph(net));
});
