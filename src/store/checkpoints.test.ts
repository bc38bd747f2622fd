import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { settledAt, withEvent } from '../config/events.ts';
import { forkConfig } from '../config/fork.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { prepareTask } from '../config/level.ts';
import type { Config } from '../config/slots.ts';
import { must } from '../core/problem.ts';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import { makePlan } from '../engine/plan.ts';
import { createRun, Run } from '../engine/run.ts';
import { train } from '../engine/sampleRun.ts';
import { Series } from '../engine/series.ts';
import { packCheckpoint, readCheckpoint, type ReadCheckpoint } from './checkpoints.ts';
import { pack, unpack, type Packed } from './packed.ts';

/** As small as its method allows, so that many of them train in seconds. */
const LITTLE = { 'run.backend': 'cpu', 'run.seeds': 2, 'run.updates': 8, 'analysis.evalEvery': 3 };

async function kept(run: Run): Promise<Packed> {
  const checkpoint = await run.checkpoint();
  const curves = run.series.part(0, checkpoint.state.update);
  return packCheckpoint({ config: run.config, checkpoint, curves, backend: 'cpu', isRunning: true });
}

function read(packed: Packed): Extract<ReadCheckpoint, { ok: true }> {
  const file = unpack(pack(packed, 1));
  if (!file.ok) throw new Error(file.why);
  const found = readCheckpoint(file.packed);
  if (!found.ok) throw new Error(found.why);
  return found;
}

/** A run as a fresh page makes it of a file. */
async function resumed(packed: Packed): Promise<Run> {
  const { config, checkpoint, curves } = read(packed);
  const plan = must(makePlan(config));
  const series = new Series(plan.S);
  series.join(curves);
  return Run.create(plan, makeCpuBackend, checkpoint, series);
}

async function expectSame(config: Config, first: number, all: number): Promise<void> {
  await prepareTask(config);
  const straight = must(await createRun(config));
  await train(straight, all);
  const before = must(await createRun(config));
  await train(before, first);
  const after = await resumed(await kept(before));
  expect(after.update).toBe(first);
  await train(after, all - first);
  expect(await after.digest()).toEqual(await straight.digest());
  expect(after.csv()).toBe(straight.csv());
}

const of = (id: string, changes: Readonly<Record<string, unknown>> = {}): Config =>
  configWith({ ...LITTLE, ...changes }, presetConfig(presetById(id)!));

const FEW = { 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4 };

const CASES: readonly (readonly [string, Config])[] = [
  ['GiGPO', of('key-door', FEW)],
  ['PPO with a critic and adaptive KL', of('key-door-ppo', { ...FEW, 'control.adaptiveKl.on': true })],
  ['PPO with normalized returns (PPO-max)', of('key-door-ppo-max', FEW)],
  ['SAFE, with two critics and a controller', of('key-door-safe', FEW)],
  ['a process model (OPRL)', of('key-door-oprl', FEW)],
  ['a GRU', of('key-door', { ...FEW, 'policy.method': 'gru' })],
  ['a transformer that writes commands', of('maze-written', FEW)],
  ['level replay', of('key-door', { ...FEW, 'source.method': 'levelReplay', 'task.levels': 4 })],
  ['old data', of('old-data-decoupled', FEW)],
  ['a queue with a bound', of('bounded-queue')],
  ['demonstrations', of('demonstrations')],
];

test.each(CASES)(
  '%s: after 4 updates, a file, and 4 more, digest and curves are those of 8 updates',
  async (_, config) => {
    await expectSame(config, 4, 8);
  },
);

test('digest(200) = digest(100 + save + load + 100)', async () => {
  const tiny = { 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2, 'run.updates': 200 };
  await expectSame(of('key-door', { ...tiny, 'analysis.evalEvery': 50 }), 100, 200);
});

test('a run that was changed while it trained, and a fork of one, continue the same from a file', async () => {
  const base = of('key-door', FEW);
  const changed = withEvent(base, { update: 2, path: 'rollout.temperature', value: 1.5 });
  await expectSame(withEvent(changed, { update: 6, path: 'objective.klCoef', value: 0.2 }), 4, 8);
  const fork = forkConfig(base, 3, configWith({ 'advantage.method': 'grpo' }, settledAt(base, 3)));
  for (const first of [2, 5]) await expectSame(fork, first, 8);
});

test('what another revision of a method trained is refused, and named', async () => {
  const packed = await kept(must(await createRun(of('key-door', FEW))));
  const about = packed.about as { methods: Record<string, number> };
  const other = { ...about, methods: { ...about.methods, 'advantage.gigpo': 99 } };
  const found = readCheckpoint({ ...packed, about: other });
  expect(found).toMatchObject({ ok: false, why: expect.stringContaining('another revision of advantage.gigpo') });
});

test('a network whose numbers changed is refused as well; the others are not named in what is kept', async () => {
  const packed = await kept(must(await createRun(of('t-maze', FEW))));
  const about = packed.about as { methods: Record<string, number> };
  const { ['policy.gtrxl']: _rev, ...before } = about.methods;
  const found = readCheckpoint({ ...packed, about: { ...about, methods: before } });
  expect(found).toMatchObject({ ok: false, why: expect.stringContaining('another revision of policy.gtrxl') });
  const dense = await kept(must(await createRun(of('key-door', FEW))));
  expect(Object.keys((dense.about as typeof about).methods).filter((name) => name.startsWith('policy.'))).toEqual([]);
});

test.each<[string, (packed: Packed) => Packed]>([
  ['a description of another form', (packed) => ({ ...packed, about: { update: 'many' } })],
  ['no description', (packed) => ({ ...packed, about: null })],
  ['curves of another length', (packed) => ({ ...packed, arrays: { ...packed.arrays, times: new Float64Array(9) } })],
  ['no digest', (packed) => ({ ...packed, arrays: { ...packed.arrays, 'chain.0': new Float32Array(8) } })],
  [
    'a setting out of range',
    (packed) => {
      const about = packed.about as { draft: { config: Config } };
      return { ...packed, about: { ...about, draft: { ...about.draft, config: configWith({ 'run.seeds': -1 }) } } };
    },
  ],
])('%s is refused in one sentence', async (_, damage) => {
  const run = must(await createRun(of('key-door', FEW)));
  await train(run, 1);
  const found = readCheckpoint(damage(await kept(run)));
  expect(found.ok).toBe(false);
  expect(found.ok ? '' : found.why).toMatch(/^[A-Z].*\.$/);
});
