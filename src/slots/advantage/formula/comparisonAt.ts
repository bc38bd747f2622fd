import { stepsOf } from '../../../core/batch.ts';
import type { Batch } from '../../../contract/columns.ts';
import type { Column, Sets } from '../../types.ts';
import { dataOf } from '../creditOps.ts';
import { stepsLike, type Comparison } from '../explain.ts';
import { batchHeads, headsBy, taskHeads } from '../segments.ts';
import type { OutcomeRule } from '../trajectoryCredit.ts';
import { printed } from './print.ts';
import type { CallExpr, Expr, Value } from './types.ts';

/** Everything that a step is looked at with. */
export type Looked = {
  readonly batch: Batch;
  readonly step: number;
  readonly of: (expr: Expr) => Value;
};

const RULES: readonly string[] = ['std', 'mean', 'leaveOneOut', 'leaveOneOutStd'];
const wordOf = (expr: Expr | undefined): string => (expr?.kind === 'word' ? expr.word : '');

/** Letters that the papers have for what is compared. */
const LETTERS: Readonly<Record<string, string>> = { outcome: 'R', reward: 'r' };

function named(x: Expr): Pick<Comparison, 'letter' | 'what'> {
  const text = printed(x);
  if (x.kind === 'bound') return { letter: x.name, what: printed(x.of) };
  return { letter: LETTERS[text] ?? 'x', what: text === 'outcome' ? 'return of this episode' : text };
}

/** The set that a call compared a step within, and how; null where it compares nothing, or in another way. */
export function comparisonAt(call: CallExpr, looked: Looked): Comparison | null {
  const { operation, args } = call;
  const rule = wordOf(args['by']);
  if (!RULES.includes(rule)) return null;
  if (operation.name === 'normalize') return within(args, rule as OutcomeRule, looked);
  if (operation.name !== 'normalizeSets') return null;
  const x = args['x']!;
  const head = (looked.of(args['sets']!) as Sets).handle as Int32Array; // heads, of creditOpsOf
  if (head[looked.step]! < 0) return null;
  const compared = stepsLike(head, dataOf(looked.of(x) as Column), looked.step);
  const isPopulation = wordOf(args['spread']) === 'population';
  const set = { others: othersOf(args['sets']!), rule: rule as OutcomeRule, isPopulation };
  return { ...compared, ...named(inner(x)), ...set };
}

/** What a row was written into a place for steps by. */
const inner = (x: Expr): Expr => (x.kind === 'call' && x.operation.name === 'broadcast' ? x.args['x']! : x);

/** Members of the task group, the batch or a player: episodes once each, or steps. */
function within(args: CallExpr['args'], rule: OutcomeRule, { batch, step, of }: Looked): Comparison | null {
  const x = args['x']!;
  const column = of(x) as Column;
  const data = dataOf(column);
  const over = wordOf(args['over']);
  const { role, taskIndex, T } = batch;
  const head =
    over === 'task'
      ? taskHeads(batch)
      : over === 'player' && role
        ? headsBy(batch, (i) => role[i]!)
        : batchHeads(batch);
  const place = over === 'task' ? 'this task' : over === 'player' && role ? 'this player' : 'the batch';
  if (column.per === 'step') return { ...stepsLike(head, data, step), ...named(x), others: `steps of ${place}`, rule };
  const own = Math.floor(step / T);
  if (wordOf(args['rows']) === 'steps') {
    const values = Float32Array.from({ length: batch.B * T }, (_, k) => data[Math.floor(k / T)]!);
    return { ...stepsLike(head, values, step), ...named(x), others: `steps of ${place}`, rule };
  }
  const groups = over === 'task' ? taskIndex : over === 'player' && role ? role : new Uint32Array(batch.B);
  const members = [...groups.keys()].filter((i) => groups[i] === groups[own] && stepsOf(batch, [i]).length > 0);
  const values = members.map((i) => data[i]!);
  return {
    ...{ of: 'trajectories', members, values, at: members.indexOf(own), rule },
    ...named(x),
    others: `episodes of ${place}`,
  };
}

function othersOf(sets: Expr): string {
  const call = sets.kind === 'bound' ? sets.of : sets;
  const of = call.kind === 'call' ? wordOf(call.args['of']) : '';
  const past = call.kind === 'call' && call.args['past']?.kind === 'number' ? call.args['past'].value : 0;
  const after = past > 0 ? ` after the same ${past} before` : '';
  if (of === 'time') return 'steps equally far from the start';
  return of === 'edge' ? `steps on this edge${after}` : `visits to this state${after}`;
}
