import { expect, test } from 'vitest';
import { prepareTask } from '../../src/config/level.ts';
import { presets } from '../../src/config/presets.ts';
import { configWith } from '../../src/config/schema.ts';
import type { Config } from '../../src/config/slots.ts';
import { gpuBackendOn } from '../../src/engine/gpu/gpuBackend.ts';
import { shapesOnGpu } from '../../src/engine/gpu/shapesOnGpu.ts';
import { playsInPhases } from '../../src/engine/gpu/playsInParts.ts';
import type { Plan } from '../../src/engine/plan.ts';
import { createRun } from '../../src/engine/run.ts';
import { Gpu } from '../../src/gpu/device.ts';
import { wordsOf } from '../../src/networks/policy.ts';
import { objectives } from '../../src/slots/methods.ts';
import { onDevice } from '../../src/slots/objective/types.ts';
import { CountingDevice } from './countingDevice.ts';

const counting = new CountingDevice();
const gpu = new Gpu(counting.device, 'counting', false);
const SMALL = { 'analysis.evalEvery': 0, 'run.seeds': 1, 'rollout.tasksPerBatch': 2 };

/** Presets that wait. Whoever adds one says here what for; whoever takes a wait away takes them out. */
const WAITING: Readonly<Record<string, readonly string[]>> = {};

/** Objectives that wait with the settings that they start with: they have no kernel for their marks. */
const SURVEYED: readonly string[] = [];

/** What a plan reads back for before an update has ended. */
function reasonOf(plan: Plan): string {
  if (onDevice(plan.objective, wordsOf(plan.policy) !== null).survey) return 'survey';
  if (!shapesOnGpu(plan)) return 'rewards';
  if (!plan.estimator.gpu) return 'credit';
  return playsInPhases(plan) ? 'rows' : 'unknown';
}

/** Why an update reads something back before its report; null where it does not, or does not train on WebGPU at all. */
async function waitOf(config: Config): Promise<string | null> {
  await prepareTask(config);
  try {
    return await counting.timed(async () => {
      const made = await createRun(config, gpuBackendOn(gpu));
      if (!made.ok) throw new Error(`It was refused: ${made.problem.kind}.`);
      const { backend, plan } = made.value;
      const finish = backend.finish.bind(backend);
      let [reads, hasEnded] = [0, false];
      backend.finish = (update) => {
        reads = counting.take().reads;
        hasEnded = true;
        return finish(update);
      };
      counting.take();
      // what comes back of a batch that nobody played may be no batch
      await made.value.submit().catch((error: unknown) => {
        if (!hasEnded) throw error;
      });
      made.value.dispose();
      return reads > 0 ? reasonOf(plan) : null;
    });
  } catch (error) {
    if (/no WebGPU form/.test(String(error))) return null;
    // a scheme has read the first rows of its batch, which say nothing here
    if (/plans more rows/.test(String(error))) return 'rows';
    throw error;
  }
}

/** Modules of a config: presets with the same ones hand the same work over, of other sizes. */
const modulesOf = (config: Config): string =>
  JSON.stringify(config, (key, value: unknown) =>
    typeof value === 'object' || key === 'method' || value === true ? value : undefined,
  );

test('presets that wait in the middle of an update are few, and each has its reason', async () => {
  const known = new Map<string, string | null>();
  const found: Record<string, string[]> = {};
  for (const preset of presets) {
    const config = configWith({ ...preset.changes, ...SMALL });
    const modules = modulesOf(config);
    if (!known.has(modules)) known.set(modules, await waitOf(config));
    const reason = known.get(modules)!;
    if (reason !== null) (found[reason] ??= []).push(preset.id);
  }
  expect(found).toEqual(WAITING);
});

test('a model of a ranking pays and learns without a wait, which no preset has', async () => {
  expect(await waitOf(configWith({ ...SMALL, 'reward.heron.on': true, 'reward.heron.by': 'model' }))).toBeNull();
});

test('objectives that wait in the middle of an update with the settings that they start with', async () => {
  const found: string[] = [];
  for (const { id } of objectives)
    if ((await waitOf(configWith({ ...SMALL, 'objective.method': id, 'rollout.staleness': 2 }))) !== null)
      found.push(id);
  expect(found).toEqual(SURVEYED);
});
