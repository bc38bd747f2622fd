import type { RunRecord } from '../../lab/runs/record.ts';
import type { KeptSweep } from '../../lab/runs/sweep.ts';
import type { SweepRuns } from '../../lab/runs/ofSweep.ts';
import { nextBatch } from '../../lab/sweep/batches.ts';
import { leftOf, secondsByGroup, sweepLeft, type Unfinished } from '../../lab/sweep/timeLeft.ts';
import type { Order } from './order.ts';

/** A run of a sweep as it is shown. */
export type CellStatus = {
  readonly id: string;
  readonly name: string;
  readonly group: number;
  readonly seed: number;
  readonly state: 'waiting' | 'running' | 'finished' | 'failed' | 'stopped';
  /** share that is done, and seconds that it will still take; null while nothing is known */
  readonly share: number;
  readonly left: number | null;
  readonly score: number | null;
  readonly problem: string | null;
};

export type SweepStatus = {
  readonly id: string;
  readonly title: string;
  readonly state: KeptSweep['state'];
  readonly groups: readonly string[];
  readonly cells: readonly CellStatus[];
  /** where what is not over trains */
  readonly backend: RunRecord['backend'];
  /** seconds until all is over */
  readonly left: number | null;
  /** why it had to pause */
  readonly problem: string | null;
};

/** Ids of the runs that a sweep has still to train, in their order. What was at work when the page went trains again. */
export function stillToTrain({ kept, runs }: SweepRuns): Order {
  if (kept.state === 'cancelled') return [];
  const open = new Set(runs.flatMap(({ id, state }) => (state === 'waiting' || state === 'running' ? [id] : [])));
  const ordered = kept.order.filter((id) => open.has(id));
  const listed = new Set(ordered);
  // an order that was kept while a run was at work does not name it: it was to come before those that wait
  return [...[...open].filter((id) => !listed.has(id)), ...ordered];
}

/** A run at work: its share, and the seconds that it has trained. */
export type AtWork = { readonly share: number; readonly seconds: number };

const NOBODY: ReadonlyMap<string, AtWork> = new Map();

/** How far a sweep is, by what is kept of it and what is known of the runs at work. */
export function statusOf(
  kept: KeptSweep,
  runs: readonly RunRecord[],
  problem: string | null = null,
  working: ReadonlyMap<string, AtWork> = NOBODY,
  lanes = 1,
): SweepStatus {
  const places = new Map(kept.groups.map(({ group }, k) => [group, k]));
  const at = (run: RunRecord): Unfinished => {
    const work = working.get(run.id);
    return { group: places.get(run.group) ?? 0, seconds: work?.seconds ?? 0, share: work?.share ?? 0 };
  };
  const ended = runs.filter((run) => run.state === 'finished');
  const secondsOf = secondsByGroup(
    ended.map((run) => ({ group: places.get(run.group) ?? 0, seconds: run.seconds })),
    runs.filter((run) => working.has(run.id)).map(at),
  );
  const cells = runs.map((run): CellStatus => {
    const place = at(run);
    const state = stateOf(run, working.has(run.id));
    const isOpen = state === 'waiting' || state === 'running';
    const name = kept.groups[place.group]?.name ?? run.address;
    return {
      ...{ id: run.id, name, group: place.group, seed: run.seed, state, problem: run.problem, score: run.score },
      share: state === 'finished' ? 1 : place.share,
      left: isOpen ? leftOf(place, secondsOf(place.group)) : null,
    };
  });
  const open = runs.filter((_, k) => cells[k]!.state === 'waiting' || cells[k]!.state === 'running');
  const isOnGpu = open.some(({ backend }) => backend === 'webgpu');
  const leftOfRun = new Map(cells.map(({ id, left }) => [id, left]));
  const lefts = (isOnGpu ? batchesOf(kept, open, working) : open.map((run) => [run])).map(
    ([first]) => leftOfRun.get(first!.id) ?? null,
  );
  return {
    ...{ id: kept.id, title: kept.title, state: kept.state, groups: kept.groups.map(({ name }) => name), cells },
    ...{ backend: isOnGpu ? 'webgpu' : 'cpu', left: sweepLeft(lefts, isOnGpu ? 1 : lanes), problem },
  };
}

/** Runs that are not over, by what trains together: first what is at work, then the rest in its order. */
function batchesOf(kept: KeptSweep, open: readonly RunRecord[], working: ReadonlyMap<string, AtWork>): RunRecord[][] {
  const places = new Map(kept.order.map((id, k) => [id, k]));
  let rest = open.filter(({ id }) => !working.has(id));
  rest.sort((a, b) => (places.get(a.id) ?? -1) - (places.get(b.id) ?? -1));
  const atWork = open.filter(({ id }) => working.has(id));
  const batches = atWork.length > 0 ? [atWork] : [];
  while (rest.length > 0) {
    const batch = togetherOf(rest);
    batches.push(batch);
    rest = rest.filter((run) => !batch.includes(run));
  }
  return batches;
}

/** Of runs that wait, those that train next: one on the CPU path, on WebGPU all that share a run with the first. */
export function togetherOf(waiting: readonly RunRecord[]): RunRecord[] {
  const [first] = waiting;
  if (!first || first.backend === 'cpu') return waiting.slice(0, 1);
  // those that were at work together go on together
  const begun = waiting.filter(({ state }) => state === 'running');
  const own = begun.includes(first) ? begun : waiting.filter((run) => !begun.includes(run));
  return [...nextBatch(own, ({ config, limit }) => ({ config, limit: limit ?? null }))];
}

function stateOf({ state }: RunRecord, isAtWork: boolean): CellStatus['state'] {
  if (isAtWork) return 'running';
  return state === 'finished' || state === 'failed' || state === 'stopped' ? state : 'waiting';
}
