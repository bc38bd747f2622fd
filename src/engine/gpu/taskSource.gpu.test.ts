import { expect, test } from 'vitest';
import { testDevice } from '../../gpu/testDevice.ts';
import { tensorsOf, type Tensors } from '../../contract/state.ts';
import { wholeTask } from '../../contract/taskContext.ts';
import { defineTaskSource } from '../../slots/task/types.ts';
import { makeCpuBackend } from '../cpu/cpuBackend.ts';
import { Run, type Checkpoint } from '../run.ts';
import { train } from '../sampleRun.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';

const gpu = await testDevice();

const REPLAY = {
  'task.grid.level': 'fourRooms',
  'task.grid.maxSteps': 12,
  'task.levels': 6,
  'source.method': 'levelReplay',
  'source.levelReplay.warmFraction': 0.4,
};
/** What level replay remembers in a state. */
const known = ({ state }: Pick<Checkpoint, 'state'>): Tensors => tensorsOf(state.tensors, 'levelReplay');
const METRICS_OF_REPLAY = ['replayShare', 'levelsSeen', 'levelScore', 'success'] as const;

test('WebGPU: replayed levels and their scores are those of the CPU, one update at a time, and a resume repeats them', async () => {
  const run = await openSmall(REPLAY, gpu);
  expect(run.depth).toBe(1);
  expect(run.backend.depth).toBe(2);
  const cpu = await openSmall(REPLAY);
  await trainAlike(run, cpu, 3, METRICS_OF_REPLAY);
  const kept = await run.checkpoint();
  expect(known(kept)).toEqual(known(await cpu.checkpoint()));
  // as a worker might: the next one is asked for before the last one is over
  const rest = await Promise.all([run.submit(), run.submit(), run.submit()]);
  const again = await Run.create(run.whole, gpuBackendOn(gpu), kept);
  run.dispose();
  expect((await train(again, 3)).map(({ hash }) => [...hash])).toEqual(rest.map(({ hash }) => [...hash]));
  again.dispose();
});

test.each(['valueL1', 'creditSize'])(
  'WebGPU: levels are judged by the same numbers of their steps: %s',
  async (score) => {
    const changes = { ...REPLAY, 'advantage.method': 'gae', 'source.levelReplay.score': score };
    const run = await openSmall(changes, gpu);
    const cpu = await openSmall(changes);
    await trainAlike(run, cpu, 1, ['replayShare', 'levelsSeen']);
    const [got, want] = [known(await run.checkpoint()), known(await cpu.checkpoint())];
    expect(got['seenAt']).toEqual(want['seenAt']);
    expect(want['score']!.some((x) => x > 0.01)).toBe(true);
    want['score']!.forEach((x, k) => expect(Math.abs(got['score']![k]! - x)).toBeLessThanOrEqual(2e-5 + 1e-3 * x));
    run.dispose();
  },
);

test('WebGPU: the states that are stored of episodes are those of the CPU, and episodes begin in them', async () => {
  const changes = { ...REPLAY, 'source.method': 'exIt', 'source.exIt.kept': 8 };
  const run = await openSmall(changes, gpu);
  const cpu = await openSmall(changes);
  await trainAlike(run, cpu, 3, ['savedStarts', 'histories', 'historyDepth', 'historyVariance', 'success']);
  const stored = async (of: Run): Promise<Tensors> => tensorsOf((await of.checkpoint()).state.tensors, 'exIt');
  const want = await stored(cpu);
  expect(await stored(run)).toEqual(want);
  expect(want['seenAt']!.some((at) => at > 0)).toBe(true);
  run.dispose();
});

test('WebGPU: the milestones that episodes reach are those of the CPU, and so is what is generated from them', async () => {
  const changes = { ...REPLAY, 'source.method': 'envGen', 'source.envGen.cycles': 4, 'run.updates': 4 };
  const run = await openSmall(changes, gpu);
  const cpu = await openSmall(changes);
  await trainAlike(run, cpu, 3, ['savedStarts', 'skill1', 'skill2', 'skill3', 'skillGoal', 'success']);
  const table = async (of: Run): Promise<Tensors> => tensorsOf((await of.checkpoint()).state.tensors, 'envGen');
  const want = await table(cpu);
  expect(await table(run)).toEqual(want);
  expect(want['rate']!.some((share) => share > 0 && share < 1)).toBe(true);
  run.dispose();
});

test('WebGPU: what the critic says of levels ahead of a batch is what it says on the CPU, and so are the budgets by it', async () => {
  const changes = { ...REPLAY, 'task.levels': 0, 'source.method': 'knapsack', 'source.knapsack.estimate': 'critic' };
  const run = await openSmall({ ...changes, 'advantage.method': 'gae' }, gpu);
  const cpu = await openSmall({ ...changes, 'advantage.method': 'gae' });
  await trainAlike(run, cpu, 3, ['largestGroup', 'usefulPlanned', 'startLoss', 'success']);
  const ahead = async (of: Run) => tensorsOf((await of.checkpoint()).state.tensors, 'knapsack')['ahead']!;
  const want = await ahead(cpu);
  expect(new Set(want).size).toBeGreaterThan(2);
  (await ahead(run)).forEach((V, k) => expect(Math.abs(V - want[k]!)).toBeLessThan(1e-4));
  run.dispose();
});

/** Tasks of a third of a batch each: the first is cut after 4 steps, the second after 7, the last plays its whole level. */
const limited = defineTaskSource({
  ...{ id: 'limited', title: 'Limited', rev: 1, look: 'Shorter episodes.', params: {} },
  next: (_state, { P, G, level }) =>
    Array.from({ length: P }, (_, p) => ({ ...wholeTask(level(p), G), maxSteps: [4, 7, 0][p % 3]! })),
});

test.each([true, false])(
  'WebGPU: a task with a step limit of its own is cut there and bootstrapped, as on the CPU; many steps at once: %s',
  async (fused) => {
    const changes = { ...REPLAY, 'source.method': 'uniform', 'advantage.method': 'gae' };
    const { whole } = await openSmall(changes);
    const plan = { ...whole, source: limited };
    const run = await Run.create(plan, gpuBackendOn(gpu, fused));
    const cpu = await Run.create(plan, makeCpuBackend);
    await trainAlike(run, cpu, 2, ['success', 'lengthMean', 'returnMean', 'valueLoss', 'gradNorm']);
    const [got, want] = [await run.backend.view(0), await cpu.backend.view(0)];
    const cut = (k: number): number[] =>
      [...want.batch.length].filter((_, i) => want.batch.taskIndex[i] === k && want.batch.terminated[i] === 0);
    expect(new Set(cut(0))).toEqual(new Set([4]));
    expect(new Set(cut(1))).toEqual(new Set([7]));
    expect(new Set(cut(2))).toEqual(new Set([12]));
    expect([...got.batch.length]).toEqual([...want.batch.length]);
    expect([...got.batch.terminated]).toEqual([...want.batch.terminated]);
    run.dispose();
  },
);
