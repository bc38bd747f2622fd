import { expect, test } from 'vitest';
import { atFork, bytesOfState, joinReplicas, named, replicasOf, tensorsOf, type StateSpec } from './state.ts';
import { PLAIN_STARTS, StateStore } from './stateStore.ts';

const never = (): void => expect.unreachable();
const starts = { ...PLAIN_STARTS, played: never, unknown: never };
const sizes = { S: 3, parameter: 2, task: 4, row: 8, step: 1, unit: 1, feature: 32, word: 1, taskWord: 1 };
const spec: StateSpec = {
  theta: { type: 'f32', per: 'parameter', onFork: 'keep' },
  ...named('bonus', {
    counts: { type: 'u32', per: 'replica', width: 4, onFork: 'keep' },
    best: { type: 'f64', per: 'task', start: -1, onFork: 'reset' },
    speed: { type: 'f32', per: 'parameter', onFork: ['optimizer'] },
    taken: { type: 'u8', per: 'replica', start: 'steps', onFork: 'keep' },
  }),
};
const theta = Float32Array.of(1, 2, 3, 4, 5, 6);

/** A store of three replicas with other numbers in every place. */
function filled(): StateStore {
  const store = new StateStore(spec, sizes, starts);
  store.load({ update: 5, steps: 7, tensors: { theta } });
  store.of('bonus.counts', 'u32').forEach((_, k, all) => (all[k] = 10 + k));
  store.of('bonus.best', 'f64').forEach((_, k, all) => (all[k] = k / 8));
  return store;
}

test('tensors that a state does not hold begin as they were declared', () => {
  const store = new StateStore(spec, sizes, starts);
  store.load({ update: 5, steps: 7, tensors: { theta } });
  expect([...store.of('bonus.best', 'f64')]).toEqual(Array<number>(12).fill(-1));
  expect([...store.of('bonus.taken', 'u8')]).toEqual([7, 7, 7]);
  expect([...store.of('bonus.counts', 'u32')]).toEqual(Array<number>(12).fill(0));
  expect(store.bytes).toBe(3 * bytesOfState(spec, sizes));
});

test('what is saved does not follow the run, and comes back by loading', () => {
  const store = filled();
  const saved = { update: 6, steps: 8, tensors: store.save() };
  store.of('bonus.counts', 'u32').fill(0);
  expect(saved.tensors['bonus.counts'][0]).toBe(10);
  store.load(saved);
  expect(store.save()).toEqual(saved.tensors);
});

test('a state cut by seeds and put together again is the same state, whatever its tensors are called', () => {
  const state = { update: 6, steps: 8, tensors: filled().save() };
  const cut = [replicasOf(state, 3, 0, 1), replicasOf(state, 3, 1, 2)];
  expect([...cut[0]!.tensors['bonus.counts']]).toEqual([10, 11, 12, 13]);
  expect(cut[1]!.tensors['bonus.best']).toHaveLength(8);
  expect(joinReplicas(cut)).toEqual(state);
});

test('a fork takes what its plan declares and nothing has changed about; the rest begins anew', () => {
  const all = filled().save();
  expect(Object.keys(atFork(all, spec, new Set()))).toEqual(['theta', 'bonus.counts', 'bonus.speed', 'bonus.taken']);
  expect(atFork(all, spec, new Set(['optimizer']))).not.toHaveProperty(['bonus.speed']);
  expect(Object.keys(atFork(all, { theta: spec['theta'] }, new Set()))).toEqual(['theta']);
});

test('a module finds its tensors under its own names; a tensor that is not there is named', () => {
  const store = filled();
  expect(Object.keys(tensorsOf(store.tensors, 'bonus'))).toEqual(['counts', 'best', 'speed', 'taken']);
  expect(() => store.of('bonus.other', 'f32')).toThrow('The state of this run holds no f32 tensor “bonus.other”.');
});
