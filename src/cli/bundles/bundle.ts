import { createReadStream } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { LAB_COMMIT, LAB_VERSION } from '../../core/version.ts';
import type { Run } from '../../engine/run.ts';
import { whyTooLong } from '../../lab/bundle/curveLimit.ts';
import { finalOf } from '../../lab/bundle/finalState.ts';
import { bytesOfFinal, MOST_WEIGHTS, type Final } from '../../lab/bundle/weightLimit.ts';
import { lastBatch } from '../../lab/bundle/lastBatch.ts';
import { metricsParquet } from '../../lab/bundle/parquet.ts';
import { readMetricsCsv } from '../../lab/bundle/metricsCsv.ts';
import { packRun, type PackOptions, type RunToPack } from '../../lab/bundle/runBundle.ts';
import { packSweep, type GroupToPack } from '../../lab/bundle/sweepBundle.ts';
import { ofHeld, ofSeries, type CurvesInParts } from '../../lab/runs/inParts.ts';
import { seedsOf } from '../../lab/runs/soFar.ts';
import type { Config } from '../../config/slots.ts';
import type { CellResult } from '../../lab/sweep/cell.ts';
import { limitOfAddress } from '../../lab/sweep/limit.ts';
import type { Plan } from '../../lab/sweep/plan.ts';
import { measuredCsv } from '../../lab/sweep/measures/measured.ts';
import type { Args } from '../args.ts';
import { writeFileWhole } from '../files.ts';
import { measuredIn, metricsPath, readFolder } from '../sweeps/folder.ts';

export const BUNDLE_USAGE = `npm run lab -- bundle DIR [--out FILE] [--title TEXT] [--aliases] [--parquet] [--weights]
  packs the finished cells of a sweep with their comparison and report into one zip file, which the page opens;
  --weights trains the cells again on the CPU path, for their weights and last trajectories`;

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

/** What a bundle is asked to have besides. */
export const packOptions = ({ options }: Args): PackOptions => ({
  hasAliases: 'aliases' in options,
  ...('parquet' in options ? { parquet: metricsParquet } : {}),
});

/** Writes the bundle of a run that has ended. Null, or the sentence of why it could not be written. */
export async function keepBundle(
  run: Run,
  { folder, title, seconds }: { readonly folder: string; readonly title: string; readonly seconds: number },
  options: PackOptions,
): Promise<string | null> {
  const { S } = run.plan;
  const why = whyTooLong(run.series.length * S);
  if (why !== null) return `There is no bundle: ${why}.`;
  const { all, perSeed } = await run.digest();
  const packed: RunToPack = {
    ...{ config: run.config, title: title.slice(0, 120), note: '', backend: run.backend.kind },
    ...{ adapter: run.backend.description, lab: LAB_VERSION, commit: LAB_COMMIT, seconds, at: Date.now() },
    ...{ site: null, doi: null, digests: { all, perSeed } },
    curves: ofSeries(run.series),
    state: (await run.checkpoint()).state,
    batches: await Promise.all(Array.from({ length: S }, (_, s) => lastBatch(run, s))),
  };
  const { name, archive } = await packRun(packed, options);
  const problem = await writeFileWhole(join(folder, name), archive);
  if (problem === null) console.log(`The bundle is ${join(folder, name)}`);
  return problem;
}

/** The curves of a finished cell, which are read from its table as often as they are needed, and not held in between. */
function curvesOf(path: string, seeds: readonly number[], updates: number): CurvesInParts {
  return {
    ...{ S: seeds.length, updates },
    async *parts() {
      const read = await readMetricsCsv(() => createReadStream(path) as AsyncIterable<Buffer>, seeds);
      if (typeof read === 'string') throw new Error(`“${path}” cannot be read. ${read}`);
      const found = ofHeld(read.held, read.S);
      if (found.updates !== updates) throw new Error(`“${path}” has other updates than its cell.`);
      yield* found.parts();
    },
  };
}

const trainedOn = ({ run }: Config): Pick<RunToPack, 'backend' | 'adapter'> =>
  run['backend'] === 'webgpu' ? { backend: 'webgpu', adapter: 'WebGPU' } : { backend: 'cpu', adapter: 'CPU path' };

/** Weights and last batch of every finished cell that can be trained again; a text where they are too many. */
async function finalsOf(
  { cells, groups }: Plan,
  results: ReadonlyMap<string, CellResult>,
): Promise<ReadonlyMap<string, Final> | string> {
  const finals = new Map<string, Final>();
  const finished = cells.filter(({ address }) => results.has(address));
  for (const [k, cell] of finished.entries()) {
    const name = `${groups[cell.group]!.name}, seed ${cell.seed}`;
    const final = await finalOf(
      { ...cell, name, limit: limitOfAddress(cell.address) },
      results.get(cell.address)!.digest,
    );
    if (typeof final === 'string') {
      console.error(`${name} is packed without weights: ${final}.`);
      continue;
    }
    const bytes = bytesOfFinal(final) * finished.length;
    if (bytes > MOST_WEIGHTS)
      return `The weights of ${finished.length} cells take ${Math.ceil(bytes / 2 ** 20)} MiB, more than the ${MOST_WEIGHTS / 2 ** 20} MiB that a bundle takes of them; leave out --weights, or pack a folder with fewer cells.`;
    finals.set(cell.address, final);
    console.log(`${k + 1}/${finished.length} ${name}: trained again, the same digest`);
  }
  return finals;
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
  const finals = 'weights' in options ? await finalsOf(plan, results) : new Map<string, Final>();
  if (typeof finals === 'string') return say(finals);
  const groups: GroupToPack[] = [];
  for (const [group, { name }] of plan.groups.entries()) {
    const runs: RunToPack[] = [];
    for (const cell of plan.cells.filter((one) => one.group === group)) {
      const { address, config } = cell;
      const result = results.get(address);
      if (!result) continue;
      const final = finals.get(address);
      const curves = curvesOf(metricsPath(folder, address), seedsOf(config), result.updates);
      runs.push({
        ...{ config, title: '', note: '', curves, ...trainedOn(config), lab: LAB_VERSION },
        ...{ commit: null, seconds: null, at, site: null, doi: null },
        ...{ state: final?.state ?? null, batches: final ? [final.batch] : [] },
        digests: { all: result.digest, perSeed: final?.perSeed ?? null },
        ...(cell.measure ? { measured: measuredCsv(await measuredIn(folder, cell, result)) } : {}),
      });
    }
    if (runs.length > 0) groups.push({ name, runs });
  }
  if (groups.length === 0) return say('No cell of this sweep is finished yet.');
  const title = (options['title'] ?? basename(resolve(folder))).slice(0, 120);
  const sweep = { title, question: '', threshold: plan.threshold, groups, site: null, at };
  const packed = await packSweep(sweep, packOptions(args)).catch((error: unknown) => error as Error);
  if (packed instanceof Error) return say(packed.message);
  const to = options['out'] ?? packed.name;
  const problem = await writeFileWhole(to, packed.archive);
  if (problem !== null) return say(problem);
  console.log(`${groups.reduce((n, { runs }) => n + runs.length, 0)} of ${plan.cells.length} cells are in ${to}`);
  return 0;
}
