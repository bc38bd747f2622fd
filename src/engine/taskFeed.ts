import { part } from '../contract/columns.ts';
import { named, tensorsOf, type StateSpec, type Tensors, type TrainState } from '../contract/state.ts';
import { StateStore } from '../contract/stateStore.ts';
import { putInto, type MetricId } from '../slots/metrics/metrics.ts';
import { readOutcomes } from '../contract/outcomes.ts';
import { type SourceState } from '../slots/task/types.ts';
import type { UpdateRecord } from './backend.ts';
import { makeTasks, type Chosen, type Plan, type Tasks } from './plan.ts';
import { sourceContext } from './plannedRows.ts';
import { startsOf, stateSizes } from './stateTable.ts';

/** Tensors that the task source of a plan remembers: part of the state of a run, but of no backend. */
export const sourceState = ({ source, sourceParams, levels, env }: Plan): StateSpec =>
  named(source.id, source.state?.(sourceParams, levels, env.words));

/** Success that was expected of each task, NaN: not known, and sums over the run by bins of it (core/math/reliability.ts). */
export type Expected = { readonly success: Float64Array; readonly sums: Float64Array };

/**
 * The tasks of a run that trains, update by update: asks the source of a plan for them, and tells it how they went. What it
 * remembers is part of the state of the run.
 */
export class TaskFeed {
  private readonly plan: Plan;
  private readonly store: StateStore;
  /** [S] the part of each replica, without a copy */
  private readonly parts: readonly SourceState[];
  /** of the batch at hand, by replica */
  private chosen: Chosen = [];
  /** what the source said of updates that are not over, by replica */
  private readonly measured = new Map<number, readonly Readonly<Record<string, number>>[]>();

  /** From the state that the next update begins with. */
  constructor(plan: Plan, from: TrainState) {
    this.plan = plan;
    this.store = new StateStore(sourceState(plan), stateSizes(plan), startsOf(plan));
    this.store.load(from);
    const own = Object.entries(tensorsOf(this.store.tensors, plan.source.id));
    this.parts = Array.from({ length: plan.S }, (_, s) =>
      Object.fromEntries(own.map(([name, array]) => [name, part(array, plan.S, s)])),
    );
  }

  /** The tasks of an update. Nothing changes until they are settled. */
  tasks(update: number): Tasks {
    const { plan, parts } = this;
    this.chosen = Array.from(plan.seeds, (seed, s) =>
      plan.source.next(parts[s]!, sourceContext(plan, seed, update), plan.sourceParams),
    );
    const { source, sourceParams } = plan;
    if (source.measure) {
      const { T } = plan;
      const numbers = this.chosen.map((tasks, s) => source.measure!(parts[s]!, { tasks, T }, sourceParams));
      this.measured.set(update, numbers);
    }
    return makeTasks(plan, update, 'train', this.chosen);
  }

  /** An update is over: adds what the source measures to its record, and where the source wants to know, tells it. */
  settle({ update, metrics, outcomes, passed, reached, ahead }: UpdateRecord): void {
    const { plan, parts, chosen } = this;
    const { source, sourceParams } = plan;
    this.measured.get(update)?.forEach((numbers, s) => {
      const put = putInto(metrics, s);
      for (const [id, value] of Object.entries(numbers)) put(id as MetricId, value);
    });
    this.measured.delete(update);
    if (!source.wantsOutcomes) return;
    if (!outcomes) throw new Error('An update came back without the outcomes of its tasks.');
    chosen.forEach((tasks, s) => {
      const of = (words?: Uint32Array): Uint32Array | undefined => words && part(words, plan.S, s);
      const told = { numbers: part(outcomes, plan.S, s), passed: of(passed), reached: of(reached) };
      const went = readOutcomes(tasks, told);
      const values = ahead && part(ahead, plan.S, s);
      source.report?.(parts[s]!, went, sourceContext(plan, plan.seeds[s]!, update), sourceParams, values);
    });
  }

  /** What the source of replica s expected of its newest tasks, and how such expectations came true; null: it expects nothing. */
  expected(s: number): Expected | null {
    const { reliability } = this.parts[s]!;
    const tasks = this.chosen[s];
    if (!reliability || !tasks) return null;
    return {
      success: Float64Array.from(tasks, ({ expected = NaN }) => expected),
      sums: Float64Array.from(reliability),
    };
  }

  /** A copy of what the source remembers, for the state of the run. */
  save(): Tensors {
    return this.store.save();
  }
}

/** The tasks of the update that a state stands before. */
export const tasksAt = (plan: Plan, state: TrainState): Tasks => new TaskFeed(plan, state).tasks(state.update);
