import { archiveOf, type BundleFile } from '../lab/bundle/archive.ts';
import { Overview, tableOf } from '../lab/runs/inParts.ts';
import { COLUMNS } from '../lab/runs/soFar.ts';
import { open } from './database.ts';
import { deleteParts, runsOfParts } from './curveParts.ts';
import { clearExports } from './exports.ts';
import { bytesInSlots, deleteSlots, slotIds, storedBytes } from './files.ts';
import { ownedIds } from './locks.ts';
import { keptCurves } from './keptCurves.ts';
import { allMarks, bytesOfMark, deleteMarks } from './marks.ts';
import { deleteRuns } from './runs.ts';

/** What the browser says of the storage of this site, and what is kept in it. */
export type Usage = {
  /** bytes, as the browser estimates them; null where it does not say */
  readonly used: number | null;
  readonly most: number | null;
  /** the browser has promised not to delete it by itself */
  readonly isPersisted: boolean;
  readonly runs: number;
  readonly sweeps: number;
  /** of all checkpoints: those to continue from, of runs and of runs of a comparison, and those of timelines */
  readonly checkpointBytes: number;
  /** of these, those of timelines */
  readonly markBytes: number;
};

export async function usage(): Promise<Usage> {
  await clearExports().catch(() => undefined);
  const database = await open();
  const estimate = await navigator.storage?.estimate?.().catch(() => null);
  const markBytes = (await allMarks()).reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    ...{ used: estimate?.usage ?? null, most: estimate?.quota ?? null },
    isPersisted: (await navigator.storage?.persisted?.().catch(() => false)) === true,
    ...{ runs: await database.count('runs'), sweeps: await database.count('sweeps') },
    ...{ checkpointBytes: (await bytesInSlots()) + markBytes, markBytes },
  };
}

const json = (value: unknown): string => JSON.stringify(value, null, 1);

/** One file after the other, so that a thousand curves are never in memory at once, and of long ones never the whole. */
async function* files(): AsyncGenerator<BundleFile> {
  const database = await open();
  const runs = await database.getAll('runs');
  yield { name: 'runs.json', data: json(runs) };
  for (const { id, seed } of runs) {
    const curves = await keptCurves(id, true);
    if (!curves) continue;
    const overview = await Overview.of(curves);
    yield { name: `metrics/${id}.csv`, data: () => tableOf(curves, overview, [seed], false) };
  }
  for (const store of ['sweeps', 'pageRuns', 'marks', 'aside'] as const)
    yield { name: `${store}.json`, data: json(await database.getAll(store)) };
  const names = await database.getAllKeys('drafts');
  const drafts = await database.getAll('drafts');
  const byName = Object.fromEntries(names.map((name, k) => [name, drafts[k]]));
  yield { name: 'drafts.json', data: json(byName) };
  yield { name: 'columns.json', data: json(COLUMNS) };
  for (const id of await slotIds())
    for (const slot of [0, 1]) {
      const data = await storedBytes(id, slot);
      if (data.length > 0) yield { name: `checkpoints/${id}-${slot}`, data };
    }
  for (const mark of await allMarks())
    yield { name: `timelines/${mark.run}/${mark.update}`, data: await bytesOfMark(mark) };
}

/** Everything that is kept, as one archive: records and sweeps as JSON, metrics as CSV, checkpoints as they are. */
export function exportAll(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return archiveOf(files(), new Date());
}

/** Deletes all runs, sweeps and checkpoints, but for the runs and the comparison that a tab has open. Drafts stay. */
export async function deleteAll(): Promise<void> {
  const database = await open();
  const owned = await ownedIds();
  const runs = await database.getAll('runs');
  await deleteRuns(runs.filter(({ batch }) => !owned.has(batch)).map(({ id }) => id));
  for (const { id } of await database.getAll('sweeps')) if (!owned.has(id)) await database.delete('sweeps', id);
  for (const { id } of await database.getAll('pageRuns')) if (!owned.has(id)) await database.delete('pageRuns', id);
  // the name of a run of a comparison begins with that of the comparison
  for (const id of await slotIds()) if (!owned.has(id.split('.')[0]!)) await deleteSlots(id);
  for (const run of new Set((await allMarks()).map((mark) => mark.run))) if (!owned.has(run)) await deleteMarks(run);
  for (const run of await runsOfParts()) if (!owned.has(run)) await deleteParts(run);
  await database.clear('aside');
  await clearExports();
}
