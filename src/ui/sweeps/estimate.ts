import { useEffect, useState } from 'react';
import { canonicalJson } from '../../config/canonical.ts';
import { configWith, getValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { nextBatch } from '../../lab/sweep/batches.ts';
import type { SweepBackend } from '../../lab/sweep/description.ts';
import type { Sweep } from '../../lab/sweep/expand.ts';
import type { CellPace } from '../../worker/protocol.ts';
import { lanesHere, startLane } from './client.ts';

/** More kinds of runs than these are taken to train as fast as the mean of them. */
const MOST_MEASURED = 8;
/** Nothing is measured while somebody types. */
const QUIET_MS = 400;

type Cell = Sweep['cells'][number];

const known = new Map<string, CellPace>();
/** Seed and length do not change how long an update takes. */
const keyOf = ([first, ...rest]: readonly Config[]): string =>
  canonicalJson({ of: configWith({ 'run.seed': 0, 'run.updates': 1 }, first!), more: rest.length });

/** Seconds that runs take together at a pace. */
function secondsOf({ config, limit }: Cell, pace: CellPace): number {
  const { secondsPerUpdate, stepsPerUpdate } = pace;
  if (limit?.of === 'seconds') return limit.amount;
  if (limit) return (limit.amount / stepsPerUpdate) * secondsPerUpdate;
  return (getValue(config, 'run.updates') as number) * secondsPerUpdate;
}

/** What trains together: on the CPU path one run by itself. One seed stands for the others there. */
export function workOf({ cells }: Sweep, backend: SweepBackend): (readonly Cell[])[] {
  if (backend === 'cpu') return cells.filter(({ seed }) => seed === cells[0]!.seed).map((cell) => [cell]);
  const own = cells.map((cell) => ({ ...cell, config: configWith({ 'run.backend': backend }, cell.config) }));
  const batches: (readonly Cell[])[] = [];
  for (let rest: readonly Cell[] = own; rest.length > 0;) {
    const batch = nextBatch(rest, (cell) => cell);
    batches.push(batch);
    rest = rest.filter((cell) => !batch.includes(cell));
  }
  return batches;
}

/** Where and with how many runs at a time on the CPU path. */
type On = { readonly backend: SweepBackend; readonly lanes: number };

/** Seconds that a sweep takes on this machine, by the paces of what trains together. */
export function secondsOfSweep(sweep: Sweep, paces: readonly CellPace[], { backend, lanes }: On): number {
  const work = workOf(sweep, backend);
  const each = work.map(([cell], k) => paces[k] && secondsOf(cell!, paces[k])).filter((s) => s !== undefined);
  const mean = each.reduce((a, b) => a + b, 0) / each.length;
  const runs = sweep.cells.length;
  return mean * (backend === 'cpu' ? runs / Math.min(lanes, runs) : work.length);
}

type Found = { readonly sweep: Sweep; readonly backend: SweepBackend; readonly seconds: number };

/** How long a sweep would take here on a backend: measured once for every kind of run. Null until that is known, or without a backend. */
export function useEstimate(sweep: Sweep | null, backend: SweepBackend | null): number | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (!sweep || !backend) return undefined;
    let isOver = false;
    let end = (): void => undefined;
    const measure = async (): Promise<void> => {
      const lane = startLane(backend);
      end = lane.end;
      const paces: CellPace[] = [];
      for (const cells of workOf(sweep, backend).slice(0, MOST_MEASURED)) {
        const configs = cells.map(({ config }) => config);
        const key = keyOf(configs);
        const pace = known.get(key) ?? (await lane.measure(configs));
        if (!pace || isOver) return;
        known.set(key, pace);
        paces.push(pace);
      }
      setFound({ sweep, backend, seconds: secondsOfSweep(sweep, paces, { backend, lanes: lanesHere() }) });
    };
    // a worker that was ended owes nothing: who waited for it has gone on
    const timer = setTimeout(
      () =>
        void measure()
          .catch(() => undefined)
          .finally(() => end()),
      QUIET_MS,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
      end();
    };
  }, [sweep, backend]);
  return found && found.sweep === sweep && found.backend === backend ? found.seconds : null;
}
