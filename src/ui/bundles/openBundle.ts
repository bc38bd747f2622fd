import { prepareTask } from '../../config/level.ts';
import type { Expect } from '../../config/expect.ts';
import { SWEEP_LIMITS } from '../../lab/bundle/names.ts';
import { bytesOfHex, readBundle, type ReadRun } from '../../lab/bundle/readBundle.ts';
import { ofBlob } from '../../lab/bundle/zip.ts';
import { filed } from '../../lab/runs/filed.ts';
import { heldOf } from '../../lab/runs/heldFile.ts';
import { foreignIn } from '../../lab/runs/foreign.ts';
import type { RunCurves, RunRecord } from '../../lab/runs/record.ts';
import { recordsOf, seedsOf } from '../../lab/runs/soFar.ts';
import { episodesOf, shortExact, summaryOf } from '../../lab/runs/summary.ts';
import { keepRuns } from '../../store/runs.ts';
import { takeShared } from '../share/shownMoment.ts';
import { say } from '../notices/say.ts';
import { openShared } from '../stores/draft.ts';
import { useOpenedRun } from './openedRun.ts';

/** What came of a file: a sentence for people. */
export type Opened = { readonly ok: boolean; readonly sentence: string };

/** The records of a run, one per seed, as its bundle says. */
async function recordsIn(
  { manifest, config, curves }: ReadRun,
  batch: string,
): Promise<{
  records: RunRecord[];
  curves: RunCurves[];
}> {
  const { digests, title, note, lab, seconds, updates, backend, createdAt } = manifest;
  const made = await recordsOf({
    ids: seedsOf(config).map(() => crypto.randomUUID()),
    ...{ batch, origin: 'bundle', config, problem: null, part: curves.part, backend },
    state: updates < (config.run['updates'] as number) ? 'stopped' : 'finished',
    chain: (digests.perSeed ?? []).map(bytesOfHex),
    seconds: seconds ?? 0,
    startedAt: Date.parse(createdAt),
  });
  // of one seed, the digest of all is that of the seed
  const alone = seedsOf(config).length === 1 ? digests.exact : null;
  const records = made.records.map((record) => ({
    ...record,
    ...{ title, note, version: lab, digest: record.digest ?? alone },
  }));
  return { records, curves: made.curves };
}

/** The result of a bundle as a link would carry it. */
function expectIn({ manifest, config, curves }: ReadRun): Expect {
  const { backend, lab: version, digests } = manifest;
  return { backend, version, exact: shortExact(digests.exact), summary: summaryOf(curves, episodesOf(config)) };
}

/** The experiment of a run as a draft beside the person's own, with its result to verify. */
async function showDraft(run: ReadRun): Promise<void> {
  const { config, curves, manifest } = run;
  const { title, note } = manifest;
  await prepareTask(config);
  const { state, whyNot } = run;
  useOpenedRun.setState({ run: state && { manifest, config, state, whyNot, curves: heldOf([curves.part]) } });
  takeShared({ config, expect: expectIn(run) }, { ...filed(curves), foreign: foreignIn(curves) });
  openShared({ config, ...(title ? { title } : {}), ...(note ? { note } : {}) }, undefined);
}

/** Opens a bundle: its runs are kept beside the others; that of a single run is also opened as a draft. */
export async function openBundle(file: Blob): Promise<Opened> {
  if (file.size > SWEEP_LIMITS.inflated)
    return { ok: false, sentence: 'The bundle was not opened. It is larger than any bundle of the lab.' };
  const read = await readBundle(ofBlob(file));
  if (read.kind === 'refused') return { ok: false, sentence: `The bundle was not opened. ${read.why}` };
  const runs = read.kind === 'run' ? [read.run] : read.runs;
  const batch = crypto.randomUUID();
  const found = await Promise.all(runs.map((run) => recordsIn(run, batch)));
  let kept = true;
  try {
    await keepRuns(
      found.flatMap(({ records }) => records),
      found.flatMap(({ curves }) => curves),
    );
  } catch {
    kept = false;
  }
  if (read.kind === 'run') await showDraft(read.run);
  const count = found.reduce((sum, { records }) => sum + records.length, 0);
  const words = count === 1 ? '1 run is' : `${count} runs are`;
  const sentence = kept
    ? `The bundle is sound. ${words} kept in the table of runs.`
    : 'The bundle is sound, but this browser could not keep its runs.';
  return { ok: true, sentence };
}

/** The same for a file that was dropped on the page; every outcome is said. */
export async function openDropped(file: Blob): Promise<void> {
  say((await openBundle(file)).sentence);
}
