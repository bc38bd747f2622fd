import { canonicalJson } from '../config/canonical.ts';
import type { Config } from '../config/slots.ts';
import type { Problem } from '../core/problem.ts';
import { useRun, type RunInfo } from './stores/run.ts';

/** A run lives in the page and goes with it: what is written here lets the next page of this tab say what was lost. */
const KEY = 'horizon-lab-left';
/** A run that took longer is not left without a question. */
const LONG_MS = 60_000;
type Left = { readonly update: number; readonly updates: number; readonly config: string };

/** True where leaving the page would lose a run that has not ended and has been under way for this long. */
export const isWorthAsking = ({ state, update }: Pick<RunInfo, 'state' | 'update'>, ms: number): boolean =>
  update > 0 && (state === 'running' || state === 'paused') && ms > LONG_MS;

/** The trouble that a note of the page before tells; null where there is none, or none of ours. */
export function lostRun(note: string | null, config: Config): Problem | null {
  if (note === null) return null;
  try {
    const { update, updates, config: before } = JSON.parse(note) as Left;
    if (!Number.isInteger(update) || !Number.isInteger(updates)) return null;
    return { kind: 'runLost', update, updates, isSame: before === canonicalJson(config) };
  } catch {
    return null;
  }
}

/** What the page before left in this tab; it is told once. */
export function takeNote(): string | null {
  try {
    const note = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return note;
  } catch {
    return null;
  }
}

function leaveNote(config: Config | null): void {
  const { update, updates } = useRun.getState();
  if (!config || update === 0) return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ update, updates, config: canonicalJson(config) } satisfies Left));
  } catch {
    // without storage nothing can be told
  }
}

/** Leaves a note when the page goes or may be taken away, and asks first where the run took long. `config`: that of the run. */
export function watchLeaving(config: () => Config | null): void {
  let begunAt = performance.now();
  useRun.subscribe((now, before) => {
    if (now.update > 0 && before.update === 0) begunAt = performance.now();
  });
  addEventListener('pagehide', () => leaveNote(config()));
  addEventListener('pageshow', () => void takeNote());
  document.addEventListener('visibilitychange', () => (document.hidden ? leaveNote(config()) : takeNote()));
  addEventListener('beforeunload', (event) => {
    if (isWorthAsking(useRun.getState(), performance.now() - begunAt)) event.preventDefault();
  });
}
