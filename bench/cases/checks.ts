import { prepareTask } from '../../src/config/level.ts';
import { presetConfig, presets } from '../../src/config/presets.ts';
import { setValue } from '../../src/config/schema.ts';
import type { Run } from '../../src/engine/run.ts';
import { check, type Case } from '../../src/gpu/conformance.ts';
import type { Gpu } from '../../src/gpu/device.ts';
import { metricIndex } from '../../src/slots/metrics/metrics.ts';
import { openRun, updates } from '../ours/runs.ts';
import { rowOf, timingOf } from '../stats.ts';
import type { Bench } from '../types.ts';

const modules = import.meta.glob<{ cases: readonly Case[] }>('../../src/gpu/shaders/*/*/*.ts', { eager: true });

/** Presets of all three families, whose first updates on a device are compared with the CPU path. */
const COMPARED = [
  'key-door',
  'key-door-grpo',
  'key-door-ppo',
  'key-door-oprl',
  'bonus-trap',
  'cue-room-igpo',
  'sokoban-gym-v0',
  'sokoban-boxoban',
  'maze-two-rooms',
  'maze-written',
];
const UPDATES = 3;
const SEEDS = 2;

/** Success, return and length of every update and seed: they are equal where the episodes are. */
async function played(run: Run): Promise<number[]> {
  await updates(run, UPDATES);
  const all: number[] = [];
  for (let u = 0; u < UPDATES; u++)
    for (let s = 0; s < SEEDS; s++)
      for (const id of ['success', 'returnMean', 'lengthMean'] as const) all.push(run.series.at(u, s, metricIndex[id]));
  return all;
}

/** Null where the device plays what the CPU path plays. */
async function differs(gpu: Gpu, id: string): Promise<string | null> {
  const preset = presets.find((one) => one.id === id);
  if (!preset) return `There is no preset ${id}.`;
  const sized = setValue(setValue(presetConfig(preset), 'run.seeds', SEEDS), 'run.updates', UPDATES);
  await prepareTask(sized);
  const runs: Run[] = [];
  try {
    for (const on of [gpu, null]) runs.push(await openRun(on, sized));
    const [device, cpu] = [await played(runs[0]!), await played(runs[1]!)];
    const at = device.findIndex((x, k) => !(Math.abs(x - cpu[k]!) <= 1e-5 * Math.max(1, Math.abs(cpu[k]!))));
    return at < 0
      ? null
      : `${id} plays other episodes on the device than on the CPU path, from update ${Math.floor(at / 3 / SEEDS)} on.`;
  } catch (error) {
    return `${id}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  } finally {
    for (const run of runs) run.dispose();
  }
}

/** Is this device right? Every kernel against its definition, and episodes of presets against those of the CPU path. */
export async function checks(bench: Bench): Promise<void> {
  const { gpu, options } = bench;
  if (!gpu || options.backend === 'cpu') return;
  const put = async (name: string, shape: string, of: readonly (() => Promise<string | null>)[]): Promise<void> => {
    if (options.only !== null && !`${name} ${shape}`.includes(options.only)) return;
    const from = performance.now();
    let wrong = 0;
    for (const one of of) {
      const sentence = await one();
      if (sentence === null) continue;
      wrong++;
      bench.failed(sentence);
    }
    const row = rowOf(name, shape, { ours: timingOf([performance.now() - from], 1) });
    bench.row({ ...row, note: wrong === 0 ? 'all agree' : `${wrong} of ${of.length} do not agree` });
  };
  const cases = Object.values(modules).flatMap((module) => module.cases);
  await put(
    'check kernels',
    `${cases.length} cases against their definitions`,
    cases.map((c) => () => check(gpu, c)),
  );
  await put(
    'check presets',
    `${COMPARED.length} of all families, ${UPDATES} updates of ${SEEDS} seeds: same episodes as on the CPU path`,
    COMPARED.map((id) => () => differs(gpu, id)),
  );
}
