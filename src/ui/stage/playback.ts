import { useEffect } from 'react';
import { newestSnapshot } from '../frames.ts';
import { isTyping } from '../keys.ts';
import { useRun } from '../stores/run.ts';
import { look, select, useView } from '../stores/view.ts';
import { useIsStill } from '../useTheme.ts';
import { setWalking, showBatch, shownNow } from './shown.ts';

const STEP_MS = 400;
/** Beats for which the end of an episode stays on the stage before the next one begins. */
const LINGER = 3;

/** Episode to watch next when following: the next one with success, else simply the next. */
export function nextEpisode(success: Uint32Array, after: number): number {
  for (let k = 1; k <= success.length; k++) {
    const i = (after + k) % success.length;
    if (success[i] === 1) return i;
  }
  return (after + 1) % success.length;
}

/** Steps of a failing episode that are shown while newer ones wait: enough to see that it wanders. */
const PATIENCE = 8;

/** Step at which an episode on the stage ends: its last one, or earlier where it fails and there are newer ones. */
export function endOf(length: number, hasSuccess: boolean, hasNewer: boolean): number {
  return hasSuccess || !hasNewer ? length : Math.min(length, PATIENCE);
}

/**
 * Updates that an episode may fall behind while it is followed: by then the next one is on the stage. Its last step has a
 * part of that time for itself.
 */
const FEW = 8;
const LAST_STEP = 2;

/** Step of an episode after the next beat, if the newest batch is `age` updates ahead of its own: in a hurry several at once. */
export function stepAhead(step: number, end: number, age: number): number {
  return Math.min(end, Math.max(step + 1, Math.ceil((end * age) / (FEW - LAST_STEP))));
}

/** Step after a key press in an episode of `length` steps; null for other keys. */
export function stepAfter(key: string, step: number, length: number): number | null {
  const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: length }[key];
  return to === undefined ? null : Math.max(0, Math.min(length, to));
}

let lingered = 0;
let newestBefore = 0;
/** new updates per beat, smoothed: batches do not come in step with the beats */
let perBeat = 0;
let walks = true;

function beat(): void {
  const snapshot = shownNow();
  const newest = newestSnapshot.get();
  const view = useView.getState();
  // a step under the pointer stays
  if (!snapshot || !newest || view.hovered) return;
  perBeat += (Math.max(0, newest.update - newestBefore) - perBeat) / 4;
  newestBefore = newest.update;
  const age = view.isFollowing ? newest.update - snapshot.update : 0;
  const i = Math.min(view.trajectory, snapshot.B - 1);
  const length = snapshot.length[i]!;
  const hasNewer = view.isFollowing && newest !== snapshot;
  const end = endOf(length, snapshot.success[i] === 1, hasNewer);
  if (view.step < end) {
    lingered = 0;
    return look({ trajectory: i, step: stepAhead(view.step, end, age) });
  }
  if (end === length && age < FEW && ++lingered < LINGER) return;
  lingered = 0;
  // it rests on a step, of which there is something to say
  if (!view.isFollowing) return look({ isPlaying: false, step: Math.max(0, length - 1) });
  walks = perBeat < (walks ? FEW / 2 : FEW / 4);
  setWalking(walks);
  showBatch(newest);
  look({ trajectory: nextEpisode(newest.success, i), step: walks ? 0 : newest.T });
}

/** True while the episode on the stage moves by itself. Nothing does when the system asks for stillness, unless a person presses Play. */
export function useIsMoving(): boolean {
  const isFollowing = useView((v) => v.isFollowing);
  const isPlaying = useView((v) => v.isPlaying);
  const isRunning = useRun((r) => r.state === 'running');
  const isStill = useIsStill();
  return isPlaying || (isFollowing && isRunning && !isStill);
}

/** Moves the episode on the stage, and listens to ← → Home End wherever these keys mean nothing else. */
export function usePlayback(): void {
  const isMoving = useIsMoving();
  const speed = useView((v) => v.speed);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(beat, STEP_MS / speed);
    return () => clearInterval(timer);
  }, [isMoving, speed]);
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Parts of the page in which arrow keys have their own meaning. */
const OWN_KEYS =
  '[role="grid"], [role="slider"], [role="tablist"], [role="listbox"], [role="region"], [role="dialog"], [role="application"], .human, .log';

function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement | null;
  const view = useView.getState();
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (!view.keysOn || view.isHuman || isTyping(target) || target?.closest(OWN_KEYS)) return;
  const snapshot = shownNow();
  if (!snapshot) return;
  const i = Math.min(view.trajectory, snapshot.B - 1);
  const length = snapshot.length[i]!;
  const to = stepAfter(event.key, Math.min(view.step, length), length);
  if (to === null) return;
  event.preventDefault();
  select(i, to);
}
