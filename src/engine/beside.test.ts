import { expect, test } from 'vitest';
import type { ReceivedGroup } from '../contract/peers.ts';
import { thetaOf } from '../contract/state.ts';
import type { BesideView, UpdateRecord } from './backend.ts';
import type { Run } from './run.ts';
import { metricOf as of, SMALL, SPEAR } from '../slots/rollout/sampleReturning.ts';
import { sampleRun, train } from './sampleRun.ts';

/** What trained beside the batch of each update, of both seeds. */
async function watched(
  run: Run,
  updates: number,
): Promise<(readonly [UpdateRecord, number, BesideView | undefined])[]> {
  const seen: (readonly [UpdateRecord, number, BesideView | undefined])[] = [];
  for (let u = 0; u < updates; u++) {
    const [record] = await train(run, 1);
    for (let s = 0; s < run.plan.S; s++) seen.push([record!, s, (await run.backend.view(s)).beside]);
  }
  return seen;
}

/** Steps of the rows, by value. */
function steps({ batch, rows }: BesideView, values: Float32Array): number[][] {
  return rows.map((_, i) => [...values.subarray(i * batch.T, i * batch.T + batch.length[i]!)]);
}

test('as many rows are seen as trained, each from an earlier update, with its credit; looking changes nothing', async () => {
  for (const world of [{}, { 'policy.method': 'mlp', 'task.grid.slip': [1, 8, 1] }]) {
    const [seen, unseen] = [await sampleRun({ ...SPEAR, ...world }), await sampleRun({ ...SPEAR, ...world })];
    const views = await watched(seen, 12);
    await train(unseen, 12);
    expect(await seen.digest()).toEqual(await unseen.digest());
    expect(thetaOf((await seen.checkpoint()).state)).toEqual(thetaOf((await unseen.checkpoint()).state));
    for (const [record, s, beside] of views) {
      const again = beside?.rows.filter(({ isImitated }) => !isImitated) ?? [];
      expect(again.length).toBe(of(record, 'againRows', s));
      if (!beside) continue;
      for (const { came } of beside.rows) {
        expect(came.origin).toBe('replay');
        expect(came.update).toBeLessThanOrEqual(record.update);
      }
      // they earned something, and each gets one credit for all of its steps
      expect(beside.rows.every((_, i) => beside.batch.outcome[i]! > 0)).toBe(true);
      for (const A of steps(beside, beside.A)) expect([A[0]! > 0, new Set(A).size]).toEqual([true, 1]);
      for (const ratio of steps(beside, beside.ratio)) expect(ratio.every((x) => x > 0 && x < Infinity)).toBe(true);
      expect(beside.left).toBe(0);
    }
    const all = views.flatMap(([, , beside]) => (beside ? steps(beside, beside.ratio).flat() : []));
    expect(all.some((x) => Math.abs(x - 1) > 1e-3)).toBe(true);
  }
});

test('where nothing is learned the importance weight of what is played again is 1', async () => {
  for (const policy of [
    { 'policy.method': 'mlp' },
    { 'policy.method': 'transformer', 'policy.transformer.width': 16 },
  ]) {
    const run = await sampleRun({ ...SPEAR, ...policy, 'optimizer.learningRate': 0, 'task.levels': 1 });
    const all = (await watched(run, 8)).flatMap(([, , beside]) => (beside ? steps(beside, beside.ratio).flat() : []));
    expect(all.length).toBeGreaterThan(0);
    for (const x of all) expect(Math.abs(x - 1)).toBeLessThan(1e-5);
  }
});

test('what a step imitates is seen: solutions of the solver and of a search, each once, with what its steps count', async () => {
  const relift = await sampleRun({ ...SMALL, 'rollout.method': 'relift', 'rollout.relift.size': 4 });
  const expert = await sampleRun({ ...SMALL, 'rollout.method': 'expertIteration', 'rollout.expertIteration.every': 2 });
  for (const [run, origin] of [
    [relift, 'demo'],
    [expert, 'search'],
  ] as const) {
    const views = await watched(run, 4);
    let found = 0;
    for (const [record, s, beside] of views) {
      const lessons = beside?.rows ?? [];
      found += lessons.length;
      expect(lessons.reduce((sum, { times }) => sum + times, 0)).toBe(of(record, 'imitatedRows', s));
      expect(lessons.every(({ came, isImitated }) => isImitated && came.origin === origin)).toBe(true);
      if (beside) expect(lessons.every((_, i) => beside.batch.success[i] === 1)).toBe(true);
    }
    expect({ origin, isFound: found > 0 }).toEqual({ origin, isFound: true });
  }
});

test('rows of another run are seen with who told of them', async () => {
  const swarm = { ...SMALL, 'rollout.method': 'swarm', 'task.levels': 1, 'run.seeds': 1 };
  const [teller, run] = [await sampleRun({ ...swarm, 'run.seed': 7 }), await sampleRun(swarm)];
  const arrived: ReceivedGroup[] = [];
  teller.peers = {
    take: () => [],
    tell: ({ sent }) => void arrived.push(...sent.map((group) => ({ ...group, sender: 3 }))),
  };
  run.peers = { take: () => arrived.splice(0), tell: () => undefined };
  let found = 0;
  for (let u = 0; u < 10; u++) {
    await train(teller, 1);
    const [[record, s, beside]] = (await watched(run, 1)) as [[UpdateRecord, number, BesideView | undefined]];
    expect(beside?.rows.length ?? 0).toBe(of(record, 'peerRows', s));
    found += beside?.rows.length ?? 0;
    for (const { came } of beside?.rows ?? []) expect(came).toMatchObject({ origin: 'peer', sender: 3 });
  }
  expect(found).toBeGreaterThan(0);
});

test('a run whose rollout remembers nothing has nothing beside its batch', async () => {
  for (const [, , beside] of await watched(await sampleRun(SMALL), 2)) expect(beside).toBeUndefined();
});
