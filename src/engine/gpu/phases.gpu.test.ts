import { expect, test, vi } from 'vitest';
import { openSmall, trainAlike } from '../../check/sideBySide.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { forking } from '../../slots/fixtures/forking.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import type { RolloutScheme } from '../../slots/rollout/types.ts';
import { makeCpuBackend } from '../cpu/cpuBackend.ts';
import type { Plan } from '../plan.ts';
import { Run } from '../run.ts';
import { train } from '../sampleRun.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

/** Forks the first rows of a batch halfway where they are not certain, and plays a late row of the task that won least. */
const looking: RolloutScheme = {
  ...{ id: 'looking', spare: 4, forks: true, needs: ['entropy', 'length', 'taskIndex', 'success'] },
  next({ count, entropy, length, taskIndex, success }, { T, tasks }) {
    if (count > tasks.length) return [{ task: taskIndex[success.subarray(0, count).indexOf(0)] ?? 0, origin: 'late' }];
    return [0, 1, 2].map((parent) => {
      // where it may be another step by rounding alone, the paths would part
      const half = entropy[parent * T]! > 0.1 ? length[parent]! >> 1 : 0;
      return { task: taskIndex[parent]!, origin: 'fork', parent, branchStep: half };
    });
  },
};

const IDS: readonly MetricId[] = [
  ...(['success', 'evalSuccess', 'returnMean', 'lengthMean', 'entropy', 'degenerate', 'anchorShare'] as const),
  ...(['gradNorm', 'creditRms', 'creditStd', 'essGroup', 'mixedOutcomeGroups', 'valueLoss', 'independent'] as const),
  ...(['ess', 'essClipped', 'essStart'] as const),
];

const words = { 'policy.method': 'transformer', 'policy.transformer.width': 8 };
const WAYS: readonly (readonly [string, Record<string, unknown>, boolean])[] = [
  ['many steps at once', {}, true],
  ['single steps', {}, false],
  ['a critic', { 'advantage.method': 'gae' }, true],
  ['two values, single steps', { 'advantage.method': 'gae', 'policy.critics': 'double' }, false],
  ['greedy episodes', { 'advantage.method': 'remax' }, true],
  ['delayed actions and blanked observations', { 'task.actionDelay': 1, 'task.obsNoise': 70 }, true],
  ['late rewards', { 'task.rewardDelay': 2, 'reward.grid.step': -30 }, true],
  ['late rewards with noise, single steps', { 'task.rewardDelay': 5, 'task.rewardNoise': 30 }, false],
  ['versions of mixed ages', { 'rollout.staleness': 2, 'rollout.ages': 'queue', 'advantage.method': 'gae' }, true],
  ['a question', { 'task.question.on': true, 'task.grid.level': 'empty', 'task.grid.n': 4 }, true],
  ['a network with a memory', { 'policy.method': 'gru', 'policy.gru.hidden': 8 }, true],
  [
    'a network that looks back at single steps',
    { 'policy.method': 'gtrxl', 'policy.gtrxl.memory': 2, 'policy.gtrxl.segment': 2, 'policy.gtrxl.width': 8 },
    true,
  ],
  ['a memory of summaries', { 'policy.method': 'memo', 'policy.memo.width': 4, 'policy.memo.segment': 4 }, true],
  ['commands of words, a critic', { 'task.method': 'textmaze', ...words, 'advantage.method': 'gae' }, true],
];

async function both(scheme: RolloutScheme, changes: Record<string, unknown>, fused: boolean): Promise<[Run, Run]> {
  const { whole } = await openSmall({ 'advantage.method': 'gigpo', ...changes });
  const plan: Plan = { ...whole, scheme, B: whole.B + scheme.spare! };
  return [await Run.create(plan, gpuBackendOn(gpu, fused)), await Run.create(plan, makeCpuBackend)];
}

test.each(WAYS)('WebGPU: rows of three phases are those of the CPU, forks included: %s', async (_, changes, fused) => {
  const [run, cpu] = await both(looking, changes, fused);
  expect(run.depth).toBe(1);
  await trainAlike(run, cpu, 2, IDS);
  const [got, want] = [await run.backend.view(1), await cpu.backend.view(1)];
  for (const name of ['taskIndex', 'length', 'action', 'reward', 'stateKey', 'outcome', 'success'] as const)
    expect([...got.batch[name]], name).toEqual([...want.batch[name]]);
  for (const name of ['origin', 'branchParent', 'branchStep', 'trains', 'measured'] as const)
    expect([...got.batch[name]!], name).toEqual([...want.batch[name]!]);
  for (const name of ['logp', 'entropy', 'value'] as const)
    got.batch[name].forEach((x, k) => expect(Math.abs(x - want.batch[name][k]!), `${name} ${k}`).toBeLessThan(1e-4));
  run.dispose();
});

test.each([
  ['credit that knows of forks', { 'advantage.method': 'arpo', 'advantage.arpo.shared': 'hard' }],
  ['forks above a threshold', { 'rollout.arpo.mode': 'threshold', 'rollout.arpo.tau': 0.04, 'rollout.arpo.beam': 3 }],
])(
  'WebGPU: ARPO forks the same episodes at the same steps as on the CPU, and charges the same steps: %s',
  async (_, changes) => {
    const own = { 'rollout.method': 'arpo', 'rollout.arpo.starts': 2, 'rollout.arpo.alpha': 0.2, ...changes };
    const [run, cpu] = [await openSmall(own, gpu), await openSmall(own)];
    await trainAlike(run, cpu, 3, IDS);
    const [got, want] = [await run.backend.view(1), await cpu.backend.view(1)];
    expect([...got.batch.branchParent!]).toEqual([...want.batch.branchParent!]);
    expect([...got.batch.branchStep!]).toEqual([...want.batch.branchStep!]);
    expect(Math.max(...want.batch.branchStep!)).toBeGreaterThan(0);
    for (const u of [0, 1, 2]) expect(run.series.envSteps(u)).toBe(cpu.series.envSteps(u));
    run.dispose();
  },
);

/** A maze with junctions, in which entropies part early. */
const MAZE = ['#######', '#S....#', '#.#.#.#', '#...#.#', '#.#..G#', '#######'].join('\n');
const maze = { 'task.grid.level': 'custom', 'task.grid.text': MAZE, 'task.grid.maxSteps': 14 };

test.each<readonly [string, Record<string, unknown>, boolean]>([
  ['new states', {}, true],
  ['new states, single steps', {}, false],
  ['junctions', { ...maze, 'rollout.arpo.eligible': 'junction' }, true],
  [
    'any step, after its action, three at once',
    { 'rollout.arpo.eligible': 'all', 'rollout.arpo.forkPoint': 'after', 'rollout.arpo.beam': 4 },
    true,
  ],
  [
    'a probe, and forks in a row of a path',
    { ...maze, 'rollout.arpo.budget': 'balanced', 'rollout.arpo.penalty': 0.4 },
    true,
  ],
  [
    'forks in a row of a task',
    { 'rollout.arpo.penalty': 0.7, 'rollout.arpo.scope': 'task', 'rollout.arpo.alpha': 0.8 },
    true,
  ],
  ['above a threshold', { 'rollout.arpo.mode': 'threshold', 'rollout.arpo.tau': 0.21, 'rollout.arpo.beta': 10 }, true],
  ['episodes that nothing forks', { 'rollout.arpo.alpha': 0, 'rollout.arpo.beta': 0 }, true],
  ['chance that a group shares, slips', { 'rollout.commonNoise': true, 'task.grid.slip': [2, 1, 1] }, true],
  ['a question', { 'task.question.on': true, 'task.grid.level': 'empty', 'task.grid.n': 4 }, true],
  ['late rewards, a critic', { 'task.rewardDelay': 2, 'reward.grid.step': -30, 'advantage.method': 'gae' }, true],
])('WebGPU: trees that grow on the device are those of the CPU: %s', async (_, changes, fused) => {
  const own = {
    'rollout.method': 'arpo',
    'rollout.arpo.starts': 2,
    'rollout.arpo.alpha': 0.3,
    'rollout.groupSize': 7,
    ...changes,
  };
  const { whole } = await openSmall({ 'advantage.method': 'grpo', 'rollout.tasksPerBatch': 3, ...own });
  const [run, cpu] = [await Run.create(whole, gpuBackendOn(gpu, fused, true)), await Run.create(whole, makeCpuBackend)];
  // nobody waits for a rollout
  const waited = vi.spyOn(run.backend, 'rollout');
  await trainAlike(run, cpu, 3, IDS);
  expect(waited.mock.results.map(({ value }) => value as unknown)).not.toContainEqual(expect.any(Promise));
  for (const s of [0, 1]) {
    const [got, want] = [await run.backend.view(s), await cpu.backend.view(s)];
    for (const name of ['taskIndex', 'origin', 'branchParent', 'branchStep', 'length', 'action'] as const)
      expect([...got.batch[name]!], name).toEqual([...want.batch[name]!]);
    expect(got.forks!.map(({ row, t, child }) => [row, t, child])).toEqual(
      want.forks!.map(({ row, t, child }) => [row, t, child]),
    );
    expect(got.levelSeeds).toEqual(want.levelSeeds);
  }
  for (const u of [0, 1, 2]) expect(run.series.envSteps(u)).toBe(cpu.series.envSteps(u));
  run.dispose();
});

test('WebGPU: groups of 4 and 3 from a scheme pause and resume to the same digests', async () => {
  const [run, cpu] = await both(forking, { 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 2 }, true);
  await trainAlike(run, cpu, 2, ['success']);
  const saved = await run.checkpoint();
  const rest = await Promise.all([run.submit(), run.submit()]);
  const again = await Run.create(run.whole, gpuBackendOn(gpu), saved);
  run.dispose();
  expect((await train(again, 2)).map(({ hash }) => [...hash])).toEqual(rest.map(({ hash }) => [...hash]));
  again.dispose();
});

test('WebGPU: rewards that are settled at the end of an episode are none that a scheme may look at', async () => {
  const asking: RolloutScheme = { ...forking, needs: ['taskIndex', 'length', 'reward'] };
  await expect(both(asking, { 'task.rewardDelay': 2 }, true)).rejects.toThrow('nobody sees rewards between phases');
});
