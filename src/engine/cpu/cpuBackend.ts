import { wordsOf } from '../../networks/policy.ts';
import type { TrainState } from '../../contract/state.ts';
import { copiesOf } from '../../config/runState.ts';
import { StateStore } from '../../contract/stateStore.ts';
import type { Credit } from '../../slots/types.ts';
import { METRICS, metricIndex, unmeasured, type ChosenNumbers, type MetricId } from '../../slots/metrics/metrics.ts';
import { part, type Batch } from '../../contract/columns.ts';
import { areFinite, sum } from '../../core/stats.ts';
import { forksOf } from '../forksOf.ts';
import { withOutcomes } from '../outcomes.ts';
import { batchOf, levelsPlayed, makeArrays, makeUpdateArrays, hashReplica, type Arrays, writtenOf } from '../arrays.ts';
import { CHECKED_SLOTS, ofReplica, type Backend, type BatchView, type Live, type UpdateRecord } from '../backend.ts';
import { Control, isControlled } from '../control.ts';
import { minibatchesOf } from '../minibatch.ts';
import type { Plan, RolloutMode, Tasks } from '../plan.ts';
import { drive, type Waiting } from '../waiting.ts';
import { startsOf, statesOf, stateSizes } from '../stateTable.ts';
import { judgedOf, recordBatch, recordStart, recordUpdate, type Judged, type Ratios } from './record.ts';
import { creditOf } from '../creditOf.ts';
import { reviseCredit } from '../creditRevision.ts';
import { keepCredit } from '../unitCredit.ts';
import { sideOfPlan } from '../sideEpisodes.ts';
import { processOf } from '../processModel.ts';
import { bytesIn, copyBatch, keptRows, realSteps, shareOf, stepsPlayed } from './batches.ts';
import type { CpuSideEpisodes } from './sideEpisodes.ts';
import { ownFloats } from '../../networks/kernelFloats.ts';
import { cpuName } from '../../networks/kernels.ts';
import { CpuPay } from './pay.ts';
import { emptyTally, makeCpuPolicy, type CpuPolicy, type Learning, type Tally } from './policy.ts';
import type { CpuProcessModel } from './processModel.ts';
import type { CpuStepScores } from './stepScores.ts';
import { Playing } from './playing.ts';
import type { CpuReturning } from './returning.ts';
import { partsOf, type Parts } from './parts.ts';
import { playOf, playReplica } from './rollout.ts';
import type { MakeRows, Rows } from './rows/rows.ts';
import type { Survey } from './survey.ts';
import { accumulate, Chunk } from './update.ts';
import { Weights } from './weights.ts';

const flagOf = (slot: (typeof CHECKED_SLOTS)[number]): number => CHECKED_SLOTS.indexOf(slot) + 1;
export type At = { readonly s: number; readonly update: number; readonly live: Live };

/**
 * The definitions over typed arrays: equal bits in every browser and in Node. Replicas are worked on one after the
 * other by the same code, so a replica in a batch of S is bit-identical to the same run alone.
 */
export class CpuBackend implements Backend {
  readonly kind = 'cpu';
  description: string;
  readonly depth = 1;
  readonly lost = new Promise<string>(() => undefined);
  protected readonly plan: Plan;
  protected readonly arrays: Arrays;
  private readonly made: Arrays;
  private readonly batches: Batch[];
  protected readonly policy: CpuPolicy;
  protected readonly chunk: Chunk;
  readonly rows: Rows | null;
  protected readonly survey: Survey | null;
  private readonly process: CpuProcessModel | null;
  private readonly scores: CpuStepScores | null;
  private readonly side: CpuSideEpisodes | null;
  private readonly returning: CpuReturning | null;
  private readonly delta: Float32Array; // [S, B, T] Δ of each step at the end of the update
  /** everything that is remembered between updates; the parts below work on its tensors */
  private readonly state: StateStore;
  protected readonly weights: Weights;
  protected readonly playing: Playing;
  private readonly control: Control | null;
  private readonly paying: CpuPay;
  protected readonly credits: Credit[] = [];
  private readonly judgedBatches: Batch[] = []; // as the estimator saw them
  protected readonly A: Float32Array;
  private readonly unitA: Float32Array | null; // [S, B, T, K] where units have advantages of their own
  private readonly target: Float32Array;
  private readonly bad: Uint32Array;
  readonly metrics: Float64Array;
  readonly chosen: ChosenNumbers | null; // metrics that the config switched on
  private readonly hash: Uint32Array;
  private tasks: Tasks | null = null;
  private steps = 0;

  constructor(plan: Plan, state: TrainState, parts: Parts) {
    this.plan = plan;
    const shared = (columns: Arrays): Arrays => parts.rows?.share(columns) ?? columns;
    this.arrays = shared(makeArrays(plan));
    this.batches = Array.from({ length: plan.S }, (_, s) => batchOf(plan, this.arrays, s));
    const spec = statesOf(plan);
    const copies = copiesOf(spec, plan.behavior.lag, plan.behavior.unified);
    const floats = ownFloats(plan.layout.size, plan.S, copies) + (parts.rows?.floats(plan) ?? 0);
    this.policy = makeCpuPolicy(plan, floats);
    const { kernels } = this.policy;
    const made = (this.made = shared(makeUpdateArrays(plan)));
    const rows = (this.rows = parts.rows?.open(plan, this.policy, { arrays: this.arrays, made }) ?? null);
    const sites = rows?.sites ?? null;
    const side = sideOfPlan(plan);
    this.side = side && parts.Side && new parts.Side(plan, side, this.policy, sites?.side?.arrays);
    this.chunk = new Chunk(this.policy.chunk);
    this.description = cpuName(kernels.isFast, this.rows?.cores);
    this.unitA = made.unitCredit.length > 0 ? made.unitCredit : null;
    this.survey = parts.Survey && new parts.Survey(plan, this.policy, made);
    this.state = new StateStore(spec, stateSizes(plan), startsOf(plan), (n) => kernels.floats(n));
    this.control = isControlled(plan.control) ? new Control(plan.control, this.state) : null;
    this.paying = new CpuPay(plan, this.policy, this.state, made);
    const process = processOf(plan);
    this.process = process && parts.Process && new parts.Process(plan, process, this.policy, this.state);
    this.scores = parts.scoring && parts.scoring.of(plan, this.policy);
    this.weights = new Weights(plan, kernels, this.state);
    this.playing = new Playing(plan, this.policy, this.state, { made, beside: sites?.round?.arrays ?? null }, parts);
    const { policy, state: store, playing } = this;
    this.returning = parts.returning && parts.returning({ plan, policy, store, playing, sites });
    ({ delta: this.delta, credit: this.A, target: this.target } = made);
    [this.bad, this.hash] = [new Uint32Array(plan.S), new Uint32Array(plan.S * 2)];
    this.metrics = new Float64Array(plan.S * METRICS).fill(NaN);
    this.chosen = unmeasured(plan.chosenMetrics, plan.S);
    this.load(state);
  }

  load(state: TrainState): void {
    this.state.load(state);
    this.steps = state.steps;
    this.weights.begin();
    this.playing.loaded();
    this.bad.fill(0);
  }

  async save(): Promise<TrainState> {
    return { update: this.tasks ? this.tasks.update + 1 : 0, steps: this.steps, tensors: this.state.save() };
  }

  rollout(tasks: Tasks, mode: RolloutMode): void | Promise<void> {
    return drive(this.play(tasks, mode));
  }

  private *play(tasks: Tasks, mode: RolloutMode): Waiting {
    const { plan, playing, rows } = this;
    const { restriction } = playing;
    restriction?.begin(tasks.update, this.weights.theta);
    if (mode === 'train') {
      this.tasks = tasks;
      this.playing.begin(tasks.update);
    }
    for (let s = 0; s < plan.S; s++) {
      const weights = mode === 'train' ? playing.weights(tasks.update, s) : playing.seen;
      const remembered = this.returning?.during(tasks.update, s, mode === 'train');
      const by = { policy: playing.player, theta: weights, ...remembered };
      const play = playOf(plan, this.arrays, { ...by, tasks, mode }, s);
      if (!(yield* playReplica(play, playing.rounds, rows))) this.flag(s, 'policy');
      if (restriction) this.put(s, restriction.metric, restriction.removedShare());
      const won = shareOf(this.batches[s]!.success);
      if (mode !== 'train') this.put(s, mode === 'eval' ? 'evalSuccess' : 'heldOutSuccess', won);
    }
    if (mode === 'train' && this.side) yield* this.side.play(playing.seen, tasks, restriction, this.arrays, rows);
    for (let s = 0; s < plan.S && mode === 'train'; s++)
      if (this.returning && !(yield* this.returning.play(tasks, s, this.put, rows))) this.flag(s, 'policy');
  }

  credit(live: Live = this.plan.live): void {
    const { plan } = this;
    const size = plan.B * plan.T;
    for (let s = 0; s < plan.S; s++) {
      this.process?.score(this.arrays, s);
      this.judgedBatches[s] = this.payKl(s, live);
      this.scores?.fill(this.arrays, this.tasks!, part(this.playing.seen, plan.S, s), s);
      const credit = creditOf(plan, this.judgedBatches[s]!);
      this.credits[s] = credit;
      const A = this.A.subarray(s * size, (s + 1) * size);
      keepCredit(credit, this.made, s, this.batches[s]!, (step) => this.policy.unitsAt(this.arrays, s * size + step));
      const { probs } = this.judged(s, A);
      reviseCredit(plan.revisions, A, { batch: this.batches[s]!, probs, actions: plan.actions });
      if (!areFinite(A)) this.flag(s, 'advantage');
      recordBatch(plan, this.batches[s]!, this.judged(s, A), this, s);
      if (plan.rewards.length > 0) this.put(s, 'shapedReturn', this.paying.shaped(s, this.batches[s]!));
    }
  }

  /** The batch as the estimator sees it. */
  private payKl(s: number, live: Live): Batch {
    const { klCoef } = this.control ? this.control.liveOf(live, s) : ofReplica(live, s);
    const of = { klCoef, reference: this.weights.reference };
    const { batch, kl } = this.paying.pay(this.batches[s]!, this.arrays, this.tasks!, s, of);
    if (kl !== null) this.put(s, 'klRef', kl);
    if (this.plan.rewards.length > 0 && !areFinite(batch.reward)) this.flag(s, 'reward');
    return batch;
  }

  protected readonly put = (s: number, id: MetricId, value: number): void => {
    this.metrics[s * METRICS + metricIndex[id]] = value;
  };

  private judged(s: number, A: Float32Array): Judged {
    return judgedOf({ plan: this.plan, policy: this.policy, arrays: this.arrays, target: this.target }, s, A);
  }

  optimize(update: number, live: Live): void | Promise<void> {
    return drive(this.settle(update, live));
  }

  private *settle(update: number, live: Live): Waiting {
    const { plan, control } = this;
    const stepsBefore = this.steps;
    this.rows?.begin();
    for (let s = 0; s < plan.S; s++) {
      this.steps = stepsBefore;
      const own = ofReplica(live, s);
      yield* this.learn({ s, update, live: own });
      if (this.bad[s] === 0) yield* this.remember(s, own);
      this.weights.record(this.metrics, s);
      this.steps = stepsBefore + plan.epochs * plan.minibatches;
      if (control?.settle(s, this.metrics, update, own, plan.B)) this.weights.resetReference(s);
      // φ takes its own step after the credit was given with φ as it was
      const process = this.bad[s] === 0 ? this.process : null;
      const trouble = process?.settle(this.arrays, this.batches[s]!, s, { rate: own.learningRate, put: this.put });
      if (trouble) this.flag(s, trouble);
    }
    this.rows?.rest();
  }

  /** All optimizer steps of a replica, and what they did. */
  private *learn(at: At): Waiting {
    const { plan, arrays, playing, survey, control, rows } = this;
    const { s, update, live } = at;
    // nothing of the replica before, where no row of this one trains
    const gradient = this.weights.gradient.fill(0);
    const learned = emptyTally();
    const keep = keptRows(this.credits[s]!.keep, part(arrays.trains, plan.S, s));
    let [norm, count, looks, kept] = [0, 0, 0, 0];
    const start = playing.startOf(arrays, s, update, this.put);
    const judged = { batch: this.batches[s]!, written: this.judged(s, this.A), delta: this.delta };
    start?.record(arrays, judged, this.metrics, s);
    const prox = start?.prox ?? null;
    const credited = { arrays, theta: playing.seen, A: this.A };
    const ask = function* (trajectories: Uint32Array) {
      return survey ? yield* survey.runOn(rows, credited, trajectories, prox, { s, update, pass: count }) : null;
    };
    epochs: for (let epoch = 0; epoch < playing.epochs(arrays, s); epoch++) {
      for (const members of minibatchesOf(plan, s, update, epoch, this.batches[s]!.taskIndex)) {
        const trajectories = keep ? members.filter((i) => keep[i] === 1) : members;
        gradient.fill(0);
        const asked = yield* ask(trajectories);
        looks++;
        const before = { kl: learned.approxKL, units: learned.units };
        yield* this.look(at, trajectories, learned, gradient, plan.countsMasked ? members.length : undefined);
        this.returning?.learn({ s, update, live: this.inForce(at, false), pass: count }, this.weights);
        const moved = (learned.approxKL - before.kl) / (learned.units - before.units);
        if (control && count > 0 && control.stopsAt(moved)) break epochs;
        if (!start && count === 0 && plan.minibatches === 1)
          recordStart(plan, this.batches[s]!, this.ratios(s), { trajectories, ...learned }, this.metrics);
        norm += this.step(s, live.learningRate * (asked?.stepScale ?? 1));
        count++;
        if (plan.control.cutsAt !== null && this.bad[s] === 0) kept += yield* this.preview(at, trajectories);
      }
    }
    const all = Uint32Array.from({ length: plan.B }, (_, i) => i);
    for (const [id, value] of Object.entries((yield* ask(all))?.measured ?? {})) this.put(s, id as MetricId, value);
    const end = emptyTally();
    yield* this.look(at, all, end, null);
    const klPaid = this.paying.klReward && this.metrics[s * METRICS + metricIndex.klRef]!;
    const compares = this.inForce(at, true).klCoef > 0;
    const done = { learned, end, compares, gradNorm: norm / count, optimizerSteps: looks };
    recordUpdate(plan, this.batches[s]!, this.ratios(s), done, this.metrics);
    if (klPaid !== null) this.put(s, 'klRef', klPaid);
    if (plan.control.cutsAt !== null) this.put(s, 'stepKept', kept / count);
  }

  /** The coefficients of a look; `measures`: no gradient follows, where any weight above 0 only measures KL. */
  private inForce({ s, live }: At, measures: boolean): Live {
    const { control } = this;
    const own = control ? control.liveOf(live, s) : live;
    if (measures && control?.settings.looksAtKl === true) return { ...own, klCoef: 1 };
    return this.paying.klReward ? { ...own, klCoef: 0 } : own;
  }

  /** Looks at trajectories with the present weights; without a gradient only to measure. `rows`: see `Learning`. */
  private *look(at: At, which: Uint32Array, tally: Tally, gradient: Float32Array | null, rows?: number): Waiting {
    const learning = this.learning(at, tally, gradient, rows);
    if (this.rows && (yield* this.rows.accumulate(this.chunk, which, learning))) return;
    accumulate(this.plan, this.policy, this.chunk, which, learning);
  }

  protected learning(at: At, tally: Tally, gradient: Float32Array | null, rows?: number): Learning {
    const { plan, arrays, playing, A, delta, survey } = this;
    const { reference } = this.weights;
    return {
      ...{ arrays, theta: playing.seen, reference, A, unitA: this.unitA, delta, gradient, tally },
      unitTarget: this.made.unitTarget,
      s: at.s,
      live: this.inForce(at, gradient === null),
      target: plan.critic ? this.target : null,
      mark: survey && survey.mark,
      rows,
      policyWeight: at.update < plan.criticWarmup ? 0 : (this.returning?.own(at.s) ?? 1),
    };
  }

  /** Looks at a minibatch after its step and cuts the step if it led too far; the share that was kept. */
  private *preview(at: At, trajectories: Uint32Array): Waiting<number> {
    const seen = emptyTally();
    yield* this.look(at, trajectories, seen, null);
    const share = this.weights.cut(at.s, seen.klRef / seen.steps, this.plan.control.cutsAt!);
    this.playing.see(at.s);
    return share;
  }

  private ratios(s: number): Ratios {
    const { plan, arrays, policy, delta } = this;
    const steps = plan.B * plan.T;
    const unitsAt = (step: number): number => (plan.ratioLevel !== 'unit' ? 1 : policy.unitsAt(arrays, step));
    return { s, delta, A: this.A.subarray(s * steps, (s + 1) * steps), unitsAt };
  }

  /** One optimizer step of replica s, unless a number was not finite: then nothing moves. Returns the gradient norm. */
  private step(s: number, learningRate: number): number {
    const at = this.control ? ++this.control.counts.taken[s]! : ++this.steps;
    const norm = this.weights.clip();
    if (!Number.isFinite(norm)) this.flag(s, 'objective');
    if (this.bad[s] !== 0) return norm;
    if (!this.weights.step(s, at, learningRate)) this.flag(s, 'optimizer');
    this.playing.see(s);
    return norm;
  }

  private *remember(s: number, live: Live): Waiting {
    const { returning, arrays, put, rows: spread } = this;
    const own = { batch: this.batches[s]!, A: part(this.A, this.plan.S, s), tasks: this.tasks! };
    const done = { ...own, arrays, theta: this.weights.theta, live, put, spread };
    if (returning && !(yield* returning.settle(s, done))) this.flag(s, 'optimizer');
  }

  private flag(s: number, slot: (typeof CHECKED_SLOTS)[number]): void {
    if (this.bad[s] === 0) this.bad[s] = flagOf(slot);
  }

  async finish(update: number): Promise<UpdateRecord> {
    const { plan, arrays } = this;
    const stepsOf = new Float64Array(plan.S);
    for (let s = 0; s < plan.S; s++) {
      const beside = [this.side, this.scores, this.playing.rounds, this.returning].map((of) => of?.steps(s) ?? 0);
      const steps = (stepsOf[s] = stepsPlayed(this.batches[s]!) + sum(beside));
      this.playing.steps.add(s, update, steps);
      hashReplica(plan, arrays, this.tasks!, s, this.hash);
    }
    const chosen = this.chosen && { chosen: structuredClone(this.chosen) };
    const numbers = { metrics: this.metrics.slice(), ...chosen, hash: this.hash.slice(), bad: this.bad.slice() };
    const told = this.returning?.told();
    const record = { update, ...numbers, envSteps: sum(stepsOf), stepsOf, ...(told && { exchange: told }) };
    this.metrics.fill(NaN);
    const own = { A: this.A, target: this.target, chosen: this.tasks!.chosen, theta: this.weights.theta };
    return withOutcomes(plan, record, { ...arrays, ...this.playing.rounds?.first, ...own });
  }

  async view(replica: number): Promise<BatchView> {
    const { plan, arrays } = this;
    const copy = <T extends Float32Array | Uint32Array>(array: T): T => part(array, plan.S, replica).slice() as T;
    const tasks = this.tasks!;
    const versions = this.playing.versions(tasks, replica);
    const [own, judged] = [this.batches[replica]!, this.judgedBatches[replica] ?? this.batches[replica]!];
    const { update } = tasks;
    const of = { control: this.control, reference: copy(this.weights.reference) };
    const parts = Object.entries(this.credits[replica]?.parts ?? {}).map(([name, values]) => [name, values.slice()]);
    return {
      ...{ replica, update, batch: copyBatch(judged) },
      ...(judged === own ? {} : this.paying.world(own, update, replica, of)),
      A: copy(this.A),
      parts: Object.fromEntries(parts) as Record<string, Float32Array>,
      state: copy(arrays.state),
      probs: copy(arrays.probs),
      ...levelsPlayed(plan, tasks, replica),
      ...forksOf(plan, tasks, replica, (name) => copy(arrays[name])),
      theta: versions?.weights.at(-1)!.slice() ?? copy(this.playing.played(update, replica)),
      ...(versions ? { versions } : {}),
      ...(this.playing.restriction ? { restriction: copy(this.playing.restriction.weights) } : {}),
      after: copy(this.weights.theta),
      delta: realSteps(plan, copy(arrays.length), copy(this.delta)),
      weights: this.survey?.asked[replica]?.weights,
      ...(await this.returning?.view(replica, update)),
      ...(wordsOf(plan.policy) ? { written: writtenOf(arrays, copy, this.unitA) } : {}),
    };
  }

  memory(): Readonly<Record<string, number>> {
    const columns = [this.arrays, this.made].flatMap((of) => Object.values(of));
    return {
      batch: bytesIn(columns) + sum([this.side, this.rows].map((of) => of?.bytes ?? 0)),
      weights: sum([this.state, this.weights, this.playing, this.process, this.returning].map((of) => of?.bytes ?? 0)),
    };
  }

  dispose(): void {
    this.rows?.release();
  }
}

/** `rows`: spreads the rows of a batch over cores. */
export async function makeCpuBackend(plan: Plan, state: TrainState, rows: MakeRows | null = null): Promise<Backend> {
  const backend = new CpuBackend(plan, state, await partsOf(plan, rows));
  await backend.rows?.ready;
  return backend;
}
