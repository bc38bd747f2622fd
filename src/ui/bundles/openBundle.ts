import { prepareTask } from '../../config/level.ts';
import type { Expect } from '../../config/expect.ts';
import { nearestPreset } from '../../config/nearestPreset.ts';
import { configWith } from '../../config/schema.ts';
import { foreignOf } from '../../lab/bundle/linkOfRun.ts';
import { SWEEP_LIMITS } from '../../lab/bundle/names.ts';
import { bytesOfHex, readBundle, type ReadRun } from '../../lab/bundle/readBundle.ts';
import { ofBlob } from '../../lab/bundle/zip.ts';
import { filedInParts, type Filed } from '../../lab/runs/filed.ts';
import { LetGo } from '../../lab/runs/inParts.ts';
import type { RunCurves, RunRecord } from '../../lab/runs/record.ts';
import { seedsOfHeld } from '../../lab/runs/seedsOfHeld.ts';
import { measuredOf, recordsOf, seedsOf } from '../../lab/runs/soFar.ts';
import { episodesOf, shortExact, summaryBy } from '../../lab/runs/summary.ts';
import { deleteRuns, keepRuns } from '../../store/runs.ts';
import { takeShared } from '../share/shownMoment.ts';
import { say } from '../notices/say.ts';
import { openShared } from '../stores/draft.ts';
import { useOpenedRun } from './openedRun.ts';

/** What came of a file: a sentence for people. */
export type Opened = { readonly ok: boolean; readonly sentence: string };

/** Some records, one per seed, with their curves. */
type Some = { readonly records: readonly RunRecord[]; readonly curves: readonly RunCurves[] };

/** Bytes of curves on their way into the storage that are in memory at once; one seed may have more. */
const MOST_BYTES = 8 * 2 ** 20;

/** The records of a run as its bundle says, some seeds after the other. */
async function* recordsIn({ manifest, config, curves, overview }: ReadRun, batch: string): AsyncGenerator<Some> {
  const { digests, title, note, lab, seconds, updates, backend, createdAt } = manifest;
  const seeds = seedsOf(config);
  const chain = (digests.perSeed ?? []).map(bytesOfHex);
  // of one seed, the digest of all is that of the seed
  const alone = seeds.length === 1 ? digests.exact : null;
  for await (const { s, count, part } of seedsOfHeld(curves, MOST_BYTES)) {
    const own = seeds.slice(s, s + count);
    const made = await recordsOf({
      ids: own.map(() => crypto.randomUUID()),
      ...{ batch, origin: 'bundle', problem: null, part, backend, chain: chain.slice(s, s + count) },
      config: configWith({ 'run.seed': own[0]!, 'run.seeds': count }, config),
      past: { measured: own.map((_, k) => measuredOf(overview, s + k)) },
      state: updates < (config.run['updates'] as number) ? 'stopped' : 'finished',
      seconds: seconds ?? 0,
      startedAt: Date.parse(createdAt),
    });
    const records = made.records.map((record) => ({
      ...record,
      ...{ title, note, version: lab, digest: record.digest ?? alone },
    }));
    yield { records, curves: made.curves };
  }
}

const bytesOf = ({ curves }: Some): number =>
  curves.reduce((sum, { part: { values, steps } }) => sum + values.byteLength + steps.byteLength, 0);

/** Keeps all of these runs, or none of them; how many they are. No more of their curves are in memory than are kept at once. */
async function keepAll(runs: readonly ReadRun[], batch: string): Promise<number> {
  const kept: string[] = [];
  let waiting: Some[] = [];
  const pass = async (): Promise<void> => {
    const records = waiting.flatMap((some) => some.records);
    await keepRuns(
      records,
      waiting.flatMap((some) => some.curves),
    );
    kept.push(...records.map(({ id }) => id));
    waiting = [];
  };
  try {
    for (const run of runs)
      for await (const some of recordsIn(run, batch)) {
        waiting.push(some);
        if (waiting.reduce((sum, each) => sum + bytesOf(each), 0) >= MOST_BYTES) await pass();
      }
    await pass();
  } catch (error) {
    await deleteRuns(kept);
    throw error;
  }
  return kept.length;
}

/** The result of a bundle as a link would carry it. */
function expectIn({ manifest, config, overview }: ReadRun): Expect {
  const { backend, lab: version, digests } = manifest;
  const summary = summaryBy(overview.numbers, episodesOf(config));
  return { backend, version, exact: shortExact(digests.exact), summary };
}

/** The experiment of a run as a draft beside the person's own, with its result to verify. */
async function showDraft(run: ReadRun, parts: readonly Filed[]): Promise<void> {
  const { config, curves, overview, manifest } = run;
  const { title, note } = manifest;
  await prepareTask(config);
  const { state, whyNot } = run;
  useOpenedRun.setState({ run: state && { manifest, config, state, whyNot, curves: curves.held } });
  takeShared({ config, expect: expectIn(run) }, { parts, foreign: foreignOf(overview) });
  openShared({ config, ...(title ? { title } : {}), ...(note ? { note } : {}) }, nearestPreset(config));
}

async function open(file: Blob): Promise<Opened> {
  const read = await readBundle(ofBlob(file));
  if (read.kind === 'refused') return { ok: false, sentence: `The bundle was not opened. ${read.why}` };
  const runs = read.kind === 'run' ? [read.run] : read.runs;
  const parts = read.kind === 'run' ? await filedInParts(read.run.curves) : [];
  const kept = await keepAll(runs, crypto.randomUUID()).catch((error: unknown) => {
    if (error instanceof LetGo) throw error;
    return null;
  });
  if (read.kind === 'run') await showDraft(read.run, parts);
  const words = kept === 1 ? '1 run is' : `${kept} runs are`;
  const sentence =
    kept === null
      ? 'The bundle is sound, but this browser could not keep its runs.'
      : `The bundle is sound. ${words} kept in the table of runs.`;
  return { ok: true, sentence };
}

/** Opens a bundle: its runs are kept beside the others; that of a single run is also opened as a draft. */
export async function openBundle(file: Blob): Promise<Opened> {
  if (file.size > SWEEP_LIMITS.inflated)
    return { ok: false, sentence: 'The bundle was not opened. It is larger than any bundle of the lab.' };
  try {
    return await open(file);
  } catch (error) {
    if (!(error instanceof LetGo)) throw error;
    return { ok: false, sentence: `The bundle was not opened: ${error.message}. Make room and open it again.` };
  }
}

/** The same for a file that was dropped on the page; every outcome is said. */
export async function openDropped(file: Blob): Promise<void> {
  say((await openBundle(file)).sentence);
}
