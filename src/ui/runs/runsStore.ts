import { create } from 'zustand';
import type { Config } from '../../config/slots.ts';
import type { RunRecord } from '../../lab/runs/record.ts';
import { broughtBack, setAside, type Aside } from '../../lab/runs/setAside.ts';
import type { KeptSweep } from '../../lab/runs/sweep.ts';
import {
  allSweeps,
  curvesOf,
  deleteRuns,
  keepRuns,
  onRuns,
  relabel,
  runsAfter,
  runsWith,
  type Labels,
} from '../../store/runs.ts';
import { ownedIds } from '../../store/locks.ts';
import { say } from '../notices/say.ts';
import { useRun } from '../stores/run.ts';
import { SWEEPS, useSweep } from '../sweeps/sweepStore.ts';
import { setSelected } from './tableStore.ts';

type Deleted = { readonly runs: readonly RunRecord[]; readonly curves: readonly Aside[] };

/** All kept runs as the page holds them. */
export type Runs = {
  readonly runs: ReadonlyMap<string, RunRecord>;
  readonly sweeps: readonly KeptSweep[];
  readonly state: 'loading' | 'there' | 'missing';
  /** batches of runs that another tab of this browser has open */
  readonly elsewhere: ReadonlySet<string>;
  /** what was deleted last, as long as it can be taken back */
  readonly deleted: Deleted | null;
};

const EMPTY: Runs = { runs: new Map(), sweeps: [], state: 'loading', elsewhere: new Set(), deleted: null };
export const useRuns = create<Runs>(() => EMPTY);

/** Runs of a group share one config: their own differ only in the seed, which the record has. */
const configs = new Map<string, Config>();
function shared(run: RunRecord): RunRecord {
  const config = configs.get(run.group) ?? run.config;
  configs.set(run.group, config);
  return { ...run, config };
}

/** Between two looks at what other tabs hold. */
const LOOK_MS = 1000;
/** So many records are read or written in one go: fewer than would be felt. */
const AT_ONCE = 64;
/** The same with their curves, which are large. */
const WHOLE_AT_ONCE = 4;
/** Runs that are being deleted or brought back: what others tell of them meanwhile is not taken in. */
const leaving = new Set<string>();

function take(found: readonly RunRecord[], asked: readonly string[] = []): void {
  useRuns.setState(({ runs }) => {
    const next = new Map(runs);
    for (const id of asked) next.delete(id);
    for (const run of found) if (!leaving.has(run.id)) next.set(run.id, shared(run));
    return { runs: next };
  });
}

/** What `read` finds for each part of a long list, one part after the other. */
async function inParts<T>(
  ids: readonly string[],
  read: (part: readonly string[]) => Promise<T[]>,
  atOnce = AT_ONCE,
): Promise<T[]> {
  const found: T[] = [];
  for (let k = 0; k < ids.length; k += atOnce) found.push(...(await read(ids.slice(k, k + atOnce))));
  return found;
}

/** Reads everything bit by bit and then shows it; afterwards only what has changed. */
async function load(): Promise<void> {
  const all: RunRecord[] = [];
  for (let part = await runsAfter('', AT_ONCE); part.length > 0; part = await runsAfter(all.at(-1)!.id, AT_ONCE))
    all.push(...part.map(shared));
  take(all);
  useRuns.setState({ sweeps: await allSweeps(), state: 'there' });
}

async function refresh(ids: readonly string[]): Promise<void> {
  if (ids.length > 0) return take(await inParts(ids, runsWith), ids);
  useRuns.setState({ sweeps: await allSweeps() });
}

/** What other tabs hold: their runs, and the comparison that one of them trains. */
async function lookElsewhere(): Promise<void> {
  const owned = await ownedIds();
  const { sweeps, elsewhere: before } = useRuns.getState();
  const isSweeping = owned.has(SWEEPS) && useSweep.getState().owner !== 'here';
  const trained = isSweeping ? sweeps.filter(({ state }) => state === 'running').map(({ id }) => id) : [];
  const here = useRun.getState().id;
  const elsewhere = new Set([...owned, ...trained].filter((id) => id !== here));
  const isSame = elsewhere.size === before.size && [...elsewhere].every((id) => before.has(id));
  if (!isSame) useRuns.setState({ elsewhere });
}

/** Reads all runs and follows their changes until the way out is taken. */
export function followRuns(): () => void {
  const isMissing = (): void => useRuns.setState({ state: 'missing' });
  const leave = onRuns((ids) => void refresh(ids).catch(isMissing));
  load().catch(isMissing);
  lookElsewhere().catch(isMissing);
  // a tab that opens or leaves a run tells nobody
  const timer = setInterval(() => void lookElsewhere().catch(isMissing), LOOK_MS);
  return () => {
    leave();
    configs.clear();
    clearInterval(timer);
    useRuns.setState(EMPTY);
  };
}

/** Kept, and then shown, so that what is seen survives a reload; shown, too, where nothing can be kept. */
export async function label(ids: readonly string[], labels: (run: RunRecord) => Partial<Labels>): Promise<void> {
  try {
    await relabel(ids, labels);
  } finally {
    useRuns.setState(({ runs }) => {
      const next = new Map(runs);
      for (const id of ids) {
        const run = next.get(id);
        if (run) next.set(id, { ...run, ...labels(run) });
      }
      return { runs: next };
    });
  }
}

/** Curves of those of these runs that have any, as files. */
async function asFiles(ids: readonly string[]): Promise<Aside[]> {
  const found = await Promise.all(ids.map(curvesOf));
  return found.flatMap((curves) => (curves ? [setAside(curves)] : []));
}

/** Takes runs out of sight and out of storage. They can be taken back until others are deleted or the page is left. */
export async function remove(ids: readonly string[]): Promise<void> {
  ids.forEach((id) => leaving.add(id));
  setSelected(ids, false);
  take([], ids);
  // with their own configs, as they were kept
  const runs = await inParts(ids, runsWith);
  const curves = await inParts(ids, asFiles, WHOLE_AT_ONCE);
  await deleteRuns(ids);
  ids.forEach((id) => leaving.delete(id));
  useRuns.setState({ deleted: { runs, curves } });
}

export async function takeBack(): Promise<void> {
  const { deleted } = useRuns.getState();
  if (!deleted) return;
  useRuns.setState({ deleted: null });
  const { runs } = deleted;
  const ids = runs.map(({ id }) => id);
  const curves = new Map(deleted.curves.map((part) => [part.id, part]));
  let lost = 0;
  // a group is seen when all of its runs are back: whoever selects it then has all of them
  ids.forEach((id) => leaving.add(id));
  try {
    for (let k = 0; k < runs.length; k += WHOLE_AT_ONCE) {
      const part = runs.slice(k, k + WHOLE_AT_ONCE);
      const files = part.flatMap(({ id }) => curves.get(id) ?? []);
      const found = (await Promise.all(files.map(broughtBack))).filter((one) => one !== null);
      lost += files.length - found.length;
      await keepRuns(part, found);
    }
  } finally {
    ids.forEach((id) => leaving.delete(id));
    await refresh(ids);
  }
  if (lost > 0)
    say(`The curves of ${lost === 1 ? '1 run' : `${lost} runs`} could not be read any more; everything else is back.`);
}

export const letGo = (): void => useRuns.setState({ deleted: null });
