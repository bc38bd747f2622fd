import { fail, ok, type Result } from '../core/problem.ts';
import { TRAINED_ON, type TrainedOn } from '../core/trainedOn.ts';

/** Moments of a run at which its successes are counted: after every eighth of its updates. */
export const CHECKPOINTS = 8;
/** Characters of the exact digest that a link carries: 96 of its 256 bits. */
export const EXACT = 16;

/** What a run came to, small enough to send and enough to compare with within tolerances. All seeds together. */
export type Summary = {
  /** updates that were made */
  readonly updates: number;
  /** successes in the batches of the updates `checkpointsOf(updates)` */
  readonly successes: readonly number[];
  /** of the last update, mean over the seeds, to three digits; null where it was not measured */
  readonly entropy: number | null;
  readonly ess: number | null;
  /** successes in the last evaluation; null where nothing was evaluated */
  readonly evaluated: number | null;
};

/** The result that its sender had: in two levels, with what trained it. */
export type Expect = {
  readonly backend: TrainedOn;
  /** version of the lab */
  readonly version: string;
  /** beginning of the exact digest, in base64url */
  readonly exact: string;
  readonly summary: Summary;
};

/** Updates, counted from 1, after which successes are counted; each once. */
export function checkpointsOf(updates: number): number[] {
  const at = Array.from({ length: CHECKPOINTS }, (_, k) => Math.ceil(((k + 1) * updates) / CHECKPOINTS));
  return [...new Set(at)].filter((update) => update > 0);
}

const BASE = 36;
const MOST_UPDATES = 20_000;
const PATTERN =
  /^([bcg])(\d{1,4}\.\d{1,4}\.\d{1,4})~([0-9a-z]{1,3})~([\w-]{16})~([0-9a-z]{1,6}(?:\.[0-9a-z]{1,6}){0,7})~([\d.e-]{0,9})~([\d.e-]{0,9})~([0-9a-z]{0,6})$/;

/** The summary as a line of text: equal summaries give equal texts. It is the second level of a result's digest. */
export function summaryText({ updates, successes, entropy, ess, evaluated }: Summary): string {
  const counts = successes.map((n) => n.toString(BASE)).join('.');
  return [updates.toString(BASE), counts, entropy ?? '', ess ?? '', evaluated?.toString(BASE) ?? ''].join('~');
}

const LETTERS = { cpu: 'c', webgpu: 'g', both: 'b' } as const;

/** As it stands in a link, about 60 characters. */
export function packExpect({ backend, version, exact, summary }: Expect): string {
  const [updates, ...rest] = summaryText(summary).split('~');
  return [`${LETTERS[backend]}${version}`, updates, exact, ...rest].join('~');
}

/** A number as `packExpect` writes it; undefined for any other text. */
function numberIn(text: string): number | null | undefined {
  if (text === '') return null;
  const x = Number(text);
  return Number.isFinite(x) && String(x) === text ? x : undefined;
}

/** Reads what a stranger sent. */
export function readExpect(raw: unknown): Result<Expect> {
  const found = typeof raw === 'string' ? PATTERN.exec(raw) : null;
  const [, kind, version, count, exact, counts, H, S, last] = found ?? [];
  const updates = parseInt(count ?? '', BASE);
  const [entropy, ess] = [numberIn(H ?? '?'), numberIn(S ?? '?')];
  const successes = (counts ?? '').split('.').map((n) => parseInt(n, BASE));
  const fits = updates > 0 && updates <= MOST_UPDATES && successes.length === checkpointsOf(updates).length;
  if (!fits || entropy === undefined || ess === undefined)
    return fail({ kind: 'linkRejected', reason: 'badValue', detail: 'Its expected result is not a result.' });
  const evaluated = last === '' ? null : parseInt(last!, BASE);
  const summary = { updates, successes, entropy, ess, evaluated };
  const backend = TRAINED_ON.find((path) => LETTERS[path] === kind)!;
  return ok({ backend, version: version!, exact: exact!, summary });
}
