import { tensorsOf, thetaOf } from '../contract/state.ts';
import { expect, test } from 'vitest';
import { livePaths, REFERENCE, RESET, settledAt, withEvent } from '../config/events.ts';
import { forkConfig } from '../config/fork.ts';
import { configWith } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { must } from '../core/problem.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import type { MakeBackend } from './backend.ts';
import { makePlan } from './plan.ts';
import { replayUpdate } from '../lab/replay.ts';
import { createRun, Run, type Checkpoint } from './run.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { Snapshots } from '../lab/snapshot.ts';
import { lawOf } from '../lab/law.ts';
import { liveAt, planAt } from './story.ts';

const small = configWith({
  'task.grid.level': 'corridor',
  'rollout.groupSize': 4,
  'rollout.tasksPerBatch': 2,
  'policy.mlp.hidden': [8],
  'run.backend': 'cpu',
  'run.seeds': 2,
  'run.updates': 12,
  'optimizer.learningRate': 0.05,
});

async function open(config: Config): Promise<Run> {
  return must(await createRun(config));
}

async function trainTo(run: Run, update: number): Promise<Run> {
  while (run.update < update) await run.submit();
  return run;
}

/** Digest and weights at the end: what happened, and every bit of what was learned. */
async function endOf(run: Run): Promise<{ digest: string; theta: Float32Array }> {
  await trainTo(run, 12);
  return { digest: (await run.digest()).all, theta: thetaOf((await run.checkpoint()).state) };
}

const finish = async (config: Config) => endOf(await open(config));

async function resumed(config: Config, from: Checkpoint) {
  return endOf(await Run.create(must(makePlan(config)), makeCpuBackend, from));
}

test('every live setting is in the plan under its last name, or is the temperature', () => {
  const plan = must(makePlan(small));
  for (const path of livePaths) {
    const config = withEvent(small, { update: 3, path, value: 0.75 });
    const changed = { ...plan, config };
    const { temperature } = planAt(changed, 3);
    expect([...Object.values(liveAt(changed, 3)), temperature], path).toContain(0.75);
    expect(planAt(changed, 2)).toBe(changed);
  }
});

for (const path of livePaths) {
  test(`a change of ${path} in mid-run is repeated exactly by the config it leaves, and after a resume`, async () => {
    const run = await trainTo(await open(small), 5);
    const early = await run.checkpoint();
    run.setEvents(withEvent(run.config, { update: run.update, path, value: 0.4 }));
    await trainTo(run, 8);
    const late = await run.checkpoint();
    const changed = await endOf(run);
    expect(await finish(run.config)).toEqual(changed);
    expect(await resumed(run.config, early)).toEqual(changed);
    expect(await resumed(run.config, late)).toEqual(changed);
    // the settled config has the same future
    expect(await resumed(settledAt(run.config, 8), late)).toEqual(changed);
    expect(changed.theta).not.toEqual((await finish(small)).theta);
  });
}

const held: [string, Record<string, unknown>][] = [
  ['without a KL term', {}],
  ['under a KL term', { 'objective.klCoef': 0.5 }],
  [
    'beside resets of its own',
    { 'objective.klCoef': 0.5, 'control.resetEvery.on': true, 'control.resetEvery.updates': 7 },
  ],
];
for (const [name, changes] of held) {
  test(`a reset by hand ${name} is repeated exactly by the config it leaves, after a resume and in a fork`, async () => {
    const start = configWith(changes, small);
    const run = await trainTo(await open(start), 5);
    const before = await run.checkpoint();
    run.setEvents(withEvent(run.config, { update: 5, path: REFERENCE, value: RESET }));
    await run.submit();
    const klRef = metricIndex.klRef;
    // measured against the new reference, from which the policy has moved by one update only
    if ('objective.klCoef' in changes) expect(run.series.at(5, 0, klRef)).toBeLessThan(run.series.at(4, 0, klRef) / 2);
    await trainTo(run, 8);
    const late = await run.checkpoint();
    const reset = await endOf(run);
    // the entropy law assumes none
    expect(lawOf(run.whole, run.series, 0).fit!.flags).toContain('reset');
    const never = must(makePlan(start));
    expect(lawOf(never, run.series, 0).fit!.flags.includes('reset')).toBe('control.resetEvery.on' in changes);
    expect(await finish(run.config)).toEqual(reset);
    expect(await resumed(run.config, before)).toEqual(reset);
    expect(await resumed(run.config, late)).toEqual(reset);
    expect(await resumed(settledAt(run.config, 5), before)).toEqual(reset);
    expect(reset.theta).not.toEqual((await finish(start)).theta);
    const fork = forkConfig(run.config, 8, configWith({ 'advantage.method': 'grpo' }, settledAt(run.config, 8)));
    expect(await finish(fork)).toEqual(await resumed(fork, late));
  });
}

test('the entropy law knows of a bonus and of a reset in any update, also before a fork', async () => {
  const flags = (run: Run) => lawOf(run.whole, run.series, 0).fit!.flags;
  const often = configWith({ 'analysis.evalEvery': 1 }, small);
  const events = '2 objective.entropyCoef 0.1\n3 objective.entropyCoef 0\n4 reference reset';
  const start = configWith({ 'run.events': events }, often);
  const run = await trainTo(await open(start), 2);
  expect(flags(run)).toEqual(expect.not.arrayContaining(['bonus', 'reset']));
  await trainTo(run, 4);
  expect(flags(run)).toContain('bonus');
  expect(flags(run)).not.toContain('reset');
  await trainTo(run, 6);
  expect(flags(run)).toEqual(expect.arrayContaining(['bonus', 'reset']));
  // a child without either, whose curves begin with those of its parent
  const fork = must(makePlan(forkConfig(start, 6, often)));
  const child = await Run.create(fork, makeCpuBackend, await run.checkpoint(), run.series.before(6));
  expect(flags(await trainTo(child, 8))).toEqual(expect.arrayContaining(['bonus', 'reset']));
});

test('a reset by hand makes what was learned the reference and begins the optimizer anew', async () => {
  const run = await trainTo(await open(configWith({ 'control.resetStalled.on': true }, small)), 5);
  const from = await run.checkpoint();
  run.setEvents(withEvent(run.config, { update: 5, path: REFERENCE, value: RESET }));
  const { state } = run.startOf(from);
  expect(state.tensors.reference).toEqual(thetaOf(from.state));
  expect(from.state.tensors.reference).not.toEqual(thetaOf(from.state));
  expect([...state.tensors.m, ...state.tensors.v].every((x) => x === 0)).toBe(true);
  expect([state.steps, ...state.tensors['control.taken'], ...state.tensors['control.resets']]).toEqual([0, 0, 0, 1, 1]);
  // entered once more, nothing changes
  expect(run.startOf({ ...from, state }).state).toEqual(state);
});

test('a change before a checkpoint that is gone back to, and then none, gives the run that never had it', async () => {
  const run = await trainTo(await open(small), 4);
  const before = await run.checkpoint();
  run.setEvents(withEvent(run.config, { update: 4, path: 'rollout.temperature', value: 2 }));
  await trainTo(run, 9);
  run.setEvents(small);
  await run.restore(before);
  expect(run.series.length).toBe(4);
  expect(await endOf(run)).toEqual(await finish(small));
});

const forks: readonly [string, Record<string, unknown>][] = [
  ['estimator', { 'advantage.method': 'grpo' }],
  ['optimizer', { 'optimizer.method': 'sgd' }],
  ['process model', { 'advantage.method': 'oprl' }],
  ['batch size and length', { 'rollout.groupSize': 8, 'run.updates': 14 }],
];
for (const [name, changes] of forks) {
  test(`a fork with another ${name} is the run that its own config gives from the start`, async () => {
    const parent = await trainTo(await open(small), 6);
    const fork = forkConfig(small, 6, configWith(changes, settledAt(small, 6)));
    const from = await parent.checkpoint();
    const child = await resumed(fork, from);
    expect(await finish(fork)).toEqual(child);
    expect(child.theta).not.toEqual((await finish(small)).theta);
  });
}

test('another optimizer begins with empty moments; the weights go on', async () => {
  const parent = await trainTo(await open(small), 6);
  const from = await parent.checkpoint();
  const fork = await open(forkConfig(small, 6, configWith({ 'optimizer.method': 'sgd' }, small)));
  const start = fork.startOf(from);
  const state = await (await makeCpuBackend(start.plan, start.state)).save();
  expect(state.steps).toBe(0);
  expect(state.tensors.m.every((x) => x === 0) && state.tensors.v.every((x) => x === 0)).toBe(true);
  expect(from.state.tensors.m.some((x) => x !== 0)).toBe(true);
  expect(thetaOf(state)).toEqual(thetaOf(from.state));
});

/** The CPU path as it is on WebGPU: two updates in flight, but one where the objective's survey waits. */
const waiting: MakeBackend = async (plan, state) => {
  const backend = await makeCpuBackend(plan, state);
  if (!plan.objective.survey) return Object.assign(backend, { depth: 2 });
  const optimize = backend.optimize.bind(backend);
  return Object.assign(backend, { depth: 1, optimize: async (...at: Parameters<typeof optimize>) => optimize(...at) });
};

test('a fork that takes one update at a time is the same when more are submitted than that', async () => {
  const fork = forkConfig(small, 6, configWith({ 'objective.method': 'rover' }, settledAt(small, 6)));
  const run = must(await createRun(fork, waiting));
  await trainTo(run, 5);
  const records = Array.from({ length: 7 }, () => run.submit());
  expect((await Promise.all(records)).map(({ update }) => update)).toEqual([5, 6, 7, 8, 9, 10, 11]);
  expect(await endOf(run)).toEqual(await finish(fork));
});

/** A parent with these changes, trained to update 6, and what its fork with those changes begins with. */
async function forked(parent: Record<string, unknown>, child: Record<string, unknown>) {
  const start = configWith(parent, small);
  const from = await (await trainTo(await open(start), 6)).checkpoint();
  const run = await Run.create(must(makePlan(forkConfig(start, 6, configWith(child, start)))), makeCpuBackend, from);
  return { before: from.state, run, state: await run.backend.save() };
}

test('a fork forgets what controllers left that it does not have: the KL weight is that of the slider', async () => {
  const adaptive = {
    'objective.klCoef': 0.5,
    'control.adaptiveKl.on': true,
    'control.adaptiveKl.target': 0.001,
    'control.adaptiveKl.horizon': 20,
  };
  const { before, run } = await forked(adaptive, {
    'control.adaptiveKl.on': false,
    'control.klStop.on': true,
    'control.klStop.limit': 1,
  });
  expect(Math.max(...before.tensors['adaptiveKl.factor'])).not.toBe(1);
  await run.submit();
  expect([0, 1].map((s) => run.series.at(6, s, metricIndex.klCoef))).toEqual([0.5, 0.5]);
  const goesOn = await forked(adaptive, { 'control.adaptiveKl.on': true, 'control.adaptiveKl.target': 0.002 });
  expect(goesOn.state.tensors['adaptiveKl.factor']).toEqual(before.tensors['adaptiveKl.factor']);
});

test('a fork counts optimizer steps from where the moments were cleared', async () => {
  const every = { 'control.resetEvery.on': true, 'control.resetEvery.updates': 6 };
  const never = await forked(every, { 'control.resetEvery.on': false });
  // the parent's last reset came right before
  expect(never.before.steps).toBe(6);
  expect([...never.before.tensors.m, ...never.before.tensors.v].every((x) => x === 0)).toBe(true);
  expect([never.state.steps, tensorsOf(never.state.tensors, 'control')]).toEqual([0, {}]);
  // the parent has taken two steps since a reset, each replica by its own count
  const later = await forked({ ...every, 'control.resetEvery.updates': 4 }, { 'control.resetEvery.on': false });
  expect([...later.before.tensors['control.taken']]).toEqual([2, 2]);
  expect(later.state.steps).toBe(0);
  expect([...later.state.tensors.m, ...later.state.tensors.v].every((x) => x === 0)).toBe(true);
  // a controller that only follows coefficients leaves the count as it is
  const followed = await forked(
    { 'control.entropyTarget.on': true, 'control.entropyTarget.target': 1 },
    { 'control.entropyTarget.on': false },
  );
  expect(followed.state.steps).toBe(6);
  expect(followed.state.tensors.m).toEqual(followed.before.tensors.m);
  const other = await forked(every, { 'optimizer.method': 'sgd', 'control.resetEvery.updates': 9 });
  expect([...other.state.tensors['control.taken']]).toEqual([0, 0]);
});

test('a fork whose earlier stage cannot run is refused in words', async () => {
  const bad = configWith({ 'run.fork': '[{"at":3,"was":{"run.seeds":1}}]' }, small);
  expect(await createRun(bad)).toMatchObject({
    ok: false,
    problem: { kind: 'configRejected', issues: [{ path: 'run.fork' }] },
  });
});

test('an update that is played again from its checkpoint shows the bits that the run saw, and moves nothing', async () => {
  const run = await trainTo(await open(small), 3);
  const from = await run.checkpoint();
  await trainTo(run, 4);
  const seen = await new Snapshots().make(run, 1);
  await trainTo(run, 6);
  const before = await run.digest();
  const again = await replayUpdate(run, from, 1, new Snapshots());
  for (const name of ['state', 'action', 'reward', 'probs', 'A', 'length'] as const)
    expect(again[name], name).toEqual(seen[name]);
  expect([again.update, again.replica]).toEqual([3, 1]);
  expect(await run.digest()).toEqual(before);
});
