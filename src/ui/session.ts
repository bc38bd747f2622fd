import { prepareTask } from '../config/level.ts';
import { getValue, setValue } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import type { Problem } from '../core/problem.ts';
import { commit } from './address.ts';
import { bringBack, remember, takeBack, useBefore, type Left } from './before.ts';
import { openClient, type Client } from './client.ts';
import { connectCredit } from './credit/ask.ts';
import { Held, Losses } from './held.ts';
import { LOADING_MS, SILENT_MS } from './heartbeat.ts';
import { newestSnapshot } from './frames.ts';
import { drawStage, useLoaded } from './loaded.ts';
import { reportDevice } from './notices/device.ts';
import { nullIfGone, WorkerGone } from './owed.ts';
import type { Visit } from './ownVisit.ts';
import { exposePageApi } from './pageApi.ts';
import { endPress, press, wanted } from './press.ts';
import { loadingDied, loadingIsOver, markLoading } from './safeStart.ts';
import { endFork, errorsOf, judged, setConfig, useDraft } from './stores/draft.ts';
import { dismissKind, dismissRefusals, LASTING, report, takeAway, useRun } from './stores/run.ts';
import { perSecondOf } from './stores/looks.ts';
import { look, useView } from './stores/view.ts';
import { clearRun, takeIn } from './takeIn.ts';
import { takeSnapshot } from './timeline/timelineStore.ts';
import { untilKnown } from './untilKnown.ts';

/** What the page does with the worker: loads drafts into it, starts, pauses, and takes in its frames. */
let client: Client;
let loaded: Config | null = null;
/** there is no worker, and only another visit of the page can have one */
let isGone = false;
/** For whoever draws the batch. */
export const useRunConfig = (): Config | null => useLoaded((l) => l.shown);
/** With all its changes and forks. */
export const useWholeConfig = (): Config | null => useLoaded((l) => l.config);
export const runConfig = (): Config | null => loaded;
export const lab = (): Client['lab'] => client.lab;
/** What the worker needs only later is loaded while nothing else is to be done. */
export const preloadWorker = async (): Promise<void> => client.preload();
/** the newest wish that something be loaded, and what is under way for it; what an older one brings is not taken in */
let wish = 0;
let underway: Config | null = null;
let loading: Promise<unknown> = Promise.resolve();
/** what was pressed last */
let wantsToRun = false;
const held = new Held();
const losses = new Losses();
const patienceMs = (): number => (underway ? LOADING_MS : SILENT_MS);
/** Reset does not wait longer for the worker to come to an end of its work. */
const RESET_MS = 1000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A new worker in place of one that is gone or busy: what waits for the old one waits for ever. */
function renewWorker(): void {
  wish++;
  underway = null;
  // the next worker counts its runs again
  useRun.setState({ run: 0 });
  loading = Promise.resolve();
  client = client.restart();
}

/** The worker is gone. Another one continues the run, unless this happens again and again or loading was the trouble. */
function workerLost(problem: Problem): void {
  const { state, update, doing } = useRun.getState();
  const goesOn = doing === 'starting' || (state === 'running' && wantsToRun);
  const wasLoading = underway !== null;
  if (problem.kind !== 'workerMissing') loadingDied();
  endPress();
  // a file that does not come would not come the next time either
  isGone = problem.kind === 'workerMissing';
  if (!isGone) renewWorker();
  const config = loaded;
  if (isGone || wasLoading || config === null || !losses.count(performance.now())) return giveUp(problem);
  const why = problem.kind === 'workerCrashed' ? `It stopped (${problem.message})` : 'It stopped responding';
  useRun.setState({ state: 'empty', doing: 'preparing' });
  loading = replace(config, { why, update, goesOn }).catch(nullIfGone);
}

function giveUp(problem: Problem): void {
  report(problem);
  useRun.setState({ state: 'failed', run: 0, doing: null });
  loaded = null;
}

/** The run continues in the new worker, from the state that the page holds, or else from its start. */
async function replace(config: Config, told: { why: string; update: number; goesOn: boolean }): Promise<void> {
  const { lab: mine } = client;
  const from = held.newest;
  underway = config;
  const { id } = useRun.getState();
  const answer = from ? await mine.takeOver(config, { ...from, id }) : await mine.load(config);
  // it may be gone as well by now, or someone has pressed Reset
  if (mine !== client.lab) return;
  underway = null;
  useRun.setState({ doing: null });
  if (!answer.ok) return void (answer.problem && giveUp(answer.problem));
  if (from) held.goOn(answer.run);
  else held.begin(answer.run);
  report({ kind: 'workerReplaced', ...told, resumedFrom: from?.checkpoint.state.update ?? 0 });
  await sendView();
  if (told.goesOn) await mine.start();
}

/**
 * Loads the draft into the worker, unless it holds it already with nothing trained. A large one waits until someone asks
 * for it by Run: opening it costs nothing.
 */
async function loadNow(mine: number, isAsked: boolean): Promise<void> {
  // without its rules a level cannot be judged; where they cannot be had, the draft says so
  const waits = prepareTask(useDraft.getState().config);
  await waits?.catch(() => undefined);
  const rules = await judged();
  if (mine !== wish) return;
  if (waits) clearTimeout(timer);
  const { config, issues, own } = useDraft.getState();
  const { state, update } = useRun.getState();
  const hasErrors = errorsOf(issues).length > 0;
  // someone who mends a setting still sees the level; of a link nothing is there yet
  const isLeft = hasErrors && (own === null || update > 0);
  if (isLeft || (config === loaded && update === 0 && state === 'ready')) return loadingIsOver();
  if (hasErrors || (!isAsked && rules?.isLarge(config))) return leaveOut(config, hasErrors ? 'refused' : 'large');
  underway = config;
  useRun.setState({ waits: null });
  markLoading(config);
  const answer = await client.lab.load(config);
  if (mine !== wish) return;
  loadingIsOver();
  underway = null;
  if (!answer.ok) {
    if (answer.problem) report(answer.problem);
    return clearScreen(config, 'refused');
  }
  loaded = config;
  held.begin(answer.run);
  // frames come on another way than answers: those of the run before are not drawn with the level of this one
  useRun.setState((r) => ({ run: answer.run, calibrated: r.calibrated?.of === config ? r.calibrated : null }));
  dismissKind('gpuAsked');
  useLoaded.setState({ config, shown: config });
  clearRun();
  look({ replica: 0, trajectory: 0, step: 0, isFollowing: true, part: 'total' });
  await sendView();
  if (!isAsked) void measure(config);
}

/** The draft is not in the worker, and neither is what was there before it. */
async function leaveOut(config: Config, why: 'large' | 'refused'): Promise<void> {
  loadingIsOver();
  clearScreen(config, why);
  await client.lab.unload();
  if (why === 'large') void measure(config);
}

function clearScreen(config: Config, why: 'large' | 'refused'): void {
  loaded = null;
  useLoaded.setState({ config: null, shown: null });
  clearRun();
  takeAway(why, getValue(config, 'run.updates') as number);
}

function queueLoad(isAsked = false): Promise<unknown> {
  const mine = ++wish;
  const { doing } = useRun.getState();
  if (doing === null) useRun.setState({ doing: 'preparing' });
  loading = loadNow(mine, isAsked)
    .catch((error: unknown) => {
      // a worker that went is said by whoever noticed it
      if (!(error instanceof WorkerGone)) report({ kind: 'workerCrashed', message: String(error) });
    })
    .finally(() => mine === wish && useRun.getState().doing === 'preparing' && useRun.setState({ doing: null }));
  return loading;
}

/** Trains what is on the screen. */
function train(doing: 'starting' | 'stepping', act: () => Promise<void>): Promise<void> {
  commit();
  return press(doing, async () => {
    const isWanted = wanted();
    await settled();
    const isOver = ['finished', 'failed'].includes(useRun.getState().state);
    if (doing === 'starting' && isOver) await queueLoad(true);
    if (isWanted()) await act();
  });
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
  const isOther = config !== loaded && config !== underway;
  if (fork === null && isOther && update === 0 && (state === 'ready' || state === 'empty')) void queueLoad(true);
  let seen: Promise<unknown>;
  do await (seen = loading);
  while (seen !== loading);
}

export function start(updates?: number): Promise<void> {
  return train('starting', async () => {
    // step by step: one update, then it waits for the next press
    wantsToRun = useView.getState().pace !== 0;
    await client.lab.start(updates ?? (wantsToRun ? undefined : 1));
  });
}
export function pause(): Promise<void> {
  wantsToRun = false;
  return press('pausing', () => client.lab.pause());
}
export function stop(): Promise<void> {
  wantsToRun = false;
  return press('stopping', () => client.lab.stop());
}
export function step(updates?: number): Promise<void> {
  return train('stepping', async () => {
    wantsToRun = false;
    await client.lab.step(updates);
  });
}
/** The run that is here now, for `remember`. */
export const present = (): Left | null =>
  loaded && { worker: client, run: useRun.getState().run, config: loaded, held: held.newest };

/** What the last click has replaced comes back: the experiment, and its run with all that there is of it. */
export async function undo(): Promise<void> {
  const { before } = useBefore.getState();
  if (!before || isGone) return;
  const { left, snapshot, shown, isOfForm } = before;
  takeBack(before, isOfForm ? null : present());
  if (isOfForm) return;
  await press('preparing', async () => {
    const found = await exchange(async () => {
      const answer = left && (await bringBack(client, left));
      return answer?.ok ? { run: answer.run, config: left!.config } : null;
    });
    if (!found) return;
    look({ ...shown, isFollowing: false });
    if (snapshot) takeSnapshot(snapshot);
  });
}

type Come = { readonly run: number; readonly config: Config };

/**
 * A run that has trained elsewhere continues here, with its settings on the screen; what was here can come back. `then`
 * says whether it goes on at once.
 */
export async function comeIn<T extends Come>(
  fetch: () => Promise<T | null>,
  then: (found: T) => boolean | Promise<boolean>,
): Promise<void> {
  remember(present());
  await press('preparing', async (isNewest) => {
    const found = await exchange(fetch);
    if (!found) return;
    adopt(found.config, 'replace');
    clearTimeout(timer);
    wantsToRun = (await then(found)) && isNewest();
    if (wantsToRun) await client.lab.start();
  });
}

/** Another run comes into the worker in place of what is there; null: it did not, and the draft is loaded instead. */
async function exchange<T extends Come>(fetch: () => Promise<T | null>): Promise<T | null> {
  clearTimeout(timer);
  loaded = underway = null;
  const [chosen, wished] = [useDraft.getState().config, wish];
  const answers = await client.answers(RESET_MS);
  // what has been chosen meanwhile is what is wanted
  const isOver = wish !== wished && useDraft.getState().config !== chosen;
  if (!answers) renewWorker();
  if (isOver) {
    if (!answers) await queueLoad();
    return null;
  }
  const mine = ++wish;
  clearRun();
  await judged();
  const found = await fetch();
  if (mine !== wish) return null;
  if (!found) {
    await queueLoad();
    return null;
  }
  const { config, run } = found;
  loaded = config;
  held.begin(run);
  useRun.setState({ run, waits: null });
  useLoaded.setState({ config, shown: config });
  await sendView();
  return found;
}

/** Back to update 0 with the settings on the screen. */
export async function reset(): Promise<void> {
  if (isGone) return location.reload();
  remember(present());
  // a change of a moment ago is loaded here, and must not load again once the run has started
  clearTimeout(timer);
  loaded = underway = null;
  let mine = ++wish;
  endFork();
  useRun.setState({ problems: useRun.getState().problems.filter((p) => LASTING.includes(p.kind)) });
  const clear = async (): Promise<void> => {
    // a worker that is busy or dead is not waited for
    const answers = await client.answers(RESET_MS);
    if (mine !== wish) return;
    if (!answers) {
      renewWorker();
      mine = wish;
    }
    losses.forget();
    await queueLoad();
  };
  // a Run pressed meanwhile waits for this, and a Pause does not take it back
  const cleared = clear();
  loading = cleared;
  await press('resetting', () => cleared);
}
export async function toggle(): Promise<void> {
  const { state, doing } = useRun.getState();
  await (state === 'running' || doing === 'starting' ? pause() : start());
}
export async function walkUpdate() {
  await settled();
  return client.lab.walkUpdate();
}

async function sendView(): Promise<void> {
  const { replica, points, pace } = useView.getState();
  const perSecond = perSecondOf(pace, loaded ? (getValue(loaded, 'run.updates') as number) : Infinity);
  const shown = document.hidden ? { snapshotHz: 0, isHidden: true } : { snapshotHz: 10, isHidden: false };
  await client.lab.view({ replica, points, perSecond, ...shown });
}

/** Starts the page: its experiment, worker, first load. */
export async function begin({ keeps, open, drafted, settled: isHere }: Visit): Promise<void> {
  client = openClient({ frame: takeIn, kept: (kept) => held.take(kept), lost: workerLost, patienceMs, keeps });
  connectCredit(() => client.lab);
  newestSnapshot.subscribe(drawStage);
  await Promise.all([judged(), open()]);
  document.addEventListener('visibilitychange', () => void sendView());
  useView.subscribe((view, before) => {
    if ((['replica', 'pace', 'points'] as const).some((what) => view[what] !== before[what])) void sendView();
    // step by step begins at once
    if (view.pace === 0 && before.pace !== 0 && useRun.getState().state === 'running') void pause();
  });
  useDraft.subscribe((draft, before) => {
    // a fork is no experiment of its own until it is started
    if (draft.fork !== null || (draft.config === before.config && draft.own === before.own)) return;
    drafted();
    if (draft.config === before.config) return;
    if (errorsOf(draft.issues).length === 0) dismissRefusals();
    clearTimeout(timer);
    timer = setTimeout(() => void (useRun.getState().update === 0 && queueLoad()), 200);
  });
  const device = await client.lab.probe().catch(nullIfGone);
  useRun.setState({ device });
  if (device) reportDevice(device);
  if (device) await queueLoad();
  isHere();
  await exposePageApi({
    async load() {
      clearTimeout(timer);
      await queueLoad();
    },
    actions: { run: start, pause, step, stop, reset },
    worker: lab,
    leave: () => remember(present()),
  });
}

/** How fast this device trains what waits for Run, so that its time can be told before; once for every size of a run. */
export const measure = (config: Config): Promise<void> =>
  untilKnown(
    () => client.lab.calibrate(config).catch(nullIfGone),
    (speed, isNews) => {
      const isWanted = (loaded ?? useDraft.getState().config) === config && useRun.getState().update === 0;
      if (isWanted && isNews) useRun.setState({ calibrated: { ...speed, of: config } });
      return isWanted;
    },
  );
