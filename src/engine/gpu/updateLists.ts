import type { Gpu } from '../../gpu/device.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { addTogether } from '../../gpu/together.ts';
import type { DeviceMarks } from '../../slots/objective/types.ts';
import { mostInMinibatch } from '../minibatch.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addOwnWeights } from './givenRows.ts';
import { addHold } from './stopAbove.ts';
import { addBatchMetrics, addWeightMetrics, ratioStats, updateStats } from './metricLists.ts';
import { paceOf, sizesOf } from './pace.ts';
import type { GpuPast } from './past.ts';
import { goesOverAll, type Look, type Passes, type Recording } from './passes.ts';
import type { ScoredPasses } from './passesOf.ts';
import { REPORT } from './report.ts';
import type { ScoreNorms } from './scoreNorms.ts';
import { addCut } from './cutStep.ts';
import { Sequence } from './tokenSequence.ts';
import { addNoChange, addStartMetrics } from './updateStart.ts';
import { addWeighedRows, addWeights, weightMode } from './weights.ts';
import { addOptimizerStep, addRevisions } from './worldList.ts';

/** What one minibatch submits: a look, then with the marks of its units the step. */
export type Minibatch = { readonly look: Sequence; readonly step: Sequence };

/** An update that is surveyed. Each part has a pace of its own: they take very different times. */
export type SurveyLists = {
  readonly begin: Sequence;
  readonly minibatches: readonly Minibatch[];
  /** of the whole batch, after the last step */
  readonly all: Minibatch;
};

/** An update on WebGPU: minibatch → forward pass → decision head → objective → backward pass → optimizer. */
export class UpdateLists {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly past: GpuPast;
  private readonly passes: Passes;
  private readonly scores: ScoreNorms | null;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers, past: GpuPast, { passes, scores }: ScoredPasses) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.past = past;
    this.passes = passes;
    this.scores = scores;
  }

  /** All optimizer steps of an update, and the look at the batch after them. */
  async steps(): Promise<Sequence> {
    const { plan } = this;
    const { sequence, list } = this.start('optimize');
    let now = await this.begin({ sequence, list });
    for (let k = 0; k < this.count; k++) {
      // what the look at the start has left
      const again = k === 0 && this.b.seen ? ({ again: 'start' } as const) : {};
      const how = { learns: true, trajectories: mostInMinibatch(plan), ...again };
      now = await this.look({ sequence, list: now }, await this.weigh(now, k, how), k);
      now = await this.step({ sequence, list: now }, k);
    }
    const last = await this.weigh(now, this.count, { learns: false, trajectories: plan.B });
    await this.finish(await this.look({ sequence, list: now }, last, this.count));
    return sequence;
  }

  /** The same with a look at every minibatch before its step, for objectives with a survey. */
  async surveyed(): Promise<SurveyLists> {
    const { passes, plan } = this;
    const look = async (k: number, trajectories: number): Promise<Sequence> => {
      const to = this.start('look');
      await this.see(to, await this.weigh(to.list, k, { learns: false, trajectories }));
      return to.sequence;
    };
    const first = this.start('begin');
    await this.begin(first);
    const minibatches: Minibatch[] = [];
    const most = mostInMinibatch(plan);
    for (let k = 0; k < this.count; k++) {
      const { sequence, list } = this.start('optimize');
      const after = await passes.look({ sequence, list }, { learns: true, trajectories: most, again: 'survey' });
      await this.step({ sequence, list: after }, k);
      minibatches.push({ look: await look(k, most), step: sequence });
    }
    const end = this.start('statistics');
    await this.finish(await passes.look(end, { learns: false, trajectories: plan.B, again: 'survey' }));
    return { begin: first.sequence, minibatches, all: { look: await look(this.count, plan.B), step: end.sequence } };
  }

  /** Look number k of an update. Where the objective has marks that the device makes after each, a first one shows it the minibatch. */
  private async look({ sequence, list }: Recording, how: Look, k: number): Promise<CommandList> {
    const { passes, marks } = this;
    const isStill = marks && 'isStill' in marks && marks.isStill;
    if (isStill) await this.mark(list, marks, k);
    if (!marks || marks.of === 'start' || isStill) return passes.look({ sequence, list }, how);
    const seen = await this.see({ sequence, list }, { ...how, learns: false });
    await this.mark(seen, marks, k);
    return passes.look({ sequence, list: seen }, { ...how, again: 'survey' });
  }

  /** A look that no step follows, for marks: with the lengths of scores where these are read. */
  private see(to: Recording, how: Look): Promise<CommandList> {
    return this.scores ? this.passes.score(to, how.trajectories) : this.passes.look(to, how);
  }

  /** Marks that the device makes by itself; null where there are none, or a survey makes them. */
  private get marks(): DeviceMarks | null {
    const { survey, marks } = this.plan.objective;
    return survey ? null : (marks?.(this.plan.objectiveParams as never) ?? null);
  }

  private async mark(list: CommandList, marks: DeviceMarks, pass: number | 'still'): Promise<void> {
    // few objectives have marks
    const squares = this.scores?.squares ?? null;
    await (await import('./marks.ts')).addMarks(list, this.plan, this.b, marks, { pass, squares });
  }

  /** Steps of an update. */
  private get count(): number {
    return this.plan.epochs * this.plan.minibatches;
  }

  private start(work: string): Recording {
    const sequence = new Sequence(paceOf(this.gpu, `${work} ${sizesOf(this.plan)}`));
    return { sequence, list: sequence.add(new CommandList(this.gpu, work, this.b.all)) };
  }

  /** What comes before the first step. Where another policy played the batch, the one that trains sees all of it: see cpu/start.ts. */
  private async begin({ sequence, list }: Recording): Promise<CommandList> {
    const { plan, b, passes, marks } = this;
    const { seen } = b;
    const size = await addRevisions(list, plan, b);
    await passes.begin(list);
    let now = list;
    const atStart = marks?.of === 'start' ? marks : null;
    const all = { learns: false, trajectories: plan.B, again: 'start' } as const;
    const { listed } = seen || atStart ? await this.weigh(list, this.count, all) : (all as Look);
    if (seen) {
      await addNoChange(list, plan, b);
      now = await passes.see({ sequence, list }, seen, listed);
    }
    if (atStart) await this.mark(now, atStart, seen ? 0 : 'still');
    if (seen && marks && !atStart && plan.objective.readsProx)
      await (await import('./marks.ts')).keepProx(now, plan, b);
    if (seen) await addStartMetrics(now, plan, b, seen);
    await addBatchMetrics(now, plan, b, size);
    return now;
  }

  /**
   * Weights of the trajectories of minibatch k, 0 for replicas that have stopped; after the last, all are in one. Comes with
   * the list of the steps that `how` goes over, unless a replica may have stopped: then the look itself makes it. Where nothing
   * reads the weights in between, the first of several looks comes with those of all.
   */
  private async weigh(list: CommandList, k: number, how: Look): Promise<Look> {
    const { plan, b, passes } = this;
    const buffers = { length: b.columns.length, units: passes.units, member: b.member, plan: b.plan, parts: b.parts };
    const sums = { most: passes.most, mode: weightMode(plan), minibatches: plan.minibatches };
    if (passes.lists && !b.held) {
      const { rows, by } = passes.lists;
      const first = k - (k % b.listed);
      const look = Math.min(first + b.listed - 1, this.count);
      const listed = { by, all: goesOverAll(plan, how), looks: look - first + 1 };
      if (k === first) await addWeighedRows(list, plan, { ...buffers, list: rows }, { ...sums, look }, listed);
      return { ...how, listed: look - k };
    }
    await addWeights(list, plan, buffers, { ...sums, look: k });
    await addHold(list, plan, b, k);
    return how;
  }

  /** Optimizer step k after the look that it learns from. */
  private async step({ sequence, list }: Recording, k: number): Promise<CommandList> {
    const { plan, b, past, passes } = this;
    await addOwnWeights(list, plan, b);
    if (!b.seen && k === 0 && plan.minibatches === 1) await addTogether(list, [ratioStats(plan, b, REPORT.start)]);
    await addOptimizerStep(list, plan, b, k);
    if (plan.behavior.unified) await past.addRounding(list);
    if (!b.before) return list;
    const how = { learns: false, trajectories: mostInMinibatch(plan) };
    const after = await passes.look({ sequence, list }, how);
    await addCut(after, plan, b, past, k);
    return after;
  }

  /** After the look at the whole batch with the parameters after the update. */
  private async finish(list: CommandList): Promise<void> {
    const { plan, b } = this;
    await addOwnWeights(list, plan, b);
    await addTogether(list, [updateStats(plan, b), ratioStats(plan, b, REPORT.ratios)]);
    await addWeightMetrics(list, plan, b);
  }
}
