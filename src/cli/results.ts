import * as node from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/slots.ts';
import { CURVES } from '../slots/metrics/metrics.ts';
import type { Run } from '../engine/run.ts';
import { prepareFolder, writeWhole, type Disk, type TextFile } from './files.ts';

const WHOLE = ['config.json', 'metrics.csv', 'summary.json'] as const;
/** What is there so far has names of its own, so that nobody takes it for the whole. */
const PARTIAL = ['config.partial.json', 'metrics.partial.csv', 'summary.partial.json'] as const;

/** Milliseconds between two savings of what is there so far, and the most of the time that they may take. */
const EVERY_MS = 30_000;
const SHARE = 0.02;

/** A value of a metric and its comma, on average; most are longer. */
const LEAST_BYTES = 3;

const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;

/**
 * Keeps what a run leaves behind in a folder: under names that say “partial” while it trains and when it stops early,
 * and under their own when it is over. No file is ever half written, and a folder with summary.json holds a whole run.
 */
export class Results {
  readonly folder: string;
  private readonly config: Config;
  private readonly hasAliases: boolean;
  private readonly disk: Disk;
  private dueAt: number;

  constructor(folder: string, config: Config, hasAliases: boolean, disk: Disk = node) {
    this.folder = folder;
    this.config = config;
    this.hasAliases = hasAliases;
    this.disk = disk;
    this.dueAt = performance.now() + EVERY_MS;
  }

  /** Null if results can be kept, or the sentence of why not: asked before anything is trained. */
  prepare(updates: number, seeds: number): Promise<string | null> {
    return prepareFolder(this.folder, [...WHOLE, ...PARTIAL], updates * seeds * CURVES * LEAST_BYTES, this.disk);
  }

  /** True if what is there so far is due to be kept; `now` is milliseconds of the performance clock. */
  isDue(now: number): boolean {
    return now >= this.dueAt;
  }

  /** Keeps what is there so far while training continues. Null, or the sentence of why it could not be kept. */
  async keepSoFar(run: Run, digest: string): Promise<string | null> {
    const from = performance.now();
    const problem = await writeWhole(this.folder, this.partial(run, digest), this.disk);
    const now = performance.now();
    this.dueAt = now + Math.max(EVERY_MS, (now - from) / SHARE);
    return problem;
  }

  /** Keeps a run that ended early, marked as partial. Null, or the sentence of where it is instead. */
  keepPartial(run: Run, digest: string): Promise<string | null> {
    return this.keep(this.partial(run, digest));
  }

  /** Keeps the whole run; what was kept of it before goes. Null, or the sentence of where it is instead. */
  async keepWhole(run: Run, summary: object): Promise<string | null> {
    const problem = await this.keep(this.files(WHOLE, run, summary));
    // the summary first: while it is there, the others belong to it
    if (problem === null)
      for (const name of PARTIAL.toReversed()) await this.disk.rm(join(this.folder, name), { force: true });
    return problem;
  }

  /** Into the folder, or where that cannot take it any more into one for temporary files. */
  private async keep(files: readonly TextFile[]): Promise<string | null> {
    const problem = await writeWhole(this.folder, files, this.disk);
    if (problem === null) return null;
    const refuge = await node.mkdtemp(join(tmpdir(), 'horizon-lab-')).catch(() => null);
    if (refuge !== null && (await writeWhole(refuge, files)) === null)
      return `${problem} The results are in “${refuge}” instead.`;
    return `${problem} The digest above is what is left of this run; its config repeats it.`;
  }

  private partial(run: Run, digest: string): readonly TextFile[] {
    return this.files(PARTIAL, run, { partial: true, update: run.series.length, updates: run.updates, digest });
  }

  private files(names: readonly [string, string, string], run: Run, summary: object): readonly TextFile[] {
    const texts = [json(this.config), () => run.csvPieces(this.hasAliases), json(summary)];
    return names.map((name, k) => ({ name, text: texts[k]! }));
  }
}
