import { LAB_VERSION } from '../../core/version.ts';
import { configDigest } from '../../config/digest.ts';
import { configWith, getValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import type { Cell, Sweep } from '../sweep/expand.ts';
import { isRepeatable, suffixOf } from '../sweep/limit.ts';
import { groupOf, type RunRecord } from './record.ts';
import type { KeptSweep } from './sweep.ts';

/** A sweep with the runs that it consists of. */
export type SweepRuns = { readonly kept: KeptSweep; readonly runs: readonly RunRecord[] };

/**
 * A sweep before its first update: every cell is a run that waits. Their order is that of the cells, seed by seed, so that
 * what there is so far can be compared.
 */
export async function runsOfSweep(
  { groups, cells }: Sweep,
  { id, title, description }: Pick<KeptSweep, 'id' | 'title' | 'description'>,
  now: number,
): Promise<SweepRuns> {
  const suffix = suffixOf(cells[0]!.limit);
  const digests = await Promise.all(groups.map(async ({ config }) => `${await groupOf(config)}${suffix}`));
  const runs = cells.map((cell) => waiting(cell, { batch: id, group: digests[cell.group]!, now }));
  const kept: KeptSweep = {
    ...{ id, title, description, state: 'running', startedAt: now, changedAt: now },
    groups: groups.map(({ name }, k) => ({ name, group: digests[k]! })),
    order: runs.map((run) => run.id),
  };
  return { kept, runs };
}

type Place = { readonly batch: string; readonly group: string; readonly now: number };

const backendOf = ({ run }: Config): RunRecord['backend'] => (run['backend'] === 'webgpu' ? 'webgpu' : 'cpu');

/** A run that has not begun. Its id is that of its cell within the sweep: the same cell is never there twice. */
function waiting({ address, config, seed, limit }: Cell, { batch, group, now }: Place): RunRecord {
  return {
    ...{ id: `${batch}.${address}`, batch, origin: 'sweep', config, address, group, title: '', seed },
    ...{ state: 'waiting', problem: null, update: 0, updates: getValue(config, 'run.updates') as number, limit },
    ...{ envSteps: 0, seconds: 0, backend: backendOf(config), score: null, best: null, entropy: null, ess: null },
    evaluations: { updates: [], steps: [], success: [] },
    ...{ digest: null, version: LAB_VERSION, startedAt: now, changedAt: now, tags: [], note: '', isPinned: false },
  };
}

/** A run that waits, as it trains on the CPU path instead: another address, as its numbers are not those of a GPU. */
export async function onCpu(run: RunRecord): Promise<RunRecord> {
  const config = configWith({ 'run.backend': 'cpu' }, run.config);
  const address = `${await configDigest(config)}${suffixOf(run.limit ?? null)}`;
  return { ...run, config, address, backend: 'cpu' };
}

/** The cell that a kept run is: what it takes to train it. */
export const cellOf = ({ address, config, seed, limit }: RunRecord, name: string, group: number): Cell => ({
  ...{ address, config, seed, name, group },
  limit: limit ?? null,
});

/** Runs whose weights nobody keeps, and that training again repeats. */
export const isTrainedAgain = ({ origin, state, backend, digest, diverged, limit }: RunRecord): boolean =>
  origin === 'sweep' &&
  state === 'finished' &&
  backend === 'cpu' &&
  digest !== null &&
  diverged === undefined &&
  isRepeatable(limit);
