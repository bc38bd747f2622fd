import * as node from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { canonicalJson } from '../../config/canonical.ts';
import { METRICS } from '../../slots/metrics/metrics.ts';
import { readCell, writeCell, type CellResult, type Finished, type Found } from '../../lab/sweep/cell.ts';
import type { Cell, Sweep } from '../../lab/sweep/expand.ts';
import { readMeasured, type MeasuredRows } from '../../lab/sweep/measures/measured.ts';
import { readPlan, SUMMARY_NAMES, writePlan, type Plan } from '../../lab/sweep/plan.ts';
import { prepareFolder, temporary, writeWhole, type Disk } from '../files.ts';

const PLAN = 'plan.json';
const SUMMARY = 'cells.csv';
const LOCK = 'lock.json';
const CELLS = 'cells';
/** A value of a metric and its comma, on average; most are longer. */
const LEAST_BYTES = 3;
/** What a write that did not end leaves behind. */
const LEFT_OVER = /^\.lab-(\d+)-.*\.tmp$/;
/** A lock is whole from its first moment on; where a disk has no hard links it takes far less than this. */
const EMPTY_LOCK_MS = 30_000;

/** What a disk without hard links says, as exFAT and some shared folders. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Who works in a folder. */
type Lock = { readonly pid: number; readonly host: string };

const jsonName = ({ address }: { readonly address: string }): string => `${address}.json`;
const csvName = ({ address }: { readonly address: string }): string => `${address}.csv`;
const measuredName = ({ address, measure }: Pick<Cell, 'address' | 'measure'>): string =>
  `${address}.${measure!.id}-${measure!.address}.json`;

/** Reads a file of a folder; null where it is missing. */
type ReadText = (name: string) => Promise<string | null>;

/** What the files of a cell are to it, with what was measured beside it; null where it is not finished. */
async function findCell(cell: Plan['cells'][number], textOf: ReadText): Promise<Found | null> {
  const text = await textOf(jsonName(cell));
  if (text === null) return null;
  const found = readCell(cell, text, await textOf(csvName(cell)));
  if (found.kind !== 'result' || !cell.measure) return found;
  const measured = readMeasured(cell, found.result.digest, await textOf(measuredName(cell)));
  return typeof measured === 'string' ? { kind: 'again', why: measured } : found;
}

/**
 * The folder of a sweep: what it consists of, a pair of files for each finished cell, and a table of them all. Cells are
 * found by their address, so the same command goes on where it stopped, and a longer sweep takes what a shorter one has.
 */
export class SweepFolder {
  readonly path: string;
  private readonly disk: Disk;
  private readonly found = new Map<string, CellResult>();

  constructor(path: string, disk: Disk = node) {
    this.path = path;
    this.disk = disk;
  }

  /** Null if the sweep can be kept here and nobody else works here, or the sentence of why not. Ends with `leave`. */
  async enter(sweep: Sweep): Promise<string | null> {
    const values = sweep.cells.reduce((n, { config }) => n + (config.run['updates'] as number), 0) * METRICS;
    const refused =
      (await prepareFolder(this.path, [PLAN, SUMMARY], 0, this.disk)) ??
      (await prepareFolder(join(this.path, CELLS), [], Math.min(values * LEAST_BYTES, 2 ** 40), this.disk));
    return refused ?? this.lock();
  }

  /**
   * Looks which cells are finished already, and keeps what the sweep consists of. Damaged ones train again, each with a
   * sentence; a file that is none of ours is refused.
   */
  async open(sweep: Sweep, tell: (sentence: string) => void): Promise<string | null> {
    const before = await this.text(PLAN);
    if (before !== null && readPlan(before) === null)
      return `“${join(this.path, PLAN)}” was not written by a sweep of this version; choose another --out.`;
    for (const at of [this.path, join(this.path, CELLS)]) {
      for (const name of await node.readdir(at)) {
        const pid = Number(LEFT_OVER.exec(name)?.[1] ?? NaN);
        // another command may just be looking whether it can work here
        if (pid === process.pid || (!Number.isNaN(pid) && !isAlive(pid)))
          await this.disk.rm(join(at, name), { force: true });
      }
    }
    for (const cell of sweep.cells) {
      const found = await findCell(cell, (name) => this.text(join(CELLS, name)));
      if (found === null) continue;
      const where = `“${join(this.path, CELLS, jsonName(cell))}”`;
      if (found.kind === 'refused') return `${where} ${found.why}; move it away or choose another --out.`;
      if (found.kind === 'result') this.found.set(cell.address, found.result);
      else tell(`${where} ${found.why}; the cell ${cell.name} trains again.`);
    }
    return writeWhole(this.path, [{ name: PLAN, text: writePlan(sweep) }], this.disk);
  }

  /** The result of a finished cell. */
  resultOf({ address }: { readonly address: string }): CellResult | undefined {
    return this.found.get(address);
  }

  /** Keeps a finished cell, whole or not at all. Null, or the sentence of why it could not be kept. */
  async keep(cell: Cell, { result, csv, measured }: Finished): Promise<string | null> {
    const files = [
      { name: csvName(cell), text: csv },
      ...(measured === undefined ? [] : [{ name: measuredName(cell), text: measured }]),
      { name: jsonName(cell), text: writeCell(cell, result, csv) },
    ];
    const problem = await writeWhole(join(this.path, CELLS), files, this.disk);
    if (problem === null) this.found.set(cell.address, result);
    return problem;
  }

  /** Writes the table of what is finished. Null, or a sentence. */
  summarize({ groups, cells }: Sweep): Promise<string | null> {
    const rows = cells.flatMap((cell) => {
      const result = this.found.get(cell.address);
      if (!result) return [];
      const { updates, envSteps, score, digest, diverged } = result;
      const last = result.evaluations.success.at(-1)!;
      const name = `"${groups[cell.group]!.name.replaceAll('"', '""')}"`;
      return [[name, cell.seed, updates, envSteps, score, last, diverged ?? '', digest, cell.address].join(',')];
    });
    const text = `${[SUMMARY_NAMES.join(','), ...rows].join('\n')}\n`;
    return writeWhole(this.path, [{ name: SUMMARY, text }], this.disk);
  }

  /** Another command may work here. */
  async leave(): Promise<void> {
    await this.disk.rm(join(this.path, LOCK), { force: true });
  }

  /** Only one command works in a folder at a time; a lock whose owner has ended on this machine is taken over. */
  private async lock(): Promise<string | null> {
    const own: Lock = { pid: process.pid, host: hostname() };
    const path = join(this.path, LOCK);
    for (;;) {
      try {
        await this.putLock(path, canonicalJson(own));
        return null;
      } catch (error) {
        if ((error as { code?: string }).code !== 'EEXIST')
          return `“${this.path}” could not be locked: ${error instanceof Error ? error.message : String(error)}.`;
      }
      const text = await this.text(LOCK);
      if (text === null) continue; // its owner has just left
      const owner = lockIn(text);
      if (owner === null ? !(await this.isLeftEmpty(path)) : owner.host !== own.host || isAlive(owner.pid))
        return this.taken(owner);
      // whoever renames it has it: two that found the same one cannot both
      const aside = join(this.path, temporary());
      try {
        await this.disk.rename(path, aside);
      } catch {
        continue;
      }
      const moved = await node.readFile(aside, 'utf8');
      if (moved !== text) {
        await this.disk.rename(aside, path); // it was a newer one
        return this.taken(lockIn(moved));
      }
      await this.disk.rm(aside, { force: true });
    }
  }

  /** Throws EEXIST where there is one. It appears with its text: whoever is killed here leaves none that nobody owns. */
  private async putLock(path: string, text: string): Promise<void> {
    const draft = join(this.path, temporary());
    await this.writeNew(draft, text);
    try {
      await this.disk.link(draft, path);
    } catch (error) {
      if (!NO_LINKS.includes((error as { code?: string }).code ?? '')) throw error;
      await this.writeNew(path, text);
    } finally {
      await this.disk.rm(draft, { force: true });
    }
  }

  private async writeNew(path: string, text: string): Promise<void> {
    const file = await this.disk.open(path, 'wx');
    try {
      await file.writeFile(text);
    } catch (error) {
      await this.disk.rm(path, { force: true }); // an empty lock would keep everybody out
      throw error;
    } finally {
      await file.close();
    }
  }

  /** Killed between making a lock and writing it, where a disk has no hard links. */
  private async isLeftEmpty(path: string): Promise<boolean> {
    const info = await this.disk.stat(path).catch(() => null);
    return info !== null && Date.now() - info.mtimeMs > EMPTY_LOCK_MS;
  }

  private taken(owner: Lock | null): string {
    const who = owner === null ? 'another command' : `process ${owner.pid} on ${owner.host}`;
    return `In “${this.path}” ${who} is at work; wait for it, or delete ${LOCK} there if it has ended.`;
  }

  private async text(name: string): Promise<string | null> {
    return this.disk.readFile(join(this.path, name), 'utf8').catch((error: { code?: string }) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
  }
}

/** A lock that is being written is empty for a moment: somebody is there. */
function lockIn(text: string): Lock | null {
  try {
    const { pid, host } = JSON.parse(text) as Partial<Lock>;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

/** Where the metrics of a finished cell are. */
export const metricsPath = (folder: string, address: string): string => join(folder, CELLS, csvName({ address }));

/** What was measured beside a finished cell that has a measure; read it after `readFolder`, which checks it. */
export async function measuredIn(
  folder: string,
  cell: Plan['cells'][number],
  { digest }: CellResult,
): Promise<MeasuredRows> {
  const text = await node.readFile(join(folder, CELLS, measuredName(cell)), 'utf8');
  const read = readMeasured(cell, digest, text);
  if (typeof read === 'string') throw new Error(`The cell ${cell.address} ${read}.`);
  return read;
}

/** What a folder of a sweep consists of, and its finished cells; or the sentence of why it cannot be read. */
export async function readFolder(
  path: string,
): Promise<{ readonly plan: Plan; readonly results: ReadonlyMap<string, CellResult> } | string> {
  const textOf = (name: string): Promise<string | null> => node.readFile(join(path, name), 'utf8').catch(() => null);
  const text = await textOf(PLAN);
  if (text === null) return `“${path}” is not the folder of a sweep: it has no ${PLAN}.`;
  const plan = readPlan(text);
  if (plan === null) return `“${join(path, PLAN)}” was not written by a sweep of this version.`;
  const results = new Map<string, CellResult>();
  for (const cell of plan.cells) {
    const found = await findCell(cell, (name) => textOf(join(CELLS, name)));
    if (found === null) continue;
    if (found.kind !== 'result')
      return `“${join(path, CELLS, jsonName(cell))}” ${found.why}; run the sweep again to repair it.`;
    results.set(cell.address, found.result);
  }
  return { plan, results };
}
