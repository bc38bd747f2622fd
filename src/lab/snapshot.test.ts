import { expect, test } from 'vitest';
import { sampleRun } from '../engine/sampleRun.ts';
import { Snapshots } from './snapshot.ts';

test('a run that goes on from one of which nothing was shown is shown as any other', async () => {
  const run = await sampleRun({ 'run.backend': 'cpu', 'run.seeds': 1, 'rollout.tasksPerBatch': 2 });
  await run.submit();
  const [plain, later] = [new Snapshots(), new Snapshots().goOn(run)];
  expect(await later.make(run, 0)).toEqual(await plain.make(run, 0));
  expect(later.history(0)).toEqual(plain.history(0));
});

test('of a large batch the page gets the first tasks, as they are in the whole batch; what is small is shown whole', async () => {
  const sizes = { 'rollout.groupSize': 64, 'task.grid.level': 'corridor', 'task.grid.n': 4, 'policy.mlp.hidden': [2] };
  const alone = { 'run.backend': 'cpu', 'run.seeds': 1, 'task.grid.maxSteps': 256, 'analysis.evalEvery': 0 };
  const shownOf = async (tasks: number) => {
    const run = await sampleRun({ ...sizes, ...alone, 'rollout.tasksPerBatch': tasks });
    await run.submit();
    const [snapshots, view] = [new Snapshots(), await run.backend.view(0)];
    return { run, snapshots, view, shown: await snapshots.make(run, 0) };
  };
  const { run, snapshots, view, shown } = await shownOf(11);
  const { B, T, actions, env } = run.plan;
  expect([shown.B, shown.whole]).toEqual([8 * 64, B]);
  const first = <A extends Float32Array | Uint32Array>(values: A, each: number): A =>
    values.slice(0, shown.B * each) as A;
  expect(shown.action).toEqual(first(view.batch.action, T));
  expect(shown.A).toEqual(first(view.A, T));
  expect(shown.probs).toEqual(first(view.probs, T * actions));
  expect(shown.state).toEqual(first(view.state, (T + 1) * env.words));
  expect(shown.levelSeeds).toEqual(first(view.levelSeeds, 1));
  expect(shown.mapRow.length).toBe(shown.B * (T + 1));
  expect(shown.exact!.length).toBe(shown.B * T);
  expect(shown.judged ?? shown.reward.length).toBe(shown.B * T);
  // as a batch of these tasks alone would be measured, but for the credit, which is compared in all of it
  const all = await shownOf(8);
  expect([all.shown.B, all.shown.whole]).toEqual([shown.B, shown.B]);
  const { groupSize, contrastCoverage, spl } = shown.measured;
  expect({ groupSize, contrastCoverage, spl }).toEqual({
    groupSize: all.shown.measured.groupSize,
    contrastCoverage: all.shown.measured.contrastCoverage,
    spl: all.shown.measured.spl,
  });
  expect(shown.maps.map(({ visits }) => visits)).toEqual(all.shown.maps.map(({ visits }) => visits));
  const request = { update: 0, replica: 0, methods: [], withArrays: true, workMs: 0 };
  const { truth } = await snapshots.lab.ask(request, () => 0);
  expect(truth.values!.length).toBe(B * T);
  expect(truth.values!.subarray(0, shown.exact!.length)).toEqual(shown.exact);
});
