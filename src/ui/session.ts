import { create } from 'zustand';
import { canonicalJson } from '../config/canonical.ts';
import { stagesOf } from '../config/fork.ts';
import { configWith, getValue, parseConfig, setValue } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import type { Problem } from '../core/problem.ts';
import type { Frame } from '../worker/protocol.ts';
import { openClient, type Client } from './client.ts';
import { connectCredit } from './credit/ask.ts';
import { loadDraft, saveDraft } from './drafts.ts';
import { clearFrames, newestSeries, newestSnapshot, takeSeries } from './frames.ts';
import { lostRun, takeNote, watchLeaving } from './lostRun.ts';
import { isSeen } from './notices/seen.ts';
import { endFork, errorsOf, openShared, setConfig, startFrom, useDraft } from './stores/draft.ts';
import { clearHealth, takeAlarms } from './monitor/healthStore.ts';
import { report, takeFrame, useRun } from './stores/run.ts';
import { look, useView } from './stores/view.ts';
import { clearTimeline, takeSnapshot, useTimeline } from './timeline/timelineStore.ts';

/** What the page does with the worker: loads drafts into it, starts, pauses, and takes in its frames. */
let client: Client;
let loaded: Config | null = null;
/** there is no worker, and only another visit of the page can have one */
let isGone = false;
/** The config of the run in the worker, and the part of its story that the batch on the screen belongs to. */
const useLoaded = create<{ config: Config | null; shown: Config | null }>(() => ({ config: null, shown: null }));
/** For whoever draws the batch. */
export const useRunConfig = (): Config | null => useLoaded((l) => l.shown);
/** With all its changes and forks. */
export const useWholeConfig = (): Config | null => useLoaded((l) => l.config);
export const runConfig = (): Config | null => loaded;
export const lab = (): Client['lab'] => client.lab;
let loading: Promise<void> = Promise.resolve();
let timer: ReturnType<typeof setTimeout> | undefined;

function takeIn(frame: Frame): void {
  if (frame.run < useRun.getState().run) return;
  const isStill = frame.state !== 'running';
  takeFrame(frame);
  if (frame.alarms) takeAlarms(frame.alarms);
  if (frame.series) takeSeries(frame.series, isStill);
  if (frame.snapshot) takeSnapshot(frame.snapshot);
  if (frame.timeline) useTimeline.setState({ marks: frame.timeline });
  document.title =
    frame.update > 0 ? `${Math.round((100 * frame.update) / frame.updates)} % · Horizon Lab` : 'Horizon Lab';
}

function crashed(problem: Problem): void {
  report(problem);
  // the next worker counts its runs anew
  useRun.setState({ state: 'failed', run: 0 });
  loaded = null;
  // what waits for the old worker waits for ever
  loading = Promise.resolve();
  // a file that does not come would not come the next time either
  isGone = problem.kind === 'workerMissing';
  if (!isGone) client = client.restart();
}

/** Loads the draft into the worker, unless it holds it already with nothing trained. */
async function loadNow(): Promise<void> {
  const { config, issues } = useDraft.getState();
  if (errorsOf(issues).length > 0) return;
  if (config === loaded && useRun.getState().update === 0 && useRun.getState().state === 'ready') return;
  const answer = await client.lab.load(config);
  if (!answer.ok) return report(answer.problem);
  loaded = config;
  useLoaded.setState({ config, shown: config });
  clearFrames();
  clearTimeline();
  clearHealth();
  useRun.setState({ calibrated: null });
  look({ replica: 0, trajectory: 0, step: 0, isFollowing: true, part: 'total' });
  await sendView();
  void measure(config);
}

function queueLoad(): Promise<void> {
  loading = loading.then(loadNow).catch((error: unknown) => report({ kind: 'workerCrashed', message: String(error) }));
  return loading;
}

/** A batch from before a fork is drawn with the settings of then. */
function drawStage(): void {
  const { config, shown } = useLoaded.getState();
  const update = newestSnapshot.get()?.update;
  const stages = config && stagesOf(config);
  const early = stages?.ok && update !== undefined ? stages.stages.find(({ until }) => update < until) : undefined;
  const wanted = early?.config ?? config;
  if (wanted !== shown) useLoaded.setState({ shown: wanted });
}

/**
 * The run in the worker has another config now. Where the draft was that of the run, it follows; where it holds other
 * changes, it learns of the live ones only, unless it is replaced.
 */
export function adopt(config: Config, draft: 'follow' | 'replace' = 'follow'): void {
  const { config: shown, fork } = useDraft.getState();
  const follows = draft === 'replace' || shown === loaded;
  loaded = config;
  useLoaded.setState({ config });
  drawStage();
  if (follows) setConfig(config);
  else if (!fork) setConfig(setValue(shown, 'run.events', getValue(config, 'run.events')));
}

/** True if the settings were changed after training began: they count from the next reset on. */
export function isStale(config: Config, update: number): boolean {
  return update > 0 && loaded !== null && config !== loaded;
}

/** A change of a moment ago counts at once: loaded later, it would take the run away that has just begun. */
async function settled(): Promise<void> {
  clearTimeout(timer);
  const { config, fork } = useDraft.getState();
  const { state, update } = useRun.getState();
  if (fork === null && config !== loaded && update === 0 && state === 'ready') void queueLoad();
  await loading;
}

export async function start(): Promise<void> {
  committed = useDraft.getState().config;
  await settled();
  if (useRun.getState().state === 'finished' || useRun.getState().state === 'failed') await queueLoad();
  await client.lab.start();
}
export const pause = (): Promise<void> => client.lab.pause();
export const stop = (): Promise<void> => client.lab.stop();
export async function step(): Promise<void> {
  await settled();
  await client.lab.step();
}
/** Back to update 0 with the settings on the screen. */
export async function reset(): Promise<void> {
  if (isGone) return location.reload();
  // a change of a moment ago is loaded here, and must not load again once the run has started
  clearTimeout(timer);
  loaded = null;
  endFork();
  useRun.setState({
    problems: useRun.getState().problems.filter((p) => p.kind === 'noWebGpu' || p.kind === 'softwareAdapter'),
  });
  await queueLoad();
}
export async function toggle(): Promise<void> {
  await (useRun.getState().state === 'running' ? pause() : start());
}
export const csv = (hasAliases = false): Promise<string> => client.lab.csv(hasAliases);
export const digest = () => client.lab.digest();
export const profile = () => client.lab.profile();
export const trace = (): Promise<string> => client.lab.trace();
export const calibrate = () => client.lab.calibrate();
export async function walkUpdate() {
  await settled();
  return client.lab.walkUpdate();
}
export const finishWalk = () => client.lab.finishWalk();

async function sendView(): Promise<void> {
  const { replica } = useView.getState();
  await client.lab.view({ replica, snapshotHz: document.hidden ? 0 : 4, points: 400 });
}

/** What reads and writes links; it comes beside the first paint. */
const links = () => import('../config/link.ts');

/** Opens a link as a new draft beside the person's own; a bad one is said in words and changes nothing. */
async function openLink(text: string): Promise<void> {
  const { decodeLink, payloadOf } = await links();
  const shared = decodeLink(payloadOf(text));
  if (!shared.ok) return report(shared.problem);
  // the words of a preset come with its link, however it was made
  const { presetConfig, presets } = await import('../config/presets.ts');
  const wanted = canonicalJson(shared.value.config);
  const preset = presets.find((p) => canonicalJson(presetConfig(p)) === wanted);
  openShared(shared.value, preset && { base: presetConfig(preset), baseTitle: preset.title });
}

async function openAddress(): Promise<void> {
  if (!/[?&#]x=/.test(location.hash)) return;
  const { decodeLink, payloadOf } = await links();
  const shared = decodeLink(payloadOf(location.hash));
  // the address of the draft itself (a reload) is no link from somebody else
  const isMine = shared.ok && canonicalJson(shared.value.config) === canonicalJson(useDraft.getState().config);
  if (!isMine) await openLink(location.hash);
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
  addressTimer = setTimeout(() => void writeAddress(), QUIET_MS);
}

async function writeAddress(): Promise<void> {
  const { linkFragment } = await links();
  const { config, own, base, baseTitle } = useDraft.getState();
  if (own !== null) return;
  const isNew = committed !== null && committed !== config;
  const entry: Entry = { mine: true, base, baseTitle };
  history[isNew ? 'pushState' : 'replaceState'](entry, '', linkFragment({ config }));
  if (isNew) committed = null;
}

/** What the browser keeps beside an address of the draft: the experiment that its changes are told against. */
type Entry = { readonly mine: true; readonly base: Config; readonly baseTitle: string };

async function goBack(event: PopStateEvent): Promise<void> {
  const entry = event.state as Entry | null;
  if (entry?.mine !== true) return openAddress();
  const { decodeLink, payloadOf } = await links();
  const shared = decodeLink(payloadOf(location.hash));
  if (!shared.ok) return;
  startAt(entry);
  setConfig(shared.value.config);
}

/** Changes are told against the experiment of an entry again. */
function startAt(entry: Entry | null): void {
  const base = entry?.mine === true ? parseConfig(entry.base) : null;
  if (base?.ok) startFrom(base.value, entry!.baseTitle);
}

/** Starts the page: own draft, link in the address, worker, first load. */
export async function begin(): Promise<void> {
  client = openClient({ frame: takeIn, crashed });
  connectCredit(() => client.lab);
  newestSnapshot.subscribe(drawStage);
  const note = takeNote();
  watchLeaving(() => loaded);
  const own = await loadDraft();
  if (own.problem) report(own.problem);
  startAt(history.state as Entry | null);
  if (own.config) setConfig(own.config);
  await openAddress();
  const lost = lostRun(note, useDraft.getState().config);
  if (lost) report(lost);
  addEventListener('popstate', (event) => void goBack(event));
  document.addEventListener('visibilitychange', () => void sendView());
  useView.subscribe((view, before) => void (view.replica !== before.replica && sendView()));
  useDraft.subscribe((draft, before) => {
    // a fork is no experiment of its own until it is started
    if (draft.fork !== null || (draft.config === before.config && draft.own === before.own)) return;
    if (draft.own === null) void saveDraft(draft.config);
    followInAddress();
    if (draft.config === before.config) return;
    clearTimeout(timer);
    timer = setTimeout(() => void (useRun.getState().update === 0 && queueLoad()), 200);
  });
  const device = await client.lab.probe();
  useRun.setState({ device });
  if (device.why !== null) {
    const slow: Problem = device.webgpu
      ? { kind: 'softwareAdapter', name: device.adapter }
      : { kind: 'noWebGpu', why: device.why };
    if (!isSeen(slow)) report(slow);
  }
  await queueLoad();
  await exposePageApi();
}

/** How fast this device trains what was loaded, so that the cost can be told before Run; once for every size of a run. */
async function measure(config: Config): Promise<void> {
  const found = await client.lab.calibrate();
  if (found && loaded === config) useRun.setState({ calibrated: found });
}

/** `window.lab`: the same actions for scripts and tests (spec product U61). */
async function exposePageApi(): Promise<void> {
  const { metrics } = await import('../methods/analysis/metrics.ts');
  const { presetById, presetConfig, presets } = await import('../config/presets.ts');
  Object.assign(window, {
    lab: {
      presets: presets.map((p) => p.id),
      async load(what: unknown) {
        const preset = typeof what === 'string' ? presetById(what) : undefined;
        if (preset) startFrom(presetConfig(preset), preset.title);
        else if (typeof what === 'string') await openLink(what);
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
      inject: (fault: 'loseDevice' | 'refuseWork' | 'nonFinite' | 'crash') => client.lab.inject(fault),
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
  return Array.from({ length: series.S }, (_, s) => {
    const at = (metric * series.S + s) * series.points;
    for (let k = series.points - 1; k >= 0; k--)
      if (!Number.isNaN(series.values[at + k]!)) return series.values[at + k]!;
    return NaN;
  });
}
