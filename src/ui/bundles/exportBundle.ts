import type { RunRecord } from '../../lab/runs/record.ts';
import { packRun, type PackOptions, type RunToPack } from '../../lab/bundle/runBundle.ts';
import { packSweep, type GroupToPack } from '../../lab/bundle/sweepBundle.ts';
import { writeZip } from '../../lab/bundle/zip.ts';
import { filesOfReport } from '../../lab/report/report.ts';
import { reportOfRun } from '../../lab/report/makeReport.ts';
import { inColumns } from '../../lab/runs/soFar.ts';
import { bytesOfWeights, MOST_WEIGHTS, type Final } from '../../lab/bundle/weightLimit.ts';
import { isTrainedAgain } from '../../lab/runs/ofSweep.ts';
import { prepareTask } from '../../config/level.ts';
import { finalsOf } from '../sweeps/client.ts';
import { namesByDifference } from '../../lab/sweep/names.ts';
import { whyTooLong } from '../../lab/bundle/curveLimit.ts';
import { seedCountOf } from '../../lab/runs/summary.ts';
import { runConfig } from '../session.ts';
import { useRun } from '../stores/run.ts';
import { curvesOf, runsWith } from '../../store/runs.ts';
import { download } from '../download.ts';
import { keptStateOf } from '../../store/keptState.ts';
import { runNow, site } from './runNow.ts';

/** What a bundle is asked to have besides. */
export type Asked = { readonly hasAliases: boolean; readonly hasParquet: boolean };

/** Told how many runs of comparisons have been trained again for their weights, and of how many. */
export type Weighed = (done: number, of: number) => void;

async function optionsOf({ hasAliases, hasParquet }: Asked): Promise<PackOptions> {
  if (!hasParquet) return { hasAliases };
  const { metricsParquet } = await import('../../lab/bundle/parquet.ts');
  return { hasAliases, parquet: metricsParquet };
}

const offer = ({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }): void =>
  download(name, new Blob([bytes]), 'application/zip');

/** The run on the page. Throws, with a sentence, where its curves are more than is written, before they come to the page. */
async function runToWrite(what: 'bundle' | 'report'): Promise<RunToPack | null> {
  const config = runConfig();
  const why = config && whyTooLong(useRun.getState().update * seedCountOf(config));
  if (why) throw new Error(`The ${what} could not be made: ${why}.`);
  return runNow();
}

/** Offers the run on the page as a bundle; false where there is none yet. */
export async function exportRun(asked: Asked): Promise<boolean> {
  const run = await runToWrite('bundle');
  if (run) offer(await packRun(run, await optionsOf(asked)));
  return run !== null;
}

/** Offers the report on the run of the page: HTML, Markdown, CSV and figures in one archive; false where there is no run. */
export async function exportReport(question: string): Promise<boolean> {
  const run = await runToWrite('report');
  if (!run) return false;
  const files = filesOfReport(await reportOfRun(run, question));
  offer({ name: 'report.zip', bytes: await writeZip(files, new Date(run.at)) });
  return true;
}

const ADAPTERS = { cpu: 'CPU path', webgpu: 'WebGPU', both: 'CPU path and WebGPU in turn' } as const;

/** A kept run as it goes into a bundle; null where nothing of it was trained, or its curves are gone. */
async function packed(record: RunRecord, final: Final | undefined): Promise<RunToPack | null> {
  const curves = await curvesOf(record.id);
  const { config, title, note, backend, digest, version: lab, seconds, startedAt: at } = record;
  if (!curves || curves.part.steps.length === 0 || digest === null) return null;
  const kept = await keptStateOf(record);
  if (final) await prepareTask(config);
  const perSeed = final?.perSeed ?? (kept && [kept.link]);
  return {
    ...{ config, title, note, backend, lab, seconds, at, site: site(), doi: null, commit: null },
    ...{ adapter: ADAPTERS[backend], state: final?.state ?? kept?.state ?? null },
    batches: final ? [final.batch] : [],
    ...{
      curves: { S: 1, part: inColumns(curves.part, curves.columns) },
      digests: { all: digest, perSeed },
    },
  };
}

/** What the runs of comparisons among these have ended with. Throws where a bundle cannot hold as much. */
async function trainedAgain(records: readonly RunRecord[], weighed: Weighed): Promise<ReadonlyMap<string, Final>> {
  const wanted = records.filter(isTrainedAgain);
  const size = wanted.reduce((sum, { config }) => sum + bytesOfWeights(config), 0);
  if (size > MOST_WEIGHTS)
    throw new Error(
      `The weights of ${wanted.length} runs take ${Math.ceil(size / 2 ** 20)} MiB, more than the ${MOST_WEIGHTS / 2 ** 20} MiB that a bundle takes of them; select fewer runs`,
    );
  return finalsOf(wanted, (done) => weighed(done, wanted.length));
}

/**
 * Offers kept runs as a bundle: one as that of a run, several as that of a sweep with their comparison. False: none could
 * be. `weighed`: runs of comparisons train again for their weights and last episodes.
 */
export async function exportBundle(
  ids: readonly string[],
  { weighed, ...asked }: Partial<Asked> & { readonly weighed?: Weighed } = {},
): Promise<boolean> {
  const records = await runsWith(ids);
  const why = whyTooLong(
    records.reduce((sum, { update }) => sum + update, 0),
    records.length > 1 ? 'sweep' : 'run',
  );
  if (why !== null) throw new Error(why);
  const options = await optionsOf({ hasAliases: false, hasParquet: false, ...asked });
  const finals = weighed ? await trainedAgain(records, weighed) : new Map<string, Final>();
  const groups = new Map<string, { readonly first: RunRecord; readonly runs: RunToPack[] }>();
  for (const record of records) {
    const run = await packed(record, finals.get(record.id));
    if (!run) continue;
    const group = groups.get(record.group) ?? { first: record, runs: [] };
    group.runs.push(run);
    groups.set(record.group, group);
  }
  const found = [...groups.values()];
  const all = found.flatMap(({ runs }) => runs);
  if (all.length === 0) return false;
  if (all.length === 1) {
    offer(await packRun(all[0]!, options));
    return true;
  }
  const names = namesByDifference(found.map(({ first }) => first.config));
  const packedGroups = found.map(({ runs }, k): GroupToPack => ({ name: names[k]!, runs }));
  offer(
    await packSweep(
      { title: '', question: '', threshold: 0.8, groups: packedGroups, site: site(), at: Date.now() },
      options,
    ),
  );
  return true;
}
