import type { AnyValues } from '../core/settings.ts';
import { batchOf, type LogBatch } from './batch.ts';
import { compute, offeredBy, type Offered } from './estimate.ts';
import { graphOf, type LogGraph } from './graphOf.ts';
import { readLog } from './read.ts';
import { stepOf, type ToldStep } from './stepOf.ts';
import {
  anchorsOf,
  disputesOf,
  pairsOf,
  silentOf,
  type Anchors,
  type Dispute,
  type Pair,
  type Silent,
} from './summary.ts';
import { creditCsv, shares } from './tables.ts';
import { NO_TEXT, type StepTable } from './table.ts';
import type { Found, LogFile, ReadOptions, Refused } from './types.ts';
import { windowOf, type LogWindow, type Named } from './window.ts';

/** A state that many episodes met, with its words. */
export type ToldAnchor = Anchors['top'][number] & PlaceInTask & { readonly text: string };
/** A step of the batch by its row and its number in the episode. */
export type Place = { readonly i: number; readonly t: number };
/** The same with the task of the batch that it is of. */
export type PlaceInTask = Place & { readonly g: number };

/** A log that is open: what can be said of it before any credit. */
export type Opened = {
  readonly ok: true;
  readonly found: Found;
  readonly notes: readonly string[];
  readonly tasks: number;
  readonly episodes: number;
  readonly steps: number;
  readonly successes: number;
  readonly offered: readonly Offered[];
  readonly anchors: (Omit<Anchors, 'top'> & { readonly top: readonly ToldAnchor[] }) | null;
  readonly silent: Silent;
  readonly hasActions: boolean;
};

/** Credit by one estimator, as shares of steps; or why there is none. */
export type Column = {
  readonly id: string;
  readonly title: string;
  readonly why: string | null;
  readonly up: number;
  readonly down: number;
  readonly none: number;
};

/** A step that two estimators judge differently, with its words. */
export type ToldDispute = Dispute &
  PlaceInTask & { readonly episode: string; readonly task: string; readonly action: string };

type Held = { readonly table: StepTable; readonly log: LogBatch };

/**
 * Everything that a page asks about the log that is open. It is where the log is held: in a worker, as all of this may take
 * seconds. Credit of an estimator is computed once.
 */
export class LogDesk {
  private held: Held | null = null;
  private readonly credit = new Map<string, Float32Array>();
  private readonly refused = new Map<string, string>();

  async open(files: readonly LogFile[], options: ReadOptions): Promise<Opened | Refused> {
    this.held = null;
    this.credit.clear();
    this.refused.clear();
    const read = await readLog(files, options);
    if (!read.ok) return read;
    const { table, found } = read;
    const log = batchOf(table);
    if (typeof log === 'string') return { ok: false, sentence: log, canLeaveOut: false, found };
    this.held = { table, log };
    const { batch, start, notes } = log;
    const anchors = anchorsOf(log);
    return {
      ...{ ok: true, found, notes, tasks: batch.P, episodes: batch.B, steps: start[batch.B]! },
      successes: batch.success.reduce((a, b) => a + b, 0),
      offered: offeredBy(log.fields),
      anchors: anchors && {
        ...anchors,
        top: anchors.top.map((a) => ({ ...a, ...this.place(a.step), text: this.text(a.step) })),
      },
      ...{ silent: silentOf(log), hasActions: table.action !== null },
    };
  }

  private get now(): Held {
    if (!this.held) throw new Error('No log is open.');
    return this.held;
  }

  /** Row and number of a step of all. */
  private place(step: number): PlaceInTask {
    const { start, batch } = this.now.log;
    let [from, to] = [0, start.length - 1];
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (start[middle]! <= step) from = middle;
      else to = middle;
    }
    return { i: from, t: step - start[from]!, g: batch.taskIndex[from]! };
  }

  private row(step: number): number {
    const { table, log } = this.now;
    const { i, t } = this.place(step);
    return table.start[log.episode[i]!]! + t;
  }

  private text(step: number): string {
    const { table } = this.now;
    return table.texts.text(table.state[this.row(step)]!);
  }

  /** Credit of every step by one estimator with its usual settings. */
  column(id: string, values?: AnyValues): Column {
    const { log } = this.now;
    const none = { up: 0, down: 0, none: 0 };
    const title = offeredBy(log.fields).find((o) => o.id === id)?.title ?? id;
    if (!this.credit.has(id) && !this.refused.has(id)) {
      const found = compute(log, id, values);
      if (found.ok) this.credit.set(id, found.A);
      else this.refused.set(id, found.why);
    }
    const A = this.credit.get(id);
    return A ? { id, title, why: null, ...shares(A) } : { id, title, why: this.refused.get(id)!, ...none };
  }

  private columnsOf(ids: readonly string[]): readonly Named[] {
    return ids.flatMap((id) => {
      const { title } = this.column(id);
      const A = this.credit.get(id);
      return A ? [{ id, title, A }] : [];
    });
  }

  /** The episodes of some tasks with their credit, to be drawn. */
  window(tasks: readonly number[], ids: readonly string[]): LogWindow {
    const { table, log } = this.now;
    return windowOf(table, log, tasks, this.columnsOf(ids));
  }

  /** One step: its words, its credit by each estimator, and how that of one came about. */
  step({ i, t }: Place, id: string, ids: readonly string[]): ToldStep {
    const { table, log } = this.now;
    return stepOf(table, log, { i, t }, id, this.columnsOf(ids));
  }

  pairs(ids: readonly string[]): {
    readonly titles: readonly string[];
    readonly ids: readonly string[];
    readonly pairs: readonly Pair[];
  } {
    const columns = this.columnsOf(ids);
    return {
      titles: columns.map(({ title }) => title),
      ids: columns.map(({ id }) => id),
      pairs: pairsOf(columns.map(({ A }) => A)),
    };
  }

  /** The steps that two estimators dispute most, at most one of an episode. */
  disputes(a: string, b: string, most = 8): ToldDispute[] {
    const { table, log } = this.now;
    const [x, y] = this.columnsOf([a, b]);
    if (!x || !y) return [];
    return disputesOf(x.A, y.A, log.start, most).map((dispute) => {
      const place = this.place(dispute.step);
      const e = log.episode[place.i]!;
      const action = table.action?.[this.row(dispute.step)] ?? NO_TEXT;
      const words = action === NO_TEXT ? '' : table.texts.text(action);
      return {
        ...dispute,
        ...place,
        episode: table.episodeNames[e]!,
        task: table.taskNames[table.task[e]!]!,
        action: words.slice(0, 200),
      };
    });
  }

  /** The episodes of a task as a graph of their states; a sentence where there is none. */
  graph(task: number, id: string, history: number, open: readonly number[]): LogGraph | string {
    const { table, log } = this.now;
    const [column] = this.columnsOf([id]);
    return graphOf(table, log, { task, history, open, A: column?.A ?? null });
  }

  /** Task of a row of the batch. */
  taskOf(i: number): number {
    return this.now.log.batch.taskIndex[i]!;
  }

  /** A step by the name of its episode; null where there is none. */
  find(episode: string, t: number): PlaceInTask | null {
    const { table, log } = this.now;
    const i = log.episode.findIndex((e) => table.episodeNames[e] === episode);
    return i < 0 ? null : { i, t: Math.min(t, log.batch.length[i]! - 1), g: this.taskOf(i) };
  }

  /** The table of credit as a file. */
  csv(ids: readonly string[]): Blob {
    const { table, log } = this.now;
    const columns = this.columnsOf(ids).map((column) => ({ ...column, ok: true as const }));
    return new Blob([...creditCsv(table, log, columns)], { type: 'text/csv' });
  }
}
