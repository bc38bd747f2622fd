import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { makePlan } from '../plan.ts';
import { Run } from '../run.ts';
import { makeCpuBackend } from './cpuBackend.ts';
import { ParallelBackend, parallelBackendOn } from './parallelBackend.ts';
import { CpuShare, type Share } from './share.ts';

/** A share whose messages are copied, as between two workers. */
function distant(): Share {
  const near = new CpuShare();
  return {
    open: async (config, state) => near.open(structuredClone(config), structuredClone(state)),
    load: async (state) => near.load(structuredClone(state)),
    update: async (calls, update) => structuredClone(await near.update(structuredClone(calls), update)),
    view: async (replica) => structuredClone(await near.view(replica)),
    save: async () => structuredClone(await near.save()),
    close: () => near.close(),
  };
}

const shares = (n: number) => (most: number) => Array.from({ length: Math.min(n, most) }, distant);

function planOf(changes: Record<string, unknown>) {
  return must(
    makePlan(
      configWith({ 'run.seeds': 5, 'run.updates': 12, 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, ...changes }),
    ),
  );
}

test.each([
  ['an evaluation and a critic', { 'advantage.method': 'gae', 'analysis.evalEvery': 3 }],
  ['a process model', { 'advantage.method': 'oprl' }],
  ['greedy episodes', { 'advantage.method': 'remax' }],
  ['levels that are replayed', { 'source.method': 'levelReplay', 'task.levels': 9, 'task.method': 'textmaze' }],
  ['starts in stored states', { 'source.method': 'exIt', 'rollout.groupSize': 8, 'task.grid.level': 'fourRooms' }],
  ['generated levels', { 'task.levels': 0, 'task.method': 'textmaze' }],
])('replicas spread over three cores give the bits of one: %s', async (_name, changes) => {
  const plan = planOf(changes);
  const one = await Run.create(plan, makeCpuBackend);
  const three = await Run.create(plan, parallelBackendOn(shares(3)));
  for (let u = 0; u < 5; u++) {
    const [a, b] = [one.submit(), three.submit()];
    expect(await b).toEqual(await a);
  }
  expect(await three.checkpoint()).toEqual(await one.checkpoint());
  for (const replica of [0, 2, 4]) expect(await three.backend.view(replica)).toEqual(await one.backend.view(replica));
  expect(await three.digest()).toEqual(await one.digest());
  expect(three.backend.memory()['weights']).toBeGreaterThan(0);
});

test('a run goes back to a checkpoint while updates are on their way', async () => {
  const plan = planOf({});
  const run = await Run.create(plan, parallelBackendOn(shares(2)));
  await run.submit();
  const kept = await run.checkpoint();
  void run.submit();
  void run.submit();
  await run.restore(kept);
  await run.submit();
  const straight = await Run.create(plan, makeCpuBackend);
  await straight.submit();
  await straight.submit();
  expect(await run.digest()).toEqual(await straight.digest());
});

test('no more shares than replicas, and what fails in one is told', async () => {
  const plan = planOf({ 'run.seeds': 2 });
  const run = await Run.create(plan, parallelBackendOn(shares(8)));
  expect(run.backend.description).toBe('CPU (SIMD), 2 cores');
  const broken: Share = { ...distant(), update: () => Promise.reject(new Error('A core is gone.')) };
  const state = (await run.checkpoint()).state;
  const backend = await ParallelBackend.create(plan, state, [distant(), broken]);
  const other = await Run.create(plan, async () => backend);
  await expect(other.submit()).rejects.toThrow('A core is gone.');
});
