import type { Explanation } from '../slots/types.ts';
import { returnsToGo } from '../core/batch.ts';
import { anchorHeads } from '../slots/advantage/segments.ts';
import { partOf, type LogBatch } from './batch.ts';
import { estimatorOf, settingsOf } from './estimate.ts';
import { NO_TEXT, type StepTable } from './table.ts';
import type { Named } from './window.ts';

/** One step in words and numbers. */
export type ToldStep = {
  readonly episode: string;
  readonly task: string;
  /** line of the file */
  readonly line: number;
  readonly t: number;
  readonly length: number;
  readonly state: string;
  readonly action: string;
  readonly said: string;
  readonly reward: number;
  readonly outcome: number;
  readonly isSuccess: boolean;
  readonly credit: readonly { readonly id: string; readonly title: string; readonly A: number }[];
  /** how the credit of the estimator that was asked for came about; null where it does not say */
  readonly explanation: Explanation | null;
  readonly A: number | null;
  /** what was done in the same state of this task, most visits first; empty where the log has no states */
  readonly choices: readonly Choice[];
  readonly visits: number;
};

/** What came of one action in a state: visits, those in episodes that succeeded, and the mean of what followed. */
export type Choice = {
  readonly action: string;
  readonly isThis: boolean;
  readonly visits: number;
  readonly successes: number;
  readonly toGo: number;
};

/** Choices that are listed, and members of a set that an explanation takes along. */
const MOST_CHOICES = 12;

export function stepOf(
  table: StepTable,
  log: LogBatch,
  { i, t }: { readonly i: number; readonly t: number },
  id: string,
  columns: readonly Named[],
): ToldStep {
  const { batch, start, episode } = log;
  const e = episode[i]!;
  const row = table.start[e]! + t;
  const at = start[i]! + t;
  const text = (number: number | undefined): string =>
    number === undefined || number === NO_TEXT ? '' : table.texts.text(number);
  const { choices, visits } = choicesAt(table, log, i, t);
  return {
    ...{ episode: table.episodeNames[e]!, task: table.taskNames[table.task[e]!]!, line: table.line[row]!, t },
    ...{
      length: batch.length[i]!,
      reward: table.reward[row]!,
      outcome: table.outcome[e]!,
      isSuccess: batch.success[i] === 1,
    },
    ...{ state: text(table.state[row]), action: text(table.action?.[row]), said: text(table.said[row]) },
    credit: columns.map(({ id: name, title, A }) => ({ id: name, title, A: A[at]! })),
    A: columns.find((column) => column.id === id)?.A[at] ?? null,
    explanation: explained(log, i, t, id),
    ...{ choices, visits },
  };
}

/** The numbers of a step within its own batch; the members of the sets stay here, as they may be millions. */
function explained(log: LogBatch, i: number, t: number, id: string): Explanation | null {
  const estimator = estimatorOf(id);
  const part = log.parts.find(({ from, to }) => i >= from && i < to);
  if (!estimator?.explain || !part || estimator.needs.some((name) => !log.fields.has(name))) return null;
  const step = (i - part.from) * log.batch.T + t;
  const { terms } = estimator.explain(partOf(log.batch, part), settingsOf(estimator) as never, step);
  return {
    terms: terms.map((term) => {
      const light = { ...term };
      delete light.compared;
      return light;
    }),
  };
}

/** What the episodes of the task did in the state of a step. */
function choicesAt(table: StepTable, log: LogBatch, i: number, t: number): { choices: Choice[]; visits: number } {
  const { batch, fields, episode } = log;
  if (!fields.has('stateKey')) return { choices: [], visits: 0 };
  // only the rows of this task
  const task = batch.taskIndex[i]!;
  let [from, to] = [i, i + 1];
  while (from > 0 && batch.taskIndex[from - 1] === task) from--;
  while (to < batch.B && batch.taskIndex[to] === task) to++;
  const own = partOf(batch, { from, to });
  const head = anchorHeads(own);
  const toGo = returnsToGo(own, 1);
  const here = (i - from) * batch.T + t;
  const found = new Map<number, { visits: number; successes: number; sum: number }>();
  let visits = 0;
  head.forEach((g, k) => {
    if (g < 0 || g !== head[here]) return;
    visits++;
    const entry = found.get(own.action[k]!) ?? { visits: 0, successes: 0, sum: 0 };
    entry.visits++;
    entry.successes += own.success[Math.floor(k / batch.T)]!;
    entry.sum += toGo[k]!;
    found.set(own.action[k]!, entry);
  });
  const mine = table.action?.[table.start[episode[i]!]! + t];
  const choices = [...found]
    .sort(([, a], [, b]) => b.visits - a.visits)
    .slice(0, MOST_CHOICES)
    .map(([action, { visits: n, successes, sum }]) => ({
      ...{ action: table.action ? table.texts.text(action).slice(0, 300) : '', isThis: action === mine },
      ...{ visits: n, successes, toGo: sum / n },
    }));
  return { choices, visits };
}
