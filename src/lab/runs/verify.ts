import { checkpointsOf, type Expect } from '../../config/expect.ts';
import { updateNumber } from '../../core/counting.ts';
import { PATHS } from '../../core/trainedOn.ts';
import { metricIndex, metrics, type Metric, type MetricId } from '../../slots/metrics/metrics.ts';

/** Where two results begin to differ: the update, counted from 1, and what differs there. */
export type FirstDifference = { readonly update: number; readonly what: string };

/** What training an experiment again has shown. */
export type Verdict = {
  readonly kind: 'identical' | 'equivalent' | 'different';
  /** null where they are identical, or where what is known of the first result shows no difference */
  readonly first: FirstDifference | null;
  /** sentences on what is outside its tolerance */
  readonly outside: readonly string[];
  /** sentences on what is different where the two were trained */
  readonly environment: readonly string[];
};

/** Entropies that differ by less count as equal, in nats. */
export const ENTROPY_TOLERANCE = 0.05;
/**
 * Two-sided 99 % for all counts of a summary together: Φ⁻¹(1 − 0.01 / (2 · 9)) with eight checkpoints and one evaluation.
 */
const Z = 3.2608;

/**
 * True if two counts of successes out of n each can come from the same chance: |a − b| ≤ z √(2 n p (1 − p)) with
 * p = (a + b + 1) / (2 n + 2), and half a count of continuity.
 */
export function areClose(a: number, b: number, n: number): boolean {
  const p = Math.min(1, (a + b + 1) / (2 * n + 2));
  return Math.abs(a - b) - 0.5 <= Z * Math.sqrt(2 * n * p * (1 - p));
}

const percent = (count: number, n: number): string => `${Number(((100 * count) / n).toPrecision(3))} %`;

/** Sentences on what of the summaries is further apart than its tolerance. */
function outsideOf({ summary: a }: Expect, { summary: b }: Expect, n: number): string[] {
  const sentences: string[] = [];
  const counts = (what: string, x: number | null, y: number | null): void => {
    if (x === null || y === null) {
      if (x !== y) sentences.push(`${what}: measured in only one of the two.`);
    } else if (!areClose(x, y, n)) sentences.push(`${what}: ${percent(y, n)} where ${percent(x, n)} was expected.`);
  };
  const at = checkpointsOf(a.updates);
  a.successes.forEach((x, k) => counts(`Success in update ${at[k]}`, x, b.successes[k] ?? null));
  counts('Success in the last evaluation', a.evaluated, b.evaluated);
  const [H, G] = [a.entropy, b.entropy];
  if (H === null || G === null) {
    if (H !== G) sentences.push('Entropy: measured in only one of the two.');
  } else if (Math.abs(H - G) > ENTROPY_TOLERANCE)
    sentences.push(`Entropy: ${G} nats where ${H} was expected (± ${ENTROPY_TOLERANCE}).`);
  return sentences;
}

/** The first of the checkpoints whose successes differ. */
function firstCount({ summary: a }: Expect, { summary: b }: Expect): FirstDifference | null {
  const k = a.successes.findIndex((x, j) => x !== b.successes[j]);
  if (k < 0) return null;
  return {
    update: checkpointsOf(a.updates)[k]!,
    what: `${b.successes[k]} successes in place of ${a.successes[k]}`,
  };
}

/** The same, or what differs after the last update. */
function firstInSummary(expected: Expect, found: Expect): FirstDifference | null {
  const counted = firstCount(expected, found);
  if (counted) return counted;
  const [a, b] = [expected.summary, found.summary];
  const update = a.updates;
  if (a.entropy !== b.entropy) return { update, what: `entropy ${b.entropy} in place of ${a.entropy}` };
  if (a.ess !== b.ess) return { update, what: `ESS ${b.ess} in place of ${a.ess}` };
  if (a.evaluated !== b.evaluated)
    return { update, what: `${b.evaluated} successes in the last evaluation in place of ${a.evaluated}` };
  return null;
}

function environmentOf(a: Expect, b: Expect): string[] {
  return [
    ...(a.backend === b.backend
      ? []
      : [
          `It was trained on ${PATHS[a.backend]}, and here on ${PATHS[b.backend]}: only the CPU path repeats every bit.`,
        ]),
    ...(a.backend === 'both' && b.backend === 'both'
      ? ['Both were trained on the CPU path and WebGPU in turn, perhaps not in the same updates.']
      : []),
    ...(a.backend === 'webgpu' && b.backend === 'webgpu'
      ? ['Both were trained on WebGPU, where only devices of the same kind repeat every bit.']
      : []),
    ...(a.version === b.version ? [] : [`It was trained by version ${a.version} of the lab; this is ${b.version}.`]),
  ];
}

/** What the exact digest decides, so that it is equal on every backend where that is: to seven digits. */
const COUNTED: readonly MetricId[] = ['success', 'lengthMean'];

/**
 * Identical: the exact digests are equal. Equivalent: every count of successes within a 99 % binomial interval, entropy
 * within ± 0.05 nats. Different otherwise.
 *
 * Equal digests with other numbers are different: one of the two was changed by hand. Only the CPU path repeats every
 * number, though; where WebGPU has trained any of it, numbers may be rounded differently while all actions are equal.
 * @param episodes of a batch of all seeds together
 * @param firsts what the metrics of both show, where these are known: the first update that differs is exact then
 */
export function verdictOf(expected: Expect, found: Expect, episodes: number, firsts: Firsts | null = null): Verdict {
  const counted = firsts?.counted ?? firstCount(expected, found);
  const any = firsts?.any ?? firstInSummary(expected, found);
  // two backends round differently from the first update on, which says nothing
  const first = (expected.backend === found.backend && found.backend !== 'both' ? null : counted) ?? any;
  const environment = environmentOf(expected, found);
  const outside = outsideOf(expected, found, episodes);
  if (expected.exact !== found.exact)
    return { kind: outside.length > 0 ? 'different' : 'equivalent', first, outside, environment };
  const isRounded = expected.backend !== 'cpu' || found.backend !== 'cpu';
  const wrong = isRounded ? counted : first;
  if (wrong || outside.length > 0) return { kind: 'different', first: wrong ?? first, outside, environment };
  const rounded = first
    ? [`Other numbers agree but for rounding, first in update ${first.update}: ${first.what}.`]
    : [];
  return { kind: 'identical', first: null, outside, environment: [...environment, ...rounded] };
}

/** Digits of a number in metrics.csv; numbers that have been through a file are equal to so many. */
const DIGITS = 7;
const equal = (x: number, y: number): boolean =>
  Object.is(x, y) || x === y || Number(x.toPrecision(DIGITS)) === Number(y.toPrecision(DIGITS));

/** A number in four digits, in more where another one would look the same. */
function shown(x: number, other: number): string {
  const digits = Number(x.toPrecision(4)) === Number(other.toPrecision(4)) ? DIGITS : 4;
  return String(Number(x.toPrecision(digits)));
}

/** One metric of S seeds, [updates, S]. */
export type Column = { readonly S: number; readonly values: Float32Array };

/** Where the numbers of two results begin to differ. */
export type Firsts = {
  /** in what the exact digest decides */
  readonly counted: FirstDifference | null;
  readonly any: FirstDifference | null;
};

type Place = { readonly u: number; readonly s: number; readonly told: FirstDifference };

/** Where a metric begins to differ: its first update, and in this the first seed. What only one has measured is none. */
function firstIn(m: number, a: Column, b: Column): Place | null {
  const length = Math.min(a.values.length / a.S, b.values.length / b.S);
  for (let u = 0; u < length; u++) {
    for (let s = 0; s < Math.min(a.S, b.S); s++) {
      const [x, y] = [a.values[u * a.S + s]!, b.values[u * b.S + s]!];
      if (Number.isNaN(x) || Number.isNaN(y) || equal(x, y)) continue;
      const { title, isBefore = false }: Metric = metrics[m]!;
      // what is measured between two updates shows the earlier of them
      const update = isBefore ? u : updateNumber(u);
      return { u, s, told: { update, what: `${title} ${shown(y, x)} in place of ${shown(x, y)}` } };
    }
  }
  return null;
}

/** The earlier of two; of those in the same update and seed, the one that is there. */
const earlier = (before: Place | null, next: Place | null): Place | null =>
  before && next ? ((next.u - before.u || next.s - before.s) < 0 ? next : before) : (before ?? next);

/** Where the numbers of two results begin to differ, one metric after the other. */
export async function firstsOf(both: (metric: number) => Promise<readonly [Column, Column]>): Promise<Firsts> {
  const wanted = COUNTED.map((id) => metricIndex[id]);
  let [counted, any]: (Place | null)[] = [null, null];
  for (let m = 0; m < metrics.length; m++) {
    const found = firstIn(m, ...(await both(m)));
    any = earlier(any!, found);
    if (wanted.includes(m)) counted = earlier(counted!, found);
  }
  return { counted: counted?.told ?? null, any: any?.told ?? null };
}

/** The verdict in one sentence for people. */
export function verdictWords({ kind, first, outside }: Verdict): string {
  const where = first ? ` The first difference is in update ${first.update}: ${first.what}.` : '';
  switch (kind) {
    case 'identical':
      return 'Identical: every action and reward of every update is the same.';
    case 'equivalent':
      return `Equivalent: not the same bits, but success and entropy agree within their tolerances.${where}`;
    case 'different':
      return `Different.${where}${outside.length > 0 ? ` ${outside.join(' ')}` : ' The digests agree and the numbers do not, so one of them was changed.'}`;
  }
}
