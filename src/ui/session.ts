import { create } from 'zustand';
import { canonicalJson } from '../config/canonical.ts';
import { decodeLink, linkFragment, payloadOf } from '../config/link.ts';
import { presetById, presetConfig, presets } from '../config/presets.ts';
import { configWith, parseConfig } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import type { Problem } from '../core/problem.ts';
import { METRICS, metrics } from '../methods/analysis/metrics.ts';
import type { Frame } from '../worker/protocol.ts';
import { openClient, type Client } from './client.ts';
import { connectCredit } from './credit/ask.ts';
import { loadDraft, saveDraft } from './drafts.ts';
import { clearFrames, newestSeries, newestSnapshot, takeSeries } from './frames.ts';
import { errorsOf, openShared, setConfig, startFrom, useDraft } from './stores/draft.ts';
import { report, takeFrame, useRun } from './stores/run.ts';
import { look, useView } from './stores/view.ts';

/** What the page does with the worker: loads drafts into it, starts, pauses, and takes in its frames. */
let client: Client;
let loaded: Config | null = null;
/** The config of the run in the worker, for whoever draws it. */
const useLoaded = create<{ config: Config | null }>(() => ({ config: null }));
export const useRunConfig = (): Config | null => useLoaded((l) => l.config);
let loading: Promise<void> = Promise.resolve();
let timer: ReturnType<typeof setTimeout> | undefined;

function takeIn(frame: Frame): void {
  if (frame.run < useRun.getState().run) return;
  const isStill = frame.state !== 'running';
  takeFrame(frame);
  if (frame.series) takeSeries(frame.series, isStill);
  if (frame.snapshot) newestSnapshot.set(frame.snapshot);
  document.title =
    frame.update > 0 ? `${Math.round((100 * frame.update) / frame.updates)} % · Horizon Lab` : 'Horizon Lab';
}

function crashed(problem: Problem): void {
  report(problem);
  useRun.setState({ state: 'failed' });
  client = client.restart();
  loaded = null;
}

/** Loads the draft into the worker, unless it holds it already with nothing trained. */
async function loadNow(): Promise<void> {
  const { config, issues } = useDraft.getState();
  if (errorsOf(issues).length > 0) return;
  if (config === loaded && useRun.getState().update === 0 && useRun.getState().state === 'ready') return;
  const answer = await client.lab.load(config);
  if (!answer.ok) return report(answer.problem);
  loaded = config;
  useLoaded.setState({ config });
  clearFrames();
  look({ replica: 0, trajectory: 0, step: 0, isFollowing: true, part: 'total' });
  await sendView();
}

function queueLoad(): Promise<void> {
  loading = loading.then(loadNow).catch((error: unknown) => report({ kind: 'workerCrashed', message: String(error) }));
  return loading;
}

/** True if the settings were changed after training began: they count from the next reset on. */
export function isStale(config: Config, update: number): boolean {
  return update > 0 && loaded !== null && config !== loaded;
}

export async function start(): Promise<void> {
  committed = useDraft.getState().config;
  await loading;
  if (useRun.getState().state === 'finished' || useRun.getState().state === 'failed') await queueLoad();
  await client.lab.start();
}
export const pause = (): Promise<void> => client.lab.pause();
export const stop = (): Promise<void> => client.lab.stop();
export async function step(): Promise<void> {
  await loading;
  await client.lab.step();
}
/** Back to update 0 with the settings on the screen. */
export async function reset(): Promise<void> {
  // a change of a moment ago is loaded here, and must not load again once the run has started
  clearTimeout(timer);
  loaded = null;
  useRun.setState({
    problems: useRun.getState().problems.filter((p) => p.kind === 'noWebGpu' || p.kind === 'softwareAdapter'),
  });
  await queueLoad();
}
export async function toggle(): Promise<void> {
  await (useRun.getState().state === 'running' ? pause() : start());
}
export const csv = (): Promise<string> => client.lab.csv();
export const digest = () => client.lab.digest();
export const profile = () => client.lab.profile();
export const trace = (): Promise<string> => client.lab.trace();
export const calibrate = () => client.lab.calibrate();
export async function walkUpdate() {
  await loading;
  return client.lab.walkUpdate();
}
export const finishWalk = () => client.lab.finishWalk();

export async function sendView(): Promise<void> {
  const { replica } = useView.getState();
  await client.lab.view({ replica, snapshotHz: document.hidden ? 0 : 4, points: 400 });
}

/** Opens a link as a new draft beside the person's own; a bad one is said in words and changes nothing. */
export function openLink(text: string): void {
  const shared = decodeLink(payloadOf(text));
  if (shared.ok) openShared(shared.value);
  else report(shared.problem);
}

function openAddress(): void {
  if (!/[?&#]x=/.test(location.hash)) return;
  const shared = decodeLink(payloadOf(location.hash));
  // the address of the draft itself (a reload) is no link from somebody else
  const isMine = shared.ok && canonicalJson(shared.value.config) === canonicalJson(useDraft.getState().config);
  if (!isMine) openLink(location.hash);
}

const QUIET_MS = 500;
let committed: Config | null = null;
let addressTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * The address follows the draft after half a second of quiet, so that it can be copied or reloaded. The first change
 * after a run makes a new entry: Back returns to the experiment that was run, not to each move of a slider.
 */
function followInAddress(): void {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    const { config, own } = useDraft.getState();
    if (own !== null) return;
    const isNew = committed !== null && committed !== config;
    history[isNew ? 'pushState' : 'replaceState']({ mine: true }, '', linkFragment({ config }));
    if (isNew) committed = null;
  }, QUIET_MS);
}

function goBack(event: PopStateEvent): void {
  if ((event.state as { mine?: boolean } | null)?.mine !== true) return openAddress();
  const shared = decodeLink(payloadOf(location.hash));
  if (shared.ok) setConfig(shared.value.config);
}

/** Starts the page: own draft, link in the address, worker, first load. */
export async function begin(): Promise<void> {
  client = openClient({ frame: takeIn, crashed });
  connectCredit(() => client.lab);
  const own = await loadDraft();
  if (own.problem) report(own.problem);
  if (own.config) setConfig(own.config);
  openAddress();
  addEventListener('popstate', goBack);
  document.addEventListener('visibilitychange', () => void sendView());
  useView.subscribe((view, before) => void (view.replica !== before.replica && sendView()));
  useDraft.subscribe((draft, before) => {
    if (draft.config === before.config && draft.own === before.own) return;
    if (draft.own === null) void saveDraft(draft.config);
    followInAddress();
    if (draft.config === before.config) return;
    clearTimeout(timer);
    timer = setTimeout(() => void (useRun.getState().update === 0 && queueLoad()), 200);
  });
  const device = await client.lab.probe();
  useRun.setState({ device });
  if (device.why !== null) {
    report(device.webgpu ? { kind: 'softwareAdapter', name: device.adapter } : { kind: 'noWebGpu', why: device.why });
  }
  await queueLoad();
  exposePageApi();
  await measure();
}

/** How fast this device is, measured once for 200 ms while nothing runs, so that the cost can be told before Run. */
async function measure(): Promise<void> {
  if (useRun.getState().state !== 'ready') return;
  const found = await client.lab.calibrate();
  if (found) useRun.setState({ calibrated: found.stepsPerSecond });
}

/** `window.lab`: the same actions for scripts and tests (spec product U61). */
function exposePageApi(): void {
  Object.assign(window, {
    lab: {
      presets: presets.map((p) => p.id),
      async load(what: unknown) {
        const preset = typeof what === 'string' ? presetById(what) : undefined;
        if (preset) startFrom(presetConfig(preset), preset.title);
        else if (typeof what === 'string') openLink(what);
        else {
          const changes = what as Record<string, unknown>;
          const parsed = parseConfig('task' in changes ? changes : configWith(changes, useDraft.getState().config));
          if (!parsed.ok) return report(parsed.problem);
          setConfig(parsed.value);
        }
        clearTimeout(timer);
        await queueLoad();
      },
      run: start,
      pause,
      step,
      stop,
      reset,
      digest,
      csv,
      inject: (fault: 'loseDevice' | 'nonFinite' | 'crash') => client.lab.inject(fault),
      state() {
        const { state, update, updates, backend } = useRun.getState();
        return { state, update, updates, backend };
      },
      metrics(): Record<string, number[]> {
        const series = newestSeries.get();
        return Object.fromEntries(metrics.map((m, k) => [m.id, series ? lastOf(series, k) : []]));
      },
    },
  });
}

/** Newest measured value of a metric for every seed. */
function lastOf(series: NonNullable<ReturnType<typeof newestSeries.get>>, metric: number): number[] {
  if (metric >= METRICS) return [];
  return Array.from({ length: series.S }, (_, s) => {
    const at = (metric * series.S + s) * series.points;
    for (let k = series.points - 1; k >= 0; k--)
      if (!Number.isNaN(series.values[at + k]!)) return series.values[at + k]!;
    return NaN;
  });
}
