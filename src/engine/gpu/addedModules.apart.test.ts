import { expect, test, vi } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import { HALL } from '../../envs/fixtures/registry.ts';
import { FADING } from '../../networks/fixtures/registry.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { SMALL, USED } from '../../slots/fixtures/registry.ts';
import { Run } from '../run.ts';
import { train } from '../sampleRun.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';

vi.mock('../../slots/registry.ts', async (original) => {
  const { withAdded } = await import('../../slots/fixtures/registry.ts');
  return withAdded(await original());
});
vi.mock('../../slots/methods.ts', async (original) => {
  const { withAdded } = await import('../../slots/fixtures/registry.ts');
  return withAdded(await original());
});
vi.mock('../../slots/metrics/chosen.ts', async (original) => {
  const { withAdded } = await import('../../slots/fixtures/registry.ts');
  return withAdded(await original());
});

vi.mock('../../networks/registry.ts', async (original) => {
  const { withNetwork } = await import('../../networks/fixtures/registry.ts');
  return withNetwork(await original());
});
vi.mock('../../envs/registry.ts', async (original) => {
  const { withHall } = await import('../../envs/fixtures/registry.ts');
  return withHall(await original());
});

const gpu = await testDevice();

const ALL = Object.assign({}, ...USED.map(([, settings]) => settings)) as Record<string, unknown>;
const ADDED: readonly (readonly [slot: string, settings: Readonly<Record<string, unknown>>])[] = [
  ...USED,
  ['network', FADING],
  ['environment', HALL],
  ['environment, read by a network that writes words', { ...HALL, 'policy.method': 'transformer' }],
  ['all at once', ALL],
  // a memory belongs to one version: the rules refuse it beside several
  ['all at once, and a network', { ...ALL, ...FADING, 'rollout.ages': 'fixed', 'rollout.staleness': 0 }],
];

test.each(ADDED)(
  'WebGPU: a module of the slot %s that is one file and one line trains as on the CPU, pauses and resumes',
  async (_slot, settings) => {
    const changes = { ...SMALL, ...settings };
    const run = await openSmall(changes, gpu);
    await trainAlike(run, await openSmall(changes), 2, ['success', 'returnMean', 'creditRms', 'gradNorm', 'klRef']);
    const saved = await run.checkpoint();
    const rest = await train(run, 2);
    const resumed = await Run.create(run.whole, gpuBackendOn(gpu), saved);
    run.dispose();
    expect((await train(resumed, 2)).map(({ hash }) => [...hash])).toEqual(rest.map(({ hash }) => [...hash]));
    for (const { bad } of rest) expect([...bad]).toEqual([0, 0]);
    resumed.dispose();
  },
);

test.each([
  ['lostShare', 'the report of the device', 2],
  ['mergedShare', 'columns that are read back', 1],
] as const)('WebGPU: the metric %s that a config switches on is that of the CPU, by %s', async (id, _how, depth) => {
  const changes = { ...SMALL, [`analysis.${id}.on`]: true };
  const [onGpu, onCpu] = [await openSmall(changes, gpu), await openSmall(changes)];
  expect(onGpu.backend.depth).toBe(depth);
  await trainAlike(onGpu, onCpu, 2, ['success', 'gradNorm']);
  const k = (metricIndex as Record<string, number>)[id]!;
  for (const u of [0, 1])
    for (const s of [0, 1]) expect(onGpu.series.at(u, s, k)).toBeCloseTo(onCpu.series.at(u, s, k), 6);
  expect(onCpu.series.at(1, 1, k)).toBeGreaterThan(0);
  onGpu.dispose();
});
