import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { signalNames, type Potential, type Signals } from '../../contract/signals.ts';
import { part } from '../../contract/columns.ts';
import { countOf } from '../../contract/countTable.ts';
import { must } from '../../core/problem.ts';
import { CommandList, readBack } from '../../gpu/recorder.ts';
import { signalLength } from '../../gpu/signalDims.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { METRICS, metricIndex } from '../../slots/metrics/metrics.ts';
import { defineReward } from '../../slots/reward/types.ts';
import { CpuSignals } from '../cpu/signals.ts';
import { Shaping } from '../cpu/shaping.ts';
import { batchOf, makeArrays, makePaidArrays } from '../arrays.ts';
import { makePlan, makeTasks, type Plan } from '../plan.ts';
import { createRun, type Run } from '../run.ts';
import { sampleRun, train } from '../sampleRun.ts';
import { initialState } from '../state.ts';
import { recordingOf } from '../../networks/policy.ts';
import { RunBuffers } from './buffers.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { rolloutList } from './rolloutList.ts';
import { GpuSignals } from './signals.ts';
import { TaskUpload } from './uploadTasks.ts';
import { wholeBatch } from './readBatch.ts';

const gpu = await testDevice();

const reader = defineReward({
  ...{ id: 'reader', title: 'Reader', rev: 1, kind: 'additive', formula: '', look: '', params: {} },
  needs: signalNames,
  run: () => undefined,
});
const tiny = {
  'policy.mlp.hidden': [5],
  'run.seeds': 2,
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 3,
  'rollout.temperature': 3,
};

const WORLDS: readonly (readonly [string, Record<string, unknown>, Potential['of']])[] = [
  ['key and door, distance', { 'task.grid.level': 'keyDoor' }, 'distance'],
  [
    'obstacles and slip, value',
    { 'task.grid.level': 'dynamicObstacles', 'task.grid.slip': [1, 8, 1], 'task.grid.n': 5, 'task.grid.count': 1 },
    'value',
  ],
  [
    'turns, fresh levels, milestones',
    {
      'task.grid.level': 'doorKey',
      'task.grid.n': 5,
      'task.grid.actions': 'turn',
      'task.grid.maxSteps': 40,
      'task.levels': 0,
    },
    'milestone',
  ],
  [
    'thoughts and delayed actions',
    { 'task.grid.level': 'keyDoor', 'task.thoughts.on': true, 'task.actionDelay': 1 },
    'distance',
  ],
  ['delayed actions', { 'task.grid.level': 'keyDoor', 'task.actionDelay': 2 }, 'distance'],
  [
    'Sokoban, two boxes',
    { 'task.method': 'sokoban', 'task.sokoban.boxes': 2, 'task.sokoban.maxSteps': 40 },
    'distance',
  ],
  [
    'Sokoban, value',
    {
      'task.method': 'sokoban',
      'task.sokoban.w': 5,
      'task.sokoban.h': 5,
      'task.sokoban.boxes': 1,
      'task.sokoban.pulls': 3,
      'task.sokoban.maxSteps': 20,
    },
    'value',
  ],
  ['text-maze', { 'task.method': 'textmaze', 'task.textmaze.rooms': 3, 'task.textmaze.chain': 1 }, 'distance'],
];

test.each(WORLDS)(
  'every signal of a played batch is what the definitions make of its states: %s',
  async (_, changes, of) => {
    const plan: Plan = {
      ...must(makePlan(configWith({ ...tiny, ...changes }))),
      rewards: [{ module: { ...reader, potential: () => ({ of, gamma: 0.9 }) }, params: {} }],
    };
    const levelWords = plan.env.gpu!.packLevel(plan.level(plan.firstLevelSeed)).length;
    const b = new RunBuffers(gpu, plan, await recordingOf(plan.policy), levelWords);
    try {
      b.tensors.load(initialState(plan));
      gpu.device.queue.writeBuffer(b.sampledTheta, 0, initialState(plan).tensors['theta'] as Float32Array<ArrayBuffer>);
      const rollout = await rolloutList(gpu, plan, b, { isFused: true });
      const signals = GpuSignals.of(gpu, plan, b)!;
      const tasks = makeTasks(plan, 0, 'train');
      new TaskUpload(gpu, plan, b).put(tasks, 4);
      rollout.submit(gpu.device, 'rollout');
      // fresh levels may need more room than the first ones
      signals.put(tasks);
      const list = new CommandList(gpu, 'signals', b.all);
      await signals.addTo(list);
      const encoder = gpu.device.createCommandEncoder();
      list.encode(encoder);
      gpu.device.queue.submit([encoder.finish()]);
      const arrays = makeArrays(plan);
      for (let s = 0; s < plan.S; s++) {
        const { batch, state } = await wholeBatch({ plan, b, s });
        const into = Object.fromEntries(signalNames.map((name) => [name, part(arrays[name], plan.S, s)])) as Signals;
        CpuSignals.of(plan)!.make({ ...arrays, ...batch, state } as never, into, tasks, s * plan.B);
      }
      for (const name of signalNames) {
        const got = new Float32Array(
          await readBack(gpu, signals.slice(name)),
          0,
          signalLength(name, plan.S * plan.B, plan.T),
        );
        const want = arrays[name];
        expect(got.length, name).toBe(want.length);
        // one division of numbers up to 2·T steps, good to 2.5 units in the last place; V* is looked up
        const wrong = want.findIndex((w, k) => !(Math.abs(got[k]! - w) <= 1e-6 * Math.max(1, Math.abs(w))));
        expect(wrong < 0 ? null : `${name}[${wrong}]: ${got[wrong]} against ${want[wrong]}`).toBeNull();
      }
      expect(new Set(arrays.phi).size).toBeGreaterThan(2);
    } finally {
      b.free();
    }
  },
);

const small = { ...tiny, 'task.grid.level': 'keyDoor', 'task.levels': 2, 'advantage.method': 'grpo', 'run.updates': 9 };
const SHAPED: readonly (readonly [string, Record<string, unknown>])[] = [
  ['PBRS, distance', { 'reward.pbrs.on': true }],
  [
    'PBRS, value, kept, weighed',
    { 'reward.pbrs.on': true, 'reward.pbrs.potential': 'value', 'reward.pbrs.end': 'keep', 'reward.pbrs.w': 0.5 },
  ],
  ['G-RA, mean, over PBRS, normalized', { 'reward.gra.on': true, 'reward.pbrs.on': true, 'reward.normalize': true }],
  ['D-RA, sum', { 'reward.gra.on': true, 'reward.gra.gate': 'open', 'reward.gra.accumulate': 'sum' }],
  [
    'G-RA of what the world pays on the way',
    {
      'task.grid.level': 'bonusRoom',
      ...{ 'reward.gra.on': true, 'reward.gra.of': 'world', 'reward.gra.accumulate': 'sum' },
    },
  ],
  [
    'D-RA of the same, mean',
    { 'reward.grid.subgoal': 300, 'reward.gra.on': true, 'reward.gra.of': 'world', 'reward.gra.gate': 'open' },
  ],
  ['counts', { 'reward.countBonus.on': true }],
  ['ladder of the lab', { 'reward.ladder.on': true }],
  [
    'ladder that counts steps',
    {
      ...{ 'reward.ladder.on': true, 'reward.ladder.gated': false, 'reward.ladder.count': 'number' },
      ...{ 'reward.ladder.w2': 0.1, 'reward.ladder.third': 'novel', 'reward.ladder.w3': 0.1 },
    },
  ],
  ['ladder, not gated', { 'reward.ladder.on': true, 'reward.ladder.gated': false, 'reward.ladder.first': 'novel' }],
  ...['prs', 'hrm', 'hierSearch', 'shopR1', 'thor', 'toolStar'].map((rungs): [string, Record<string, unknown>] => [
    `ladder of ${rungs}`,
    // some pay nothing for failures; refusals are in every batch
    { 'reward.ladder.on': true, 'reward.ladder.rungs': rungs, 'reward.refusals.on': true },
  ]),
  ['ladder that rises, on the CPU', { 'reward.ladder.on': true, 'reward.ladder.rise': 3 }],
  ['CaRL', { 'reward.carl.on': true }],
  ['EAPO', { 'reward.eapo.on': true, 'advantage.method': 'stepSamples' }],
  [
    'overlong, one-sided progress, refused actions',
    { 'reward.overlong.on': true, 'reward.progress.on': true, 'reward.refusals.on': true },
  ],
  ['overlong without a soft end', { 'reward.overlong.on': true, 'reward.overlong.cache': 0 }],
  ['new states, steps', { 'reward.rlsp.on': true, 'reward.rlsp.fade': 0 }],
  ['every step', { 'reward.rlsp.on': true, 'reward.rlsp.fade': 0, 'reward.rlsp.pays': 'steps' }],
  ['milestones, a fading bonus', { 'reward.milestones.on': true, 'reward.rlsp.on': true, 'reward.rlsp.fade': 4 }],
  ['a fading bonus beside one on the CPU', { 'reward.rlsp.on': true, 'reward.newStates.on': true }],
  [
    'milestones, thoughts',
    {
      ...{ 'task.thoughts.on': true, 'reward.tagReward.on': true, 'reward.tagReward.w': 0.2 },
      ...{ 'reward.tagReward.news': 'action', 'reward.milestones.on': true },
    },
  ],
  [
    'all of them',
    {
      'reward.gra.on': true,
      'reward.pbrs.on': true,
      'reward.countBonus.on': true,
      'objective.klIn': 'reward',
      'objective.klCoef': 0.1,
    },
  ],
];

const open = async (changes: Record<string, unknown>): Promise<Run> =>
  must(await createRun(configWith({ ...small, ...changes }), gpuBackendOn(gpu)));

test.each(SHAPED)(
  'what the estimator sees is what the definitions make of what the world paid: %s',
  async (_, changes) => {
    const run = await open(changes);
    const { plan } = run;
    const before = await run.backend.save();
    await train(run, 2);
    const between = await run.backend.save();
    const [record] = await train(run, 1);
    for (let s = 0; s < plan.S; s++) {
      const view = await run.backend.view(s);
      const told = record!.metrics[s * METRICS + metricIndex.shapedReturn]!;
      if (!plan.normalizesReward && plan.control.klIn !== 'reward')
        expect(told).toBeCloseTo(view.batch.outcome.reduce((sum, R) => sum + R, 0) / plan.B, 5);
      if (plan.normalizesReward || plan.control.klIn === 'reward') {
        expect(view.world, 'what the world paid stands beside it').toBeDefined();
        continue;
      }
      const arrays = makeArrays(plan);
      const own = { ...view.batch, ...view.world!, state: view.state };
      for (const [name, values] of Object.entries(own)) {
        const to = (arrays as Record<string, unknown>)[name];
        if (ArrayBuffer.isView(to) && ArrayBuffer.isView(values))
          part(to as Float32Array, plan.S, s).set(values as Float32Array);
      }
      const tensors = Object.fromEntries(Object.entries(between.tensors).map(([name, x]) => [name, x.slice()]));
      const paid = new Shaping(plan, makePaidArrays(plan)).pay(
        batchOf(plan, arrays, s),
        arrays,
        makeTasks(plan, 2, 'train'),
        tensors,
        s,
      );
      // up to 30 sums of a few roundings of numbers below 4
      paid.reward.forEach((r, k) => expect(view.batch.reward[k]).toBeCloseTo(r, 5));
      paid.outcome.forEach((R, i) => expect(view.batch.outcome[i]).toBeCloseTo(R, 4));
      expect([...view.world!.reward]).not.toEqual([...view.batch.reward]);
    }
    expect(Object.keys(before.tensors)).toEqual(Object.keys(between.tensors));
    run.dispose();
  },
);

test('counts on WebGPU are those of a brute force over every state that was reached, also after a resume', async () => {
  const run = await open({ 'reward.countBonus.on': true });
  const { plan } = run;
  const counted = Array.from({ length: plan.S }, () => new Map<string, number>());
  let state = await run.backend.save();
  for (let u = 0; u < 3; u++) {
    // a new backend each time: what was counted travels in the state
    const again = must(await createRun(configWith({ ...small, 'reward.countBonus.on': true }), gpuBackendOn(gpu)));
    await again.restore({ state, chain: [] }, gpuBackendOn(gpu));
    await train(again, 1);
    for (let s = 0; s < plan.S; s++) {
      const { batch, levelSeeds } = await again.backend.view(s);
      const { B, T, length, stateKey, finalStateKey } = batch;
      const names: string[] = [];
      for (let i = 0; i < B; i++)
        for (let k = i * T; k < i * T + length[i]!; k++) {
          const isLast = k + 1 === i * T + length[i]!;
          const [from, at] = isLast ? [finalStateKey, 2 * i] : [stateKey, 2 * k + 2];
          names.push(`${k} ${from[at]},${from[at + 1]},${levelSeeds[i]}`);
        }
      for (const name of names) {
        const key = name.split(' ')[1]!;
        counted[s]!.set(key, (counted[s]!.get(key) ?? 0) + 1);
      }
      for (const name of names) {
        const [k, key] = name.split(' ') as [string, string];
        expect(batch.reward[Number(k)]! - (await again.backend.view(s)).world!.reward[Number(k)]!).toBeCloseTo(
          0.02 / Math.sqrt(counted[s]!.get(key)!),
          6,
        );
        if (names.indexOf(name) > 3) break;
      }
    }
    state = await again.backend.save();
    const table = part(state.tensors['countBonus.table'] as Uint32Array, plan.S, 0);
    const inTable = table.filter((_, w) => w % 3 === 2).reduce((a, b) => a + b, 0);
    expect(inTable).toBe([...counted[0]!.values()].reduce((a, b) => a + b, 0));
    expect(table.filter((c, w) => w % 3 === 2 && c > 0)).toHaveLength(counted[0]!.size);
    expect(countOf(table, 1, 2)).toBe(0);
    again.dispose();
  }
  run.dispose();
});

test('a module without a WebGPU form is computed on the CPU after a read-back, to the same training', async () => {
  const plain = await open({ 'reward.pbrs.on': true, 'reward.countBonus.on': true });
  await train(plain, 3);
  const want = await plain.backend.save();
  const config = configWith({ ...small, 'reward.pbrs.on': true, 'reward.countBonus.on': true });
  const plan = must(makePlan(config));
  const parts = (module: object): [string, unknown][] => Object.entries(module).filter(([name]) => name !== 'gpu');
  const without = plan.rewards.map(({ module, params }) => ({
    module: Object.fromEntries(parts(module)) as typeof module, // `gpu` is optional
    params,
  }));
  const backend = await gpuBackendOn(gpu)({ ...plan, rewards: without }, initialState(plan));
  expect(backend.depth).toBe(1);
  for (let u = 0; u < 3; u++) {
    await backend.rollout(makeTasks(plan, u, 'train'), 'train');
    await backend.credit();
    await backend.optimize(u, plan.live);
    await backend.finish(u);
  }
  const got = await backend.save();
  const theta = want.tensors['theta']!;
  // both train on rewards that differ by a rounding
  got.tensors['theta']!.forEach((x, k) => expect(x).toBeCloseTo(theta[k]!, 3));
  backend.dispose();
  plain.dispose();
  const cpu = await sampleRun({ ...small, 'reward.pbrs.on': true, 'run.backend': 'cpu' });
  await train(cpu, 1);
  cpu.dispose();
});

test.each([
  ['two modules', { 'reward.pbrs.on': true, 'reward.countBonus.on': true }],
  ['three, one in place of the world', { 'reward.gra.on': true, 'reward.pbrs.on': true, 'reward.countBonus.on': true }],
])('GDPO sees the parts of the reward as the definitions make them: %s', async (_, rewards) => {
  const changes = { ...small, ...rewards, 'advantage.method': 'gdpo' };
  const plan = must(makePlan(configWith(changes)));
  const noForm = plan.rewards.map(({ module, params }) => ({
    module: Object.fromEntries(Object.entries(module).filter(([name]) => name !== 'gpu')) as typeof module, // `gpu` is optional
    params,
  }));
  for (const modules of [plan.rewards, noForm]) {
    const backend = await gpuBackendOn(gpu)({ ...plan, rewards: modules }, initialState(plan));
    const start = await backend.save();
    await backend.rollout(makeTasks(plan, 0, 'train'), 'train');
    await backend.credit();
    await backend.optimize(0, plan.live);
    await backend.finish(0);
    for (let s = 0; s < plan.S; s++) {
      const view = await backend.view(s);
      const arrays = makeArrays(plan);
      for (const [name, values] of Object.entries({ ...view.batch, ...view.world, state: view.state })) {
        const to = (arrays as Record<string, unknown>)[name];
        if (ArrayBuffer.isView(to) && ArrayBuffer.isView(values))
          part(to as Float32Array, plan.S, s).set(values as Float32Array);
      }
      const tensors = Object.fromEntries(Object.entries(start.tensors).map(([name, x]) => [name, x.slice()]));
      const shaping = new Shaping(plan, makePaidArrays(plan));
      const paid = shaping.pay(batchOf(plan, arrays, s), arrays, makeTasks(plan, 0, 'train'), tensors, s);
      const { A } = plan.estimator.run(paid, plan.estimatorParams as never);
      expect(new Set(A).size).toBeGreaterThan(2);
      // sums of a few roundings, divided by their spread
      A.forEach((a, k) => expect(Math.abs(view.A[k]! - a)).toBeLessThan(1e-4 + 1e-3 * Math.abs(a)));
    }
    backend.dispose();
  }
});
