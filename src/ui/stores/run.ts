import { create } from 'zustand';
import type { Problem } from '../../core/problem.ts';
import type { DeviceReport, Frame, RunState, Speed } from '../../worker/protocol.ts';

/** The small part of a frame: numbers and words. Curves and snapshots live in ui/frames.ts. */
export type RunInfo = {
  readonly state: RunState;
  readonly run: number;
  readonly backend: 'webgpu' | 'cpu';
  readonly backendName: string;
  readonly update: number;
  readonly updates: number;
  readonly envSteps: number;
  readonly stepsPerSecond: number | null;
  readonly secondsLeft: number | null;
  /** how fast this device trains the loaded run, measured before it starts */
  readonly calibrated: Speed | null;
  readonly device: DeviceReport | null;
  /** troubles to show, newest last */
  readonly problems: readonly Problem[];
  /** events of this run for the log, newest last */
  readonly log: readonly { readonly at: number; readonly text: string }[];
};

const empty: RunInfo = {
  state: 'empty',
  run: 0,
  backend: 'cpu',
  backendName: '',
  update: 0,
  updates: 0,
  envSteps: 0,
  stepsPerSecond: null,
  secondsLeft: null,
  calibrated: null,
  device: null,
  problems: [],
  log: [],
};

export const useRun = create<RunInfo>(() => empty);

export function takeFrame(frame: Frame): void {
  const { state, run, backend, backendName, update, updates, envSteps, stepsPerSecond, secondsLeft } = frame;
  const before = useRun.getState();
  useRun.setState({ state, run, backend, backendName, update, updates, envSteps, stepsPerSecond, secondsLeft });
  if (before.state !== state || before.run !== run) note(`${state} at update ${update}`);
  if (frame.problem) report(frame.problem);
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
