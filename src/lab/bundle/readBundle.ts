import { configDigest } from '../../config/digest.ts';
import { prepareTask } from '../../config/level.ts';
import { migrate, withLaterSettings } from '../../config/migrations.ts';
import { parseConfig, SCHEMA_VERSION } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import type { TrainState } from '../../contract/state.ts';
import { Sha256 } from '../../core/plainSha256.ts';
import { DigestChain, hex } from '../../engine/digest.ts';
import type { Summary } from '../../config/expect.ts';
import { summaryText } from '../../config/expect.ts';
import type { HeldCurves } from '../runs/heldFile.ts';
import { ofHeld, Overview } from '../runs/inParts.ts';
import { seedsOf } from '../runs/soFar.ts';
import { episodesOf, summaryBy } from '../runs/summary.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { linesIn, readMetricsIn } from './metricsCsv.ts';
import { limitsOf } from './names.ts';
import { readState, whyNotContinued, type StateRead } from './state.ts';
import { readSweepFile, type SweepFile } from './sweepFile.ts';
import { Damaged, inMemory, openZip, wholeFile, type Source, type ZipFile } from './zip.ts';

/** A run of a bundle after all checks. */
export type ReadRun = {
  readonly manifest: Manifest;
  readonly config: Config;
  /** its numbers are in a file of the browser, and a few metrics of them in memory */
  readonly curves: HeldCurves;
  readonly overview: Overview;
  /**
   * Its weights, which were checked and are not held: they are read again. It rejects where the file cannot be read any more.
   * Null where the bundle has none
   */
  readonly state: (() => Promise<TrainState>) | null;
  /** why training cannot go on from its weights here; null where it can, or has none */
  readonly whyNot: string | null;
};

/** What a bundle holds; or the sentence of why none of it is opened. */
export type ReadBundle =
  | { readonly kind: 'run'; readonly run: ReadRun }
  | { readonly kind: 'sweep'; readonly sweep: SweepFile; readonly runs: readonly ReadRun[] }
  | { readonly kind: 'refused'; readonly why: string };

/** A file of a bundle, its SHA-256, and its ends of lines where it is a table of metrics. */
type Seen = { readonly file: ZipFile; readonly hash: string; readonly lines: number };
type Files = ReadonlyMap<string, Seen>;

/** Nesting and size of JSON from strangers. */
const MOST_JSON = { bytes: 1_000_000, depth: 12 } as const;

const isModest = (value: unknown, depth = 0): boolean =>
  depth <= MOST_JSON.depth &&
  (typeof value !== 'object' ||
    value === null ||
    Object.entries(value).every(
      ([name, item]) => !['__proto__', 'constructor', 'prototype'].includes(name) && isModest(item, depth + 1),
    ));

/** A file as JSON; undefined where it is missing, too large or none. */
async function jsonOf(files: Files, name: string): Promise<unknown> {
  const found = files.get(name);
  if (!found || found.file.size > MOST_JSON.bytes) return undefined;
  const data = await wholeFile(found.file);
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data));
    return isModest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const threeDigits = (x: number | null, y: number | null): boolean =>
  x === y ||
  (x !== null && y !== null && Math.abs(x - y) <= 1.01 * 10 ** (Math.floor(Math.log10(Math.abs(y) || 1)) - 2));

/** True if a summary is that of the numbers in the table, which have been rounded to seven digits. */
function isSummary(text: string, found: Summary): boolean {
  const own = summaryText(found);
  if (own === text) return true;
  const [a, b] = [text.split('~'), own.split('~')];
  const number = (x: string | undefined): number | null => (x === '' || x === undefined ? null : Number(x));
  return (
    [0, 1, 4].every((k) => a[k] === b[k]) &&
    [2, 3].every((k) => threeDigits(number(a[k]), number(b[k]))) &&
    a.length === 5
  );
}

/** The config of a bundle: its digest is that of its text, and it is carried up to the schema of today. */
async function configOf(files: Files, { schema, digests }: Manifest): Promise<Config | string> {
  const raw = await jsonOf(files, 'config.json');
  if (raw === undefined) return 'It has no config that can be read.';
  if (schema === SCHEMA_VERSION && (await configDigest(raw as Config)) !== digests.config)
    return 'Its config is not the one that its digest names.';
  const config = parseConfig(
    schema === SCHEMA_VERSION ? withLaterSettings(raw) : migrate(raw as { [name: string]: unknown }, schema),
  );
  if (config.ok) return config.value;
  const issue = config.problem.kind === 'configRejected' ? config.problem.issues[0] : undefined;
  return `Its config is not an experiment of this version${issue ? `: the field ${issue.path} ${issue.message}` : ''}.`;
}

export const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, k) => parseInt(hex.slice(2 * k, 2 * k + 2), 16));

/** Every file is there as the manifest says, and no other one. */
function whyNotListed(files: Files, listed: Manifest['files']): string | null {
  for (const name of files.keys())
    if (name !== 'manifest.json' && !Object.hasOwn(listed, name))
      return `Its manifest does not know the file “${name}”.`;
  for (const [name, hash] of Object.entries(listed)) {
    const found = files.get(name);
    if (!found) return `The file “${name.slice(0, 80)}” is missing.`;
    if (found.hash !== hash) return `The file “${name}” was changed: its digest does not match.`;
  }
  return null;
}

/** One run with every check. A text is the sentence of what is wrong. */
async function readRun(files: Files): Promise<ReadRun | string> {
  const manifest = readManifest(await jsonOf(files, 'manifest.json'));
  if (typeof manifest === 'string') return manifest;
  const wrong = whyNotListed(files, manifest.files);
  if (wrong !== null) return wrong;
  const config = await configOf(files, manifest);
  if (typeof config === 'string') return config;
  const { seeds, updates, digests } = manifest;
  const { perSeed } = digests;
  if (seeds.join() !== seedsOf(config).join() || (perSeed && perSeed.length !== seeds.length))
    return 'Its seeds are not those of its config.';
  if (perSeed && (await new DigestChain(seeds.length, perSeed.map(bytesOfHex)).read()).all !== digests.exact)
    return 'Its exact digest is not that of its seeds.';
  const table = files.get('metrics.csv');
  if (!table) return 'It has no metrics.';
  const curves = await readMetricsIn(table.file.pieces(), table.lines, seeds);
  if (typeof curves === 'string') return `Its metrics cannot be read. ${curves}`;
  const overview = await Overview.of(ofHeld(curves.held, curves.S));
  if (overview.length !== updates) return 'Its metrics have another number of updates than it says.';
  if (!isSummary(digests.summary, summaryBy(overview.numbers, episodesOf(config))))
    return 'Its summary is not that of its metrics.';
  const [weights, optimizer] = ['weights.safetensors', 'optimizer.safetensors'].map((name) => files.get(name));
  if (!weights !== !optimizer || (weights && !perSeed)) return 'It has only a part of its weights.';
  if (!weights || !optimizer) return { manifest, config, curves, overview, state: null, whyNot: null };
  await prepareTask(config);
  const readAll = async (): Promise<StateRead | string> =>
    readState(config, seeds.length, await wholeFile(weights.file), await wholeFile(optimizer.file));
  const read = await readAll();
  if (typeof read === 'string') return read;
  if (read.state.update !== updates) return 'Its weights are those of another update than its metrics end with.';
  const whyNot = whyNotContinued(config, read.methods, manifest.lab);
  const state = async (): Promise<TrainState> => {
    const again = await readAll();
    if (typeof again === 'string') throw new Damaged(again);
    return again.state;
  };
  return { manifest, config, curves, overview, state, whyNot };
}

/** All files of an archive, each of which is unpacked once with every check, and not held. */
async function seenIn(zip: readonly ZipFile[]): Promise<Files> {
  const files = new Map<string, Seen>();
  for (const file of zip) {
    const running = new Sha256();
    let lines = 0;
    for await (const bytes of file.pieces()) {
      running.take(bytes);
      if (file.name.endsWith('metrics.csv')) lines += linesIn(bytes);
    }
    files.set(file.name, { file, lines, hash: hex(running.end()) });
  }
  return files;
}

/** Reads a bundle from a stranger, piece by piece: nothing of one that fails a check is opened. */
export async function readBundle(file: Source | Uint8Array): Promise<ReadBundle> {
  try {
    const zip = await openZip(file instanceof Uint8Array ? inMemory(file) : file, limitsOf);
    return typeof zip === 'string' ? { kind: 'refused', why: zip } : await readFiles(await seenIn(zip));
  } catch (error) {
    if (error instanceof Damaged) return { kind: 'refused', why: error.message };
    throw error;
  }
}

async function readFiles(files: Files): Promise<ReadBundle> {
  if (!files.has('sweep.json')) {
    const run = await readRun(files);
    return typeof run === 'string' ? { kind: 'refused', why: run } : { kind: 'run', run };
  }
  const sweep = readSweepFile(await jsonOf(files, 'sweep.json'));
  if (typeof sweep === 'string') return { kind: 'refused', why: sweep };
  const runs: ReadRun[] = [];
  for (const { folder, seed } of sweep.cells) {
    const prefix = `cells/${folder}/`;
    const own = [...files].flatMap(([name, data]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), data] as const] : [],
    );
    const run = await readRun(new Map(own));
    if (typeof run === 'string') return { kind: 'refused', why: `The cell ${folder}: ${run}` };
    if (run.manifest.seeds.join() !== `${seed}`)
      return { kind: 'refused', why: `The cell ${folder} has another seed.` };
    runs.push(run);
  }
  return { kind: 'sweep', sweep, runs };
}
