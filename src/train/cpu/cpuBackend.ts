import type { Batch } from '../../core/batch.ts';
import { sum } from '../../core/stats.ts';
import { clipByNorm } from '../../methods/optimizer/clip.ts';
import type { Credit } from '../../methods/types.ts';
import { METRICS, metricIndex, type MetricId } from '../../methods/analysis/metrics.ts';
import { batchOf, makeArrays, part, updateHash, type Arrays, writtenOf } from '../arrays.ts';
import {
  CHECKED_SLOTS,
  type Backend,
  type BatchView,
  type Live,
  type TrainState,
  type UpdateRecord,
} from '../backend.ts';
import { Control, isControlled } from '../control.ts';
import { minibatchesOf } from '../minibatch.ts';
import type { Plan, RolloutMode, Tasks } from '../plan.ts';
import { recordBatch, recordStart, recordUpdate, recordWeights, type Judged, type Ratios } from './record.ts';
import { reviseCredit } from '../creditRevision.ts';
import { greedyPlan } from '../greedy.ts';
import { processSettings } from '../processModel.ts';
import { copyBatch, matchSize, shareOf } from './batches.ts';
import { CpuGreedy } from './greedy.ts';
import { cpuName } from '../../policies/kernels.ts';
import { guardedStep } from './guardedStep.ts';
import { cutStep } from './klPreview.ts';
import { KlReward } from './klReward.ts';
import { emptyTally, makeCpuPolicy, type CpuPolicy, type Learning, type Tally } from './policy.ts';
import { CpuProcessModel } from './processModel.ts';
import { Playing } from './playing.ts';
import { rolloutReplica } from './rollout.ts';
import { RunningReward } from './runningReward.ts';
import { Survey } from './survey.ts';
import { accumulate, Chunk } from './update.ts';

const flagOf = (slot: (typeof CHECKED_SLOTS)[number]): number => CHECKED_SLOTS.indexOf(slot) + 1;

/**
 * The definitions over typed arrays: equal bits in every browser and in Node. Replicas are worked on one after the
 * other by the same code, so a replica in a batch of S is bit-identical to the same run alone.
 */
export class CpuBackend implements Backend {
  readonly kind = 'cpu';
  readonly description: string;
  readonly depth = 1;
  readonly lost = new Promise<string>(() => undefined);
  private readonly plan: Plan;
  private readonly arrays: Arrays;
  private readonly batches: Batch[];
  private readonly policy: CpuPolicy;
  private readonly chunk: Chunk;
  private readonly survey: Survey | null;
  private readonly process: CpuProcessModel | null;
  private readonly greedy: CpuGreedy | null;
  /** [S, B, T] Δ of each step at the end of the update */
  private readonly delta: Float32Array;
  private readonly gradient: Float32Array;
  private readonly theta: Float32Array;
  private readonly m: Float32Array;
  private readonly v: Float32Array;
  private readonly reference: Float32Array;
  private readonly playing: Playing;
  /** a copy of theta from before the last optimizer step */
  private readonly before: Float32Array;
  /** parameters and last gradient of the update before, for metrics only */
  private readonly last: Float32Array;
  private readonly lastGradient: Float32Array;
  private readonly control: Control | null;
  private readonly running: RunningReward | null;
  private readonly klReward: KlReward | null;
  private readonly credits: Credit[] = [];
  /** batches as the estimator saw them */
  private readonly judgedBatches: Batch[] = [];
  private readonly A: Float32Array;
  private readonly target: Float32Array;
  private readonly bad: Uint32Array;
  private readonly metrics: Float64Array;
  private readonly hash: Uint32Array;
  private tasks: Tasks | null = null;
  private steps = 0;

  constructor(plan: Plan, state: TrainState) {
    this.plan = plan;
    this.arrays = makeArrays(plan);
    const greedy = greedyPlan(plan);
    this.greedy = greedy && new CpuGreedy(plan, greedy);
    this.batches = Array.from({ length: plan.S }, (_, s) => {
      const batch = batchOf(plan, this.arrays, s);
      return this.greedy ? { ...batch, greedyReturn: this.greedy.returns(s) } : batch;
    });
    this.policy = makeCpuPolicy(plan);
    const { kernels } = this.policy;
    this.description = cpuName(kernels.isFast);
    this.chunk = new Chunk(this.policy.chunk);
    this.survey = plan.objective.survey ? new Survey(plan, this.policy) : null;
    this.control = isControlled(plan.control) ? new Control(plan.control, plan.S) : null;
    this.running = plan.normalizesReward ? new RunningReward(plan) : null;
    this.klReward = plan.control.klIn === 'reward' ? new KlReward(plan, this.policy) : null;
    const process = processSettings(plan);
    this.process = process && new CpuProcessModel(plan, process, this.policy);
    this.delta = new Float32Array(plan.S * plan.B * plan.T);
    const size = plan.S * plan.layout.size;
    this.gradient = kernels.floats(plan.layout.size);
    this.theta = kernels.floats(size);
    this.m = kernels.floats(size);
    this.v = kernels.floats(size);
    this.reference = kernels.floats(size);
    this.playing = new Playing(plan, this.policy, this.theta);
    this.before = new Float32Array(plan.layout.size * 3);
    this.last = new Float32Array(size);
    this.lastGradient = new Float32Array(size);
    this.A = new Float32Array(plan.S * plan.B * plan.T);
    this.target = new Float32Array(plan.S * plan.B * plan.T);
    this.bad = new Uint32Array(plan.S);
    this.metrics = new Float64Array(plan.S * METRICS).fill(NaN);
    this.hash = new Uint32Array(plan.S * 2);
    this.load(state);
  }

  load(state: TrainState): void {
    this.theta.set(state.theta);
    this.playing.load(state);
    this.last.set(state.theta);
    if (state.lastGradient) this.lastGradient.set(state.lastGradient);
    else this.lastGradient.fill(0);
    this.m.set(state.m);
    this.v.set(state.v);
    this.reference.set(state.reference);
    this.process?.load(state);
    this.running?.load(state.running);
    this.steps = state.steps;
    this.control?.load(state.control, state.steps);
    this.bad.fill(0);
  }

  async save(): Promise<TrainState> {
    return {
      update: this.tasks ? this.tasks.update + 1 : 0,
      steps: this.steps,
      theta: this.theta.slice(),
      m: this.m.slice(),
      v: this.v.slice(),
      reference: this.reference.slice(),
      lastGradient: this.lastGradient.slice(),
      ...this.playing.save(),
      ...(this.running ? { running: this.running.state.slice() } : {}),
      ...(this.control ? { control: this.control.save() } : {}),
      ...(this.process ? { process: this.process.save() } : {}),
    };
  }

  rollout(tasks: Tasks, mode: RolloutMode): void {
    const { plan, playing } = this;
    playing.mask?.begin(tasks.update, this.theta);
    if (mode === 'train') {
      this.tasks = tasks;
      this.playing.begin(tasks.update);
    }
    for (let s = 0; s < plan.S; s++) {
      const weights = mode === 'train' ? playing.weights(tasks, s) : playing.seen;
      const finite = rolloutReplica(plan, this.arrays, playing.player, weights, tasks, mode, s);
      if (!finite) this.flag(s, 'policy');
      if (playing.mask) this.put(s, 'maskedShare', playing.mask.removedShare());
      const won = shareOf(this.batches[s]!.success);
      if (mode !== 'train') this.put(s, mode === 'eval' ? 'evalSuccess' : 'heldOutSuccess', won);
    }
    if (mode === 'train') this.greedy?.play(playing.seen, tasks, playing.mask);
  }

  credit(live: Live = this.plan.live): void {
    const { plan } = this;
    const size = plan.B * plan.T;
    for (let s = 0; s < plan.S; s++) {
      this.process?.score(this.arrays, this.batches[s]!, s);
      this.judgedBatches[s] = this.payKl(s, live);
      const credit = plan.estimator.run(this.judgedBatches[s]!, plan.estimatorParams);
      this.credits[s] = credit;
      const A = this.A.subarray(s * size, (s + 1) * size);
      A.set(credit.A);
      if (plan.matched) matchSize(A, this.batches[s]!);
      reviseCredit(plan, A, this.batches[s]!, this.judged(s, A).probs);
      if (credit.target) this.target.set(credit.target, s * size);
      if (!A.every(Number.isFinite)) this.flag(s, 'advantage');
      recordBatch(plan, this.batches[s]!, this.judged(s, A), this.metrics, s);
    }
  }

  /** The batch as the estimator sees it. */
  private payKl(s: number, live: Live): Batch {
    const batch = this.running ? this.running.pay(this.batches[s]!, s) : this.batches[s]!;
    const { klCoef } = this.control ? this.control.liveOf(live, s) : live;
    if (!this.klReward || klCoef === 0) return batch;
    const paid = this.klReward.pay(batch, this.arrays, this.reference, s, klCoef);
    this.put(s, 'klRef', paid.kl);
    return paid.batch;
  }

  private readonly put = (s: number, id: MetricId, value: number): void => {
    this.metrics[s * METRICS + metricIndex[id]] = value;
  };

  private judged(s: number, A: Float32Array): Judged {
    const { plan, arrays } = this;
    const steps = plan.B * plan.T;
    let decisions = 0;
    for (let row = s * plan.B; row < (s + 1) * plan.B; row++)
      if (arrays.demo[row] !== 1) decisions += this.policy.unitsOf(arrays, row);
    return {
      A,
      target: plan.critic ? this.target.subarray(s * steps, (s + 1) * steps) : null,
      probs: arrays.probs.subarray(s * steps * plan.actions, (s + 1) * steps * plan.actions),
      legal: arrays.legal.subarray(s * steps, (s + 1) * steps),
      valueHeads: part(arrays.valueHeads, plan.S, s),
      command: part(arrays.command, plan.S, s),
      unitEntropy: part(arrays.unitEntropy, plan.S, s),
      decisions,
    };
  }

  optimize(update: number, live: Live): void {
    const { plan, arrays, playing, reference, A, delta, survey, control } = this;
    const mark = survey && survey.mark;
    const target = plan.critic ? this.target : null;
    const learning = (s: number, tally: Tally, gradient: Float32Array | null): Learning => {
      const own = control ? control.liveOf(live, s) : live;
      // a look has no gradient: there any weight above 0 only measures KL
      const isLook = gradient === null && control?.looksAtKl === true;
      const inLoss = isLook ? { ...own, klCoef: 1 } : this.klReward ? { ...own, klCoef: 0 } : own;
      const policyWeight = update < plan.criticWarmup ? 0 : 1;
      const common = { arrays, theta: playing.seen, reference, A, target, delta, mark, policyWeight } as const;
      return { ...common, s, live: inLoss, gradient, tally };
    };
    const all = Uint32Array.from({ length: plan.B }, (_, i) => i);
    const stepsBefore = this.steps;
    for (let s = 0; s < plan.S; s++) {
      this.steps = stepsBefore;
      const learned = emptyTally();
      const keep = this.credits[s]!.keep;
      let norm = 0;
      let count = 0;
      let looks = 0;
      let kept = 0;
      const prox = playing.startOf(arrays, s, update, this.put);
      epochs: for (let epoch = 0; epoch < plan.epochs; epoch++) {
        for (const members of minibatchesOf(plan, s, update, epoch)) {
          const trajectories = keep ? members.filter((i) => keep[i] === 1) : members;
          this.gradient.fill(0);
          const asked = survey?.run(arrays, playing.seen, A, trajectories, prox, { s, update, pass: count });
          looks++;
          const before = { kl: learned.approxKL, units: learned.units };
          accumulate(plan, this.policy, this.chunk, trajectories, learning(s, learned, this.gradient));
          const moved = (learned.approxKL - before.kl) / (learned.units - before.units);
          if (control && count > 0 && control.stopsAt(moved)) break epochs;
          if (count === 0 && plan.minibatches === 1)
            recordStart(plan, this.batches[s]!, delta, trajectories, learned, this.metrics, s);
          norm += this.step(s, live.learningRate * (asked?.stepScale ?? 1));
          count++;
          if (!plan.control.klPreview || this.bad[s] !== 0) continue;
          const look = learning(s, emptyTally(), null);
          kept += cutStep(plan, this.policy, this.chunk, trajectories, look, part(this.theta, plan.S, s), this.before);
          playing.see(s);
        }
      }
      const end = emptyTally();
      const told = survey?.run(arrays, playing.seen, A, all, prox, { s, update, pass: count }).measured;
      for (const [id, value] of Object.entries(told ?? {})) this.put(s, id as MetricId, value);
      accumulate(plan, this.policy, this.chunk, all, learning(s, end, null));
      const done = { learned, end, gradNorm: norm / count, optimizerSteps: looks };
      const klPaid = this.klReward && this.metrics[s * METRICS + metricIndex.klRef]!;
      recordUpdate(plan, this.batches[s]!, this.ratios(s), done, this.metrics, s);
      if (klPaid !== null) this.put(s, 'klRef', klPaid);
      this.recordWeights(s);
      if (plan.control.klPreview) this.put(s, 'stepKept', kept / count);
      this.steps = stepsBefore + plan.epochs * plan.minibatches;
      if (control?.settle(s, this.metrics, update, live, plan.B)) this.resetReference(s);
      if (this.process && this.bad[s] === 0) this.learnProcess(this.process, s, live);
    }
  }

  /** The present policy becomes the reference of replica s; its optimizer starts anew. */
  private resetReference(s: number): void {
    const { S } = this.plan;
    part(this.reference, S, s).set(part(this.theta, S, s));
    part(this.m, S, s).fill(0);
    part(this.v, S, s).fill(0);
  }

  private ratios(s: number): Ratios {
    const { plan, arrays, policy, delta } = this;
    const steps = plan.B * plan.T;
    const unitsAt = (step: number): number => (plan.ratioLevel === 'step' ? 1 : policy.unitsAt(arrays, step));
    return { delta, A: this.A.subarray(s * steps, (s + 1) * steps), unitsAt };
  }

  private recordWeights(s: number): void {
    const of = (array: Float32Array): Float32Array => part(array, this.plan.S, s);
    recordWeights(of(this.theta), of(this.last), this.gradient, of(this.lastGradient), this.metrics, s);
  }

  /** One optimizer step of replica s, unless a number was not finite: then nothing moves. Returns the gradient norm. */
  private step(s: number, learningRate: number): number {
    const { plan } = this;
    const at = this.control ? ++this.control.state.taken[s]! : ++this.steps;
    const norm = clipByNorm(this.gradient, plan.clipNorm);
    if (!Number.isFinite(norm)) this.flag(s, 'objective');
    if (this.bad[s] !== 0) return norm;
    const of = (array: Float32Array): Float32Array => part(array, plan.S, s);
    const moved = { theta: of(this.theta), m: of(this.m), v: of(this.v), before: this.before };
    if (!guardedStep(plan, this.policy.kernels, moved, this.gradient, at, learningRate)) this.flag(s, 'optimizer');
    this.playing.see(s);
    return norm;
  }

  /** φ's own step, after the credit was given with φ as it was. */
  private learnProcess(process: CpuProcessModel, s: number, live: Live): void {
    const { preference, trouble } = process.learn(this.arrays, this.batches[s]!, s, live.learningRate);
    if (trouble) this.flag(s, trouble);
    if (preference.pairs === 0) return;
    this.metrics[s * METRICS + metricIndex.pairAccuracy] = preference.accuracy;
    this.metrics[s * METRICS + metricIndex.pairLoss] = preference.loss;
  }

  private flag(s: number, slot: (typeof CHECKED_SLOTS)[number]): void {
    if (this.bad[s] === 0) this.bad[s] = flagOf(slot);
  }

  async finish(update: number): Promise<UpdateRecord> {
    const { plan, arrays } = this;
    const rows = plan.B * plan.T;
    let envSteps = 0;
    for (let s = 0; s < plan.S; s++) {
      const steps = sum(this.batches[s]!.length) + (this.greedy?.steps(s) ?? 0);
      this.playing.steps.add(s, update, steps);
      envSteps += steps;
      const seedOf = (i: number): number => this.tasks!.levelSeeds[this.tasks!.levelOf[s * plan.B + i]!]!;
      const milli = arrays.rewardMilli.subarray(s * rows, (s + 1) * rows);
      updateHash(plan.B, plan.T, seedOf, this.batches[s]!.length, this.batches[s]!.action, milli, this.hash, 2 * s);
    }
    const record = { update, metrics: this.metrics.slice(), hash: this.hash.slice(), bad: this.bad.slice(), envSteps };
    this.metrics.fill(NaN);
    return record;
  }

  async view(replica: number): Promise<BatchView> {
    const { plan, arrays } = this;
    const part = <T extends Float32Array | Uint32Array>(array: T): T => {
      const n = array.length / plan.S;
      return array.slice(replica * n, (replica + 1) * n) as T;
    };
    const parts = Object.entries(this.credits[replica]?.parts ?? {}).map(([name, values]) => [name, values.slice()]);
    return {
      replica,
      update: this.tasks!.update,
      batch: copyBatch(this.judgedBatches[replica] ?? this.batches[replica]!),
      A: part(this.A),
      parts: Object.fromEntries(parts) as Record<string, Float32Array>,
      state: part(arrays.state),
      probs: part(arrays.probs),
      levelSeeds: part(this.tasks!.levelOf).map((k) => this.tasks!.levelSeeds[k]!),
      theta: part(this.playing.played(this.tasks!.update, replica)),
      ...(this.playing.mask ? { mask: part(this.playing.mask.weights) } : {}),
      after: part(this.theta),
      delta: realSteps(plan, part(arrays.length), part(this.delta)),
      weights: this.survey?.asked[replica]?.weights,
      ...(plan.policy.kind === 'transformer' ? { written: writtenOf(arrays, part) } : {}),
    };
  }

  memory(): Readonly<Record<string, number>> {
    const bytes = (list: readonly { byteLength: number }[]): number => list.reduce((n, a) => n + a.byteLength, 0);
    return {
      batch: bytes(Object.values(this.arrays)) + (this.greedy?.bytes ?? 0),
      weights:
        bytes([this.theta, this.m, this.v, this.reference, this.gradient]) +
        this.playing.bytes +
        (this.process?.bytes ?? 0),
    };
  }

  dispose(): void {
    // typed arrays are freed with the object
  }
}

/** The same numbers with 0 on padding, which may hold those of a longer episode. */
function realSteps({ T }: Plan, length: Uint32Array, values: Float32Array): Float32Array {
  length.forEach((n, i) => values.fill(0, i * T + n, (i + 1) * T));
  return values;
}

export async function makeCpuBackend(plan: Plan, state: TrainState): Promise<Backend> {
  return new CpuBackend(plan, state);
}
