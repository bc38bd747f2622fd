import type { Gpu } from '../../gpu/device.ts';
import { readBack, whole, type CommandList, type Slice } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { METRICS, metricIndex, type MetricId } from '../../methods/analysis/metrics.ts';
import type { StepControl } from '../../methods/types.ts';
import type { UpdateRecord } from '../backend.ts';
import { isFresh } from '../behaviour.ts';
import type { Plan } from '../plan.ts';
import { surveyMinibatch } from '../unitSet.ts';
import type { RunBuffers } from './buffers.ts';
import type { Extras } from './lists.ts';
import { addOwnWeights, type GpuShown } from './shown.ts';
import { stepsOf } from './control.ts';
import { addCoefficients, addLookForward } from './denseLook.ts';
import { addBatchMetrics, addRatioMetrics, addWeightMetrics } from './metricLists.ts';
import { addMismatch } from './mismatch.ts';
import { GpuMeanChange } from './meanChange.ts';
import { addBackward, addForward } from './networkList.ts';
import { pacedList } from './pace.ts';
import type { GpuPast } from './past.ts';
import { REPORT, REPORT_WORDS } from './report.ts';
import { GpuScoreNorms } from './scoreNorms.ts';
import { addPreview } from './stepPreview.ts';
import type { Sequence } from './tokenSequence.ts';
import { addMatchSize, addOptimizerStep } from './worldList.ts';

/** What does not change during an update, read once. */
type Sampled = {
  readonly A: Float32Array;
  readonly old: Float32Array;
  readonly length: Uint32Array;
  readonly outcome: Float32Array;
  readonly task: Uint32Array;
  /** null: none is a demonstration */
  readonly demo: Uint8Array | null;
};

/** What one minibatch submits: a forward pass, then with the marks of its units the step. */
type Minibatch = { readonly look: Sequence; readonly step: Sequence };

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
  private readonly scores: GpuScoreNorms | null;
  private readonly begin: Sequence;
  private readonly minibatches: readonly Minibatch[];
  /** of the whole batch, once before the first step (where data are old) and once behind the last */
  private readonly all: Minibatch;
  private readonly marks: Float32Array<ArrayBuffer>;
  /** what the last survey of every replica asked and told, of the whole batch */
  asked: readonly StepControl[] = [];
  private readonly means: GpuMeanChange | null;

  private constructor(
    gpu: Gpu,
    plan: Plan,
    b: RunBuffers,
    scores: GpuScoreNorms | null,
    begin: Sequence,
    lists: readonly Minibatch[],
  ) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.scores = scores;
    this.begin = begin;
    this.minibatches = lists.slice(0, -1);
    this.all = lists.at(-1)!;
    this.marks = new Float32Array(plan.S * plan.B * plan.T);
    this.means = plan.objective.readsMeans ? new GpuMeanChange(gpu, plan, b) : null;
  }

  static async record(gpu: Gpu, plan: Plan, b: RunBuffers, past: GpuPast): Promise<SurveyedUpdate> {
    const { B, T, S, epochs, minibatches } = plan;
    // the parts of an update take very different times
    const paced = (work: string, fill: (list: CommandList) => Promise<void>): Promise<Sequence> =>
      pacedList(gpu, plan, b.all, work, fill);
    const isScored = plan.objective.readsScores?.(plan.objectiveParams as never) === true;
    const scores = isScored ? await GpuScoreNorms.make(gpu, plan, b) : null;
    const begin = await paced('begin', async (list) => {
      await addMatchSize(list, plan, b);
      await addBatchMetrics(list, plan, b);
      await addMismatch(list, plan, b, past);
      if (b.refOut && !b.paid) await addForward(list, plan, b, b.reference, b.refOut, 'all');
    });
    const look = (epoch: number, minibatch: number, live: GPUBuffer): Promise<Sequence> =>
      paced('look', async (list) => {
        await addLookForward(list, plan, b, past, { epoch, minibatch });
        if (scores) await scores.add(list, past.seen);
        else await addCoefficients(list, plan, b, live);
      });
    const made: Minibatch[] = [];
    for (let k = 0; k < epochs * minibatches; k++) {
      const step = await paced('optimize', async (list) => {
        await addCoefficients(list, plan, b);
        await addOwnWeights(list, plan, b);
        if (k === 0 && minibatches === 1) await addRatioMetrics(list, plan, b, REPORT.start);
        await addBackward(list, plan, b, past.seen);
        await addOptimizerStep(list, plan, b, k);
        if (plan.behaviour.unified) await past.addRounding(list);
        await addPreview(list, plan, b, past, k);
      });
      made.push({ look: await look(Math.floor(k / minibatches), k % minibatches, b.live), step });
    }
    const end = await paced('statistics', async (list) => {
      await addCoefficients(list, plan, b, b.look);
      await addOwnWeights(list, plan, b);
      const record = b.report(REPORT.update);
      await list.add(kernels.updateStats, { stats: b.stats, plan: b.plan, record }, { B, T }, [1, 1, S]);
      await addRatioMetrics(list, plan, b, REPORT.ratios);
      await addWeightMetrics(list, plan, b);
    });
    const all = { look: await look(epochs, 0, b.look), step: end };
    return new SurveyedUpdate(gpu, plan, b, scores, begin, [...made, all]);
  }

  /** All steps of an update. */
  async run(update: number, { control, shown }: Pick<Extras, 'control' | 'shown'>): Promise<void> {
    const { plan, b, gpu } = this;
    this.begin.submit(gpu.device, 'optimize');
    const sampled = await this.sampled(shown);
    await this.means?.begin();
    let prox: Float64Array | null = null;
    if (plan.objective.readsProx && !isFresh(plan.behaviour)) {
      this.all.look.submit(gpu.device, 'look');
      prox = this.logp(sampled, (await this.looked()).stats);
    }
    const rates = new Float32Array(4 * plan.S);
    for (const [pass, { look, step }] of this.minibatches.entries()) {
      look.submit(gpu.device, 'look');
      const asked = await this.mark(sampled, prox, update, () => pass);
      asked.forEach(({ stepScale: scale = 1 }, s) => {
        const [rate, c1, c2] = control.rateOf(pass, s);
        rates.set([rate * scale, c1, c2, 0], 4 * s);
      });
      gpu.device.queue.writeBuffer(b.rates, 0, rates);
      step.submit(gpu.device, 'optimize');
    }
    this.all.look.submit(gpu.device, 'look');
    const taken = await this.taken();
    this.asked = await this.mark(sampled, prox, update, (s) => taken[s]!);
    this.all.step.submit(gpu.device, 'optimize');
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
    const report = plan.control.klStop > 0 ? await this.read(b.report(REPORT.control, REPORT_WORDS)) : null;
    const of = (s: number): Float32Array =>
      report ? new Float32Array(report, 4 * REPORT_WORDS * s, REPORT_WORDS) : new Float32Array(REPORT_WORDS);
    return Array.from({ length: plan.S }, (_, s) => stepsOf(plan, of(s)).taken);
  }

  private read = (slice: Slice): Promise<ArrayBuffer> => readBack(this.gpu, slice);

  private async sampled(shown: GpuShown | null): Promise<Sampled> {
    const { b } = this;
    const [A, old, length, outcome, task] = await Promise.all(
      [b.creditPart(0), b.sampledPart(0), b.length, b.outcome, b.taskIndex].map(this.read),
    );
    return {
      A: new Float32Array(A!),
      old: new Float32Array(old!),
      length: new Uint32Array(length!),
      outcome: new Float32Array(outcome!),
      task: new Uint32Array(task!),
      demo: shown && shown.demo,
    };
  }

  /** Statistics of the last look, and weight and length of each trajectory in it. */
  private async looked(): Promise<{ stats: Float32Array; weights: Float32Array }> {
    const [stats, weights] = await Promise.all([whole(this.b.stats), whole(this.b.plan)].map(this.read));
    return { stats: new Float32Array(stats!), weights: new Float32Array(weights!) };
  }

  /** log π of every step as the look saw it: log π_old + Δ. */
  private logp({ old }: Sampled, stats: Float32Array): Float64Array {
    return Float64Array.from({ length: this.marks.length }, (_, k) => old[k]! + stats[6 * k + 4]!);
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
    const { stats, weights } = await this.looked();
    const now = this.logp(sampled, stats);
    const change = await this.means?.of();
    const squares = await this.scores?.read();
    const asked: StepControl[] = [];
    for (let s = 0; s < S; s++) {
      const steps = <X extends { subarray(from: number, to: number): X }>(x: X): X =>
        x.subarray(s * B * T, (s + 1) * B * T);
      const rows = <X extends { subarray(from: number, to: number): X }>(x: X): X => x.subarray(s * B, (s + 1) * B);
      const trajectories = Uint32Array.from({ length: B }, (_, i) => i).filter((i) => weights[2 * (s * B + i)]! !== 0);
      const mark = new Float64Array(B * T);
      const control = surveyMinibatch(
        plan,
        trajectories,
        { s, update, pass: passOf(s) },
        {
          unitsMax: 1,
          length: rows(sampled.length),
          unitsAt: () => 1,
          A: steps(sampled.A),
          now: steps(now),
          old: steps(sampled.old),
          prox: prox && steps(prox),
          ...(change ? { meanChange: steps(change) } : {}),
          outcome: rows(sampled.outcome),
          task: rows(sampled.task),
          ...(sampled.demo ? { demo: rows(sampled.demo) } : {}),
          scoreNorms: (members) => Float64Array.from(members, (i) => squares![s * B + i]!),
          mark,
        },
      );
      marks.set(mark, s * B * T);
      asked.push(control);
    }
    gpu.device.queue.writeBuffer(b.credit, 8 * b.section, marks);
    return asked;
  }
}
