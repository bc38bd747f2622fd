import type { Config } from '../config/slots.ts';
import { SCHEMA_VERSION } from '../config/schema.ts';
import { problemText } from '../config/problems.ts';
import { WRITTEN_MS, WRITTEN_SHARE } from '../contract/kept.ts';
import type { Problem } from '../core/problem.ts';
import type { TrainedOn } from '../core/trainedOn.ts';
import type { Checkpoint } from '../engine/run.ts';
import type { Series, SeriesPart } from '../engine/series.ts';
import type { Point } from '../engine/timeline.ts';
import type { PageRun } from '../lab/runs/pageRun.ts';
import { COLUMNS, measuredOf, recordsOf, seedsOf, type Measured } from '../lab/runs/soFar.ts';
import type { KeptState } from '../lab/runs/record.ts';
import { keepPart, NOTHING, PART, type Stored } from '../store/curveParts.ts';
import { packCheckpoint, readCheckpoint, type KeptCheckpoint, type ReadCheckpoint } from '../store/checkpoints.ts';
import { slotsOf } from '../store/files.ts';
import { own, type Owned } from '../store/locks.ts';
import { keepPageRun, pageRun } from '../store/pageRuns.ts';
import { makeMarkRoom, makeRoom } from '../store/room.ts';
import { keepRuns, refreshRuns } from '../store/runs.ts';
import { TwoSlots } from '../store/slots.ts';
import type { Heritage } from './heritage.ts';
import { MarkKeeper } from './markKeeper.ts';
import type { LoadAnswer, ResumeAnswer, RunState } from './protocol.ts';

/** How long a worker that is gone may take to let go of a run that continues here, and a page of before. */
const OWN_MS = 10_000;
const OTHER_MS = 2000;

/** A run between two updates, as its worker hands it over. */
export type Taken = {
  readonly config: Config;
  readonly checkpoint: Checkpoint;
  readonly series: Series;
  /** its timeline as it is now */
  readonly points: () => readonly Point[];
  readonly backend: TrainedOn;
  readonly seconds: number;
};

/** Parts of curves that are written at once while a run trains: what it has inherited takes its time. */
const PARTS = 8;

/** A history as it was taken: where updates were forgotten since, what is stored of it may be another past. */
type Seen = { readonly series: Series; readonly cuts: number };
/** A taken state with the curves that are not stored in parts, and what a table shows of its seeds. */
type Whole = Taken & { readonly part: SeriesPart; readonly stored: Stored; readonly measured: readonly Measured[] };

/** How far a run is, as its worker says it; `isWhole`: all its updates are trained. */
function keptState(state: RunState, isWhole: boolean): KeptState {
  if (state === 'running' || state === 'failed') return state;
  if (state !== 'finished') return 'paused';
  return isWhole ? state : 'stopped';
}

/** What is to be written next: a newer checkpoint, or only a newer state of the same. */
type Wanted = { readonly state: KeptState; readonly problem: string | null; readonly isOpen: boolean };

const isWhole = ({ config, checkpoint }: Taken): boolean =>
  checkpoint.state.update >= (config.run['updates'] as number);
const isOver = (state: KeptState): boolean => state === 'finished' || state === 'stopped' || state === 'failed';

/**
 * Keeps one run of the page in the browser's storage: its records and curves for the table, and a checkpoint to continue
 * it from. One thing is written at a time; what comes meanwhile is the next one, or is left out.
 */
export class Keeper {
  private readonly id: string;
  private readonly tell: (problem: Problem) => void;
  private owned: Owned | null = null;
  private slots: TwoSlots | null = null;
  private kept: PageRun | null = null;
  private taken: Whole | null = null;
  private seen: Seen | null = null;
  /** what is stored in parts of the history that was taken last */
  private stored: Stored;
  private wanted: Wanted = { state: 'running', problem: null, isOpen: true };
  private hasNews = false;
  private hasNewTaken = false;
  private work: Promise<void> | null = null;
  private dueAt = -Infinity;
  private isTroubled = false;
  private readonly marks: MarkKeeper;

  /** `owned`: where this tab holds the lock of a run already; `stored`: its first updates, where they are stored. */
  constructor(
    id: string,
    tell: (problem: Problem) => void,
    { owned = null, stored = NOTHING }: { readonly owned?: Owned | null; readonly stored?: Stored | undefined } = {},
  ) {
    this.id = id;
    this.tell = tell;
    this.owned = owned;
    this.stored = stored;
    this.marks = new MarkKeeper(id, tell);
  }

  /** A state between two updates; `isLast`: no other comes soon, so it is written in any case. */
  take(taken: Taken, runState: RunState, isLast: boolean): void {
    if (!isLast && (this.work !== null || performance.now() < this.dueAt)) return;
    const state = keptState(runState, isWhole(taken));
    // whoever takes a run that was let go of has it open again
    this.wanted = { state, problem: null, isOpen: !isOver(state) };
    const { series, checkpoint } = taken;
    if (this.seen && !this.isSame(series)) this.stored = NOTHING;
    this.seen = { series, cuts: series.cuts };
    const [{ stored }, { update }] = [this, checkpoint.state];
    // as they are now: the run trains on while they are written
    const part = series.part(stored.until, update);
    const measured = Array.from({ length: series.S }, (_, s) => measuredOf(series, s, update));
    this.taken = { ...taken, part, stored, measured };
    this.hasNewTaken = true;
    this.begin();
  }

  /** True if what is stored of the history is of this one. */
  private isSame(series: Series): boolean {
    return this.seen?.series === series && this.seen.cuts === series.cuts;
  }

  /** The run has another state, and everything else is as it was. */
  note(runState: RunState, trouble: Problem | null): void {
    if (!this.taken) return;
    const state = keptState(runState, isWhole(this.taken));
    const problem = trouble && problemText(trouble).sentence;
    if (state === this.wanted.state && problem === this.wanted.problem) return;
    this.wanted = { state, problem, isOpen: !isOver(state) };
    this.begin();
  }

  /** Another run takes its place: it can be continued later, by whoever finds it in the list. */
  async leave(): Promise<void> {
    if (this.taken) {
      const { state, problem } = this.wanted;
      this.wanted = { state: isOver(state) ? state : 'paused', problem, isOpen: false };
      this.begin();
      await this.work;
    }
    this.owned?.release();
    this.owned = null;
  }

  private begin(): void {
    this.hasNews = true;
    this.work ??= this.writeAll();
  }

  private async writeAll(): Promise<void> {
    while (this.hasNews) {
      this.hasNews = false;
      const before = performance.now();
      try {
        await this.write();
        this.isTroubled = false;
      } catch {
        if (!this.isTroubled) this.tell({ kind: 'runNotKept' });
        this.isTroubled = true;
      }
      const now = performance.now();
      this.dueAt = now + Math.max(WRITTEN_MS, WRITTEN_SHARE * (now - before));
    }
    // in the same turn as the last look for news: what comes from now on begins again
    this.work = null;
  }

  private async write(): Promise<void> {
    const { taken, wanted, hasNewTaken } = this;
    const began = performance.now();
    if (!taken) return;
    this.hasNewTaken = false;
    this.owned ??= await own(this.id, OWN_MS);
    if (!this.owned) throw new Error('Another tab has this run.');
    const { config, checkpoint, backend, seconds, part, stored, measured } = taken;
    const { update } = checkpoint.state;
    this.kept ??= (await pageRun(this.id)) ?? null;
    const isRunning = wanted.state === 'running';
    const bytes = hasNewTaken
      ? await this.writeCheckpoint({ config, checkpoint, curves: part, stored, backend, isRunning })
      : (this.kept?.bytes ?? 0);
    const now = Date.now();
    const kept: PageRun = {
      id: this.id,
      ids: this.kept?.ids ?? seedsOf(config).map((seed) => `${this.id}.${seed}`),
      saved: { version: SCHEMA_VERSION, config },
      ...wanted,
      ...{ update, updates: config.run['updates'] as number, seconds, bytes },
      startedAt: this.kept?.startedAt ?? now - 1000 * seconds,
      changedAt: now,
    };
    const { records, curves } = await recordsOf({
      ...{ ids: kept.ids, batch: this.id, origin: 'page', config, state: wanted.state, problem: wanted.problem },
      past: { stored, measured },
      ...{ part, chain: checkpoint.chain, seconds, backend, startedAt: kept.startedAt },
    });
    if (this.kept) await refreshRuns(records, curves);
    else await keepRuns(records, curves);
    await keepPageRun(kept);
    this.kept = kept;
    // a run that waits has time for all of them
    const until = isRunning ? began + WRITTEN_MS / WRITTEN_SHARE : Infinity;
    const rowOf = (u: number): SeriesPart | null => {
      if (u >= part.from) return rowIn(part, u);
      return this.isSame(taken.series) ? taken.series.part(u, u + 1) : null;
    };
    await this.marks.write({ config, points: taken.points, rowOf, to: update }, until);
    // only now, as what was written above may take the place of another past that referred to the same parts
    await this.storeParts(taken, isRunning ? PARTS : Infinity);
  }

  /** Moves updates that do not change any more to parts; without room for these they stay with the checkpoint. */
  private async storeParts({ series, checkpoint }: Whole, most: number): Promise<void> {
    for (let n = 0; n < most; n++) {
      const { until, sums } = this.stored;
      if (until + PART > checkpoint.state.update || !this.isSame(series)) return;
      const sum = await keepPart(this.id, series.part(until, until + PART)).catch(() => null);
      if (sum === null || !this.isSame(series)) return;
      this.stored = { until: until + PART, sums: [...sums, sum] };
    }
  }

  /**
   * Where there is no room, marks of other timelines go first, those of the oldest run before all others; then the
   * earliest marks of this one, then checkpoints of runs that are over.
   */
  private async writeCheckpoint(content: KeptCheckpoint): Promise<number> {
    this.slots ??= new TwoSlots(await slotsOf(this.id));
    const packed = packCheckpoint(content);
    for (;;) {
      try {
        return await this.slots.write(packed);
      } catch (error) {
        if (await makeMarkRoom(this.id)) {
          this.tell({ kind: 'marksRemoved' });
          continue;
        }
        if (await this.marks.dropFirst()) continue;
        const freed = await makeRoom(this.id);
        if (freed === null) throw error;
        this.tell({ kind: 'checkpointsRemoved', runs: freed });
      }
    }
  }
}

function rowIn({ from, values, steps }: SeriesPart, update: number): SeriesPart {
  const [k, row] = [update - from, values.length / steps.length];
  return { from: update, values: values.slice(k * row, (k + 1) * row), steps: steps.slice(k, k + 1) };
}

/** A kept run as it can be continued in this tab; or why it cannot. */
export type Opened =
  | {
      readonly ok: true;
      readonly kept: Extract<ReadCheckpoint, { ok: true }>;
      readonly seconds: number;
      readonly owned: Owned;
      /** why the newest checkpoint is not the one that is used */
      readonly damage: string | null;
    }
  | { readonly ok: false; readonly why: string };

const refused = (why: string): Opened => ({ ok: false, why });

/** Takes a kept run over into this tab. */
export async function openKept(id: string): Promise<Opened> {
  const owned = await own(id, OTHER_MS);
  if (!owned) return refused('It is open in another tab of this browser.');
  const failed = (why: string): Opened => {
    owned.release();
    return refused(why);
  };
  try {
    const found = await new TwoSlots(await slotsOf(id)).read();
    if (!found.ok) return failed(`Its checkpoint cannot be read. ${found.why}`);
    const read = readCheckpoint(found.packed);
    if (!read.ok) return failed(`It cannot be continued exactly. ${read.why}`);
    const run = await pageRun(id);
    // a checkpoint is written before it is known whether the run waits after it
    const isRunning = run ? run.state === 'running' : read.isRunning;
    // what is only half written was never the newest: the run was not told to be there yet
    const damage = run && run.update > read.checkpoint.state.update ? found.other : null;
    return { ok: true, kept: { ...read, isRunning }, seconds: run?.seconds ?? 0, owned, damage };
  } catch {
    return failed('The storage of this browser cannot be read.');
  }
}

/** A run that an earlier page has left in the storage is made again; where it cannot be, nobody holds it. */
export async function resumeKept(
  id: string,
  make: (config: Config, from: Heritage) => Promise<LoadAnswer>,
  now: () => 'cpu' | 'webgpu',
): Promise<ResumeAnswer> {
  const opened = await openKept(id);
  if (!opened.ok) return opened;
  const { kept, seconds, owned, damage } = opened;
  const { config, checkpoint, curves, stored, columns, isRunning } = kept;
  // of a version with other columns they are written again
  const isAlike = columns.length === COLUMNS.length && columns.every((name, m) => name === COLUMNS[m]);
  const origin = { id, seconds, owned, ...(isAlike ? { stored } : {}) };
  const trainedOn = kept.backend;
  const past = { checkpoint, curves: [curves], stored: { run: id, columns, ...stored }, trainedOn };
  const answer = await make(config, { ...past, origin });
  if (answer.ok)
    return { ...answer, config, isRunning, trainedOn, update: checkpoint.state.update, damage, now: now() };
  owned.release();
  return answer;
}
