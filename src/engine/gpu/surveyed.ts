import { together } from '../../core/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import { readBack, whole, type Slice } from '../../gpu/recorder.ts';
import { METRICS, metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import type { StepControl } from '../../slots/types.ts';
import type { UpdateRecord } from '../backend.ts';
import { unitCounts } from '../../contract/units.ts';
import type { Plan } from '../plan.ts';
import { surveyMinibatch } from '../unitSet.ts';
import type { RunBuffers } from './buffers.ts';
import type { Extras } from './lists.ts';
import type { GivenRows } from './givenRows.ts';
import { stepsTaken } from './control.ts';
import { GpuMeanChange } from './meanChange.ts';
import type { GpuPast } from './past.ts';
import { REPORT, REPORT_WORDS } from './report.ts';
import { passesOf } from './passesOf.ts';
import type { ScoreNorms } from './scoreNorms.ts';
import { UpdateLists, type SurveyLists } from './updateLists.ts';

/** What does not change during an update, read once. */
type Sampled = {
  readonly A: Float32Array;
  /** of every decision */
  readonly old: Float32Array;
  /** of every decision, where the objective reads it */
  readonly entropy: Float32Array | null;
  /** decisions of a step that was played */
  readonly unitA?: Float32Array;
  readonly unitsAt: (step: number) => number;
  readonly length: Uint32Array;
  readonly outcome: Float32Array;
  readonly task: Uint32Array;
  /** null: all rows are the policy's own */
  readonly origin: Uint8Array | null;
};

/**
 * Updates with an objective that looks at whole minibatches: every minibatch goes forward on the GPU, its log-ratios come
 * back once, the survey gives each unit its mark on the CPU, and the marks go to the GPU before the step. This is the only
 * wait inside an update; objectives without a survey have none.
 */
export class SurveyedUpdate {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  /** where the objective weighs by gradients of single trajectories */
  private readonly scores: ScoreNorms | null;
  private readonly lists: SurveyLists;
  /** decisions a step may hold; its numbers lie one after the other */
  private readonly unitsMax: number;
  private readonly marks: Float32Array<ArrayBuffer>;
  /** what the last survey of every replica asked and told, of the whole batch */
  asked: readonly StepControl[] = [];
  private readonly means: GpuMeanChange | null;

  private constructor(gpu: Gpu, plan: Plan, b: RunBuffers, lists: SurveyLists, scores: ScoreNorms | null) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.lists = lists;
    this.scores = scores;
    this.unitsMax = b.tokens?.shape.grammar.decisions ?? 1;
    this.marks = new Float32Array(plan.S * plan.B * plan.T * this.unitsMax);
    this.means = plan.objective.readsMeans ? new GpuMeanChange(gpu, plan, b) : null;
  }

  static async record(gpu: Gpu, plan: Plan, b: RunBuffers, past: GpuPast): Promise<SurveyedUpdate> {
    const scored = await passesOf(gpu, plan, b, past);
    const lists = await new UpdateLists(gpu, plan, b, past, scored).surveyed();
    return new SurveyedUpdate(gpu, plan, b, lists, scored.scores);
  }

  /** All steps of an update. */
  async run(update: number, { control, shown }: Pick<Extras, 'control' | 'shown'>): Promise<void> {
    const { plan, b, gpu } = this;
    const { begin, minibatches, all } = this.lists;
    begin.submit(gpu.device, 'optimize');
    const sampled = await this.sampled(shown);
    await this.means?.begin();
    let prox: Float64Array | null = null;
    // what the look at the start has left
    if (plan.objective.readsProx && b.seen) {
      prox = this.logp(sampled, (await this.looked()).delta);
    }
    const rates = new Float32Array(4 * plan.S);
    for (const [pass, { look, step }] of minibatches.entries()) {
      look.submit(gpu.device, 'look');
      const asked = await this.mark(sampled, prox, update, () => pass);
      asked.forEach(({ stepScale: scale = 1 }, s) => {
        const [rate, c1, c2] = control.rateOf(pass, s);
        rates.set([rate * scale, c1, c2, 0], 4 * s);
      });
      gpu.device.queue.writeBuffer(b.rates, 0, rates);
      step.submit(gpu.device, 'optimize');
    }
    all.look.submit(gpu.device, 'look');
    const taken = await this.taken();
    this.asked = await this.mark(sampled, prox, update, (s) => taken[s]!);
    all.step.submit(gpu.device, 'optimize');
  }

  /** Writes into the record of the update what its surveys have measured. */
  tell({ metrics }: UpdateRecord): void {
    this.asked.forEach(({ measured }, s) => {
      for (const [id, value] of Object.entries(measured ?? {}))
        metrics[s * METRICS + metricIndex[id as MetricId]] = value;
    });
  }

  /** Steps that every replica has taken in this update. */
  private async taken(): Promise<readonly number[]> {
    const { plan, b } = this;
    const report = plan.control.stopsAt !== null ? await this.read(b.report(REPORT.control, REPORT_WORDS)) : null;
    return stepsTaken(plan, report);
  }

  private read = (slice: Slice): Promise<ArrayBuffer> => readBack(this.gpu, slice);

  private async sampled(shown: GivenRows | null): Promise<Sampled> {
    const { b, plan, unitsMax } = this;
    const old = b.tokens ? b.columns.unitLogp : b.columns.logp;
    const [A, before, length, outcome, task] = await together(
      [b.creditPart(0), old, b.columns.length, b.columns.outcome, b.columns.taskIndex].map(this.read),
    );
    const count = plan.S * plan.B * plan.T;
    const units = b.creditAt > 0 ? new Float32Array(await this.read(b.unitCredit), 0, count * unitsMax) : null;
    const entropy = b.tokens ? b.columns.unitEntropy : b.columns.entropy;
    return {
      A: new Float32Array(A!, 0, count),
      ...(units ? { unitA: units } : {}),
      old: new Float32Array(before!, 0, count * unitsMax),
      entropy: plan.objective.readsEntropy ? new Float32Array(await this.read(entropy), 0, count * unitsMax) : null,
      unitsAt: b.tokens
        ? unitCounts(b.tokens.shape.grammar, new Uint32Array(await this.read(b.columns.command)))
        : () => 1,
      length: new Uint32Array(length!),
      outcome: new Float32Array(outcome!),
      task: new Uint32Array(task!),
      origin: shown && shown.origin,
    };
  }

  /** Δ of every unit in the last look, and weight and length of each trajectory in it. */
  private async looked(): Promise<{ delta: (k: number) => number; weights: Float32Array }> {
    const { b } = this;
    const [read, weights] = await together([b.tokens ? b.wordDeltas : whole(b.stats), whole(b.plan)].map(this.read));
    const stats = new Float32Array(read!);
    const delta = b.tokens ? (k: number): number => stats[k]! : (k: number): number => stats[6 * k + 4]!;
    return { delta, weights: new Float32Array(weights!) };
  }

  /** log π of every unit as the look saw it: log π_old + Δ. */
  private logp({ old }: Sampled, delta: (k: number) => number): Float64Array {
    return Float64Array.from({ length: this.marks.length }, (_, k) => old[k]! + delta(k));
  }

  /** Marks the units of the minibatch that was just looked at; factor on the learning rate of each replica. */
  private async mark(
    sampled: Sampled,
    prox: Float64Array | null,
    update: number,
    passOf: (s: number) => number,
  ): Promise<StepControl[]> {
    const { plan, b, marks, gpu } = this;
    const { S, B, T } = plan;
    const K = this.unitsMax;
    const { delta, weights } = await this.looked();
    const now = this.logp(sampled, delta);
    const change = await this.means?.of();
    const powers = plan.objective.readsPowers ? await (await import('./powers.ts')).powersOnGpu(gpu, plan, b) : null;
    const squares = await this.scores?.read(weights);
    const asked: StepControl[] = [];
    for (let s = 0; s < S; s++) {
      const of = <X extends { readonly length: number; subarray(from: number, to: number): X }>(x: X): X =>
        x.subarray((s * x.length) / S, ((s + 1) * x.length) / S);
      const trajectories = Uint32Array.from({ length: B }, (_, i) => i).filter((i) => weights[2 * (s * B + i)]! !== 0);
      const mark = new Float64Array(B * T * K);
      const control = surveyMinibatch(
        plan,
        trajectories,
        { s, update, pass: passOf(s) },
        {
          unitsMax: K,
          length: of(sampled.length),
          unitsAt: (step) => sampled.unitsAt(s * B * T + step),
          A: of(sampled.A),
          ...(sampled.unitA ? { unitA: of(sampled.unitA) } : {}),
          now: of(now),
          old: of(sampled.old),
          prox: prox && of(prox),
          ...(sampled.entropy ? { entropy: of(sampled.entropy) } : {}),
          ...(change ? { meanChange: of(change) } : {}),
          ...(powers ? { powers: { squares: of(powers.squares), cubes: of(powers.cubes) } } : {}),
          outcome: of(sampled.outcome),
          task: of(sampled.task),
          ...(sampled.origin ? { origin: of(sampled.origin) } : {}),
          scoreNorms: (members) => Float64Array.from(members, (i) => squares![s * B + i]!),
          mark,
        },
      );
      marks.set(mark, s * B * T * K);
      asked.push(control);
    }
    gpu.device.queue.writeBuffer(b.credit, 8 * b.section, marks);
    return asked;
  }
}
