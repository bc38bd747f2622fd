import { beforeAll, describe, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { PURPOSE, random, uniform } from '../../core/random.ts';
import type { AnyValues } from '../../core/settings.ts';
import { taskFacts } from '../../envs/facts.ts';
import { LIVE_WORDS, liveOfAll } from '../../gpu/live.ts';
import { CommandList, readBack, whole, type Slice } from '../../gpu/recorder.ts';
import { stepKernels } from '../../gpu/shaders/kernels.ts';
import { partsOf } from '../../core/slices.ts';
import { addStepSums } from '../../gpu/stepSums.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { policyFrom, type Policy, networkOf, prepareNetwork } from '../../networks/policy.ts';
import { unitsIn } from '../../contract/units.ts';
import { transformerWeights, type TransformerShape } from '../../networks/transformer/shape.ts';
import type { Sized } from '../../networks/types.ts';
import { makeArrays, type Arrays } from '../arrays.ts';
import { emptyTally, type Learning } from '../cpu/policy.ts';
import { rolloutReplica } from '../cpu/rollout.ts';
import { UnitPolicy } from '../cpu/unitPolicy.ts';
import { accumulate, Chunk } from '../cpu/update.ts';
import { makePlan, makeTasks, type Plan } from '../plan.ts';
import { TokenBuffers } from '../../networks/transformer/tokenBuffers.ts';
import { addSteps, chunksOf } from '../../networks/transformer/tokenList.ts';
import { addGradientEnd } from '../../networks/transformer/tokenOps.ts';
import { clipForm } from './clipForm.ts';
import { valueForm } from './valueForm.ts';
import { addWeights } from './weights.ts';
import {
  addCommandChunk,
  addLastValueChunk,
  addLookChunk,
  addLookStart,
  addUnits,
  sampledSections,
  statsFloats,
  type CommandBatch,
} from './tokenCommandList.ts';

// policies are made here without a run
beforeAll(async () => void (await prepareNetwork(networkOf('transformer'))));

const u = (a: number, i: number): number => uniform(random(12, 97, a, i, 0));

/** Commands of several words for the four moves: two of them share their first word. */
const COMMANDS = [[5], [6], [7, 8], [7, 9, 8]];

/** A small plan; `commands` replaces those of the task. */
function planOf(changes: Readonly<Record<string, unknown>>, commands: number[][] | null): Plan {
  const plan = must(
    makePlan(
      configWith({
        'task.grid.level': 'frozenLake4',
        'task.grid.maxSteps': 4,
        'run.seeds': 2,
        'rollout.tasksPerBatch': 2,
        'rollout.groupSize': 2,
        'rollout.temperature': 0.8,
        'policy.method': 'transformer',
        'policy.transformer.width': 8,
        'policy.transformer.hidden': 8,
        'policy.transformer.layers': 1,
        'policy.transformer.history': 1,
        'advantage.method': 'gae',
        'objective.valueClip': 0.1,
        'objective.valueCoef': 0.5,
        ...changes,
      }),
    ),
  );
  const { env, config, critic } = plan;
  if (!commands) return plan;
  const facts = taskFacts(env, plan.level(plan.firstLevelSeed));
  const policy = policyFrom('transformer', config.policy['transformer'] as AnyValues, { ...facts, commands }, critic);
  return { ...plan, policy, layout: policy.layout };
}

const gpu = await testDevice();

function parameters(plan: Plan, salt: number): Float32Array {
  const { shape, layout } = plan.policy as Policy & Sized<TransformerShape>;
  const theta = new Float32Array(plan.S * layout.size);
  for (let s = 0; s < plan.S; s++) transformerWeights(shape, 3 + s, theta, s * layout.size);
  for (let k = 0; k < theta.length; k++) theta[k]! += 0.3 * (u(salt, k) - 0.5);
  return theta;
}

/** A batch played by the CPU path, and what the GPU needs of it. */
async function setup(plan: Plan, R: number) {
  const { S, B, T } = plan;
  const { shape, layout } = plan.policy as Policy & Sized<TransformerShape>;
  const b = new TokenBuffers(gpu, shape, layout, { S, B, T, R, slices: 3 });
  const arrays = makeArrays(plan);
  const tasks = makeTasks(plan, 5, 'train');
  const policy = new UnitPolicy(plan, 0);
  const theta = parameters(plan, 1);
  for (let s = 0; s < S; s++)
    expect(rolloutReplica(plan, arrays, { policy, theta, tasks, mode: 'train' }, s)).toBe(true);
  // on the GPU the last observation lies after the last slot
  const obs = arrays.obs.slice();
  for (let row = 0; row < S * B; row++) {
    const from = (row * (T + 1) + arrays.length[row]!) * plan.obsWords;
    obs.copyWithin((row * (T + 1) + T) * plan.obsWords, from, from + plan.obsWords);
  }
  const N = S * B * T;
  const section = Math.ceil(N / 64) * 64;
  const held: GPUBuffer[] = [];
  const put = (values: Float32Array | Uint32Array, usage = 0): GPUBuffer => {
    const buffer = gpu.buffer('batch', values.length, 0x80 | 0x04 | 0x08 | usage);
    gpu.device.queue.writeBuffer(buffer, 0, values as Float32Array<ArrayBuffer>);
    held.push(buffer);
    return buffer;
  };
  const choiceWords = new Uint32Array(3 * section);
  choiceWords.set(arrays.legal);
  const choice = put(choiceWords);
  const batch = {
    section,
    choice,
    commands: { buffer: choice, offset: 8 * section, size: 4 * section },
    obs: put(obs),
    obsWords: plan.obsWords,
    length: put(arrays.length),
    plan: put(new Float32Array(2 * S * B)),
    sampled: put(new Float32Array(sampledSections(b) * section)),
    probs: put(new Float32Array(N * plan.actions)),
    roll: put(Uint32Array.of(PURPOSE.action, 5, ...plan.seeds)),
    shown: 0,
    flags: put(new Uint32Array(S)),
    stats: put(new Float32Array(statsFloats(b)).fill(1e30)),
    ...{ credit: put(new Float32Array(2 * section)), marksAt: 0, creditAt: 0 },
    live: put(new Float32Array(LIVE_WORDS), 0x40),
  } satisfies CommandBatch;
  /** Records a list and encodes it `times` over. */
  const run = async (record: (list: CommandList) => Promise<void>, times = 1): Promise<void> => {
    const list = new CommandList(gpu, 'commands', held);
    await record(list);
    const encoder = gpu.device.createCommandEncoder({ label: 'commands' });
    for (let k = 0; k < times; k++) list.encode(encoder);
    gpu.device.queue.submit([encoder.finish()]);
  };
  const free = (): void => {
    for (const buffer of held) gpu.free(buffer);
    b.free();
  };
  return { b, batch, arrays, policy, theta, put, run, free };
}

const floats = async (slice: Slice): Promise<Float32Array> => new Float32Array(await readBack(gpu, slice));
const words = async (slice: Slice): Promise<Uint32Array> => new Uint32Array(await readBack(gpu, slice));

function near(got: ArrayLike<number>, want: ArrayLike<number>, most: number, what: string): void {
  for (let k = 0; k < want.length; k++) {
    const isGood = Number.isFinite(got[k]!) && Math.abs(got[k]! - want[k]!) <= most * (1 + Math.abs(want[k]!));
    if (!isGood) expect.fail(`${what}[${k}] is ${got[k]}, the CPU path says ${want[k]}`);
  }
}

const ways: [string, Readonly<Record<string, unknown>>][] = [
  ['only commands', { 'policy.transformer.grammar': true }],
  ['any words', { 'policy.transformer.grammar': false, 'policy.transformer.tied': true }],
  [
    'the commands of a task, illegal actions',
    {
      'task.grid.level': 'doorKey',
      'task.grid.n': 5,
      'task.grid.actions': 'turn',
      'task.grid.maskActions': true,
      'task.grid.maxSteps': 6,
    },
  ],
];

describe('commands are written as on the CPU', () => {
  test.each(ways)('%s', async (_name, changes) => {
    const plan = planOf(changes, 'task.grid.level' in changes ? null : COMMANDS);
    const { S, B, T, actions } = plan;
    const { b, batch, arrays, theta, put, run, free } = await setup(plan, 3);
    const { section } = batch;
    const K = b.shape.grammar.decisions;
    const weights = put(theta);
    // the world is left out: trajectories live as long as they did on the CPU
    for (let t = 0; t < T; t++) {
      const alive = arrays.length.map((n) => (t < n ? 0 : n));
      gpu.device.queue.writeBuffer(batch.length as GPUBuffer, 0, alive as Uint32Array<ArrayBuffer>);
      await run((list) => addSteps(list, b, batch, { t }));
      await run(
        (list) => addCommandChunk(list, b, batch, { theta: weights, temperature: plan.temperature }),
        chunksOf(b, { t }),
      );
    }
    gpu.device.queue.writeBuffer(batch.length as GPUBuffer, 0, arrays.length as Uint32Array<ArrayBuffer>);
    await run((list) => addSteps(list, b, batch, 'last'));
    await run((list) => addLastValueChunk(list, b, batch, weights), chunksOf(b, 'last'));
    const choice = await words(whole(batch.choice));
    const sampled = await floats(whole(batch.sampled));
    const N = S * B * T;
    const isReal = (step: number): boolean => step % T < arrays.length[Math.floor(step / T)]!;
    for (let step = 0; step < N; step++) {
      if (!isReal(step)) continue;
      expect(choice[section + step], `action of step ${step}`).toBe(arrays.action[step]);
      expect(choice[2 * section + step], `command of step ${step}`).toBe(arrays.command[step]);
    }
    // log-probabilities of words down to −6, from logits with errors near 1e-6
    const part = (k: number, n: number): Float32Array => sampled.subarray(k * section, k * section + n);
    near(part(0, N), arrays.logp, 1e-5, 'logp');
    near(part(1, N), arrays.entropy, 1e-5, 'entropy');
    near(part(2, N), arrays.value, 1e-5, 'value');
    near(part(3, N * K), arrays.unitLogp, 1e-5, 'unitLogp');
    near(part(3 + K, N * K), arrays.unitEntropy, 1e-5, 'unitEntropy');
    near(await floats(whole(batch.probs)), arrays.probs, 1e-5, 'probs');
    near(await floats({ buffer: b.lastValue, offset: 0, size: 4 * S * B }), arrays.valueFinal, 1e-5, 'valueFinal');
    expect(arrays.probs).toHaveLength(N * actions);
    expect([...(await words(whole(batch.flags)))].slice(0, S)).toEqual([0, 0]);
    free();
  });
});

/** Every second command is one of the grammar's own, the longest among them, written with about equal chances. */
function rewrite(b: TokenBuffers, arrays: Arrays, steps: number): void {
  const { grammar } = b.shape;
  const K = grammar.decisions;
  const [prefixes, slots] = [new Int32Array(K), new Int32Array(K)];
  for (let step = 0; step < steps; step += 2) {
    arrays.command[step] = grammar.commands[3 - (step % 4)]!;
    const n = unitsIn(grammar, arrays.command[step]!, prefixes, slots);
    for (let k = 0; k < K; k++) {
      const words = k < n ? grammar.prefixes[prefixes[k]!]!.count : 1;
      arrays.unitLogp[step * K + k] = k < n ? u(22, step * K + k) - 0.5 - Math.log(words) : 0;
    }
  }
}

/** Loss, statistics and gradient of replica s by the CPU path. */
function learned(
  plan: Plan,
  policy: UnitPolicy,
  chosen: Uint32Array,
  of: Pick<Learning, 'arrays' | 'theta' | 'reference' | 'A' | 'target' | 'live' | 's'>,
) {
  const tally = emptyTally();
  const gradient = new Float32Array(plan.layout.size);
  const delta = new Float32Array(plan.S * plan.B * plan.T);
  const learning: Learning = { ...of, gradient, tally, delta };
  accumulate(plan, policy, new Chunk(policy.chunk), chosen, learning);
  return { tally, gradient, delta };
}

describe('loss, statistics and gradient are those of the CPU', () => {
  const looks: [string, Readonly<Record<string, unknown>>, { entropyCoef: number; klCoef: number }][] = [
    ['a ratio per word', { 'objective.ratioLevel': 'unit' }, { entropyCoef: 0, klCoef: 0 }],
    [
      'a ratio per command',
      { 'objective.ratioLevel': 'step', 'objective.aggregate': 'seqMeanUnitMean' },
      { entropyCoef: 0.1, klCoef: 0.2 },
    ],
    ['the mean ratio of a command', { 'objective.ratioLevel': 'stepMean' }, { entropyCoef: 0, klCoef: 0.2 }],
    [
      'any words, a ratio per word',
      { 'policy.transformer.grammar': false, 'objective.aggregate': 'constant' },
      { entropyCoef: 0.1, klCoef: 0.2 },
    ],
  ];
  const MODES = ['unitMean', 'seqMeanUnitMean', 'seqMeanUnitSum', 'constant', 'unitSum'];
  test.each(looks)('%s', async (_name, changes, { entropyCoef, klCoef }) => {
    const plan = planOf(changes, COMMANDS);
    const { S, B, T, layout } = plan;
    const { b, batch, arrays, policy, put, run, free } = await setup(plan, 3);
    const { section } = batch;
    const N = S * B * T;
    const K = b.shape.grammar.decisions;
    const { queue } = gpu.device;
    const write = (buffer: GPUBuffer, at: number, values: Float32Array | Uint32Array): void =>
      queue.writeBuffer(buffer, 4 * at, values as Float32Array<ArrayBuffer>);
    const A = Float32Array.from({ length: N }, (_, k) => 4 * (u(20, k) - 0.5));
    const target = Float32Array.from({ length: N }, (_, k) => u(21, k));
    rewrite(b, arrays, N);
    write(batch.choice, section, arrays.action);
    write(batch.choice, 2 * section, arrays.command);
    write(batch.sampled, 2 * section, arrays.value);
    write(batch.sampled, 3 * section, arrays.unitLogp);
    write(batch.sampled, (3 + K) * section, arrays.unitEntropy);
    write(batch.credit, 0, A);
    write(batch.credit, section, target);
    const live = { learningRate: 0.1, entropyCoef, klCoef };
    write(batch.live, 0, liveOfAll([0, entropyCoef, klCoef, 0]));
    // parameters that have moved since the batch was written
    const theta = parameters(plan, 2);
    const reference = parameters(plan, 3);
    const [weights, frozen] = [put(theta), put(reference)];
    const gradient = put(new Float32Array(S * layout.size).fill(1e30));
    const units = put(new Uint32Array(S * B));
    const record = put(new Float32Array(8 * S));
    // trajectories 0, 2 and 3 are the minibatch of epoch 0, all of them that of epoch 1
    const member = put(Uint32Array.from({ length: 2 * S * B }, (_, k) => (k < S * B && k % B === 1 ? 7 : 0)));
    const perStep = plan.ratioLevel !== 'unit';
    const [p0, p1, p2, p3] = plan.objective.uniforms(plan.objectiveParams);
    const look = {
      objective: plan.objective.wgsl,
      params: [p0, p1, p2, p3] as const,
      ratioLevel: plan.ratioLevel,
      temperature: plan.temperature,
      value: valueForm(plan),
      clip: clipForm(plan),
    };
    const most = perStep ? 1 : K;
    const parts = put(new Float32Array(partsOf(S, B, 1)));
    const weigh = { length: batch.length, units: perStep ? batch.length : units, member, plan: batch.plan, parts };
    const mode = MODES.indexOf(plan.aggregate);
    const both = { theta: weights, reference: klCoef > 0 ? frozen : null };
    await run(async (list) => {
      await addUnits(list, b, batch, units);
      await addWeights(list, b, weigh, { mode, look: 0, minibatches: 1, most });
      await addLookStart(list, b, batch);
    });
    // one trajectory is not in the minibatch
    await run((list) => addLookChunk(list, b, batch, both, { ...look, learns: true }), chunksOf(b, 'weighted', B - 1));
    await run((list) => addGradientEnd(list, b, { gradient }));
    const stats = await floats(whole(batch.stats));
    const got = await floats(whole(gradient));
    await run(async (list) => {
      await addWeights(list, b, weigh, { mode, look: 1, minibatches: 1, most });
      await addLookStart(list, b, batch);
    });
    await run((list) => addLookChunk(list, b, batch, both, { ...look, learns: false }), chunksOf(b, 'weighted'));
    const counted = { stats: batch.stats, plan: batch.plan, decisions: units, record, parts };
    await run((list) => addStepSums(list, stepKernels.updateStats, S, counted, { B, T, unitsAt: 6 * N }));
    const end = await floats(whole(record));
    const after = await floats(whole(batch.stats));
    let clipped = 0;
    for (let s = 0; s < S; s++) {
      const of = { arrays, theta, reference, A, target, live, s };
      const want = learned(plan, policy, Uint32Array.of(0, 2, 3), of);
      const sum = (k: number): number => {
        let total = 0;
        for (let step = s * B * T; step < (s + 1) * B * T; step++) total += stats[6 * step + k]!;
        return total;
      };
      const { tally } = want;
      const unitSum = (k: number): number => {
        let total = 0;
        for (let step = s * B * T; step < (s + 1) * B * T; step++) total += stats[6 * S * B * T + 8 * step + k]!;
        return total;
      };
      const kinds = [4, 5, 6, 7].map(unitSum);
      expect(kinds, `clipped high, low, dual, outside the bounds, of replica ${s}`).toEqual([
        ...tally.clips.slice(1, 4),
        tally.outside,
      ]);
      clipped += kinds[3]!;
      if (!perStep) expect(tally.units).toBeGreaterThan(tally.steps);
      // Δ up to 3 with errors of 1e-6, ratios up to 20 times credit up to 2
      near(
        [0, 1, 2, 5].map(sum),
        [tally.policyLoss, tally.valueLoss, tally.klRef, tally.units],
        3e-5,
        `sums of replica ${s}`,
      );
      for (const { name, offset, rows, cols } of layout.tensors) {
        const mine = got.subarray(s * layout.size + offset).subarray(0, rows * cols);
        const theirs = want.gradient.subarray(offset, offset + rows * cols);
        const size = Math.sqrt(theirs.reduce((a, x) => a + x * x, 0)) + 1e-6;
        const error = Math.sqrt(theirs.reduce((a, x, k) => a + (x - mine[k]!) ** 2, 0));
        expect(error / size, `gradient of ${name}, replica ${s}`).toBeLessThan(3e-5);
      }
      const everything = learned(plan, policy, Uint32Array.of(0, 1, 2, 3), of);
      const { approxKL, ratioMax, klRef } = everything.tally;
      near(end.subarray(8 * s + 1, 8 * s + 4), [approxKL, ratioMax, klRef], 3e-5, `record of replica ${s}`);
      const steps = Array.from({ length: B * T }, (_, k) => s * B * T + k);
      const deltas = steps.map((step) => after[6 * step + 4]!);
      near(
        deltas,
        steps.map((step) => everything.delta[step]!),
        2e-5,
        'delta',
      );
    }
    expect(clipped).toBeGreaterThan(0);
    free();
  });
});
