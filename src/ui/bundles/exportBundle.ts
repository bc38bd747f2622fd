import type { RunRecord } from '../../lab/runs/record.ts';
import { archiveOf } from '../../lab/bundle/archive.ts';
import { nameOfRun, packRun, type Packed, type PackOptions, type RunToPack } from '../../lab/bundle/runBundle.ts';
import { nameOfSweep, packSweep, type GroupToPack } from '../../lab/bundle/sweepBundle.ts';
import { filesOfReport } from '../../lab/report/report.ts';
import { reportOfRun } from '../../lab/report/makeReport.ts';
import { bytesOfWeights, MOST_WEIGHTS, type Final } from '../../lab/bundle/weightLimit.ts';
import { isTrainedAgain } from '../../lab/runs/ofSweep.ts';
import { prepareTask } from '../../config/level.ts';
import type { Config } from '../../config/slots.ts';
import { CURVES } from '../../slots/metrics/metrics.ts';
import { finalsOf } from '../sweeps/client.ts';
import { namesByDifference } from '../../lab/sweep/names.ts';
import { whyTooLong } from '../../lab/bundle/curveLimit.ts';
import { seedCountOf } from '../../lab/runs/summary.ts';
import { runConfig } from '../session.ts';
import { useRun } from '../stores/run.ts';
import { keptCurves } from '../../store/keptCurves.ts';
import { runsWith } from '../../store/runs.ts';
import { bytesOfNumbers, NOT_CHOSEN, placeFor, saveFile } from '../saveFile.ts';
import { useDraft } from '../stores/draft.ts';
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

export const NOTHING = 'There is no result yet: train and pause, or let the run finish.';

/** Why curves of so many updates and seeds are not written; null: they are. None of them is read for it. */
const whyNotWritten = (what: 'bundle' | 'report', rows: number): string | null => {
  const why = whyTooLong(rows);
  return why && `The ${what} could not be made: ${why}.`;
};

/**
 * Saves something that is made of the run on the page, which is asked for when it is known where that goes. Null, or the
 * sentence of why it was not saved.
 */
async function saveRun(
  what: 'bundle' | 'report',
  nameOf: (config: Config) => Promise<string>,
  make: (run: RunToPack) => Promise<Packed['archive']>,
): Promise<string | null> {
  const config = runConfig();
  if (!config) return NOTHING;
  const rows = useRun.getState().update * seedCountOf(config);
  const why = whyNotWritten(what, rows);
  if (why !== null) return why;
  const place = await placeFor(await nameOf(config), bytesOfNumbers(rows * CURVES));
  if (!place) return NOT_CHOSEN;
  const run = await runNow();
  return run ? saveFile(place, await make(run)) : NOTHING;
}

/** Saves the run on the page as a bundle. */
export async function exportRun(asked: Asked): Promise<string | null> {
  const options = await optionsOf(asked);
  const { title } = useDraft.getState();
  return saveRun(
    'bundle',
    (config) => nameOfRun({ title, config }),
    async (run) => (await packRun(run, options)).archive,
  );
}

/** Saves the report on the run of the page: HTML, Markdown, CSV and figures in one archive. */
export function exportReport(question: string): Promise<string | null> {
  return saveRun(
    'report',
    async () => 'report.zip',
    async (run) => archiveOf(filesOfReport(await reportOfRun(run, question)), new Date(run.at)),
  );
}

const ADAPTERS = { cpu: 'CPU path', webgpu: 'WebGPU', both: 'CPU path and WebGPU in turn' } as const;

/** A kept run as it goes into a bundle; null where nothing of it was trained, or its curves are gone. */
async function packed(record: RunRecord, final: Final | undefined): Promise<RunToPack | null> {
  const curves = await keptCurves(record.id);
  const { config, title, note, backend, digest, version: lab, seconds, startedAt: at } = record;
  if (!curves || curves.updates === 0 || digest === null) return null;
  const kept = await keptStateOf(record);
  if (final) await prepareTask(config);
  const perSeed = final?.perSeed ?? (kept && [kept.link]);
  return {
    ...{ config, title, note, backend, lab, seconds, at, site: site(), doi: null, commit: null },
    ...{ adapter: ADAPTERS[backend], state: final?.state ?? kept?.state ?? null },
    batches: final ? [final.batch] : [],
    ...{ curves, digests: { all: digest, perSeed } },
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

/** The name of the bundle of kept runs. */
const nameOf = ([first, ...others]: readonly RunRecord[]): Promise<string> =>
  others.length > 0 ? nameOfSweep('', first!.config) : nameOfRun(first!);

/**
 * Saves kept runs as a bundle: one as that of a run, several as that of a sweep with their comparison. Null, or the
 * sentence of why it was not saved. `weighed`: runs of comparisons train again for their weights and last episodes.
 */
export async function exportBundle(
  ids: readonly string[],
  { weighed, ...asked }: Partial<Asked> & { readonly weighed?: Weighed } = {},
): Promise<string | null> {
  const records = (await runsWith(ids)).filter(({ update, digest }) => update > 0 && digest !== null);
  if (records.length === 0) return 'Nothing of these runs has been trained yet.';
  const rows = records.reduce((sum, { update }) => sum + update, 0);
  const why = whyTooLong(rows, records.length > 1 ? 'sweep' : 'run');
  if (why !== null) throw new Error(why);
  const place = await placeFor(await nameOf(records), bytesOfNumbers(rows * CURVES));
  if (!place) return NOT_CHOSEN;
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
  if (all.length === 0) return 'The curves of these runs are not there any more.';
  const { name, archive } = all.length === 1 ? await packRun(all[0]!, options) : await packAll(found, options);
  return saveFile({ ...place, name }, archive);
}

/** Groups of kept runs as a sweep. */
function packAll(
  found: readonly { readonly first: RunRecord; readonly runs: readonly RunToPack[] }[],
  options: PackOptions,
): Promise<Packed> {
  const names = namesByDifference(found.map(({ first }) => first.config));
  const groups = found.map(({ runs }, k): GroupToPack => ({ name: names[k]!, runs }));
  return packSweep({ title: '', question: '', threshold: 0.8, groups, site: site(), at: Date.now() }, options);
}
