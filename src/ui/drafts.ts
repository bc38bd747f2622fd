import { openDB, type IDBPDatabase } from 'idb';
import { parseConfig } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import type { Problem } from '../core/problem.ts';

const STORE = 'drafts';
const KEY = 'own';
let database: Promise<IDBPDatabase> | null = null;

function open(): Promise<IDBPDatabase> {
  database ??= openDB('horizon-lab', 1, { upgrade: (db) => void db.createObjectStore(STORE) });
  return database;
}

/** The person's own draft of the last visit; a draft that no longer fits is left alone and the default is shown. */
export async function loadDraft(): Promise<{ config: Config | null; problem: Problem | null }> {
  try {
    const saved: unknown = await (await open()).get(STORE, KEY);
    if (saved === undefined) return { config: null, problem: null };
    const parsed = parseConfig(saved);
    return { config: parsed.ok ? parsed.value : null, problem: null };
  } catch {
    return { config: null, problem: { kind: 'storageFull' } };
  }
}

/** Keeps the draft; without storage it lasts until the page is closed, which was said when the page opened. */
export async function saveDraft(config: Config): Promise<void> {
  try {
    await (await open()).put(STORE, config, KEY);
  } catch {
    database = null;
  }
}
