import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import { makePlan } from '../engine/plan.ts';
import { createRun } from '../engine/run.ts';
import { OutOfGpuMemory } from '../engine/gpu/errors.ts';
import { Contest, trialBy, verdictFor, winnerOf, type CpuWay, type Trial } from './contest.ts';
import { otherPath } from './fixtures/otherPath.ts';

/** Of sizes that no other test has: what was measured is kept. */
const sized = (groupSize: number, more: Readonly<Record<string, unknown>> = {}) =>
  configWith({
    ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': groupSize, 'run.seeds': 2, 'run.updates': 9 },
    ...{ 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.grid.maxSteps': 9, 'policy.mlp.hidden': [5] },
    ...{ 'analysis.evalEvery': 3, ...more },
  });
const always = (): boolean => true;
/** Every look at the clock is 10 ms after the last one. */
const ticking = (): (() => number) => {
  let now = 0;
  return () => (now += 10);
};
/** A machine of one core, or what it has for the rows of one seed. */
const machine = (ways: readonly CpuWay[] = []) => ({
  most: 1,
  make: makeCpuBackend,
  ofRows: () => Promise.resolve(ways.length > 0 ? { ways: () => ways, rest: () => void rests++ } : null),
});
let rests = 0;

test('a tie stays on the CPU path, whose bits are the same everywhere', () => {
  expect(winnerOf({ webgpu: 119, cpu: 100 })).toBe('cpu');
  expect(winnerOf({ webgpu: 120, cpu: 100 })).toBe('webgpu');
});

test('a trial trains from the state of the run by the clock that it is given, and the run does not move', async () => {
  const run = must(await createRun(sized(4)));
  await run.submit();
  const before = await run.checkpoint();
  const { make, counts } = otherPath();
  const { plan, state } = run.startOf(before);
  const rival = await make(plan, state);
  let turns = 0;
  const nextTurn = (): Promise<void> => Promise.resolve(void turns++);
  const rate = await trialBy(ticking(), nextTurn)(run, before, rival, always);
  // warm for 50 ms of that clock, then to the end of the run: 9 updates do not last 120 ms
  expect(turns).toBe(8);
  expect(rate).toBeGreaterThan(0);
  expect(await run.checkpoint()).toEqual(before);
  expect(await trialBy(ticking(), nextTurn)(run, before, rival, () => false)).toBeNull();
  expect(counts).toEqual({ made: 1, freed: 0 });
});

test('a trial does not go on to updates that another backend is made for', async () => {
  const run = must(await createRun(sized(4, { 'run.events': '3 rollout.temperature 2' })));
  const from = await run.checkpoint();
  const { make, counts } = otherPath();
  const { plan, state } = run.startOf(from);
  let turns = 0;
  await trialBy(ticking(), () => Promise.resolve(void turns++))(run, from, await make(plan, state), always);
  expect([turns, counts.made, counts.freed]).toEqual([3, 1, 0]);
});

test('what was found is kept for equal sizes; what is too large to be tried twice trains on WebGPU, unmeasured', async () => {
  const run = must(await createRun(sized(5)));
  const from = await run.checkpoint();
  expect(verdictFor(run.plan)).toBeNull();
  const { make } = otherPath();
  const { plan, state } = run.startOf(from);
  const trial: Trial = (_run, _from, { kind }) => Promise.resolve(kind === 'webgpu' ? 900 : 300);
  const verdict = await new Contest(await make(plan, state), trial, machine()).decide(
    run,
    from,
    makeCpuBackend,
    always,
  );
  expect(verdict).toEqual({ choice: { kind: 'measured', webgpu: 900, cpu: 300, cores: 1 }, winner: 'webgpu' });
  expect(verdictFor(must(makePlan(sized(5, { 'run.seed': 77 }))))).toEqual(verdict);
  expect(verdictFor(must(makePlan(sized(6))))).toBeNull();
  const large = { 'rollout.tasksPerBatch': 512, 'policy.mlp.hidden': [256, 256], 'task.grid.maxSteps': 400 };
  expect(verdictFor(must(makePlan(sized(32, large))))).toEqual({ choice: { kind: 'large' }, winner: 'webgpu' });
});

test.each([
  // the fastest number of cores is compared, which need not be the largest
  { webgpu: 700, onCores: { 1: 300, 2: 500, 4: 450 }, tried: [1, 2, 4], cpu: 500, cores: 2, winner: 'webgpu' },
  // two could not be enough, four are
  { webgpu: 900, onCores: { 1: 300, 2: 9999, 4: 800 }, tried: [1, 4], cpu: 800, cores: 4, winner: 'cpu' },
  // two are enough
  { webgpu: 600, onCores: { 1: 300, 2: 550, 4: 9999 }, tried: [1, 2], cpu: 550, cores: 2, winner: 'cpu' },
  // no number of cores could win
  { webgpu: 4800, onCores: { 1: 1000, 2: 9999, 4: 9999 }, tried: [1], cpu: 1000, cores: 1, winner: 'webgpu' },
  // one is enough
  { webgpu: 900, onCores: { 1: 800, 2: 9999, 4: 9999 }, tried: [1], cpu: 800, cores: 1, winner: 'cpu' },
] as const)('WebGPU at $webgpu is compared with the CPU path on $tried cores', async (given) => {
  rests = 0;
  const run = must(await createRun(sized(8, { 'run.seeds': 1, 'run.seed': given.webgpu })));
  const from = await run.checkpoint();
  const { make } = otherPath();
  const { plan, state } = run.startOf(from);
  const [made, tried]: [number[], number[]] = [[], []];
  const ways = ([1, 2, 4] as const).map((cores) => ({
    cores,
    make: async (...given: Parameters<typeof makeCpuBackend>) => {
      made.push(cores);
      return makeCpuBackend(...given);
    },
  }));
  const trial: Trial = (_run, _from, { kind }) => {
    if (kind === 'webgpu') return Promise.resolve(given.webgpu);
    tried.push(made.at(-1)!);
    return Promise.resolve(given.onCores[made.at(-1)! as 1 | 2 | 4]);
  };
  const contest = new Contest(await make(plan, state), trial, machine(ways));
  const { webgpu, cpu, cores, winner } = given;
  const verdict = await contest.decide(run, from, makeCpuBackend, always);
  expect(verdict).toEqual({ choice: { kind: 'measured', webgpu, cpu, cores }, winner });
  expect(tried).toEqual(given.tried);
  // workers that nobody needs are let go
  expect(rests).toBe(1);
});

test('cores that do not come are none', async () => {
  const run = must(await createRun(sized(9, { 'run.seeds': 1 })));
  const from = await run.checkpoint();
  const { make } = otherPath();
  const { plan, state } = run.startOf(from);
  const ways = [
    { cores: 1, make: makeCpuBackend },
    { cores: 2, make: () => Promise.reject(new Error('no worker')) },
  ];
  const trial: Trial = (_run, _from, { kind }) => Promise.resolve(kind === 'webgpu' ? 400 : 300);
  const contest = new Contest(await make(plan, state), trial, machine(ways));
  expect(await contest.decide(run, from, makeCpuBackend, always)).toEqual({
    choice: { kind: 'measured', webgpu: 400, cpu: 300, cores: 1 },
    winner: 'webgpu',
  });
});

test('a device that fails in its trial has lost, and says why; the run stays as it was', async () => {
  const run = must(await createRun(sized(7)));
  const from = await run.checkpoint();
  const { make, counts } = otherPath();
  const { plan, state } = run.startOf(from);
  const trial: Trial = (_run, _from, { kind }) =>
    kind === 'webgpu' ? Promise.reject(new OutOfGpuMemory(100, 'batch')) : Promise.resolve(300);
  const contest = new Contest(await make(plan, state), trial, machine());
  expect(await contest.decide(run, from, makeCpuBackend, always)).toEqual({
    choice: { kind: 'failed', why: { kind: 'outOfMemory', bytes: 100, largest: 'batch' } },
    winner: 'cpu',
  });
  contest.leave();
  expect([run.backend.kind, counts.freed, verdictFor(run.plan)]).toEqual(['cpu', 1, null]);
});
