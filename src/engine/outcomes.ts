import { part } from '../contract/columns.ts';
import { measuredRows, writeOutcomes } from '../contract/outcomes.ts';
import { writePassed } from '../contract/passed.ts';
import { REACHED, writeReached } from '../contract/reached.ts';
import { OUTCOME } from '../contract/tasks.ts';
import { PURPOSE, random, uniform } from '../core/random.ts';
import { checkpointsOf, passedOf as countPassed } from '../envs/checkpoints.ts';
import type { UpdateRecord } from './backend.ts';
import type { Chosen, Plan } from './plan.ts';

/** Columns of an update for all replicas: by row [S, B], by step [S, B, T]; `state` [S, B, T + 1, words]. What nobody asks for may be empty. */
export type PlayedColumns = Readonly<
  Record<'taskIndex' | 'length' | 'success' | 'state', Uint32Array> &
    Record<'outcome' | 'value' | 'A' | 'target', Float32Array>
> & {
  /** [S, B] 0 = says nothing of how the policy fares; empty where every row does */
  readonly measured: Uint8Array;
  /** [S][P] the tasks that the source chose */
  readonly chosen?: Chosen | undefined;
  /** [S, parameters] after the update; may be empty where nobody asks what the critic thinks */
  readonly theta: Float32Array;
};

/** What the task source of a plan asks for beyond returns. */
export function asksFor({ source, sourceParams, critic, scheme }: Plan): Readonly<Record<Asked, boolean>> {
  const asks = source.asks?.(sourceParams) ?? [];
  return {
    credit: asks.includes('creditSize'),
    error: critic && asks.includes('valueError'),
    // values of rows that others have replaced are not kept
    start: critic && asks.includes('startValue') && !scheme?.round,
    states: asks.includes('passed') || asks.includes('reached'),
    passed: asks.includes('passed'),
    reached: asks.includes('reached'),
    ahead: critic && asks.includes('ahead'),
  };
}
type Asked = 'credit' | 'error' | 'start' | 'states' | 'passed' | 'reached' | 'ahead';

/** How the tasks of an update went, [S, P, OUTCOME]. */
export function outcomesOf(plan: Plan, columns: PlayedColumns): Float64Array {
  const { S, P, T } = plan;
  const { credit, error, start } = asksFor(plan);
  const result = new Float64Array(S * P * OUTCOME.length);
  for (let s = 0; s < S; s++) {
    const of = <C extends Uint8Array | Uint32Array | Float32Array>(column: C): C => part(column, S, s);
    const rows = {
      ...{ T, taskIndex: of(columns.taskIndex), length: of(columns.length), success: of(columns.success) },
      ...{ outcome: of(columns.outcome), measured: columns.measured.length > 0 ? of(columns.measured) : null },
      ...{
        A: credit ? of(columns.A) : null,
        target: error ? of(columns.target) : null,
        value: of(columns.value),
        start,
      },
    };
    writeOutcomes(P, rows, result, s * P * OUTCOME.length);
  }
  return result;
}

/** [S, P, words] a state that an episode of each task passed. */
function passedOf(plan: Plan, update: number, columns: PlayedColumns): Uint32Array {
  const { S, P, T, seeds } = plan;
  const { words } = plan.env;
  const result = new Uint32Array(S * P * words);
  for (let s = 0; s < S; s++) {
    const of = <C extends Uint8Array | Uint32Array>(column: C): C => part(column, S, s);
    const taskIndex = of(columns.taskIndex);
    const measured = columns.measured.length > 0 ? of(columns.measured) : null;
    const rows = { T, words, state: of(columns.state), length: of(columns.length) };
    measuredRows(P, { taskIndex, measured }).forEach((group, p) => {
      const draw = (n: number): number => uniform(random(seeds[s]!, PURPOSE.passedState, update, p, n));
      writePassed(rows, group, [draw(0), draw(1)], result, (s * P + p) * words);
    });
  }
  return result;
}

/** [S, P, REACHED] how many episodes of each task passed each checkpoint of its level. */
function reachedOf(plan: Plan, columns: PlayedColumns): Uint32Array {
  const { S, P, T, env } = plan;
  const { words } = env;
  const result = new Uint32Array(S * P * REACHED);
  for (let s = 0; s < S; s++) {
    const of = <C extends Uint8Array | Uint32Array>(column: C): C => part(column, S, s);
    const [taskIndex, length, success] = [of(columns.taskIndex), of(columns.length), of(columns.success)];
    const [state, measured] = [of(columns.state), columns.measured.length > 0 ? of(columns.measured) : null];
    measuredRows(P, { taskIndex, measured }).forEach((group, p) => {
      const { levelSeed } = columns.chosen![s]![p]!;
      const checkpoints = checkpointsOf(env, plan.level(levelSeed) as object);
      const passed = group.map((i) =>
        countPassed(checkpoints, state, { at: i * (T + 1) * words, states: length[i]! + 1, words }, success[i] === 1),
      );
      writeReached(passed, checkpoints.names.length, result, (s * P + p) * REACHED);
    });
  }
  return result;
}

type Told = Pick<UpdateRecord, 'outcomes' | 'passed' | 'reached' | 'ahead'>;

/** Everything that an update tells of its tasks; what the critic thinks of the next ones comes by code of its own. */
export async function toldOf(plan: Plan, update: number, columns: PlayedColumns): Promise<Told> {
  const asks = asksFor(plan);
  const told = {
    outcomes: outcomesOf(plan, columns),
    ...(asks.passed ? { passed: passedOf(plan, update, columns) } : {}),
    ...(asks.reached ? { reached: reachedOf(plan, columns) } : {}),
  };
  if (!asks.ahead) return told;
  const { aheadOf } = await import('./ahead.ts');
  return { ...told, ahead: aheadOf(plan, update + 1, columns.theta) };
}

/** A record with the outcomes of its tasks, where their source wants to know. */
export async function withOutcomes(plan: Plan, record: UpdateRecord, columns: PlayedColumns): Promise<UpdateRecord> {
  return plan.source.wantsOutcomes ? { ...record, ...(await toldOf(plan, record.update, columns)) } : record;
}

/** Loads what tells more than outcomes, with a backend, so that a run never waits for it. */
export async function prepareOutcomes(plan: Plan): Promise<void> {
  if (asksFor(plan).ahead) await import('./ahead.ts');
}
