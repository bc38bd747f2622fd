import { reportUnexpected } from '../notices/unexpected.ts';
import { savesData } from '../savesData.ts';
import { isStillNow } from '../useTheme.ts';
import { runConfig, pause, start } from '../session.ts';
import { secondsOf } from '../runbar/seconds.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';
import { beginEmbed } from './begin.ts';
import { setEmbed, useEmbed } from './embedStore.ts';

/** What takes longer is not started by itself. */
const MOST_S = 10;

/** Calls back when the first part of the frame comes into sight of a person, and when the last goes: also with its tab. */
export function watchSight(element: HTMLElement): () => void {
  let isCrossing = false;
  const tell = (): void => {
    const isSeen = isCrossing && !document.hidden;
    if (isSeen !== useEmbed.getState().isSeen) setEmbed({ isSeen });
  };
  const observer = new IntersectionObserver((entries) => {
    isCrossing = entries.at(-1)!.isIntersecting;
    tell();
  });
  observer.observe(element);
  document.addEventListener('visibilitychange', tell);
  return () => {
    observer.disconnect();
    document.removeEventListener('visibilitychange', tell);
  };
}

/** Trains while it is in sight: what the host or the address wants waits until then. */
export function runInSight(): void {
  setEmbed({ waitsForSight: true });
  goOn();
}

/** What has waited for the frame to be seen. */
function goOn(): void {
  const { isSeen, waitsForSight, hasBegun } = useEmbed.getState();
  if (!isSeen || !waitsForSight || !hasBegun) return;
  setEmbed({ waitsForSight: false });
  void start();
}

/** Someone wants it to wait. */
export async function rest(): Promise<void> {
  setEmbed({ waitsForSight: false });
  if (useEmbed.getState().hasBegun) await pause();
}

const isTraining = (): boolean => {
  const { state, doing } = useRun.getState();
  return state === 'running' || doing === 'starting';
};

/**
 * The first sight begins everything. Training stops when nobody can see it and continues when somebody can; `run=1` is
 * honored once.
 */
export function followSight(): () => void {
  // a lesson has buttons for what trains
  let isDecided = !useEmbed.getState().options.run || useEmbed.getState().view === 'lesson';
  const decide = (): void => {
    const { state, update, calibrated } = useRun.getState();
    if (isDecided || !useEmbed.getState().isSeen || state !== 'ready' || update > 0 || !calibrated) return;
    isDecided = true;
    const whyNot = whyNotByItself();
    setEmbed({ whyNot });
    if (whyNot === '') void start();
  };
  const leave = [
    useRun.subscribe((run) => {
      if (run.update > 0 && useEmbed.getState().whyNot !== '') setEmbed({ whyNot: '' });
      decide();
    }),
    useEmbed.subscribe((now, before) => {
      if (now.isSeen === before.isSeen) return;
      decide();
      if (now.isSeen) beginEmbed().then(goOn).catch(reportUnexpected);
      if (!now.isSeen && isTraining()) {
        setEmbed({ waitsForSight: true });
        void pause();
      }
    }),
  ];
  return () => leave.forEach((end) => end());
}

/** Why a run does not start by itself, in a sentence; empty where it does. */
function whyNotByItself(): string {
  const { calibrated } = useRun.getState();
  const config = runConfig();
  // all trials together: a single one that something disturbed does not make a run long
  const mean = calibrated?.stepsPerSecond;
  const speed = mean && { ...calibrated, slowest: mean, fastest: mean };
  const seconds = config && speed && secondsOf(config, speed, useView.getState().pace);
  if (!seconds || seconds[1] > MOST_S) return 'It takes longer than ten seconds here, so it waits for Run.';
  if (isStillNow()) return 'Your system asks for less motion, so it waits for Run.';
  return savesData() ? 'Your browser saves data, so it waits for Run.' : '';
}
