import { columnOf, isColumn } from '../contract/columns.ts';
import { defaultsOf, parse, settingsSchema, type AnyValues } from '../core/settings.ts';
import { areFinite } from '../core/stats.ts';
import { unreadable } from '../slots/estimatorOf.ts';
import { estimators } from '../slots/methods.ts';
import { asMade, type Estimator } from '../slots/types.ts';
import { creditOf, type LogBatch } from './batch.ts';

/** What a log has to hold for a column of a batch, and how it can. */
type Lack = { readonly what: string; readonly how: string };
const lack = (what: string, how = ''): Lack => ({ what, how });
const FORKED = lack('episodes that were forked from others');
const MISSING: Readonly<Record<string, Lack>> = {
  stateKey: lack('a state or an observation of every step', 'Name the column that holds it.'),
  finalStateKey: lack(
    'the state in which every episode ended',
    'A column next_state says it, or let episodes with the same outcome share their end.',
  ),
  action: lack('the action of every step', 'Name the column that holds it.'),
  logp: lack('the log-probability of every action'),
  entropy: lack('the entropy of the policy at every step'),
  value: lack('the value that a critic gave every state'),
  valueFinal: lack('the value of the state in which an episode was cut off', 'A column final_value says it.'),
  scoreNorm: lack('the size of the score at every step'),
  greedyReturn: lack('the return of one greedy episode of every task', 'A column greedy_return says it.'),
  logpPhi: lack('the log-probabilities of a process model'),
  rewardParts: lack('the parts of the reward'),
  branchParent: FORKED,
  branchStep: FORKED,
  obsCells: lack(
    'the observation of every step as cells of a map',
    'For texts, let similar ones count as one state and take the estimator without “similar states”.',
  ),
};

/** What one estimator says of a log. */
export type Computed =
  | { readonly id: string; readonly title: string; readonly ok: true; readonly A: Float32Array }
  | { readonly id: string; readonly title: string; readonly ok: false; readonly why: string };

/** An estimator, and null or the sentence of why a log does not allow it. */
export type Offered = { readonly id: string; readonly title: string; readonly why: string | null };

/** What an estimator lacks in a log, as the rest of “it needs …”, and how the log could have it. Null where it lacks nothing. */
export function lackOf({ needs }: Pick<Estimator, 'needs'>, fields: ReadonlySet<string>): Lack | null {
  const missing = needs
    .filter((name) => !fields.has(name))
    .map((name) => MISSING[name] ?? lack((isColumn(name) ? columnOf(name).words : null) ?? name));
  if (missing.length === 0) return null;
  const joined = (words: readonly string[], by: string): string => [...new Set(words)].filter(Boolean).join(by);
  return lack(
    joined(
      missing.map(({ what }) => what),
      ' and ',
    ),
    joined(
      missing.map(({ how }) => how),
      ' ',
    ),
  );
}

/** Why an estimator cannot run on a log; null where it can. */
export function refusalOf(estimator: Pick<Estimator, 'title' | 'needs'>, fields: ReadonlySet<string>): string | null {
  const found = lackOf(estimator, fields);
  return found && `${estimator.title} needs ${found.what}, which this log does not hold. ${found.how}`.trimEnd();
}

/** Every estimator of the lab with what a log lacks for it. */
export const offeredBy = (fields: ReadonlySet<string>): Offered[] =>
  estimators.map((record) => {
    const estimator = asMade(record, settingsOf(record));
    return { id: record.id, title: record.title, why: refusalOf(estimator, fields) };
  });

/** The estimator of this id as its usual settings make it; null where there is none. */
export function estimatorOf(id: string): Estimator | null {
  const record = estimators.find((e) => e.id === id);
  return record ? asMade(record, settingsOf(record)) : null;
}

/** Settings of an estimator: those that were given where they are valid, else its own. */
export function settingsOf(estimator: Estimator, given: AnyValues = {}): AnyValues {
  const read = parse(settingsSchema(estimator.params), { ...defaultsOf(estimator.params), ...given });
  return (read.ok ? read.value : defaultsOf(estimator.params)) as AnyValues; // the schema is of these settings
}

/** Credit of every real step by one estimator, episode after episode; or the sentence of why there is none. */
export function compute(log: LogBatch, id: string, given?: AnyValues): Computed {
  const record = estimatorOf(id);
  if (!record) return { id, title: id, ok: false, why: `There is no estimator “${id.slice(0, 40)}”.` };
  const params = settingsOf(record, given);
  // one of them is a text: it reads what the text says, and only that has to be there
  const faulty = unreadable(id, params);
  const estimator = asMade(record, params);
  const { title } = estimator;
  const why = faulty ? `The text of ${title} ${faulty.message}.` : refusalOf(estimator, log.fields);
  if (why !== null) return { id, title, ok: false, why };
  const values = params as never;
  const A = creditOf(log, (batch) => estimator.run(batch, values).A);
  if (areFinite(A)) return { id, title, ok: true, A };
  return {
    id,
    title,
    ok: false,
    why: `${title} gives numbers that are not finite: the rewards of this log are too large for it.`,
  };
}
