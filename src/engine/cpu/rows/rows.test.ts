import { expect, test, vi } from 'vitest';
import { presetById } from '../../../config/presets.ts';
import { configWith } from '../../../config/schema.ts';
import { makeCpuBackend } from '../cpuBackend.ts';
import { NOT_FINITE, RowCore } from './rowCore.ts';
import { allOf, onCores, onFar, SMALL, started } from './sampleCores.ts';

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
  ['room-swarm', 'play look sum', {}],
  // levels in variants, and with step limits and begins of their own
  ['key-door', 'play look sum', { 'task.teacher.on': true, 'task.teacher.wrong': 0.5 }],
  ['sokoban-two-boxes-snapshots', 'play look sum', { 'objective.minibatches': 1 }],
  ['key-door', 'play look sum', { 'task.obsNoise': 51, 'task.rewardNoise': 0.1 }],
  ['own-subgoals-hae', 'play look sum', { 'objective.epochs': 2 }],
  ['sokoban-two-boxes-counts', 'play look sum', { 'run.seeds': 2 }],
  ['sokoban-new-boards', 'play look sum', { 'objective.minibatches': 2, 'objective.epochs': 1 }],
  ['maze-two-rooms', 'play look sum', { 'analysis.heldOut': true }],
  ['sweep-memory', 'play look sum', {}],
  ['side-roads', 'play look sum', { 'rollout.groupSize': 48, 'policy.gru.unroll': 3 }],
  // episodes of more than a chunk, of which each chunk reads the beginning again
  ['key-door-ppo', 'play look sum', { 'policy.method': 'gru', 'task.grid.maxSteps': 300, 'objective.minibatches': 2 }],
  // objectives that look at a whole minibatch first
  ['key-door-ppo', 'play ask look sum', { 'objective.method': 'gspo', 'objective.minibatches': 2 }],
  ['sweep-memory', 'play ask look sum', { 'objective.method': 'gspo', 'objective.epochs': 2 }],
  // several additions to a parameter in one pass: every chunk has a gradient of its own
  ['t-maze', 'play look sum', { 'rollout.groupSize': 48, 'objective.minibatches': 2 }],
  ['t-maze-summaries', 'play look sum', { 'rollout.groupSize': 48 }],
  ['maze-words-poad', 'play look sum', {}],
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
  for (const n of [2, 4]) {
    const sent = new Set<string>();
    expect(await allOf(await started(config, onFar(n, sent)), 1)).toEqual(one);
    // what was found is added up by one
    expect([...sent].join(' ')).toEqual(jobs.replace(' sum', ''));
  }
});

test('a run goes on from a checkpoint and through a change of the backend with the bits of one core', async () => {
  const config = configWith({ ...SMALL, 'run.updates': 4, 'run.events': '2 rollout.temperature 0.7' });
  const left: unknown[] = [];
  for (const make of [makeCpuBackend, onCores(3), onFar(3)]) {
    const run = await started(config, make);
    await run.submit();
    const kept = await run.checkpoint();
    await run.submit();
    await run.submit();
    await run.restore(kept);
    left.push(await allOf(run, 3));
  }
  expect(left[1]).toEqual(left[0]);
  expect(left[2]).toEqual(left[0]);
});

test('what goes wrong in a row of another core is flagged as on one', async () => {
  const config = configWith({ ...SMALL, 'run.updates': 3 });
  for (const make of [makeCpuBackend, onCores(4), onFar(4)]) {
    const run = await started(config, make);
    const { state, chain } = await run.checkpoint();
    const theta = (state.tensors['theta'] as Float32Array).map(() => NaN);
    await run.restore({ state: { ...state, tensors: { ...state.tensors, theta } }, chain });
    expect([...(await run.submit()).bad]).toEqual([1]);
  }
});

test('what only another core has seen of its rows is flagged', async () => {
  const config = configWith({ ...SMALL, 'run.updates': 3 });
  const run = await started(config, onFar(2, new Set(), NOT_FINITE));
  expect([...(await run.submit()).bad]).toEqual([1]);
});
