import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import golden from '../fixtures/similarGraph.json' with { type: 'json' };
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { graphGpo } from './graphGpo.ts';
import { graphGpoSimilar, similarGraph } from './graphGpoSimilar.ts';
import { sampleBatch } from './sampleBatch.ts';

const params = defaultsOf(graphGpoSimilar.params);

test('the golden values of a small graph, computed apart (fixtures/similarGraph.py)', () => {
  const { cells, success, step, clusters, decay, threshold } = golden;
  const list = cells.map((seen, i) => ({
    reward: seen.map(() => 0),
    state: seen.map((text) => 1 + Number.parseInt(text, 2)),
    cells: seen.map((text) => [...text].map(Number)),
    success: success[i]!,
  }));
  const batch = sampleBatch(list);
  const nodes = similarGraph(batch, { threshold, compare: 'cells' }).from.filter((v) => v >= 0);
  expect(new Set(nodes).size).toBe(clusters);
  const { parts } = graphGpoSimilar.run(batch, { ...params, decay, threshold });
  const got = cells.flatMap((seen, i) => seen.map((_, t) => parts!['step']![i * batch.T + t]!));
  step.forEach((a, k) => expect(Math.abs(got[k]! - a), `step ${k}`).toBeLessThanOrEqual(2e-5));
});

test('where every state looks like itself alone it is GraphGPO', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const own = list.map((x) => ({
        ...x,
        cells: x.state!.map((s) => Array.from({ length: 5 }, (_, c) => (c === s - 1 ? 1 : 0))),
      }));
      const batch = sampleBatch(own, 7);
      const same = graphGpoSimilar.run(batch, { ...params, threshold: 1 });
      expect(same.A).toEqual(graphGpo.run(batch, defaultsOf(graphGpo.params)).A);
    }),
  );
});
