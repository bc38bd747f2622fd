import { expect, test } from 'vitest';
import { presetById, presetConfig } from '../config/presets.ts';
import { prepareTask } from '../config/level.ts';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { mean } from '../core/stats.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { createRun, type Run } from './run.ts';
import { train } from './sampleRun.ts';

async function runOf(changes: Readonly<Record<string, unknown>>): Promise<Run> {
  const config = configWith({ 'run.seeds': 1, ...changes }, presetConfig(presetById('key-door-resfit')!));
  await prepareTask(config);
  return must(await createRun(config));
}
const thetaOf = async (run: Run): Promise<Float32Array> =>
  (await run.checkpoint()).state.tensors['theta']!.slice() as Float32Array;

test('the base is what an MLP is cloned to, bit for bit, and no update moves it', async () => {
  const [run, mlp] = await Promise.all([runOf({}), runOf({ 'policy.method': 'mlp' })]);
  const [start, clone] = [await thetaOf(run), await thetaOf(mlp)];
  expect(start.subarray(0, clone.length)).toEqual(clone);
  const [first] = await train(run, 1);
  const [other] = await train(mlp, 1);
  // Δ = 0: the first batch is that of the clone
  expect(first!.hash).toEqual(other!.hash);
  await train(run, 5);
  const now = await thetaOf(run);
  expect(now.subarray(0, clone.length)).toEqual(clone);
  expect(now.subarray(clone.length)).not.toEqual(start.subarray(clone.length));
});

/** Success over the last five of 60 updates, of five seeds. */
async function ends(changes: Readonly<Record<string, unknown>>): Promise<number[]> {
  const run = await runOf({ 'run.seeds': 5, 'analysis.evalEvery': 0, ...changes });
  const records = await train(run, 60);
  const { S } = run.plan;
  const success = (s: number) => (record: (typeof records)[number]) =>
    record.metrics[s * (record.metrics.length / S) + metricIndex.success]!;
  return Array.from({ length: S }, (_, s) => mean(records.slice(-5).map(success(s))));
}

test('a correction by at most 3 mends a clone that is never in time; one by at most 0.3 cannot, in five seeds each', async () => {
  expect(Math.min(...(await ends({})))).toBeGreaterThan(0.85);
  expect(Math.max(...(await ends({ 'policy.residual.bound': 0.3 })))).toBeLessThan(0.4);
}, 60_000);

test('the form says where the base imitates nothing, and refuses a decay that would shrink it', async () => {
  const issues = (changes: Readonly<Record<string, unknown>>) =>
    checkRules(configWith({ 'policy.method': 'residual', 'run.backend': 'cpu', ...changes })).map(
      ({ path, severity }) => `${severity} ${path}`,
    );
  expect(issues({})).toContain('hint policy.cloneEpisodes');
  expect(issues({ 'policy.cloneEpisodes': 4 })).not.toContain('hint policy.cloneEpisodes');
  expect(issues({ 'policy.cloneEpisodes': 4, 'optimizer.adam.weightDecay': 0.1 })).toContain(
    'error optimizer.adam.weightDecay',
  );
});
