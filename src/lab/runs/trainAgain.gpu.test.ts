import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { must } from '../../core/problem.ts';
import { makeCpuBackend } from '../../engine/cpu/cpuBackend.ts';
import { gpuBackendOn } from '../../engine/gpu/gpuBackend.ts';
import { createRun } from '../../engine/run.ts';
import type { SeriesPart } from '../../engine/series.ts';
import { train } from '../../engine/sampleRun.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { expectOf, type Curves } from './summary.ts';
import { verifyClaim, type Claim } from './trainAgain.ts';
import { filed, inBoth } from './filed.ts';
import { firstsOf, verdictWords, type Verdict } from './verify.ts';

const gpu = await testDevice();

const UPDATES = 60;
const EXPERIMENT = configWith({
  ...{ 'task.grid.level': 'corridor', 'task.grid.n': 6, 'policy.mlp.hidden': [16], 'run.seeds': 2 },
  ...{ 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 8, 'optimizer.learningRate': 0.02, 'run.updates': UPDATES },
});
/** Half floats, which only WebGPU has, are rounded enough to change an action within these updates. */
const HALVES = configWith(
  { 'policy.mlp.hidden': [16, 16, 16], 'policy.mlp.storage': 'f16', 'optimizer.learningRate': 0.001 },
  EXPERIMENT,
);

/** What somebody has trained on WebGPU, and says of it. */
async function claimed(config: Config, says: Config = config): Promise<Claim & { readonly part: SeriesPart }> {
  const run = must(await createRun(config, gpuBackendOn(gpu)));
  await train(run, UPDATES);
  const curves: Curves = { S: run.plan.S, part: run.series.part(0, UPDATES) };
  const { all: digest } = await run.digest();
  run.dispose();
  const expect = expectOf({ config: says, curves, digest, backend: 'webgpu' });
  return { name: '', config: says, expect, curves: { foreign: 0, parts: [filed(curves)] }, part: curves.part };
}

async function verdict(claim: Claim, on: 'cpu' | 'webgpu'): Promise<Verdict> {
  const found = await verifyClaim(claim, on === 'cpu' ? makeCpuBackend : gpuBackendOn(gpu));
  if (typeof found === 'string') throw new Error(found);
  return found;
}

test('a run on WebGPU is identical there, and on the CPU path as long as no rounding has changed an action', async () => {
  const claim = await claimed(EXPERIMENT);
  expect(await verdict(claim, 'webgpu')).toMatchObject({ kind: 'identical', first: null });
  const onCpu = await verdict(claim, 'cpu');
  expect(onCpu).toMatchObject({ kind: 'identical', first: null, outside: [] });
  expect(onCpu.environment).toEqual([
    'It was trained on WebGPU, and here on the CPU path: only the CPU path repeats every bit.',
    expect.stringMatching(/^Other numbers agree but for rounding, first in update \d+: /),
  ]);
});

test('a run on WebGPU with actions that the CPU path does not take is equivalent there, from the update on in which they differ', async () => {
  const claim = await claimed(HALVES);
  expect(await verdict(claim, 'webgpu')).toMatchObject({ kind: 'identical', first: null });
  const onCpu = await verdict(claim, 'cpu');
  expect(onCpu).toMatchObject({ kind: 'equivalent', outside: [] });
  expect(verdictWords(onCpu)).toMatch(/^Equivalent: .*The first difference is in update \d+: /);
  // the batches before it are the same
  const { update } = onCpu.first!;
  const until = (n: number): Curves => ({
    S: 2,
    part: { ...claim.part, steps: claim.part.steps.slice(0, n) },
  });
  const own = must(await createRun(HALVES));
  await train(own, update);
  const found: Curves = { S: 2, part: own.series.part(0, update) };
  expect((await firstsOf(inBoth(until(update - 1), found))).counted).toBeNull();
  expect((await firstsOf(inBoth(until(update), found))).counted?.update).toBe(update);
});

test('a result of another learning rate from update 11 on is different, on WebGPU and on the CPU path, from there on', async () => {
  const other = configWith({ 'run.events': '10 optimizer.learningRate 0.000001' }, EXPERIMENT);
  const claim = await claimed(other, EXPERIMENT);
  const again = await verdict(claim, 'webgpu');
  expect(again.kind).toBe('different');
  // up to there the bits are the same
  expect(again.first!.update).toBe(11);
  expect(again.outside.length).toBeGreaterThan(0);
  const onCpu = await verdict(claim, 'cpu');
  expect(onCpu.kind).toBe('different');
  expect(onCpu.outside.length).toBeGreaterThan(0);
});
