import { canonicalJson } from '../config/canonical.ts';
import type { Config } from '../config/slots.ts';
import type { Problem } from '../core/problem.ts';
import { useRun, type RunInfo } from './stores/run.ts';

/** A run lives in the page and goes with it: what is written here lets the next page of this tab say what was lost. */
const KEY = 'horizon-lab-left';
/**
 * A page that dies leaves nothing, so a mark stands while a run is under way. It has the name of a lock that the page
 * holds as long as it lives: a mark without its lock is that of a dead page, in whatever tab.
 */
const MARK = `horizon-lab-run-`;
const mark = MARK + Math.random().toString(36).slice(2);
const MARK_MS = 1000;
/** A run that took longer is not left without a question. */
const LONG_MS = 60_000;
type Left = { readonly update: number; readonly updates: number; readonly config: string };

/** True where leaving the page would lose a run that has not ended and has been under way for this long. */
export const isWorthAsking = ({ state, update }: Pick<RunInfo, 'state' | 'update'>, ms: number): boolean =>
  update > 0 && (state === 'running' || state === 'paused') && ms > LONG_MS;

/** The trouble that a note of the page before tells, or its mark if it died; null where there is none, or none of ours. */
export function lostRun(note: string | null, config: Config, hasDied = false): Problem | null {
  if (note === null) return null;
  try {
    const { update, updates, config: before } = JSON.parse(note) as Left;
    if (!Number.isInteger(update) || !Number.isInteger(updates)) return null;
    return { kind: 'runLost', update, updates, isSame: before === canonicalJson(config), hasDied };
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
  const { update } = useRun.getState();
  if (!config || update === 0) return;
  keep(() => sessionStorage.setItem(KEY, noteOf(config)));
}

function noteOf(config: Config | null): string {
  const { update, updates } = useRun.getState();
  return JSON.stringify({ update, updates, config: canonicalJson(config) } satisfies Left);
}

function keep(act: () => void): void {
  try {
    act();
  } catch {
    // without storage nothing can be told
  }
}

/** What a page that died had come to; it is told once. With several of them, one is told of. */
export async function takeMark(): Promise<string | null> {
  try {
    const marks = Object.keys(localStorage).filter((key) => key.startsWith(MARK));
    if (marks.length === 0) return null;
    const alive = new Set((await navigator.locks.query()).held?.map(({ name }) => name));
    const dead = marks.filter((key) => !alive.has(key));
    const notes = dead.map((key) => localStorage.getItem(key));
    for (const key of dead) localStorage.removeItem(key);
    return notes.at(-1) ?? null;
  } catch {
    return null;
  }
}

/** The mark stands while there is a run that would be lost: the newest update is written once a second. */
function markRun(config: () => Config | null): void {
  if (!navigator.locks) return;
  let writtenAt = -Infinity;
  const erase = (): void => {
    writtenAt = -Infinity;
    keep(() => localStorage.removeItem(mark));
  };
  const write = (): void => {
    const { state, update } = useRun.getState();
    const isOver = update === 0 || state === 'finished' || state === 'failed';
    if (isOver) return writtenAt > 0 ? erase() : undefined;
    const now = performance.now();
    if (now - writtenAt < MARK_MS) return;
    writtenAt = now;
    keep(() => localStorage.setItem(mark, noteOf(config())));
  };
  // held until the page ends, however it ends
  void navigator.locks.request(mark, () => new Promise(() => useRun.subscribe(write))).catch(() => undefined);
  addEventListener('pagehide', erase);
}

/** Leaves a note when the page goes or may be taken away, and asks first where the run took long. `config`: that of the run. */
export function watchLeaving(config: () => Config | null): void {
  let begunAt = performance.now();
  useRun.subscribe((now, before) => {
    if (now.update > 0 && before.update === 0) begunAt = performance.now();
  });
  markRun(config);
  addEventListener('pagehide', () => leaveNote(config()));
  addEventListener('pageshow', () => void takeNote());
  document.addEventListener('visibilitychange', () => (document.hidden ? leaveNote(config()) : takeNote()));
  addEventListener('beforeunload', (event) => {
    if (isWorthAsking(useRun.getState(), performance.now() - begunAt)) event.preventDefault();
  });
}
