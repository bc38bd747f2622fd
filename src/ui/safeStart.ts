import { canonicalJson } from '../config/canonical.ts';
import type { SavedDraft } from '../config/migrations.ts';
import { SCHEMA_VERSION } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { readSaved } from './drafts.ts';
import { isEmbed } from './isEmbed.ts';

/**
 * What is written before an experiment is loaded and taken away when it is ready. A page that dies in between leaves it
 * behind: the next one offers the experiment instead of loading it, and does not die of it again.
 */
const LOADING = 'horizon-lab-loading';
/** An experiment that a page died of, until someone loads or deletes it. */
const OFFERED = 'horizon-lab-offered';

type Mark = { readonly page: string; readonly saved: SavedDraft };

/** This page among all that are open. */
const page = Math.random().toString(36).slice(2);
const lockOf = (id: string): string => `horizon-lab-page-${id}`;
/** the worker died of what was being loaded: leaving the page does not make that undone */
let hasDied = false;
let isMarked = false;

/** Before anything of the experiment is made. */
export function markLoading(config: Config): void {
  hasDied = false;
  isMarked = write(LOADING, { page, saved: { version: SCHEMA_VERSION, config } } satisfies Mark);
}

/** The experiment is ready, was refused in words, or is not wanted any more. */
export function loadingIsOver(): void {
  if (isMarked) erase(LOADING);
  isMarked = false;
}

export function loadingDied(): void {
  hasDied = isMarked;
}

/** Holds on to what shows that this page lives, and takes its mark away when it is left in the ordinary way. */
export function watchLoading(): void {
  void navigator.locks?.request(lockOf(page), () => new Promise(() => undefined)).catch(() => undefined);
  addEventListener('pagehide', () => void (hasDied || loadingIsOver()));
}

/** The experiment that a page died of while it was loaded; null if there is none. One that no longer fits is forgotten. */
export async function offered(): Promise<Config | null> {
  const mark = read(LOADING) as Mark | null;
  if (mark && !(await isAlive(mark.page))) {
    write(OFFERED, mark.saved);
    erase(LOADING);
  }
  const saved = read(OFFERED);
  if (saved === null) return null;
  const found = await readSaved(saved);
  return found.ok ? found.value : null;
}

/** Someone has loaded or deleted it. */
export function forgetOffered(): void {
  erase(OFFERED);
}

export const isSameExperiment = (a: Config | null, b: Config | null): boolean =>
  a !== null && b !== null && canonicalJson(a) === canonicalJson(b);

/** True while another page of this site is open that loads something just now. */
async function isAlive(id: unknown): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name === lockOf(String(id)));
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Without storage nothing is kept from page to page, and so nothing can be loaded again and again. */
function write(key: string, value: unknown): boolean {
  if (isEmbed) return false;
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function erase(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // there was nothing to take away
  }
}
