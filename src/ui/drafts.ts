import { openDB, type IDBPDatabase } from 'idb';
import type { SavedDraft } from '../config/migrations.ts';
import { parseConfig, SCHEMA_VERSION } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { fail, type Problem, type Result } from '../core/problem.ts';

const STORE = 'drafts';
const KEY = 'own';
/** drafts that could not be read, as they were found */
const REJECTED = 'rejected';
let database: Promise<IDBPDatabase> | null = null;
let cleared: () => void = () => undefined;

function open(): Promise<IDBPDatabase> {
  database ??= openDB('horizon-lab', 1, {
    upgrade: (db) => void db.createObjectStore(STORE),
    // a page of a newer version in another tab must not wait for this one
    blocking: () => void database?.then((db) => db.close()).then(() => (database = null)),
    terminated: () => {
      database = null;
      cleared();
    },
  });
  return database;
}

/** `act` is called when the browser takes away what was stored while the page is open. */
export function onCleared(act: () => void): void {
  cleared = act;
}

/**
 * The person's own draft of the last visit. One that cannot be read is put aside, so that nothing is written over it, and
 * is told of on every visit until it is deleted.
 */
export async function loadDraft(): Promise<{ config: Config | null; problem: Problem | null }> {
  try {
    const saved: unknown = await (await open()).get(STORE, KEY);
    const read = saved === undefined ? null : await readSaved(saved);
    if (read && !read.ok) await putAside(saved);
    return { config: read?.ok ? read.value : null, problem: await whyRejected((await rejected()).at(-1)) };
  } catch {
    database = null;
    return { config: null, problem: { kind: 'storageFull' } };
  }
}

async function putAside(saved: unknown): Promise<void> {
  const aside = await rejected();
  const writing = (await open()).transaction(STORE, 'readwrite');
  await Promise.all([writing.store.put([...aside, saved], REJECTED), writing.store.delete(KEY), writing.done]);
}

/** Most drafts are of this version and whole. What carries up the others is loaded for them alone. */
export async function readSaved(saved: unknown): Promise<Result<Config>> {
  const { version, config } = (saved ?? {}) as Partial<SavedDraft>;
  const asItIs = version === SCHEMA_VERSION ? parseConfig(config) : null;
  if (asItIs?.ok) return asItIs;
  try {
    const { readDraft } = await import('../config/migrations.ts');
    return readDraft(saved);
  } catch {
    return fail({ kind: 'draftRejected', detail: 'The code that brings it up to this version could not be loaded.' });
  }
}

async function whyRejected(saved: unknown): Promise<Problem | null> {
  if (saved === undefined) return null;
  const read = await readSaved(saved);
  return read.ok ? { kind: 'draftRejected', detail: 'This version of the lab can read it again.' } : read.problem;
}

async function rejected(): Promise<readonly unknown[]> {
  const found: unknown = await (await open()).get(STORE, REJECTED);
  return Array.isArray(found) ? found : [];
}

/** What could not be read, as the text of a file. */
export async function rejectedText(): Promise<string> {
  return JSON.stringify(await rejected(), null, 1);
}

export async function deleteRejected(): Promise<void> {
  await (await open()).delete(STORE, REJECTED);
}

/** Keeps the draft; the trouble if it could not be kept. It then lasts until the page is closed. */
export async function saveDraft(config: Config): Promise<Problem | null> {
  try {
    await (await open()).put(STORE, { version: SCHEMA_VERSION, config } satisfies SavedDraft, KEY);
    return null;
  } catch {
    database = null;
    return { kind: 'storageFull' };
  }
}
