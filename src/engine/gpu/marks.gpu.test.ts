import { expect, test } from 'vitest';
import { unitWeight } from '../../core/aggregate.ts';
import { LEFT_OUT } from '../../core/math/clip.ts';
import { choicesOf, softmax } from '../../core/math/distribution.ts';
import { sum } from '../../core/stats.ts';
import { numbers, wholes } from '../../gpu/conformance.ts';
import { CommandList, readBack, whole } from '../../gpu/recorder.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { originOf } from '../../contract/rows.ts';
import { outputsOf } from '../../networks/policy.ts';
import { sumPowers } from '../cpu/powers.ts';
import type { Plan } from '../plan.ts';
import { sampleRun } from '../sampleRun.ts';
import { surveyMinibatch } from '../unitSet.ts';
import type { RunBuffers } from './buffers.ts';
import { addMarks, knownOf } from './marks.ts';
import { REPORT_WORDS } from './report.ts';

const gpu = await testDevice();

const SIZES = { 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 5, 'task.grid.maxSteps': 37, 'run.seeds': 2 };
const flags = ['klCov', 'clipCov', 'hispo', 'capo'];
// whose marks read what had changed before the update
const ofProx = ['batch', 'moment'];
// bounds so near that ratios are held
const near = { 'objective.rejection.epsHigh': 0.05, 'objective.rejection.epsLow': 0.05 };

// a step to shorten in the look that is marked
const vcpo = { 'objective.epochs': 6 };

// bounds so near that many units are beyond them
const capo = { 'objective.capo.step': 4, 'objective.capo.shift': 0.05, 'objective.capo.loss': 0.02 };
// where all units stay
const kept = [
  { ...capo, 'objective.capo.most': 0 },
  { ...capo, 'objective.capo.step': 0 },
];

// where the first return is no number
const lacking = [{ 'objective.dpo.weights': 'gap' }, { 'objective.cpl.maxPairs': 3 }];

/** Σπ² and Σπ³ of the steps of a replica, from logits and legal actions. */
function powersOf(plan: Plan, out: Float32Array, legal: Uint32Array) {
  const choices = choicesOf(
    out,
    0,
    plan.actions,
    Uint32Array.from({ length: plan.actions }, (_, a) => 1 << a),
  );
  const p = new Float32Array(plan.actions);
  const powers = { squares: new Float64Array(legal.length), cubes: new Float64Array(legal.length) };
  legal.forEach((word, k) => {
    softmax({ ...choices, at: k * outputsOf(plan), bitsAt: 0, legal: word, inverse: 1 / plan.temperature }, p, 0);
    sumPowers(p, 0, plan.actions, powers, k);
  });
  return powers;
}

// with groups of five, whose rows lie in blocks, and of two seeds
test.each([
  ['gspo', {}],
  ['vespo', {}],
  ['gmpo', {}],
  ['decoupled', {}],
  ['hispo', { 'objective.hispo.deltaTok': 0.4, 'objective.hispo.deltaSeq': 0.05 }],
  ['hispo', { 'objective.hispo.deltaTok': 1.5, 'objective.hispo.deltaSeq': 0.03 }],
  ['klCov', { 'objective.klCov.share': 0.13 }],
  ['clipCov', { 'objective.clipCov.share': 0.1, 'objective.clipCov.percentile': 61 }],
  ['rlPlus', {}],
  ['rlPlus', { 'objective.rlPlus.exploration': 0, 'objective.rlPlus.mixture': 0.2 }],
  ['stableReinforce', {}],
  ['stableReinforce', { 'objective.stableReinforce.sigma': 1.1 }],
  ['rejection', {}],
  ['rejection', { 'objective.rejection.measure': 'mean', 'objective.rejection.low': 0.98, ...near }],
  ['rejection', { 'objective.rejection.measure': 'k3', 'objective.rejection.tau': 0.015, ...near }],
  [
    'rejection',
    {
      ...{ 'objective.rejection.measure': 'k3', 'objective.rejection.side': 'areal', 'objective.rejection.tau': 0.015 },
      ...{ 'objective.rejection.maskedUnits': 'count', 'objective.rejection.weight': 'ratio' },
    },
  ],
  ['rejection', { 'objective.rejection.measure': 'unit', 'objective.rejection.high': 1.1, ...near }],
  ['rolloutCorrection', {}],
  ['rolloutCorrection', { 'objective.rolloutCorrection.normalize': true, 'objective.rolloutCorrection.dual': false }],
  ['rolloutCorrection', { 'objective.rolloutCorrection.level': 'unit', 'objective.rolloutCorrection.cap': 1.1 }],
  [
    'rolloutCorrection',
    {
      ...{ 'objective.rolloutCorrection.beyond': 'mask', 'objective.rolloutCorrection.floor': 0.9 },
      ...{ 'objective.rolloutCorrection.level': 'episodeMean', 'objective.rolloutCorrection.cap': 1.02 },
      ...{ 'objective.rolloutCorrection.normalize': true },
    },
  ],
  ['rolloutCorrection', { 'objective.rolloutCorrection.form': 'reinforce' }],
  ['m2po', {}],
  ['m2po', { 'objective.m2po.limit': 0.005 }],
  ['capo', capo],
  ['capo', { ...capo, 'objective.capo.most': 0.31, 'objective.aggregate': 'seqMeanUnitMean' }],
  // fewer are beyond the bounds than may go
  ['capo', { 'objective.capo.step': 3, 'objective.capo.most': 0.5, 'objective.aggregate': 'seqMeanUnitMean' }],
  ...kept.map((changes) => ['capo', changes] as const),
  ['dpo', { 'objective.dpo.beta': 0.7 }],
  ['dpo', { 'objective.dpo.weights': 'gap', 'objective.dpo.length': 'mean', 'objective.dpo.maxPairs': 7 }],
  ['dpo', { 'objective.dpo.form': 'squared', 'objective.dpo.beta': 0.3, 'objective.dpo.maxPairs': 3 }],
  ['cpl', {}],
  ['cpl', { 'objective.cpl.reference': 'sampler', 'objective.cpl.lambda': 0.8, 'objective.cpl.length': 'mean' }],
  ['dpo', lacking[0]!],
  ['cpl', lacking[1]!],
  ['vcpo', vcpo],
  ['vcpo', { ...vcpo, 'objective.vcpo.form': 'code', 'objective.vcpo.cap': 1.1, 'objective.vcpo.rule': 'off' }],
  ['vcpo', { ...vcpo, 'objective.vcpo.scoreNorm': 'unit', 'objective.vcpo.rule': 'linear' }],
  ['vcpo', { ...vcpo, 'objective.vcpo.credit': 'advantage', 'objective.vcpo.baseEss': 0.7 }],
  ['alol', {}],
  ['alol', { 'objective.alol.eps': 0.1 }],
  ['alol', { 'objective.alol.form': 'perUnit', 'objective.alol.eps': 0.1 }],
  ['alol', { 'objective.alol.form': 'kl' }],
  ['alol', { 'objective.alol.form': 'refFree' }],
] as const)('%s: the marks of a device are those of the survey: %j', async (method, changes) => {
  const run = await sampleRun({ ...SIZES, 'objective.method': method, ...changes });
  const { plan } = run;
  run.dispose();
  const { S, B, T, G } = plan;
  const N = S * B * T;
  const marksAt = 3 * N;
  const lengths = wholes(1, S * B, T).map((n) => n + 1);
  const isShown = (row: number): boolean => ['rlPlus', 'alol'].includes(method) && row % G === G - 1;
  // every fourth trajectory is in another minibatch
  const members = Array.from({ length: B }, (_, i) => i).filter((i) => i % 4 !== 3);
  const [A, old, moved] = [numbers(2, N, -1, 1), numbers(3, N, -2, -0.001), numbers(4, N, -0.3, 0.3)];
  const aged = numbers(6, N, -0.3, 0.3);
  const outcome = numbers(5, S * B, 0, 1);
  const logits = numbers(7, N * outputsOf(plan), -2, 2);
  const legal = wholes(8, N, 2 ** plan.actions - 1).map((word) => word + 1);
  // an early step whose credit is no number
  if (method === 'capo') A[1] = NaN;
  if (lacking.includes(changes as (typeof lacking)[number])) outcome[0] = NaN;
  const task = Uint32Array.from({ length: S * B }, (_, row) => Math.floor((row % B) / G));
  const [update, pass] = [321, 5];
  const values: Record<string, Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>> = {
    plan: Float32Array.from({ length: 2 * S * B }, (_, k) =>
      k % 2 === 1
        ? lengths[k >> 1]!
        : ((k >> 1) % B) % 4 === 3
          ? 0
          : unitWeight(plan.aggregate, lengths[k >> 1]!, N, B, N),
    ),
    stats: Float32Array.from({ length: 6 * N }, (_, k) => (k % 6 === 4 ? moved[Math.floor(k / 6)]! : 99)),
    credit: Float32Array.from({ length: marksAt + N }, (_, k) => A[k] ?? 99),
    choice: legal,
    out: logits as Float32Array<ArrayBuffer>,
    sampled: old as Float32Array<ArrayBuffer>,
    outcome: outcome as Float32Array<ArrayBuffer>,
    taskIndex: task,
    length: lengths as Uint32Array<ArrayBuffer>,
    own: lengths.map((n, row) => (isShown(row) ? 0 : n)),
    roll: Uint32Array.of(0, update, ...plan.seeds),
    report: new Float32Array(S * REPORT_WORDS),
    squares: numbers(9, 3 * S * B, 0.1, 3) as Float32Array<ArrayBuffer>,
    rates: numbers(10, 4 * S * 6, 0.1, 1) as Float32Array<ArrayBuffer>,
  };
  const made = Object.fromEntries(
    Object.entries(values).map(([name, data]) => {
      const buffer = gpu.buffer(name, data.length, 0x80 | 0x08 | 0x04);
      gpu.device.queue.writeBuffer(buffer, 0, data);
      return [name, buffer];
    }),
  ) as Record<string, GPUBuffer>;
  const all = Object.values(made);
  const b = {
    ...made,
    ...{
      gpu,
      all,
      marksAt,
      columns: Object.fromEntries(['outcome', 'taskIndex', 'length'].map((name) => [name, whole(made[name]!)])),
    },
    report: () => whole(made['report']!),
  } as unknown as RunBuffers;
  const list = new CommandList(gpu, 'marks', all);
  const marks = plan.objective.marks!(plan.objectiveParams as never);
  const known = ofProx.includes(marks.of) ? knownOf(plan, b) : null;
  if (known) gpu.device.queue.writeBuffer(known, 0, aged as Float32Array<ArrayBuffer>);
  const isScored = !!plan.objective.readsScores?.(plan.objectiveParams as never);
  const squares = isScored ? { buffer: made['squares']!, columns: 3 } : null;
  await addMarks(list, plan, b, marks, { pass, squares });
  const encoder = gpu.device.createCommandEncoder();
  list.encode(encoder);
  gpu.device.queue.submit([encoder.finish()]);
  const got = new Float32Array(await readBack(gpu, whole(made['credit']!))).subarray(marksAt);
  // what is told comes from the marks, or from what comes with them
  const told = marks.of === 'batch' ? new Float32Array(await readBack(gpu, whole(known!))).subarray(N) : got;
  const rates = new Float32Array(await readBack(gpu, whole(made['rates']!)));
  for (const buffer of all) gpu.free(buffer);

  for (let s = 0; s < S; s++) {
    const of = <X extends { subarray(from: number, to: number): X }>(x: X, each: number): X =>
      x.subarray(s * each, (s + 1) * each);
    const mark = new Float64Array(B * T).fill(LEFT_OUT);
    const now = Float64Array.from(of(old, B * T), (x, k) => x + of(moved, B * T)[k]!);
    const prox = known ? Float64Array.from(of(old, B * T), (x, k) => x + of(aged, B * T)[k]!) : now;
    const { measured, stepScale = 1 } = surveyMinibatch(
      plan,
      Uint32Array.from(members),
      { s, update, pass },
      {
        ...{ unitsMax: 1, unitsAt: () => 1, length: of(lengths, B), A: of(A, B * T), old: of(old, B * T) },
        // without another policy in between, what changed in this look is what had changed at the start
        ...{ now, prox, outcome: of(outcome, B), task: of(task, B), mark },
        origin: Uint8Array.from({ length: B }, (_, i) => originOf(isShown(s * B + i) ? 'demo' : 'own')),
        powers: powersOf(plan, of(logits, B * T * outputsOf(plan)), of(legal, B * T)),
        scoreNorms: (ids) =>
          Float64Array.from(ids, (i) => sum(of(values['squares']!, 3 * B).subarray(3 * i, 3 * i + 3))),
      },
    );
    const step = 4 * (pass * S + s);
    expect(rates[step]! / values['rates']![step]!).toBeCloseTo(stepScale, 5);
    rates[step] = values['rates']![step]!;
    const device = of(got, B * T);
    // which units are marked is decided far from rounding here; sums of up to 37 numbers else, and their exponentials
    mark.forEach((want, k) => {
      if (Number.isNaN(want)) return expect(device[k]).toBeNaN();
      const allowed = flags.includes(method) ? 0 : 1e-5 + 1e-5 * Math.abs(want);
      expect(Math.abs(device[k]! - want), `step ${k}: ${device[k]} against ${want}`).toBeLessThanOrEqual(allowed);
    });
    const isEven = kept.includes(changes as (typeof kept)[number]);
    if (!mark.some(Number.isNaN)) expect(new Set(device.filter((x) => x !== LEFT_OUT)).size > 1).toBe(!isEven);
    if (!plan.objective.tells || !measured) continue;
    const real = Float64Array.from(of(told, B * T).filter((x) => x !== LEFT_OUT));
    const tells: Record<string, number | undefined> = plan.objective.tells(
      real,
      plan.objectiveParams as never,
    ).measured!;
    for (const [id, want] of Object.entries(measured)) expect(tells[id], id).toBeCloseTo(want, 4);
  }
  expect(rates, 'nothing but the rates of this step').toEqual(values['rates']);
});
