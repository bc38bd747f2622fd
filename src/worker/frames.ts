import { MOST_HZ, TRAINED } from '../contract/looks.ts';
import type { Run } from '../engine/run.ts';
import type { Snapshot } from '../lab/snapshotTypes.ts';
import type { Alarm, Answer, Choice, Frame, Mark, RunState, SeriesFrame, Stretch, ViewRequest } from './protocol.ts';
import type { Problem } from '../core/problem.ts';
import type { TrainedOn } from '../core/trainedOn.ts';
import { restAfter, type Clock } from './pace.ts';

const FRAME_MS = 100;
const SERIES_MS = 400;
/** Points of a curve that is drawn again and again; one that stays gets all that were asked for. */
const LIVE_POINTS = 200;
/** How long a page that owes answers is left alone. */
const ANSWER_MS = 10;

/** What a frame says besides curves and snapshot. */
export type Status = {
  readonly run: number;
  readonly id: string;
  readonly state: RunState;
  readonly backend: 'webgpu' | 'cpu';
  readonly trainedOn: TrainedOn;
  readonly stretches: readonly Stretch[];
  readonly choice: Choice | null;
  readonly backendName: string;
  /** asked for only when a frame is really sent */
  readonly timeline: () => readonly Mark[] | null;
  readonly alarms: () => readonly Alarm[] | null;
  readonly problem: Problem | null;
};

/**
 * Sends frames with back-pressure: at most one in 100 ms, one at a time, and fewer to a page that takes long to draw them,
 * as the cores that draw would else be missed where the training is. Curves are thinned again from full data each time, so
 * none is ever lost; a snapshot that could not be sent is replaced by the next one.
 */
export class FramePort {
  private readonly port: MessagePort;
  private seq = 0;
  private unanswered = 0;
  /** when the page may have the next one */
  private nextFrame = -Infinity;
  private lastSeries = -Infinity;
  private lastSnapshot = -Infinity;
  /** when the next one may be made */
  private nextSnapshot = -Infinity;
  /** what was reported and is in no frame yet */
  problem: Problem | null = null;
  /** updates that the page has seen a frame of */
  private told = -1;
  view: ViewRequest = { replica: 0, snapshotHz: MOST_HZ, points: 400, perSecond: null, isHidden: true };

  /** `now`: milliseconds on the clock of all other methods */
  constructor(port: MessagePort, now = () => performance.now()) {
    this.port = port;
    port.onmessage = (event: MessageEvent<Answer>) => {
      if (typeof event.data?.ack !== 'number') return;
      this.unanswered = Math.max(0, this.unanswered - 1);
      this.nextFrame = Math.max(this.nextFrame, now() + restAfter(event.data.busyMs));
    };
  }

  /** What the page wants to see, within what there is; `S`: replicas. */
  look(request: ViewRequest, S: number): void {
    // whoever looks at something else waits for nothing
    this.nextSnapshot = -Infinity;
    this.view = {
      replica: Math.max(0, Math.min(request.replica, S - 1)),
      snapshotHz: Math.max(0, Math.min(MOST_HZ, request.snapshotHz)),
      points: Math.max(20, Math.min(1600, request.points)),
      perSecond: request.perSecond,
      isHidden: request.isHidden,
    };
  }

  /** The replica on view. */
  replicaOf(run: Run | null): number {
    return Math.min(this.view.replica, (run?.plan.S ?? 1) - 1);
  }

  /** Milliseconds until a frame could show what the page has not seen yet; Infinity if it has seen all `updates`. */
  untilNews(now: number, updates: number): number {
    if (updates === this.told) return Infinity;
    return Math.max(ANSWER_MS, this.nextFrame - now);
  }

  /** A trouble goes out with the frame of the change of state that follows it. */
  report(problem: Problem): void {
    this.problem = problem;
  }

  /** What was reported and is in no frame yet; asked for when a state changes, so that no late frame of an older state has it. */
  takeProblem(): Problem | null {
    const { problem } = this;
    this.problem = null;
    return problem;
  }

  snapshotDue(now: number): boolean {
    const hz = this.view.snapshotHz;
    const isRested = now >= this.nextSnapshot || this.view.perSecond !== null;
    return hz > 0 && isRested && now - this.lastSnapshot >= 1000 / hz;
  }

  /** A snapshot has been made, which took so long. */
  made(ms: number, now: number): void {
    this.nextSnapshot = now + TRAINED * ms;
  }

  frameDue(now: number): boolean {
    return this.unanswered === 0 && now >= this.nextFrame;
  }

  /** `final` frames (state changes) are always sent, with curves. */
  send(status: Status, run: Run | null, clock: Clock, snapshot: Snapshot | null, now: number, final: boolean): void {
    if (!final && !this.frameDue(now)) return;
    const withSeries = run !== null && (final || now - this.lastSeries >= SERIES_MS);
    const points = final ? this.view.points : Math.min(LIVE_POINTS, this.view.points);
    const series: SeriesFrame | null = withSeries ? { S: run.plan.S, ...run.series.thin(points) } : null;
    const update = run ? run.series.length : 0;
    const updates = run ? run.updates : 0;
    const frame: Frame = {
      ...status,
      timeline: status.timeline(),
      alarms: status.alarms(),
      seq: this.seq++,
      update,
      updates,
      envSteps: run && update > 0 ? run.series.envSteps(update - 1) * run.plan.S : 0,
      stepsPerSecond: clock.stepsPerSecond(),
      leftBetween: status.state === 'running' ? clock.leftBetween(now, updates - update) : null,
      series,
      snapshot,
    };
    this.told = update;
    this.nextFrame = now + FRAME_MS;
    if (withSeries) this.lastSeries = now;
    if (snapshot) this.lastSnapshot = now;
    this.unanswered++;
    this.port.postMessage(frame, transferables(frame));
  }
}

/** Every array buffer of a frame: all are made for it, so all can be handed over without a copy. */
function transferables(frame: Frame): Transferable[] {
  const buffers = new Set<ArrayBuffer>();
  const collect = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer as ArrayBuffer);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(frame.series);
  collect(frame.snapshot);
  return [...buffers];
}
