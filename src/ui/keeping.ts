import type { Config } from '../config/slots.ts';
import type { Problem } from '../core/problem.ts';
import { onCleared } from '../store/database.ts';
import { loadDraft, saveDraft } from './drafts.ts';
import { isSeen } from './notices/seen.ts';
import { useDraft } from './stores/draft.ts';
import { dismissKind, report } from './stores/run.ts';

const AGAIN_MS = 1000;
/** whether the person knows that nothing is kept */
let isTold = false;

function tell(problem: Problem | null): void {
  if (problem?.kind === 'storageFull' && !isTold) report(problem);
  if (problem === null && isTold) dismissKind('storageFull');
  isTold = problem !== null;
}

/** The person's own draft is kept, as it is when its turn comes. */
function save(): Promise<Problem | null> {
  const { own, config } = useDraft.getState();
  return saveDraft(own ?? config);
}

/** Keeps the draft. What cannot be kept is said once, and taken back when it can be kept again. */
export async function keepDraft(): Promise<void> {
  tell(await save());
}

/** The browser may not be done yet with deleting when it says so: what fails then is tried once more. */
async function keepAgain(): Promise<void> {
  report({ kind: 'storageCleared' });
  if ((await save()) === null) return tell(null);
  setTimeout(() => void keepDraft(), AGAIN_MS);
}

/** The draft of the last visit, if there is one that can be read; everything else is said. */
export async function lastDraft(): Promise<Config | null> {
  onCleared(() => void keepAgain());
  const { config, problem } = await loadDraft();
  if (problem?.kind === 'storageFull') tell(problem);
  else if (problem) report(problem);
  return config;
}

/** Safari, and every browser on iOS. */
export const isWebKit = (agent: string): boolean =>
  /AppleWebKit/.test(agent) && !/Chrome|Chromium|Android|Edg\//.test(agent);

/**
 * True where a browser deletes what a page has stored after seven days without a visit: Safari, and every browser on
 * iOS, unless the page is on the home screen or the browser has promised to keep it.
 */
export const forgets = (agent: string, isPersisted: boolean): boolean => !isPersisted && isWebKit(agent);

/** Says so once, where it applies. WebKit decides by itself whether it keeps a page's storage: nobody is asked. */
export async function tellForgetting(): Promise<void> {
  const problem: Problem = { kind: 'storageShortLived' };
  if (!forgets(navigator.userAgent, false) || isSeen(problem)) return;
  const isPersisted = await navigator.storage?.persist?.().catch(() => false);
  if (forgets(navigator.userAgent, isPersisted === true)) report(problem);
}
