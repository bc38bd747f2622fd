import { expect, test } from 'vitest';
import { originOf } from '../contract/rows.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { tensorsOf } from '../contract/state.ts';
import { createRun } from './run.ts';
import { metricOf, SMALL } from '../slots/rollout/sampleReturning.ts';
import { sampleRun, train } from './sampleRun.ts';

test('in a run every task grows one tree: its openings share their parent and step, and only fresh episodes are measured', async () => {
  const config = configWith({ 'run.seeds': 1, 'analysis.evalEvery': 0 }, presetConfig(presetById('key-door-search')!));
  const run = must(await createRun(config));
  for (let u = 0; u < 3; u++) await run.submit();
  const { batch } = await run.backend.view(0);
  const { B, taskIndex, branchParent, branchStep, origin, measured } = batch as typeof batch &
    Record<string, Uint32Array>;
  const { P, G } = run.plan;
  for (let task = 0; task < P; task++) {
    const rows = Array.from({ length: B }, (_, i) => i).filter((i) => taskIndex[i] === task);
    expect(rows).toHaveLength(G);
    rows.forEach((i, k) => {
      const isFresh = k < 2;
      expect(origin![i]).toBe(originOf(isFresh ? 'own' : 'search'));
      expect(measured![i]).toBe(isFresh ? 1 : 0);
      const twin = rows[k - (k % 2)]!;
      if (!isFresh) expect([branchParent![i], branchStep![i]]).toEqual([branchParent![twin], branchStep![twin]]);
      if (!isFresh) expect(branchParent![i]).toBeGreaterThanOrEqual(0);
    });
  }
});

const CACHED = {
  ...{ ...SMALL, 'rollout.method': 'deepSearch', 'rollout.groupSize': 8 },
  ...{ 'rollout.deepSearch.cache': 16, 'rollout.deepSearch.hardUpTo': 0.5 },
};

test('stored solutions succeed again, also in worlds of chance and with words, are not measured, and cost nothing', async () => {
  const worlds: Readonly<Record<string, unknown>>[] = [
    {},
    { 'task.grid.slip': [1, 8, 1] },
    { 'source.method': 'startDistance' },
    { 'task.actionDelay': 1, 'policy.method': 'mlp' },
    { 'task.method': 'textmaze', 'policy.method': 'transformer', 'policy.transformer.width': 16, 'run.seeds': 1 },
  ];
  for (const world of worlds) {
    const run = await sampleRun({ ...CACHED, ...world });
    let replays = 0;
    for (let u = 0; u < 10; u++) {
      const record = await run.submit();
      const { batch } = await run.backend.view(0);
      const { B, length, branchStep, origin, measured, success, trains } = batch as typeof batch &
        Record<string, Uint32Array>;
      let steps = 0;
      for (let i = 0; i < B; i++) {
        const isReplay = origin![i] === originOf('replay');
        steps += isReplay ? 0 : length[i]! - branchStep![i]!;
        if (!isReplay) continue;
        replays++;
        expect([success[i], trains![i], measured![i]]).toEqual([1, 1, 0]);
      }
      expect(record.stepsOf[0]).toBe(steps);
    }
    expect({ world, replays: replays > 0 }).toEqual({ world, replays: true });
  }
});

test('without room for solutions nothing is remembered, and what is remembered changes nothing of the first batch', async () => {
  const [plain, cached] = [await sampleRun({ ...CACHED, 'rollout.deepSearch.cache': 0 }), await sampleRun(CACHED)];
  const [a, b] = [await train(plain, 6), await train(cached, 6)];
  expect(tensorsOf((await plain.checkpoint()).state.tensors, 'deepSearch')).toEqual({});
  expect(b[0]!.hash).toEqual(a[0]!.hash);
  expect(await cached.digest()).not.toEqual(await plain.digest());
  expect(a.every((record) => metricOf(record, 'replayedTasks') === 0)).toBe(true);
  expect(Math.max(...b.map((record) => metricOf(record, 'replayedTasks')))).toBeGreaterThan(0);
});

test('where a policy restricts what may be chosen, a replay goes on by itself once nothing is left of its action', async () => {
  const masked = { 'objective.method': 'nlpo', 'objective.nlpo.topP': 0.5, 'objective.nlpo.maskEvery': 1 };
  const run = await sampleRun({ ...CACHED, ...masked });
  for (const { bad } of await train(run, 12)) expect([...bad]).toEqual([0, 0]);
});

test('with its cache and node values success rises sooner than by GRPO on the leaves, in the mean over five seeds', async () => {
  const successAt = async (id: string) => {
    const run = await sampleRun({
      ...presetById(id)!.changes,
      ...{ 'run.backend': 'cpu', 'run.seeds': 5, 'analysis.evalEvery': 10 },
    });
    const record = (await train(run, 11)).at(-1)!;
    return [0, 1, 2, 3, 4].reduce((sum, s) => sum + metricOf(record, 'evalSuccess', s) / 5, 0);
  };
  const [values, leaves] = [await successAt('key-door-search-values'), await successAt('key-door-search')];
  expect(values).toBeGreaterThan(0.28);
  expect(leaves).toBeLessThan(0.2);
});
