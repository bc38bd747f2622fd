import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { must } from '../../core/problem.ts';
import { createRun, type Run } from '../run.ts';
import { sampleRun, train } from '../sampleRun.ts';
import { trainAlike } from '../../check/sideBySide.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

const SMALL = {
  ...{ 'run.seeds': 2, 'run.updates': 3, 'task.grid.level': 'keyDoor', 'policy.mlp.hidden': [8] },
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'task.grid.maxSteps': 12, 'analysis.evalEvery': 0 },
};

const SHORT = { 'analysis.rewardModelError.on': true, 'run.updates': 9, 'task.levels': 2 };
const MANY = { 'rollout.groupSize': 70, 'rollout.tasksPerBatch': 1 };
const SHIFTED = { 'reward.spa.redistribute': true, 'reward.spa.spread': 'step' };
/** What Adam divides by is far above rounding; tanh may be off by 1e-5, which a few steps of it grow by. */
const NEAR = 1e-4;

test('models of rewards learn and pay on a device what they do on the CPU, after a read-back', async () => {
  // a ladder that rises has no form for the device, so that the CPU pays all of them
  const rising = { 'reward.ladder.on': true, 'reward.ladder.rise': 3 };
  const changes = { ...SMALL, ...rising, 'reward.mira.on': true };
  const twice = async (run: Run) => {
    await run.submit();
    await run.submit();
    const [{ batch }, { tensors }] = [await run.backend.view(1), await run.backend.save()];
    run.dispose();
    return { batch, tensors };
  };
  const device = await twice(must(await createRun(configWith(changes), gpuBackendOn(gpu))));
  const own = await twice(must(await createRun(configWith({ ...changes, 'run.backend': 'cpu' }))));
  // both drew the same actions
  expect(device.batch.action).toEqual(own.batch.action);
  expect(own.batch.reward.some((r) => Math.abs(r) > 1e-4)).toBe(true);
  for (let k = 0; k < own.batch.reward.length; k++)
    expect(Math.abs(device.batch.reward[k]! - own.batch.reward[k]!)).toBeLessThan(1e-6);
  expect(device.tensors['mira.weights']).toEqual(own.tensors['mira.weights']);
  expect(device.tensors['mira.rest']).toEqual(own.tensors['mira.rest']);
});

const MIRA = { 'reward.mira.on': true, 'reward.mira.rate': 0.05 };
const SPA = { 'reward.spa.on': true, 'reward.spa.rate': 0.05 };
// slopes of a ranking add up to nothing over rows, so that what all rows see moves by what is left of large sums: the usual rate
const HERON = { 'reward.heron.on': true, 'reward.heron.by': 'model' };
const LEARNED: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ['milestones', 'mira', MIRA],
  ['milestones, one look, weighed', 'mira', { ...MIRA, 'reward.mira.looks': 1, 'reward.mira.w': 3 }],
  ['milestones over more rows than lanes', 'mira', { ...MIRA, 'rollout.tasksPerBatch': 23, 'task.grid.maxSteps': 7 }],
  ['steps that add up', 'spa', SPA],
  ['steps that add up, shifted, at every step', 'spa', { ...SPA, ...SHIFTED }],
  ['steps of more rows than lanes', 'spa', { ...SPA, 'rollout.tasksPerBatch': 23, 'task.grid.maxSteps': 7 }],
  ['both', 'mira', { ...MIRA, ...SPA }],
  ['rows that are ranked', 'heron', { ...HERON, ...MIRA }],
  [
    'rows that are ranked, more than lanes',
    'heron',
    { ...HERON, ...MIRA, 'reward.heron.order': 'ems', 'rollout.tasksPerBatch': 23, 'task.grid.maxSteps': 7 },
  ],
];

const open = async (changes: Readonly<Record<string, unknown>>): Promise<readonly [Run, Run]> => [
  await sampleRun({ ...SMALL, ...SHORT, ...changes }, gpuBackendOn(gpu)),
  await sampleRun({ ...SMALL, ...SHORT, ...changes }),
];

/** Largest distance of two tensors. */
const apart = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  expect(a.length).toBe(b.length);
  return Array.from(a, (x, k) => Math.abs(x - b[k]!)).reduce((most, x) => Math.max(most, x), 0);
};

/** Both hold the same model of a module, rounding aside. */
async function haveSame(onGpu: Run, onCpu: Run, id: string): Promise<void> {
  const [mine, theirs] = [(await onGpu.backend.save()).tensors, (await onCpu.backend.save()).tensors];
  expect(mine[`${id}.steps`]).toEqual(theirs[`${id}.steps`]);
  for (const name of ['weights', 'rest'].flatMap((part) => ['', 'M', 'V', 'Before'].map((end) => part + end)))
    expect(apart(mine[`${id}.${name}`]!, theirs[`${id}.${name}`]!), name).toBeLessThan(NEAR);
  expect(apart(theirs[`${id}.weights`]!, theirs[`${id}.weightsBefore`]!)).toBeGreaterThan(0.01);
}

test.each(LEARNED)('a model of rewards learns on WebGPU as on the CPU and pays: %s', async (_, id, changes) => {
  const [onGpu, onCpu] = await open(changes);
  expect(onGpu.backend.depth).toBe(1); // the chart of its error is read back after the update
  await trainAlike(onGpu, onCpu, 2, ['shapedReturn', 'creditRms', 'returnMean']);
  const [mine, theirs] = [(await train(onGpu, 1))[0]!, (await train(onCpu, 1))[0]!];
  expect(mine.hash).toEqual(theirs.hash);
  const errors = theirs.chosen!['rewardModelError']!;
  expect(Math.min(...errors)).toBeGreaterThan(0.01);
  expect(apart(mine.chosen!['rewardModelError']!, errors)).toBeLessThan(NEAR);
  for (const s of [0, 1]) {
    const [mine, theirs] = [await onGpu.backend.view(s), await onCpu.backend.view(s)];
    expect(apart(mine.batch.reward, theirs.batch.reward)).toBeLessThan(NEAR);
    expect(theirs.batch.reward.filter((r, k) => r !== theirs.world!.reward[k]).length).toBeGreaterThan(20);
    // what a view asks next is paid by the model as it was before the batch
    expect(apart(mine.pays!.memory![`${id}.weights`]!, theirs.pays!.memory![`${id}.weights`]!)).toBeLessThan(NEAR);
  }
  await haveSame(onGpu, onCpu, id);
  onGpu.dispose();
  onCpu.dispose();
});

test.each(['mira', 'spa'])('a model of rewards goes on in a run that moves between CPU and WebGPU: %s', async (id) => {
  const changes = id === 'mira' ? MIRA : SPA;
  const [onGpu, onCpu] = await open(changes);
  await train(onGpu, 2);
  await train(onCpu, 2);
  const [fromGpu, fromCpu] = [await onGpu.checkpoint(), await onCpu.checkpoint()];
  const [there, back] = await open(changes);
  await there.restore(fromCpu, gpuBackendOn(gpu));
  await back.restore(fromGpu);
  for (const run of [onGpu, onCpu, there, back]) await train(run, 1);
  await haveSame(there, onCpu, id);
  await haveSame(onGpu, back, id);
  await haveSame(onGpu, onCpu, id);
  for (const run of [onGpu, onCpu, there, back]) run.dispose();
});

test('milestones in the place of a model pay on WebGPU as on the CPU, and have an error; nothing is learned', async () => {
  const [onGpu, onCpu] = await open({ ...MIRA, 'reward.mira.potential': 'oracle', 'task.grid.maxSteps': 40 });
  const [[mine], [theirs]] = [await train(onGpu, 1), await train(onCpu, 1)];
  const errors = theirs!.chosen!['rewardModelError']!;
  expect(Math.max(...errors)).toBeGreaterThan(0.01);
  expect(apart(mine!.chosen!['rewardModelError']!, errors)).toBeLessThan(1e-6);
  for (const s of [0, 1]) {
    const [own, other] = [await onGpu.backend.view(s), await onCpu.backend.view(s)];
    expect(apart(own.batch.reward, other.batch.reward)).toBeLessThan(1e-6);
  }
  const { tensors } = await onGpu.backend.save();
  expect(tensors['mira.steps']).toEqual((await onCpu.backend.save()).tensors['mira.steps']);
  expect(tensors['mira.weights']!.every((x) => x === 0)).toBe(true);
  onGpu.dispose();
  onCpu.dispose();
});

test.each<readonly [string, Readonly<Record<string, unknown>>]>([
  ['success first', { 'rollout.groupSize': 9 }],
  [
    'effort first, no margin, a group of more than 64',
    { 'reward.heron.order': 'ems', 'reward.heron.sigma': 0, ...MANY },
  ],
])('ranked wishes pay net wins on WebGPU as on the CPU, and the same wishes decide: %s', async (_, changes) => {
  const shown = { 'analysis.decidedByFirst.on': true, 'analysis.decidedByLast.on': true };
  const [onGpu, onCpu] = await open({ 'reward.heron.on': true, ...shown, ...changes });
  for (let u = 0; u < 2; u++) {
    const [[mine], [theirs]] = [await train(onGpu, 1), await train(onCpu, 1)];
    expect(mine!.hash).toEqual(theirs!.hash);
    for (const id of ['decidedByFirst', 'decidedByLast'])
      mine!.chosen![id]!.forEach((x, s) => expect(x).toBeCloseTo(theirs!.chosen![id]![s]!, 6));
    expect([...mine!.chosen!['rewardModelError']!, ...theirs!.chosen!['rewardModelError']!].every(isNaN)).toBe(true);
    for (const s of [0, 1]) {
      const [own, other] = [await onGpu.backend.view(s), await onCpu.backend.view(s)];
      expect(apart(own.batch.reward, other.batch.reward)).toBeLessThan(1e-6);
      expect(new Set(other.batch.reward).size).toBeGreaterThan(3);
    }
  }
  onGpu.dispose();
  onCpu.dispose();
});

test('a model of a ranking takes no step in a batch in which no wish decides', async () => {
  const [onGpu, onCpu] = await open({ ...HERON, 'reward.heron.sigma': 5 });
  const [[mine], [theirs]] = [await train(onGpu, 1), await train(onCpu, 1)];
  expect([...mine!.chosen!['rewardModelError']!, ...theirs!.chosen!['rewardModelError']!].every(isNaN)).toBe(true);
  const [own, same] = [(await onGpu.backend.save()).tensors, (await onCpu.backend.save()).tensors];
  expect([...own['heron.steps']!]).toEqual([0, 1, 0, 1]);
  for (const name of ['steps', 'weights', 'weightsBefore', 'restM'])
    expect(own[`heron.${name}`]).toEqual(same[`heron.${name}`]);
  onGpu.dispose();
  onCpu.dispose();
});

/** At most two messages are labeled after a batch, and pay from the next one on. */
const ONI = { 'reward.oni.on': true, 'reward.oni.int': 0.5 };

test.each<readonly [string, Readonly<Record<string, unknown>>]>([
  ['by a rule', ONI],
  [
    'by a rule that errs, less for the world, after another reward',
    { ...ONI, 'reward.oni.annotator': 'noisy', 'reward.oni.flip': 0.5, 'reward.oni.ext': 0.25, 'reward.pbrs.on': true },
  ],
  ['that can be farmed, more rows than lanes', { ...ONI, 'reward.oni.exponent': 0, 'rollout.tasksPerBatch': 23 }],
  ['by hand', { ...ONI, 'reward.oni.annotator': 'click', 'run.events': '1 label.0 1; 2 label.16 1; 2 label.0 0' }],
])('labeled messages pay on WebGPU as on the CPU, and the same books are kept: %s', async (_, changes) => {
  const [onGpu, onCpu] = await open({ 'task.grid.maxSteps': 30, ...changes });
  const paid = new Set<number>();
  for (let u = 0; u < 4; u++) {
    const [[mine], [theirs]] = [await train(onGpu, 1), await train(onCpu, 1)];
    expect(mine!.hash).toEqual(theirs!.hash);
    for (const s of [0, 1]) {
      const [own, other] = [await onGpu.backend.view(s), await onCpu.backend.view(s)];
      expect(apart(own.batch.reward, other.batch.reward)).toBeLessThan(1e-6);
      other.batch.reward.forEach((r) => paid.add(r));
    }
    const [books, same] = [await onGpu.backend.save(), await onCpu.backend.save()];
    expect(books.tensors['oni.book']).toEqual(same.tensors['oni.book']);
    expect(new Set(same.tensors['oni.book']).size).toBeGreaterThan(3);
  }
  expect(paid.size).toBeGreaterThan(2);
  onGpu.dispose();
  onCpu.dispose();
});
