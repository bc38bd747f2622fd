import { prepareTask } from '../../config/level.ts';
import { presetConfig, presets } from '../../config/presets.ts';
import { problemLine } from '../../config/problems.ts';
import { setValue } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import type { MakeBackend } from '../../engine/backend.ts';
import { makeCpuBackend } from '../../engine/cpu/cpuBackend.ts';
import { createRun, type Run } from '../../engine/run.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import digests from './digests.json';
import type { ShortRun } from './report.ts';

/** Presets of all three families, whose first updates on a device are compared with the CPU path. */
export const COMPARED = [
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
] as const;
export const UPDATES = 3;
export const SEEDS = 2;

/** A draw may fall so near to the edge of a choice that the last bit of π decides: in this share of the episodes at most. */
const NEAR_TIES = 0.01;
/** Until the episodes part, metrics agree as well as sums in another order do. */
const CLOSE = 1e-3;

/** Digests of the short runs on the CPU path, the same in every engine (a test makes them again). */
export const KNOWN: Readonly<Record<string, string>> = digests;

/** What a short run tells: one sentence where the device differs from the CPU path, and the run itself. */
export type Played = { readonly wrong: string | null; readonly run: ShortRun };

/** What is wrong with the run on the CPU path, one sentence, or null: its digest is known. */
export function cpuDiffers({ preset, cpu }: ShortRun): string | null {
  const known = KNOWN[preset];
  return cpu === known
    ? null
    : `${preset} has the digest ${cpu.slice(0, 12)} after ${UPDATES} updates, where every engine has ${known?.slice(0, 12)}.`;
}

async function open(id: string, make: MakeBackend): Promise<Run> {
  const preset = presets.find((one) => one.id === id);
  if (!preset) throw new Error(`There is no preset ${id}.`);
  const config = setValue(setValue(presetConfig(preset), 'run.seeds', SEEDS), 'run.updates', UPDATES);
  await prepareTask(config);
  const made = await createRun(config, make);
  if (!made.ok) throw new Error(problemLine(made.problem));
  return must(made);
}

/** The updates of a short run on the CPU path: its digest is known. */
export async function playCpu(id: string): Promise<Played> {
  const run = await open(id, makeCpuBackend);
  try {
    for (let u = 0; u < UPDATES; u++) await run.submit();
    const { all } = await run.digest();
    return { wrong: null, run: { preset: id, updates: UPDATES, seeds: SEEDS, cpu: all, gpu: null, note: null } };
  } finally {
    run.dispose();
  }
}

/** How many episodes of the update that both have just made differ in an action or in their length, and of how many. */
async function partedIn(device: Run, cpu: Run): Promise<readonly [parted: number, of: number]> {
  let [parted, of] = [0, 0];
  for (let s = 0; s < SEEDS; s++) {
    const [a, b] = [(await device.backend.view(s)).batch, (await cpu.backend.view(s)).batch];
    const T = cpu.plan.T;
    of += b.length.length;
    for (let i = 0; i < b.length.length; i++) {
      const n = b.length[i]!;
      let isSame = a.length[i] === n;
      for (let t = 0; isSame && t < n; t++) isSame = a.action[i * T + t] === b.action[i * T + t];
      if (!isSame) parted++;
    }
  }
  return [parted, of];
}

/** Do the metrics of update u agree, seed by seed? Both NaN: not measured. */
function agree(device: Run, cpu: Run, u: number): boolean {
  for (let s = 0; s < SEEDS; s++)
    for (const id of ['entropy', 'gradNorm', 'returnMean'] as const) {
      const [a, b] = [device.series.at(u, s, metricIndex[id]), cpu.series.at(u, s, metricIndex[id])];
      const isSame = Object.is(a, b) || Math.abs(a - b) <= CLOSE * Math.max(1, Math.abs(b));
      if (!isSame) return false;
    }
  return true;
}

/** The same updates on both paths: the same episodes, or a shown near-tie in a draw. */
export async function playBoth(id: string, onDevice: MakeBackend): Promise<Played> {
  const runs: Run[] = [];
  try {
    for (const make of [onDevice, makeCpuBackend]) runs.push(await open(id, make));
    const [device, cpu] = runs as [Run, Run];
    let [note, wrong]: [string | null, string | null] = [null, null];
    for (let u = 0; u < UPDATES; u++) {
      await Promise.all([device.submit(), cpu.submit()]);
      if (note !== null || wrong !== null) continue;
      const [parted, of] = await partedIn(device, cpu);
      const at = `${parted} of ${of} episodes of update ${u + 1} of ${id} differ from those of the CPU path`;
      if (parted > Math.max(1, NEAR_TIES * of)) wrong = `${at}.`;
      else if (parted > 0) note = `${at}, from a draw at the edge of a choice: rounding decides it.`;
      else if (!agree(device, cpu, u))
        wrong = `The episodes of update ${u + 1} of ${id} are those of the CPU path, but what is learned from them is not.`;
    }
    const [gpu, own] = [await device.digest(), await cpu.digest()];
    if (wrong === null && note === null && gpu.all !== own.all)
      wrong = `${id} has another digest than on the CPU path.`;
    return { wrong, run: { preset: id, updates: UPDATES, seeds: SEEDS, cpu: own.all, gpu: gpu.all, note } };
  } finally {
    for (const run of runs) run.dispose();
  }
}
