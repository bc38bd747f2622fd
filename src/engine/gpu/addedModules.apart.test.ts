import { expect, test, vi } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import { FADING } from '../../networks/fixtures/registry.ts';
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
vi.mock('../../slots/metrics/taskMetrics.ts', async (original) => {
  const { withAdded } = await import('../../slots/fixtures/registry.ts');
  return withAdded(await original());
});

vi.mock('../../networks/registry.ts', async (original) => {
  const { withNetwork } = await import('../../networks/fixtures/registry.ts');
  return withNetwork(await original());
});

/** A metric that is added here has no name among the types. */
const LOST = 'lostShare' as MetricId;

const gpu = await testDevice();

const ADDED: readonly (readonly [slot: string, settings: Readonly<Record<string, unknown>>])[] = [
  ...USED,
  ['network', FADING],
  ['all at once', Object.assign({}, FADING, ...USED.map(([, settings]) => settings)) as Record<string, unknown>],
];

test.each(ADDED)(
  'WebGPU: a module of the slot %s that is one file and one line trains as on the CPU, pauses and resumes',
  async (_slot, settings) => {
    const changes = { ...SMALL, ...settings };
    const run = await openSmall(changes, gpu);
    await trainAlike(run, await openSmall(changes), 2, [
      'success',
      LOST,
      'returnMean',
      'creditRms',
      'gradNorm',
      'klRef',
    ]);
    const saved = await run.checkpoint();
    const rest = await train(run, 2);
    const resumed = await Run.create(run.whole, gpuBackendOn(gpu), saved);
    run.dispose();
    expect((await train(resumed, 2)).map(({ hash }) => [...hash])).toEqual(rest.map(({ hash }) => [...hash]));
    for (const { bad } of rest) expect([...bad]).toEqual([0, 0]);
    resumed.dispose();
  },
);
