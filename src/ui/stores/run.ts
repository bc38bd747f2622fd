import { create } from 'zustand';
import type { Config } from '../../config/slots.ts';
import type { Problem } from '../../core/problem.ts';
import type { TrainedOn } from '../../core/trainedOn.ts';
import type { Choice, DeviceReport, Frame, RunState, Speed, Stretch } from '../../worker/protocol.ts';

/** What the page is busy with, since someone pressed a button or changed a setting. */
export type Doing = 'preparing' | 'starting' | 'pausing' | 'stepping' | 'stopping' | 'resetting';

/** The small part of a frame: numbers and words. Curves and snapshots live in ui/frames.ts. */
export type RunInfo = {
  readonly state: RunState;
  /** null: nothing is under way */
  readonly doing: Doing | null;
  /** the draft is not loaded before Run, as it is large; or it could not be loaded, and Run tries again */
  readonly waits: 'large' | 'refused' | null;
  readonly run: number;
  /** what it is kept as, once it has trained */
  readonly id: string;
  readonly backend: 'webgpu' | 'cpu';
  /** where its updates so far were trained */
  readonly trainedOn: TrainedOn;
  readonly stretches: readonly Stretch[];
  /** why it trains there, where it may choose */
  readonly choice: Choice | null;
  readonly backendName: string;
  readonly update: number;
  readonly updates: number;
  readonly envSteps: number;
  readonly stepsPerSecond: number | null;
  readonly leftBetween: readonly [low: number, high: number] | null;
  /** how fast this device trains an experiment, measured before it starts, and which one that was */
  readonly calibrated: (Speed & { readonly of: Config }) | null;
  readonly device: DeviceReport | null;
  /** troubles to show, newest last */
  readonly problems: readonly Problem[];
  /** events of this run for the log, newest last */
  readonly log: readonly { readonly at: number; readonly text: string }[];
};

const empty: RunInfo = {
  state: 'empty',
  doing: null,
  waits: null,
  run: 0,
  id: '',
  backend: 'cpu',
  trainedOn: 'cpu',
  stretches: [],
  choice: null,
  backendName: '',
  update: 0,
  updates: 0,
  envSteps: 0,
  stepsPerSecond: null,
  leftBetween: null,
  calibrated: null,
  device: null,
  problems: [],
  log: [],
};

export const useRun = create<RunInfo>(() => empty);

/** What comes with every frame and seldom differs stays the same object. */
const newest = <T>(before: T, now: T): T => (JSON.stringify(before) === JSON.stringify(now) ? before : now);

export function takeFrame(frame: Frame): void {
  const { state, run, id, backend, trainedOn, backendName, update, updates, envSteps } = frame;
  const { stepsPerSecond, leftBetween } = frame;
  const before = useRun.getState();
  const stretches = newest(before.stretches, frame.stretches);
  const choice = newest(before.choice, frame.choice);
  useRun.setState({ state, run, id, backend, trainedOn, stretches, choice, backendName });
  useRun.setState({ update, envSteps, stepsPerSecond, leftBetween });
  // a worker without a run does not know of the experiment that waits
  if (state !== 'empty') useRun.setState({ updates });
  if (before.state !== state || before.run !== run) note(`${state} at update ${update}`);
  if (backend === 'cpu' || state === 'finished') dismissSimpler();
  if (frame.problem) report(frame.problem);
}

/** There is no run: nothing of one that was there before stays on the screen. */
export function takeAway(waits: RunInfo['waits'], updates: number): void {
  const { backend, backendName, stretches, choice } = empty;
  const numbers = {
    update: 0,
    updates,
    envSteps: 0,
    stepsPerSecond: null,
    leftBetween: null,
    calibrated: null,
  };
  useRun.setState({ state: 'empty', waits, backend, backendName, stretches, choice, ...numbers });
}

export function note(text: string): void {
  useRun.setState(({ log }) => ({ log: [...log.slice(-199), { at: Date.now(), text }] }));
}

export function report(problem: Problem): void {
  useRun.setState(({ problems }) => ({ problems: [...problems.filter((p) => p.kind !== problem.kind), problem] }));
}

export function dismiss(problem: Problem): void {
  useRun.setState(({ problems }) => ({ problems: problems.filter((p) => p !== problem) }));
}

/** What has nothing to do with the run, and stays said when it starts over. */
export const LASTING: readonly Problem['kind'][] = [
  ...(['noWebGpu', 'softwareAdapter', 'deviceDiffers', 'storageFull', 'storageShortLived'] as const),
  ...(['storageCleared', 'draftRejected', 'loadCrashed', 'updateWaits'] as const),
];

/** Nothing is wrong with the settings any more. */
export function dismissRefusals(): void {
  const isRefusal = (p: Problem): boolean =>
    p.kind === 'configRejected' || (p.kind === 'linkRejected' && p.reason === 'tooExpensive');
  useRun.setState(({ problems }) => ({ problems: problems.filter((p) => !isRefusal(p)) }));
}

/** Which kernels train matters only while they do. */
function dismissSimpler(): void {
  const { problems } = useRun.getState();
  const left = problems.filter((p) => !(p.kind === 'fellBack' && p.now === 'plain'));
  if (left.length < problems.length) useRun.setState({ problems: left });
}

/** What a notice said holds no longer. */
export function dismissKind(kind: Problem['kind']): void {
  useRun.setState(({ problems }) => ({ problems: problems.filter((p) => p.kind !== kind) }));
}
