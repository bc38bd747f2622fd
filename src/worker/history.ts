import { iqm } from '../core/stats.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import type { UpdateRecord } from '../engine/backend.ts';
import { replayUpdate } from '../lab/replay.ts';
import type { Checkpoint, Run } from '../engine/run.ts';
import { Snapshots } from '../lab/snapshot.ts';
import type { Series } from '../engine/series.ts';
import { Timeline, type KeptFor, type Mark, type Point } from '../engine/timeline.ts';
import type { BatchName, MeasuredHistory, Snapshot } from './protocol.ts';

/** The past of the one run of a worker: what is kept of it, and what someone looks at. */
export class History {
  private timeline = new Timeline();
  private readonly past = new Snapshots();
  private asked: (readonly [KeptFor, string])[] = [];
  private takenAt = -1;
  private seen: BatchName | null = null;
  private told: string = '';

  /** A new run has begun; `checkpoint` is its start. */
  begin(run: Run, checkpoint: Checkpoint): void {
    this.timeline = new Timeline();
    this.asked = [];
    this.seen = null;
    this.told = '';
    this.take(run, checkpoint);
  }

  /** The past of a run that continues from a kept state of this one; `words`: of its settings, where they are others. */
  goOn(checkpoint: Checkpoint, words: string | null): History {
    const { update } = checkpoint.state;
    const next = new History();
    next.timeline = this.timeline.copy();
    next.goBack(update);
    if (words === null) return next;
    next.timeline.keep(checkpoint, 'fork', words);
    next.takenAt = update;
    return next;
  }

  /** A checkpoint is to be kept at the next stop between two updates. */
  ask(kind: KeptFor, words: string): void {
    this.asked.push([kind, words]);
  }

  isDue(run: Run): boolean {
    if (this.asked.length > 0) return true;
    return this.takenAt !== run.update && Timeline.isDue(run.update, run.evaluatesNext);
  }

  take(run: Run, checkpoint: Checkpoint): void {
    this.takenAt = checkpoint.state.update;
    if (checkpoint.state.update >= run.updates) this.ask('end', 'end');
    this.timeline.take(checkpoint, run.evaluatesNext, this.asked);
    this.asked = [];
  }

  /** The evaluation that belongs to the state before an update, as the interquartile mean of the seeds, like the curve. */
  accept({ update, metrics }: UpdateRecord, seeds: number): void {
    const width = metrics.length / seeds;
    const score = scoreOf(Array.from({ length: seeds }, (_, s) => metrics[s * width + metricIndex.evalSuccess]!));
    if (score !== null) this.timeline.judge(update, score);
  }

  /** What is to outlive the page. */
  points(): readonly Point[] {
    return this.timeline.points();
  }

  /** The past of a run whose page or worker has gone; `series`: its curves until where it continues. */
  recall(points: readonly Point[], series: Series): void {
    const scoresAt = (u: number): number[] =>
      Array.from({ length: series.S }, (_, s) => series.at(u, s, metricIndex.evalSuccess));
    this.timeline.recall(points, (u) => (u < series.length ? scoreOf(scoresAt(u)) : null));
  }

  at(update: number): Checkpoint | undefined {
    return this.timeline.at(update);
  }

  goBack(update: number): void {
    this.timeline.truncate(update);
    this.asked = [];
    this.takenAt = -1;
    this.seen = null;
  }

  /** The list for the page, or null if it was told already. */
  news(): readonly Mark[] | null {
    const marks = this.timeline.marks();
    const text = JSON.stringify(marks);
    if (text === this.told) return null;
    this.told = text;
    return marks;
  }

  /** An update of the past, played again for one replica. */
  async look(run: Run, from: Checkpoint, replica: number, history: MeasuredHistory): Promise<Snapshot> {
    const snapshot = await replayUpdate(run, from, replica, this.past);
    this.seen = { update: snapshot.update, replica };
    return { ...snapshot, history };
  }

  /** The page has forgotten the list. */
  tellAgain(): void {
    this.told = '';
  }

  /** Who answers questions about this batch, if it is the one of the past that was looked at last. */
  labOf({ update, replica }: BatchName): Snapshots['lab'] | null {
    return this.seen?.update === update && this.seen.replica === replica ? this.past.lab : null;
  }
}

/** Evaluation success over the seeds; null where it was not measured. */
const scoreOf = (scores: readonly number[]): number | null => (scores.every(Number.isFinite) ? iqm(scores) : null);
