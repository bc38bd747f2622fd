import type { Run } from '../train/run.ts';
import type { Snapshot } from '../train/snapshotTypes.ts';
import type { Alarm, Answer, Frame, Mark, RunState, SeriesFrame, ViewRequest } from './protocol.ts';
import type { Problem } from '../core/problem.ts';
import type { Clock } from './pace.ts';

const FRAME_MS = 100;
const SERIES_MS = 400;
const UNANSWERED = 2;

/** What a frame says besides curves and snapshot. */
export type Status = {
  readonly run: number;
  readonly state: RunState;
  readonly backend: 'webgpu' | 'cpu';
  readonly backendName: string;
  /** asked for only when a frame is really sent */
  readonly timeline: () => readonly Mark[] | null;
  readonly alarms: () => readonly Alarm[] | null;
};

/**
 * Sends frames with back-pressure: at most one in 100 ms and two unanswered. Curves are thinned anew from full data
 * each time, so none is ever lost; a snapshot that could not be sent is replaced by the next one.
 */
export class FramePort {
  private readonly port: MessagePort;
  private seq = 0;
  private unanswered = 0;
  private lastFrame = -Infinity;
  private lastSeries = -Infinity;
  private lastSnapshot = -Infinity;
  private problem: Problem | null = null;
  view: ViewRequest = { replica: 0, snapshotHz: 4, points: 400 };

  constructor(port: MessagePort) {
    this.port = port;
    port.onmessage = (event: MessageEvent<Answer>) => {
      if (typeof event.data?.ack === 'number') this.unanswered = Math.max(0, this.unanswered - 1);
    };
  }

  /** A trouble goes out with the next frame, whatever happens. */
  report(problem: Problem): void {
    this.problem = problem;
  }

  snapshotDue(now: number): boolean {
    const hz = Math.min(10, this.view.snapshotHz);
    return hz > 0 && this.unanswered < UNANSWERED && now - this.lastSnapshot >= 1000 / hz;
  }

  frameDue(now: number): boolean {
    return this.unanswered < UNANSWERED && now - this.lastFrame >= FRAME_MS;
  }

  /** `final` frames (state changes) are always sent, with curves. */
  send(status: Status, run: Run | null, clock: Clock, snapshot: Snapshot | null, now: number, final: boolean): void {
    if (!final && !this.frameDue(now)) return;
    const withSeries = run !== null && (final || now - this.lastSeries >= SERIES_MS);
    const series: SeriesFrame | null = withSeries ? { S: run.plan.S, ...run.series.thin(this.view.points) } : null;
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
      secondsLeft: status.state === 'running' ? clock.secondsLeft(now, updates - update) : null,
      series,
      snapshot,
      problem: this.problem,
    };
    this.problem = null;
    this.lastFrame = now;
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
