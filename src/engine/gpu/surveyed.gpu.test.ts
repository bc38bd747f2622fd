import { thetaOf } from '../../contract/state.ts';
import { expect, test } from 'vitest';
import { sum } from '../../core/stats.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import { train } from '../sampleRun.ts';
import { marksAlike, openSmall, scoreLengthsAlike, trainAlike } from '../../check/sideBySide.ts';

const gpu = await testDevice();

const old = { 'rollout.staleness': 2 };
// two words for some commands, one for others
const words = {
  ...{ 'policy.method': 'transformer', 'policy.transformer.width': 8, 'policy.transformer.hidden': 12 },
  ...{
    'policy.transformer.layers': 1,
    'task.method': 'textmaze',
    'task.textmaze.maxSteps': 5,
    'reward.textmaze.invalid': -70,
  },
};
// every episode is paid for its length, so that the baseline of a group depends on the lengths of its scores
const scored = { ...old, 'reward.grid.step': -7, 'objective.minibatches': 3, 'policy.mlp.hidden': [13, 9] };
// some episodes are paid more than 0 and some less
const bonuses = { 'task.grid.level': 'bonusRoom', 'task.grid.maxSteps': 16, 'reward.grid.step': -7 };
const few = { 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 3, 'objective.minibatches': 2 };
// returns that differ with the length of an episode
const paired = { 'objective.aggregate': 'seqMeanUnitSum', 'reward.grid.step': -7 };
// bounds so near that units go, by both rules and by the share
const capo = { ...old, 'objective.minibatches': 2, 'objective.capo.shift': 0.02, 'objective.capo.loss': 0.01 };
// bounds so near that ratios are clipped, and many candidates
const clipped = {
  ...{ 'objective.clipCov.share': 0.1, 'objective.clipCov.percentile': 70, 'objective.clipCov.low': 0.001 },
  ...{ 'objective.clipCov.epsHigh': 0.01, 'objective.clipCov.epsLow': 0.01, 'objective.minibatches': 2 },
};
const COMPARED: readonly MetricId[] = [
  ...(['success', 'entropy', 'ess', 'approxKL', 'gradNorm', 'policyLoss', 'essStart', 'clipFraction'] as const),
  ...(['updateNorm', 'clipHigh', 'clipLow', 'clipOutside', 'klRef'] as const),
  ...(['behaviourWeight', 'behaviourLow', 'behaviourHigh', 'behaviourCapped', 'rejectedShare'] as const),
];

// Ranks of covariances and which units are drawn may turn on a last digit; two updates are compared.
test.each([
  ['gspo', { 'objective.aggregate': 'seqMeanUnitMean', 'objective.minibatches': 2 }],
  ['luspo', { ...old, 'objective.aggregate': 'seqMeanUnitSum', 'objective.minibatches': 2 }],
  ['vespo', { ...old, 'objective.minibatches': 2 }],
  ['gmpo', { 'objective.gmpo.epsHigh': 0.02, 'objective.aggregate': 'seqMeanUnitMean', 'objective.minibatches': 2 }],
  ['dppo', { ...old, 'objective.dppo.form': 'kl', 'objective.dppo.klHigh': 0.001, 'objective.minibatches': 2 }],
  ['dro', { ...old, 'objective.minibatches': 2, 'reward.grid.step': -7 }],
  ['ppoClip', { 'objective.aggregate': 'unitSum', 'objective.minibatches': 2, 'optimizer.method': 'sgd' }],
  ['m2po', { ...old, 'objective.m2po.limit': 0.0005, 'objective.minibatches': 2, 'reward.grid.step': -7 }],
  ['ppoClip', { ...old, 'objective.topEntropy': 0.4, 'objective.minibatches': 2 }],
  ['gspo', { ...old, 'objective.offPolicyKl': 0.01 }],
  ['reinforce', { ...words, ...old, 'objective.offPolicyKl': 0.02, 'objective.topEntropy': 0.6 }],
  ['klCov', {}],
  ['klCov', { ...old, 'objective.minibatches': 2, 'objective.klCov.share': 0.2, 'reward.grid.step': -7 }],
  ['clipCov', { ...clipped, 'reward.grid.step': -7 }],
  ['clipCov', { ...clipped, 'objective.clipCov.bounds': 'absolute', 'control.klStop.on': true }],
  ['rlPlus', { 'objective.minibatches': 2 }],
  ['stableReinforce', {}],
  ['decoupled', { ...old, 'objective.minibatches': 2, 'objective.decoupled.cap': 1.01 }],
  ['decoupled', { ...old, 'objective.minibatches': 2, 'objective.decoupled.prox': 'loglinear' }],
  ['rolloutCorrection', { ...old, 'objective.minibatches': 2 }],
  ['rolloutCorrection', { ...old, 'objective.rolloutCorrection.form': 'reinforce' }],
  ['rejection', { ...old, 'objective.rejection.measure': 'mean' }],
  ['rejection', { ...words, ...old, 'objective.rejection.high': 1.01 }],
  ['aepo', { ...old, 'objective.aepo.gate': 0.5, 'objective.aepo.epsHigh': 0.01 }],
  ['hispo', { ...old, 'objective.hispo.deltaTok': 0.5, 'objective.hispo.deltaSeq': 0.2 }],
  ['vcpo', { ...old, 'objective.vcpo.scoreNorm': 'unit', 'objective.minibatches': 3 }],
  ['vcpo', { ...scored, 'objective.vcpo.form': 'code', 'advantage.method': 'gae' }],
  ['vcpo', { ...scored, 'policy.method': 'tabular', 'objective.klCoef': 0.2, 'optimizer.learningRate': 0.1 }],
  ['vcpo', { ...old, 'objective.vcpo.credit': 'advantage', 'advantage.method': 'loop' }],
  ['vcpo', { ...scored, 'objective.vcpo.rule': 'linear', 'control.klStop.on': true, 'control.klStop.limit': 0.01 }],
  ['vcpo', { ...scored, 'objective.topEntropy': 0.6 }],
  ['gspo', { ...words, 'objective.minibatches': 2 }],
  ['klCov', { ...words, 'objective.ratioLevel': 'step' }],
  ['decoupled', { ...words, ...old, 'objective.decoupled.cap': 1.01 }],
  ['decoupled', { ...words, ...old, 'objective.ratioLevel': 'stepMean', 'objective.decoupled.prox': 'loglinear' }],
  ['aepo', { ...words, ...old, 'objective.aepo.gate': 0.3, 'objective.aepo.epsHigh': 0.01 }],
  ['vcpo', { ...words, ...old, 'objective.vcpo.scoreNorm': 'unit', 'objective.minibatches': 2 }],
  ['vcpo', { ...words, ...old, ...few, 'reward.textmaze.step': -7 }],
  ['rlPlus', { ...words, 'objective.minibatches': 2 }],
  ['rover', { ...old, 'objective.minibatches': 2, 'reward.grid.step': -7, 'advantage.method': 'grpo' }],
  ['rover', { 'objective.rover.reward': 'batch', ...bonuses, 'objective.minibatches': 2 }],
  ['rover', { 'objective.rover.clip': 0.02, 'reward.grid.step': -7, 'advantage.method': 'grpo' }],
  ['dpo', { ...paired, ...old, 'objective.minibatches': 3, 'objective.dpo.maxPairs': 3 }],
  ['dpo', { ...paired, 'objective.dpo.weights': 'gap', 'objective.dpo.form': 'squared' }],
  ['cpl', { ...paired, 'objective.cpl.length': 'mean' }],
  ['mhpo', { ...old, 'objective.minibatches': 2, 'reward.grid.step': -7 }],
  ['capo', { ...capo, 'objective.aggregate': 'seqMeanUnitMean', 'reward.grid.step': -7 }],
  ['capo', { ...capo, 'objective.topEntropy': 0.6, 'reward.grid.step': -7 }],
  ['alol', { ...old, 'objective.aggregate': 'seqMeanUnitSum' }],
] as const)('%s on the GPU agrees with the CPU: %j', async (method, changes) => {
  await agree({ 'objective.method': method, ...changes }, 3);
});

// Every step is paid, so that covariances differ from the first update on.
const covariance = { 'objective.method': 'clipCov', ...clipped };
test.each([
  ['steps', { ...covariance, 'reward.grid.step': -7 }, 3],
  ['words', { ...covariance, ...words, 'reward.textmaze.step': -7 }, 2],
])(
  'Clip-Cov leaves out on the GPU what it leaves out on the CPU, and trains alike: %s',
  async (_, changes, updates) => {
    const { marks, clipped } = await marksAlike(changes, gpu, updates, COMPARED);
    // 2 replicas, 2 epochs of 2 minibatches and the look at the end; a tenth of the units, unless the clip leaves fewer
    expect(marks.length).toBe(updates * 2 * 5);
    for (const look of marks) expect(sum(look)).toBeLessThanOrEqual(Math.max(1, Math.floor(0.1 * look.length)));
    expect(sum(marks.map(sum))).toBeGreaterThan(marks.length);
    expect(clipped).toBeGreaterThan(0);
  },
);

test.each(['exactForward', 'k2', 'abs', 'k3Plus'])('the %s penalty on the GPU agrees with the CPU', async (form) => {
  await agree({ 'objective.klForm': form, 'objective.klCoef': 0.5 }, 2);
});

async function agree(changes: Record<string, unknown>, updates: number): Promise<void> {
  const onGpu = await openSmall(changes, gpu);
  const onCpu = await openSmall(changes);
  expect(onGpu.backend.kind).toBe('webgpu');
  await trainAlike(onGpu, onCpu, updates, COMPARED);
  for (const s of [0, 1]) {
    const [mine, theirs] = [(await onGpu.backend.view(s)).weights, (await onCpu.backend.view(s)).weights];
    expect(mine !== undefined).toBe(['decoupled', 'rolloutCorrection'].includes(changes['objective.method'] as string));
    expect(mine && sum(mine.units)).toEqual(theirs && sum(theirs.units));
    expect(Math.abs((mine?.high ?? 1) - (theirs?.high ?? 1))).toBeLessThan(1e-3);
  }
  onGpu.dispose();
}

test('lengths of scores where actions are written are those of the CPU, in every look at every replica', async () => {
  const changes = { ...words, ...few, 'policy.transformer.layers': 2, 'objective.method': 'vcpo' };
  const { plan } = await openSmall({ ...changes, 'advantage.method': 'gae' });
  await scoreLengthsAlike(plan, gpu);
});

test.each([
  ['steps', {}, 4],
  ['words', { ...words, ...few, 'reward.textmaze.step': -7 }, 2],
])('replicas with their own step factors are those of single runs, bit for bit: %s', async (_, kind, updates) => {
  const changes = { ...kind, ...old, 'objective.method': 'vcpo' };
  const both = await openSmall(changes, gpu);
  await train(both, updates);
  const alone = await openSmall({ ...changes, 'run.seeds': 1, 'run.seed': both.plan.seeds[1]! }, gpu);
  await train(alone, updates);
  const { size } = both.plan.layout;
  expect(thetaOf(await alone.backend.save())).toEqual(thetaOf(await both.backend.save()).slice(size));
  both.dispose();
  alone.dispose();
});
