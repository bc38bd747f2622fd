import { expect, test, vi } from 'vitest';
import { prepareTask } from '../../../config/level.ts';
import { presetById } from '../../../config/presets.ts';
import { configWith } from '../../../config/schema.ts';
import type { Config } from '../../../config/slots.ts';
import { must } from '../../../core/problem.ts';
import type { MakeBackend } from '../../backend.ts';
import { makePlan } from '../../plan.ts';
import { Run } from '../../run.ts';
import { makeCpuBackend } from '../cpuBackend.ts';
import { RowCore } from './rowCore.ts';
import { rowsOn } from './rows.ts';

/** Cores that take the items of every job in turn, in this thread; every job is worth it. */
const onCores =
  (n: number): MakeBackend =>
  (plan, state) =>
    makeCpuBackend(plan, state, rowsOn({ links: [], near: n - 1, least: 1 }));

async function started(config: Config, make: MakeBackend): Promise<Run> {
  await prepareTask(config);
  return Run.create(must(makePlan(config)), make);
}

/** Everything that is left of a run: its records, its state, the batch on view, its digest. */
async function allOf(run: Run, updates: number) {
  const records = [];
  for (let u = 0; u < updates; u++) records.push(await run.submit());
  const { state } = await run.checkpoint();
  return { records, state, view: await run.backend.view(0), digest: await run.digest() };
}

const SMALL = { 'run.seeds': 1, 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4 };

test.each([
  ['key-door', 'play look sum', {}],
  ['key-door-ppo', 'play look sum', { 'objective.minibatches': 2 }],
  ['key-door-ppo-max', 'play look sum', { 'objective.minibatches': 2 }],
  ['key-door-safe', 'play look sum', { 'objective.minibatches': 2 }],
  ['key-door-mhpo', 'play look sum', { 'objective.minibatches': 2 }],
  ['silent-corridor', 'play look sum', {}],
  ['key-door-resfit', 'play look sum', { 'policy.cloneEpisodes': 4, 'policy.cloneSteps': 4 }],
  ['old-data-ppo', 'play look sum', {}],
  ['rooms-dynamic-sampling', 'play look sum', {}],
  ['own-subgoals-hae', 'play look sum', { 'objective.epochs': 2 }],
  ['sokoban-two-boxes-counts', 'play look sum', { 'run.seeds': 2 }],
  ['sokoban-new-boards', 'play look sum', { 'objective.minibatches': 2, 'objective.epochs': 1 }],
  ['maze-two-rooms', 'play look sum', { 'analysis.heldOut': true }],
  // learned on one core: several additions to a parameter in one pass
  ['sweep-memory', 'play look', {}],
  ['t-maze', 'play look', { 'rollout.groupSize': 16 }],
  ['maze-words-poad', 'play look', {}],
])('rows of %s on 1, 2, 4 and 8 cores give the bits of one', async (id, jobs, changes) => {
  const config = configWith({ ...presetById(id)!.changes, ...SMALL, 'run.updates': 2, ...changes });
  const one = await allOf(await started(config, makeCpuBackend), 1);
  const { do: item } = RowCore.prototype;
  for (const n of [1, 2, 4, 8]) {
    const [kinds, cores] = [new Set<string>(), new Set<RowCore>()];
    const done = vi.spyOn(RowCore.prototype, 'do').mockImplementation(function (this: RowCore, ...args) {
      kinds.add(this.kind);
      cores.add(this);
      return item.apply(this, args);
    });
    expect(await allOf(await started(config, onCores(n)), 1)).toEqual(one);
    done.mockRestore();
    expect([cores.size, [...kinds].join(' ')]).toEqual(n === 1 ? [0, ''] : [n, jobs]);
  }
});
