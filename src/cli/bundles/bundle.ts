import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { LAB_COMMIT, LAB_VERSION } from '../../core/version.ts';
import type { Run } from '../../engine/run.ts';
import { metricsParquet } from '../../lab/bundle/parquet.ts';
import { readMetricsCsv } from '../../lab/bundle/metricsCsv.ts';
import { packRun, type PackOptions, type RunToPack } from '../../lab/bundle/runBundle.ts';
import { packSweep, type GroupToPack } from '../../lab/bundle/sweepBundle.ts';
import type { BatchToKeep } from '../../lab/bundle/trajectories.ts';
import { seedsOf } from '../../lab/runs/soFar.ts';
import { measuredCsv } from '../../lab/sweep/measures/measured.ts';
import type { Args } from '../args.ts';
import { measuredIn, metricsPath, readFolder } from '../sweeps/folder.ts';
import { writeFileWhole } from './write.ts';

export const BUNDLE_USAGE = `npm run lab -- bundle DIR [--out FILE] [--title TEXT] [--aliases] [--parquet]
  packs the finished cells of a sweep with their comparison and report into one zip file, which the page opens`;

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

/** What a bundle is asked to have besides. */
export const packOptions = ({ options }: Args): PackOptions => ({
  hasAliases: 'aliases' in options,
  ...('parquet' in options ? { parquet: metricsParquet } : {}),
});

async function batchOf(run: Run, s: number): Promise<BatchToKeep> {
  const { batch, world, levelSeeds, A } = await run.backend.view(s);
  const { B, T, actionNames: actions, seeds } = run.plan;
  const { length, success, terminated, action, taskIndex, stateKey, finalStateKey, entropy } = batch;
  const reward = world?.reward ?? batch.reward;
  const seen = world ? batch.reward : null;
  return {
    ...{ seed: seeds[s]!, update: run.series.length, B, T, actions, levelSeeds, length, success, terminated },
    ...{ action, reward, seen, entropy, taskIndex, stateKey, finalStateKey, A },
  };
}

/** Writes the bundle of a run that has ended. Null, or the sentence of why it could not be written. */
export async function keepBundle(
  run: Run,
  { folder, title, seconds }: { readonly folder: string; readonly title: string; readonly seconds: number },
  options: PackOptions,
): Promise<string | null> {
  const { all, perSeed } = await run.digest();
  const { S } = run.plan;
  const packed: RunToPack = {
    ...{ config: run.config, title: title.slice(0, 120), note: '', backend: run.backend.kind },
    ...{ adapter: run.backend.description, lab: LAB_VERSION, commit: LAB_COMMIT, seconds, at: Date.now() },
    ...{ site: null, doi: null, digests: { all, perSeed } },
    curves: { S, part: run.series.part(0, run.series.length) },
    state: (await run.checkpoint()).state,
    batches: await Promise.all(Array.from({ length: S }, (_, s) => batchOf(run, s))),
  };
  const { name, bytes } = await packRun(packed, options);
  const problem = await writeFileWhole(join(folder, name), bytes);
  if (problem === null) console.log(`The bundle is ${join(folder, name)}`);
  return problem;
}

/** Packs the folder of a sweep. Resolves with the exit code. */
export async function bundleCommand(args: Args): Promise<number> {
  const { words, options } = args;
  const [, folder] = words;
  if (folder === undefined || words.length !== 2) return say(`Usage: ${BUNDLE_USAGE}`);
  const read = await readFolder(folder);
  if (typeof read === 'string') return say(read);
  const { plan, results } = read;
  const at = Date.now();
  const groups: GroupToPack[] = [];
  for (const [group, { name }] of plan.groups.entries()) {
    const runs: RunToPack[] = [];
    for (const cell of plan.cells.filter((one) => one.group === group)) {
      const { address, config } = cell;
      const result = results.get(address);
      if (!result) continue;
      const curves = readMetricsCsv(await readFile(metricsPath(folder, address), 'utf8'), seedsOf(config));
      if (typeof curves === 'string') return say(`“${metricsPath(folder, address)}” cannot be read. ${curves}`);
      runs.push({
        ...{ config, title: '', note: '', curves, backend: 'cpu', adapter: 'CPU path', lab: LAB_VERSION },
        ...{ commit: null, seconds: null, at, site: null, doi: null, state: null, batches: [] },
        digests: { all: result.digest, perSeed: null },
        ...(cell.measure ? { measured: measuredCsv(await measuredIn(folder, cell, result)) } : {}),
      });
    }
    if (runs.length > 0) groups.push({ name, runs });
  }
  if (groups.length === 0) return say('No cell of this sweep is finished yet.');
  const title = (options['title'] ?? basename(resolve(folder))).slice(0, 120);
  const { name, bytes } = await packSweep(
    { title, question: '', threshold: plan.threshold, groups, site: null, at },
    packOptions(args),
  );
  const to = options['out'] ?? name;
  const problem = await writeFileWhole(to, bytes);
  if (problem !== null) return say(problem);
  console.log(`${groups.reduce((n, { runs }) => n + runs.length, 0)} of ${plan.cells.length} cells are in ${to}`);
  return 0;
}
