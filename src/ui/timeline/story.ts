import { updateNumber } from '../../core/counting.ts';
import { settledAt, eventWords, type LiveEvent } from '../../config/events.ts';
import { diffText } from '../../config/diff.ts';
import { stageAt } from '../../config/fork.ts';
import { setValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { keepGhost } from '../ghosts/ghosts.ts';
import { say } from '../notices/say.ts';
import { nullIfGone } from '../owed.ts';
import { rememberRun } from '../before.ts';
import { adopt, lab, present, runConfig } from '../session.ts';
import { endFork, openFork, useDraft } from '../stores/draft.ts';
import { note, useRun } from '../stores/run.ts';
import { look } from '../stores/view.ts';
import { pastIsNow, showNow, showPast, useTimeline } from './timelineStore.ts';

const QUIET_MS = 400;

let wanted: number | null = null;
let isLooking = false;

/** Shows an update of the past everywhere. While one is on its way, only the newest wish counts. */
export async function lookAt(update: number): Promise<void> {
  wanted = update;
  useTimeline.setState({ past: update, isBusy: true, why: '' });
  if (isLooking) return;
  isLooking = true;
  try {
    while (wanted !== null) {
      const next: number = wanted;
      wanted = null;
      const answer = await lab().lookAt(next);
      if (wanted !== null || useTimeline.getState().past !== next) continue;
      if (answer.ok) showPast(answer.snapshot);
      else useTimeline.setState({ why: answer.why });
    }
  } catch (error) {
    // the batch that was to be shown went with its worker
    showNow();
    nullIfGone(error);
  } finally {
    wanted = null;
    isLooking = false;
    useTimeline.setState({ isBusy: false });
  }
}

/** Previous (−1) or next (+1) checkpoint; after the last one comes now. */
export function move(by: -1 | 1): void {
  const { marks: all, past } = useTimeline.getState();
  const { update } = useRun.getState();
  // a checkpoint of now is now
  const marks = all.filter((m) => m.update < update);
  const found = past === null ? -1 : marks.findIndex((m) => m.update >= past);
  const at = found < 0 ? marks.length : found;
  const to = Math.max(0, at + by);
  if (to >= marks.length) return backToNow();
  void lookAt(marks[to]!.update);
}

export function backToNow(): void {
  if (useTimeline.getState().past === null) return;
  showNow();
  say('Back to now.');
}

/** The run continues from a checkpoint; what came after it is dropped. The sentence says how it went. */
export async function goBackTo(update: number): Promise<string> {
  const before = useRun.getState().update;
  const remember = rememberRun(present());
  if (useTimeline.getState().past !== update) await lookAt(update);
  const answer = await lab().rewind(update);
  if (!answer.ok) return refuse(answer.why);
  remember();
  pastIsNow();
  adopt(answer.config);
  return tell(`The run is back after update ${update}; ${before - update} updates were dropped.`);
}

const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** A live setting was moved in the form: it is sent after a moment of quiet, so that a slider makes one change. */
export function changeSoon(path: string, value: number): void {
  useTimeline.setState(({ pending }) => ({ pending: { ...pending, [path]: value } }));
  clearTimeout(timers.get(path));
  timers.set(
    path,
    setTimeout(() => void changeLive(path, value), QUIET_MS),
  );
}

/** A live setting has another value from the next update on. The sentence says how it went. */
export async function changeLive(path: string, value: LiveEvent['value']): Promise<string> {
  const answer = await lab()
    .change(path, value)
    .finally(() =>
      useTimeline.setState(({ pending }) => ({
        pending: Object.fromEntries(Object.entries(pending).filter(([name]) => name !== path)),
      })),
    );
  if (!answer.ok) return refuse(answer.why);
  adopt(answer.config);
  return tell(`From update ${updateNumber(answer.update)}: ${eventWords({ update: answer.update, path, value })}.`);
}

/** The settings of a fork that begins at an update: those in force there, for the person to change. */
function forkDraft(run: Config, update: number): Config {
  const stage = stageAt(run, Math.max(0, update - 1));
  return setValue(settledAt(stage, update), 'run.fork', '');
}

/** Opens the form for a fork from the checkpoint that is looked at. */
export function beginFork(): void {
  const { past } = useTimeline.getState();
  const run = runConfig();
  if (past === null || past === 0 || !run) return;
  openFork(past, forkDraft(run, past));
  look({ tab: 'setup', isSetupOpen: true });
  say(`Fork after update ${past}: change settings, then make it.`);
}

/** Leaves the fork; the settings are those of the run again. */
export function cancelFork(): void {
  const run = runConfig();
  endFork();
  if (run) adopt(run, 'replace');
}

/** The fork takes the place of its parent and waits for Resume. */
export async function startFork(): Promise<string> {
  const { fork, config } = useDraft.getState();
  if (!fork) return '';
  if (useTimeline.getState().past !== fork.at) await lookAt(fork.at);
  // the parent stays visible behind its fork
  await keepGhost();
  const remember = rememberRun(present());
  const told = diffText(fork.base, config);
  const answer = await lab().fork(fork.at, config, told);
  if (!answer.ok) return refuse(answer.why);
  remember();
  pastIsNow();
  endFork();
  adopt(answer.config, 'replace');
  return tell(`Forked after update ${fork.at}: ${told}.`);
}

function refuse(why: string): string {
  useTimeline.setState({ why });
  return why;
}

function tell(sentence: string): string {
  useTimeline.setState({ why: '' });
  note(sentence);
  say(sentence);
  return sentence;
}
