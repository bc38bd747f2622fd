import type { Problem } from '../core/problem.ts';
import type { Config } from '../config/slots.ts';
import type { Checkpoint, Run } from '../engine/run.ts';
import type { SeriesPart } from '../engine/series.ts';
import type { Point } from '../engine/timeline.ts';
import type { KeptMark } from '../store/database.ts';
import { packMark, readMark } from '../store/markFile.ts';
import { allMarks, bytesOfMark, deleteMarks, keepMark, marksOf, MOST_MARK_BYTES } from '../store/marks.ts';
import { makeMarkRoom } from '../store/room.ts';

/** The timeline of a run as it is to be kept: the points until `to`, and the curves of an update, where it still has it. */
export type Past = {
  readonly config: Config;
  readonly points: () => readonly Point[];
  readonly rowOf: (update: number) => SeriesPart | null;
  readonly to: number;
};

/** What is stored of one mark: which state, and what is said of it. */
type Stored = { readonly checkpoint: Checkpoint; readonly bytes: number; readonly words: string };

/** Checkpoints that were read from the storage, and where they are there. */
const readFrom = new WeakMap<Checkpoint, Stored & { readonly run: string }>();

/**
 * Keeps the timeline of one run in the database, one packed checkpoint a mark. What the timeline has let go of is
 * deleted before anything else is written; what it has gained is written while there is time. Nothing here stops the
 * run, or keeps its newest checkpoint from being written.
 */
export class MarkKeeper {
  private readonly id: string;
  private readonly tell: (problem: Problem) => void;
  private readonly stored = new Map<number, Stored>();
  /** those that there was no room for */
  private readonly givenUp = new WeakSet<Checkpoint>();
  private isTold = false;
  private isKnown = false;

  constructor(id: string, tell: (problem: Problem) => void) {
    this.id = id;
    this.tell = tell;
  }

  /**
   * Brings the storage to the state of the timeline; of several that are missing the earliest come first, one in any
   * case and more until `until` (ms of `performance.now()`).
   */
  async write(past: Past, until: number): Promise<void> {
    try {
      const points = past.points();
      await this.forget(points);
      for (const point of points) {
        const { update } = point.checkpoint.state;
        if (update > past.to || this.givenUp.has(point.checkpoint)) continue;
        const isWritten = await this.put(past, point);
        if (isWritten && performance.now() >= until) return;
      }
    } catch {
      this.complain();
    }
  }

  /** The room of the earliest mark that is kept; false where there is none. */
  async dropFirst(): Promise<boolean> {
    const first = [...this.stored.keys()].sort((a, b) => a - b)[0];
    if (first === undefined) return false;
    this.givenUp.add(this.stored.get(first)!.checkpoint);
    this.stored.delete(first);
    await deleteMarks(this.id, [first]);
    this.complain();
    return true;
  }

  private complain(): void {
    if (!this.isTold) this.tell({ kind: 'marksNotKept' });
    this.isTold = true;
  }

  /** Deletes what the timeline does not have, or has in another state. */
  private async forget(points: readonly Point[]): Promise<void> {
    const wanted = new Map(points.map(({ checkpoint }) => [checkpoint.state.update, checkpoint]));
    const there = this.isKnown ? [...this.stored.keys()] : (await marksOf(this.id)).map(({ update }) => update);
    if (!this.isKnown) this.adopt(points);
    this.isKnown = true;
    const gone = there.filter((update) => {
      const stored = this.stored.get(update);
      return !stored || wanted.get(update) !== stored.checkpoint;
    });
    if (gone.length > 0) await deleteMarks(this.id, gone);
    for (const update of gone) this.stored.delete(update);
  }

  /** What an earlier life of this run has left, and was read of it, stays as it is stored. */
  private adopt(points: readonly Point[]): void {
    for (const { checkpoint } of points) {
      const found = readFrom.get(checkpoint);
      if (found?.run === this.id) this.stored.set(checkpoint.state.update, found);
    }
  }

  /** True where its bytes were written; what is said of it may change without. */
  private async put({ config, rowOf }: Past, { checkpoint, reasons }: Point): Promise<boolean> {
    const { update } = checkpoint.state;
    const before = this.stored.get(update);
    const words = JSON.stringify(reasons);
    if (before?.words === words) return false;
    const row = before ? null : rowOf(update - 1);
    if (!before && !row) return false;
    const state = row ? packMark(config, checkpoint, row) : undefined;
    const bytes = before?.bytes ?? state!.length;
    const mark: KeptMark = { run: this.id, update, bytes, reasons, changedAt: Date.now() };
    if (!(await this.keep(mark, state))) this.givenUp.add(checkpoint);
    else this.stored.set(update, { checkpoint, bytes, words });
    return state !== undefined;
  }

  /** Where there is no room, the marks of other runs go first, then the earliest of this one. */
  private async keep(mark: KeptMark, state: Uint8Array<ArrayBuffer> | undefined): Promise<boolean> {
    if (state) {
      let sum = (await allMarks()).reduce((bytes, each) => bytes + each.bytes, state.length);
      while (sum > MOST_MARK_BYTES) {
        const freed = await makeMarkRoom(this.id);
        if (!freed) break;
        sum -= freed;
      }
    }
    for (;;) {
      try {
        await keepMark(mark, state);
        return true;
      } catch {
        if (await makeMarkRoom(this.id)) this.tell({ kind: 'marksRemoved' });
        else if (!(await this.dropFirst())) {
          this.complain();
          return false;
        }
      }
    }
  }
}

/** The marks that a run which continues here has from before; those of another past are left out. */
export async function recallMarks(run: string, continued: Run): Promise<{ points: Point[]; damaged: number }> {
  const points: Point[] = [];
  let damaged = 0;
  const { config, series } = continued;
  for (const mark of await marksOf(run)) {
    if (mark.update > continued.update) continue;
    const checkpoint = readMark(await bytesOfMark(mark), { config, rowOf: (u) => series.part(u, u + 1) });
    if (checkpoint === 'damaged') damaged++;
    else if (checkpoint !== 'other') {
      const { bytes, reasons } = mark;
      points.push({ checkpoint, reasons: reasons as Point['reasons'] });
      readFrom.set(checkpoint, { run, checkpoint, bytes, words: JSON.stringify(reasons) });
    }
  }
  return { points, damaged };
}
