import { thetaOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { offeredEstimators } from '../../config/offered.ts';
import { configWith } from '../../config/schema.ts';
import { trainsOnCpuFor } from '../../contract/columns.ts';
import { must } from '../../core/problem.ts';
import { openGpu, type Gpu } from '../../gpu/device.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { METRICS, metrics } from '../../slots/metrics/metrics.ts';
import type { BatchView } from '../backend.ts';
import { createRun, type Run } from '../run.ts';
import { gpuProblem } from './errors.ts';
import { gpuBackendOn } from './gpuBackend.ts';
import { train } from '../sampleRun.ts';

const gpu = await testDevice();
// one estimator is a text, whose language comes when it is asked for
for (const { prepare } of offeredEstimators) await prepare?.();

async function open(changes: Record<string, unknown>, on?: Gpu): Promise<Run> {
  const small = {
    'rollout.tasksPerBatch': 3,
    'rollout.groupSize': 5,
    'run.seeds': 2,
    'run.updates': 30,
    'policy.mlp.hidden': [13],
  };
  return must(await createRun(configWith({ ...small, ...changes }), on && gpuBackendOn(on)));
}

const WAYS: readonly (readonly [string, Record<string, unknown>])[] = [
  // The entropies of a fresh policy differ by little more than their rounding; methods that scale them up need a sharper one.
  // one that reads what only the CPU makes trains there
  ...offeredEstimators
    .filter((e) => !trainsOnCpuFor(e.needs))
    .map((e): readonly [string, Record<string, unknown>] => [
      `estimator ${e.id}`,
      {
        ...{ 'advantage.method': e.id, ...(e.needs.includes('entropy') ? { 'rollout.temperature': 0.1 } : {}) },
        ...(e.needs.includes('branchParent') ? { 'rollout.method': 'arpo' } : {}),
        // what it reads is made by a reward, and that by a wrapper
        ...(e.needs.includes('budgetReward') ? { 'reward.hbpo.on': true, 'task.stepBudget.on': true } : {}),
      },
    ]),
  [
    'planning steps by action sequences, which only the CPU finds',
    { 'advantage.method': 'hicra', 'advantage.hicra.plan': 'grams', 'advantage.hicra.share': 0.05 },
  ],
  ['GAE with zero at the cut', { 'advantage.method': 'gae', 'advantage.gae.cut': 'zero', 'objective.valueClip': 0 }],
  [
    'two hidden layers, gelu, epochs and minibatches',
    { 'policy.mlp.hidden': [9, 7], 'policy.mlp.activation': 'gelu', 'objective.epochs': 2, 'objective.minibatches': 3 },
  ],
  [
    'relu, entropy bonus, KL to the reference',
    {
      'policy.mlp.activation': 'relu',
      'objective.entropyCoef': 0.02,
      'objective.klCoef': 0.1,
    },
  ],
  [
    'table, plain gradient, SGD, sums',
    {
      'policy.method': 'tabular',
      'objective.method': 'reinforce',
      'objective.aggregate': 'seqMeanUnitSum',
      'optimizer.method': 'sgd',
      'optimizer.clipNorm': 0,
      'optimizer.learningRate': 0.5,
    },
  ],
  [
    'matched update size, temperature, constant aggregation',
    { 'revise.matchSize.on': true, 'rollout.temperature': 0.7, 'objective.aggregate': 'constant' },
  ],
  [
    'a corridor that grows with every update, on a table',
    {
      ...{ 'task.grid.level': 'corridor', 'task.grid.n': 6, 'task.grid.startDistance': 2, 'task.grid.growEvery': 1 },
      'policy.method': 'tabular',
    },
  ],
  [
    'more rows than one workgroup adds up',
    { 'rollout.tasksPerBatch': 38, 'rollout.groupSize': 4, 'revise.matchSize.on': true, 'task.grid.maxSteps': 6 },
  ],
  [
    'junctions of levels of its own for every seed, more rows than one workgroup',
    {
      ...{ 'advantage.method': 'hicra', 'rollout.tasksPerBatch': 38, 'rollout.groupSize': 4 },
      ...{ 'task.grid.level': 'doorKey', 'task.grid.n': 5, 'task.levels': 3, 'task.grid.maxSteps': 12 },
    },
  ],
  [
    'the range of entropies over more rows than one workgroup',
    {
      ...{ 'advantage.method': 'empg', 'rollout.tasksPerBatch': 38, 'rollout.groupSize': 4, 'task.grid.maxSteps': 6 },
      'rollout.temperature': 0.1,
    },
  ],
  [
    'episodes averaged, cosine schedule, masked actions',
    { 'objective.aggregate': 'seqMeanUnitMean', 'optimizer.schedule': 'cosine', 'task.grid.maskActions': true },
  ],
  ...[true, false].map((grammar): readonly [string, Record<string, unknown>] => [
    `transformer, ${grammar ? 'only commands' : 'any words'}, critic, KL, epochs and minibatches`,
    {
      'policy.method': 'transformer',
      'policy.transformer.width': 8,
      'policy.transformer.hidden': 12,
      'policy.transformer.gate': grammar ? 'gru' : 'none',
      'policy.transformer.layers': grammar ? 2 : 1,
      'policy.transformer.grammar': grammar,
      'policy.transformer.history': 2,
      'task.grid.level': 'frozenLake4',
      'task.grid.maxSteps': 5,
      'advantage.method': 'gae',
      'objective.entropyCoef': 0.02,
      'objective.klCoef': 0.1,
      'objective.epochs': 2,
      'objective.minibatches': 2,
    },
  ]),
  [
    'transformer in the text-maze, one ratio for a command of several words',
    {
      'task.method': 'textmaze',
      'task.textmaze.maxSteps': 6,
      'policy.method': 'transformer',
      'policy.transformer.width': 8,
      'policy.transformer.hidden': 8,
      'policy.transformer.history': 1,
      'objective.ratioLevel': 'step',
      'objective.epochs': 2,
      'objective.aggregate': 'seqMeanUnitMean',
    },
  ],
  [
    'turn actions on generated levels, window view',
    {
      'task.grid.level': 'doorKey',
      'task.grid.n': 5,
      'task.grid.actions': 'turn',
      'task.grid.view': 'ego',
      'task.levels': 3,
      'task.grid.maxSteps': 40,
    },
  ],
];

// Both paths start from the same weights and draw the same numbers, so the first batch is the same; later ones differ
// by rounding only until a draw falls on the other side of a boundary. f32 sums of 10³ terms: 1e-4 relative.
test.each(WAYS)('two updates on the GPU agree with the CPU in every metric: %s', async (_name, changes) => {
  const onGpu = await open(changes, gpu);
  const onCpu = await open(changes);
  const a = await train(onGpu, 2);
  const b = await train(onCpu, 2);
  for (let u = 0; u < 2; u++) {
    expect([...a[u]!.bad]).toEqual([0, 0]);
    expect([...a[u]!.hash], `actions of update ${u}`).toEqual([...b[u]!.hash]);
    for (let s = 0; s < 2; s++) {
      metrics.slice(0, METRICS).forEach((m, k) => {
        const got = a[u]!.metrics[s * METRICS + k]!;
        const want = b[u]!.metrics[s * METRICS + k]!;
        if (Number.isNaN(want)) return expect(got, m.id).toBeNaN();
        expect(Math.abs(got - want), `${m.id}, update ${u}, seed ${s}: ${got} against ${want}`).toBeLessThanOrEqual(
          2e-5 + 5e-4 * Math.abs(want),
        );
      });
    }
  }
  const mine = await onGpu.backend.view(1);
  const theirs = await onCpu.backend.view(1);
  expect(mine.batch.length).toEqual(theirs.batch.length);
  expect(mine.batch.action).toEqual(theirs.batch.action);
  expect(mine.state.length).toBe(theirs.state.length);
  // where all groups agree nothing moves, on either path
  const moved = ({ theta, after }: BatchView): boolean => after.some((x, k) => x !== theta[k]);
  expect(moved(mine)).toBe(moved(theirs));
  theirs.delta.forEach((want, k) => expect(Math.abs(mine.delta[k]! - want), `Δ[${k}]`).toBeLessThanOrEqual(2e-4));
  const words = theirs.written ? theirs.written.delta.length / theirs.delta.length : 0;
  theirs.written?.delta.forEach((want, k) => {
    const step = Math.floor(k / words);
    const isReal = step % theirs.batch.T < theirs.batch.length[Math.floor(step / theirs.batch.T)]!;
    if (isReal) expect(Math.abs(mine.written!.delta[k]! - want), `Δ of word ${k}`).toBeLessThanOrEqual(2e-4);
  });
  theirs.after.forEach((want, k) => expect(Math.abs(mine.after[k]! - want), `θ[${k}]`).toBeLessThanOrEqual(2e-4));
  expect(Object.keys(mine.parts)).toEqual(Object.keys(theirs.parts));
  for (const [name, values] of [['A', theirs.A], ['probs', theirs.probs], ...Object.entries(theirs.parts)] as [
    string,
    Float32Array,
  ][]) {
    const got = name === 'A' ? mine.A : name === 'probs' ? mine.probs : mine.parts[name]!;
    values.forEach((want, k) => {
      if (!(Math.abs(got[k]! - want) <= 2e-4 + 2e-3 * Math.abs(want)))
        expect.fail(`${name}[${k}]: ${got[k]} against ${want}`);
    });
  }
  onGpu.dispose();
});

test.each([
  ['few rows', {}],
  ['more rows than one workgroup adds up', { 'rollout.tasksPerBatch': 38, 'task.grid.maxSteps': 6 }],
])('three seeds side by side are three single runs, bit for bit, on the same device: %s', async (_name, changes) => {
  const both = { ...changes, 'objective.epochs': 2, 'objective.minibatches': 2 };
  const together = await open({ ...both, 'run.seed': 21, 'run.seeds': 3 }, gpu);
  const records = await train(together, 4);
  const theta = thetaOf(await together.backend.save());
  const { perSeed } = await together.digest();
  for (let r = 0; r < 3; r++) {
    const alone = await open({ ...both, 'run.seed': 21 + r, 'run.seeds': 1 }, gpu);
    const own = await train(alone, 4);
    expect(own.map((u) => u.metrics)).toEqual(records.map((u) => u.metrics.slice(r * METRICS, (r + 1) * METRICS)));
    expect((await alone.digest()).perSeed[0]).toBe(perSeed[r]);
    const size = alone.plan.layout.size;
    expect(thetaOf(await alone.backend.save())).toEqual(theta.slice(r * size, (r + 1) * size));
    alone.dispose();
  }
  together.dispose();
});

test('with several updates in flight, and after a pause on a new device, the digest is that of one by one; when that device is lost, what is in flight is rejected instead of waiting for ever', async () => {
  const slow = await open({}, gpu);
  await train(slow, 8);
  const fast = await open({}, gpu);
  const first = [fast.submit(), fast.submit()];
  await Promise.all(first);
  await train(fast, 2);
  const saved = await fast.checkpoint();
  const other = must(await openGpu());
  await fast.restore(saved, gpuBackendOn(other));
  await train(fast, 4);
  expect(await fast.digest()).toEqual(await slow.digest());
  expect(fast.csv()).toBe(slow.csv());
  slow.dispose();
  const flying = fast.submit();
  other.lose();
  await expect(
    Promise.race([flying, fast.backend.lost.then((reason) => Promise.reject(new Error(reason)))]),
  ).rejects.toThrow();
  await flying.catch(() => undefined);
  fast.dispose();
  expect([...other.bytes]).toEqual([]);
});

test('a learning rate that is not a number leaves the weights as they were and names the optimizer', async () => {
  const run = await open({}, gpu);
  await train(run, 3);
  const good = await run.backend.save();
  run.poison();
  const [record] = await train(run, 1);
  expect([...record!.bad]).toEqual([5, 5]);
  expect(thetaOf(await run.backend.save())).toEqual(thetaOf(good));
  run.dispose();
});

test('a run that does not fit is refused with its size and its largest part, and nothing stays behind', async () => {
  // as few seeds as need an array above the largest that the device has, since the others are really made
  const perSeed = 4 * 64 * 16 * 64 * 512;
  const huge = {
    'rollout.tasksPerBatch': 64,
    'rollout.groupSize': 16,
    'run.seeds': Math.min(64, Math.ceil(gpu.device.limits.maxBufferSize / perSeed) + 1),
    'policy.mlp.hidden': [512],
    'task.grid.maxSteps': 64,
  };
  const why = await open(huge, gpu).then(() => null, gpuProblem);
  // where there is that much memory, a single array is larger than what can be bound
  if (why?.kind === 'limitTooSmall') expect(why.what).toBe('one array (activations)');
  else expect(why).toMatchObject({ kind: 'outOfMemory', largest: expect.any(String), bytes: expect.any(Number) });
  expect([...gpu.bytes]).toEqual([]);
});

test('a kernel the driver refuses is named, and nothing stays behind', async () => {
  const run = await open({});
  const broken = { ...run.plan, objective: { ...run.plan.objective, wgsl: 'fn coefficient() -> nonsense {}' } };
  const made = gpuBackendOn(gpu)(broken, await run.backend.save());
  await expect(made).rejects.toMatchObject({ kernel: 'coefficients' });
});
