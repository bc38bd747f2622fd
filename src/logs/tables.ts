import { csvField } from './csv.ts';
import type { LogBatch } from './batch.ts';
import type { Computed } from './estimate.ts';
import type { Anchors, Pair, Silent } from './summary.ts';
import { NO_TEXT, type StepTable } from './table.ts';
import type { Found } from './types.ts';

type Done = Extract<Computed, { ok: true }>;

/** Rows of one piece of a table. */
const PIECE = 2000;

/** The shortest decimal that is the same f32. */
export function short(x: number): string {
  for (const digits of [7, 8, 9]) {
    const text = Number(x.toPrecision(digits));
    if (Math.fround(text) === Math.fround(x)) return String(text);
  }
  return String(x);
}

const hex = (x: number): string => x.toString(16).padStart(8, '0');

/**
 * Credit of every step as CSV, in pieces: task, episode, step, key of the state, action, reward, outcome, success, and one
 * column for each estimator. The lab reads it again, with the same credit.
 */
export function* creditCsv(table: StepTable, log: LogBatch, columns: readonly Done[]): Generator<string> {
  const { batch, episode, start, fields } = log;
  const hasEnds = fields.has('finalStateKey');
  yield (
    [
      'task',
      'episode',
      'step',
      'line',
      'state',
      ...(hasEnds ? ['next_state'] : []),
      'action',
      'reward',
      'outcome',
      'success',
      'terminated',
      ...columns.map(({ id }) => `credit_${id}`),
    ].join(',') + '\n'
  );
  let lines: string[] = [];
  const key = (words: Uint32Array, k: number): string => hex(words[2 * k]!) + hex(words[2 * k + 1]!);
  for (let i = 0; i < batch.B; i++) {
    const e = episode[i]!;
    const [task, name] = [table.taskNames[table.task[e]!]!, table.episodeNames[e]!].map(csvField) as [string, string];
    for (let t = 0; t < batch.length[i]!; t++) {
      const k = table.start[e]! + t;
      const action = table.action?.[k] ?? NO_TEXT;
      const isLast = t + 1 === batch.length[i]!;
      const states = [table.stateKey ? key(table.stateKey, k) : ''];
      if (hasEnds) states.push(isLast ? key(table.finalKey, e) : key(table.stateKey!, k + 1));
      lines.push(
        [
          ...[task, name, t, table.line[k], ...states, action === NO_TEXT ? '' : csvField(table.texts.text(action))],
          ...[short(table.reward[k]!), short(table.outcome[e]!), batch.success[i], batch.terminated[i]],
          ...columns.map(({ A }) => short(A[start[i]! + t]!)),
        ].join(','),
      );
      if (lines.length < PIECE) continue;
      yield `${lines.join('\n')}\n`;
      lines = [];
    }
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
}

/** The matrix of all pairs as CSV. */
export const pairsCsv = (columns: readonly Done[], pairs: readonly Pair[]): string =>
  [
    'a,b,correlation,sign_agreement',
    ...pairs.map(
      ({ a, b, correlation, sign }) => `${columns[a]!.id},${columns[b]!.id},${correlation ?? ''},${sign ?? ''}`,
    ),
  ].join('\n') + '\n';

/** What was found, as one record. */
export const summaryOf = (
  { sentence, layout, mapping, notes, bad }: Found,
  { batch, start, notes: more }: LogBatch,
  anchors: Anchors | null,
  silent: Silent,
  computed: readonly Computed[],
) => ({
  ...{ layout, sentence, columns: mapping, badLines: bad.count, notes: [...notes, ...more] },
  ...{ tasks: batch.P, episodes: batch.B, steps: start[batch.B]! },
  successes: batch.success.reduce((a, b) => a + b, 0),
  anchors: anchors && { ...anchors, top: undefined },
  silentTasks: {
    count: silent.all.length,
    allSucceeded: silent.won,
    allFailedOrEqual: silent.lost,
    oneEpisode: silent.alone,
  },
  estimators: computed.map((c) =>
    c.ok ? { id: c.id, title: c.title, ...shares(c.A) } : { id: c.id, title: c.title, why: c.why },
  ),
});

/** Shares of steps that get more, less and no credit. */
export function shares(A: Float32Array): { readonly up: number; readonly down: number; readonly none: number } {
  let [up, down] = [0, 0];
  for (const x of A) {
    if (x > 0) up++;
    else if (x < 0) down++;
  }
  const n = Math.max(1, A.length);
  return { up: up / n, down: down / n, none: (A.length - up - down) / n };
}
