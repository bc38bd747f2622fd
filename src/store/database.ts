import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { RunCurves, RunRecord } from '../lab/runs/record.ts';
import type { PageRun } from '../lab/runs/pageRun.ts';
import type { KeptSweep } from '../lab/runs/sweep.ts';

/** Everything that the lab keeps in IndexedDB. Large things that are rewritten (checkpoints) are files instead. */
export interface Stores extends DBSchema {
  /** drafts by name, and what could not be read */
  drafts: { key: string; value: unknown };
  runs: { key: string; value: RunRecord; indexes: { batch: string; group: string } };
  /** curves by the id of their run */
  curves: { key: string; value: RunCurves };
  /** of long runs of the page, with all their seeds: the first updates in parts, by run and the update that each begins with */
  curveParts: {
    key: [run: string, from: number];
    value: { readonly values: Float32Array; readonly steps: Float64Array };
  };
  sweeps: { key: string; value: KeptSweep };
  /** runs of the page, by the `batch` of their records: what it takes to continue them */
  pageRuns: { key: string; value: PageRun };
  /** checkpoints, where a browser has no files */
  slots: { key: string; value: Uint8Array };
  /** earlier checkpoints of runs of the page, for their timelines, by run and update: what is said of each, … */
  marks: { key: MarkKey; value: KeptMark };
  /** … and its bytes, so that a list does not read them */
  markStates: { key: MarkKey; value: Uint8Array<ArrayBuffer> };
  /** records that this version could not read, as they were found */
  aside: { key: string; value: PutAside };
}

/** The run of the page, and the update before which the state is. */
export type MarkKey = [run: string, update: number];
export type KeptMark = {
  readonly run: string;
  readonly update: number;
  readonly bytes: number;
  /** why it is kept, by kind and in words */
  readonly reasons: readonly (readonly [string, string])[];
  /** milliseconds since 1970: of several runs the one that was written last trains last */
  readonly changedAt: number;
};

export type PutAside = { readonly from: string; readonly why: string; readonly found: unknown };

export const DATABASE = 'horizon-lab';
/** 1: drafts. 2: runs, curves, sweeps. 3: runs of the page and their checkpoints, records put aside. 4: marks of timelines. 5: parts of long curves. Each step adds to the one before, and none takes anything away. */
const VERSION = 5;

type Opened = IDBPDatabase<Stores>;
let database: Promise<Opened> | null = null;
let cleared: () => void = () => undefined;

/** `act` is called when the browser takes away what was stored while the page is open. */
export function onCleared(act: () => void): void {
  cleared = act;
}

/** The one connection of this page or worker. Rejects where there is no storage; then nothing is kept. */
export function open(): Promise<Opened> {
  database ??= openDB<Stores>(DATABASE, VERSION, {
    upgrade(db, from) {
      if (from < 1) db.createObjectStore('drafts');
      if (from < 2) {
        const runs = db.createObjectStore('runs', { keyPath: 'id' });
        runs.createIndex('batch', 'batch');
        runs.createIndex('group', 'group');
        db.createObjectStore('curves', { keyPath: 'id' });
        db.createObjectStore('sweeps', { keyPath: 'id' });
      }
      if (from < 3) {
        db.createObjectStore('pageRuns', { keyPath: 'id' });
        db.createObjectStore('slots');
        db.createObjectStore('aside');
      }
      if (from < 4) {
        db.createObjectStore('marks', { keyPath: ['run', 'update'] });
        db.createObjectStore('markStates');
      }
      if (from < 5) db.createObjectStore('curveParts');
    },
    // a page of a newer version in another tab must not wait for this one
    blocking: () => void database?.then((db) => db.close()).then(forget),
    terminated: () => {
      forget();
      cleared();
    },
  });
  return database;
}

/** The next call opens it anew: what failed may work again. */
export function forget(): void {
  database = null;
}
