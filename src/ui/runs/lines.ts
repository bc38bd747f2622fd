import type { Curve } from '../../lab/analysis/bands.ts';
import type { Measurements } from '../../lab/runs/measured.ts';
import type { RunRecord } from '../../lab/runs/record.ts';
import { mean } from '../../core/stats.ts';

export const X_AXES = ['updates', 'steps', 'seconds'] as const;
export type XAxis = (typeof X_AXES)[number];

export const X_WORDS: Readonly<Record<XAxis, string>> = {
  updates: 'updates',
  steps: 'environment steps',
  seconds: 'seconds of training',
};

/** Seconds are not kept for every update: those of the whole run are spread evenly over its updates. */
const secondsAt = ({ seconds, update }: RunRecord, u: number): number => (update === 0 ? 0 : (seconds * u) / update);

/** The evaluations of a run along an axis. */
export function evaluationLine(run: RunRecord, axis: XAxis): Curve {
  const { updates, steps, success } = run.evaluations;
  const x = axis === 'steps' ? steps : axis === 'updates' ? updates : updates.map((u) => secondsAt(run, u));
  return { steps: x, success, diverged: run.diverged };
}

/** A metric of a run along an axis, where it was measured. Null: nowhere. */
export function metricLine(run: RunRecord, { updates, steps, values }: Measurements, axis: XAxis): Curve | null {
  if (values.length === 0) return null;
  const x =
    axis === 'steps' ? Array.from(steps) : Array.from(updates, (u) => (axis === 'updates' ? u : secondsAt(run, u)));
  return { steps: x, success: Array.from(values) };
}

/**
 * Exponential moving average without the pull toward its start: s ← β·s + (1 − β)·y, divided by 1 − β^t. β = 0 changes
 * nothing.
 */
export function smoothed(curve: Curve, beta: number): Curve {
  if (beta === 0) return curve;
  let sum = 0;
  let weight = 1;
  const average = curve.success.map((y) => {
    sum = beta * sum + (1 - beta) * y;
    weight *= beta;
    return sum / (1 - weight);
  });
  return { ...curve, success: average };
}

/** Places of at most `most` of these numbers, the lowest and the highest of each stretch: spikes survive. */
function ends(values: ArrayLike<number>, most: number): number[] {
  const n = values.length;
  const kept: number[] = [];
  for (const [from, to] of stretches(n, Math.max(1, Math.floor(most / 2)))) {
    let [low, high] = [from, from];
    for (let k = from; k < to; k++) {
      if (values[k]! < values[low]!) low = k;
      if (values[k]! > values[high]!) high = k;
    }
    kept.push(Math.min(low, high), Math.max(low, high));
  }
  return kept;
}

const stretches = (n: number, count: number): [from: number, to: number][] =>
  Array.from({ length: count }, (_, b) => [Math.floor((b * n) / count), Math.floor(((b + 1) * n) / count)]);

/** At most `most` points, the lowest and the highest of each stretch. */
export function thinned({ steps, success }: Curve, most: number): Curve {
  if (steps.length <= most) return { steps, success };
  const kept = ends(success, most);
  return { steps: kept.map((k) => steps[k]!), success: kept.map((k) => success[k]!) };
}

/** A metric of a run as a comparison holds it, however long the run is. */
export type Drawable = {
  /** what is drawn: of a long run the lowest and the highest of each stretch, and both ends */
  readonly line: Measurements;
  /** what is averaged: of a long run the mean of each stretch, at its end */
  readonly even: Measurements;
  /** measurements of a stretch: 1 where every one is there */
  readonly width: number;
};

const at = ({ updates, steps, values }: Measurements, kept: readonly number[]): Measurements => ({
  updates: Uint32Array.from(kept, (k) => updates[k]!),
  steps: Float64Array.from(kept, (k) => steps[k]!),
  values: Float32Array.from(kept, (k) => values[k]!),
});

/** At most `most` points to draw, and half as many to average. */
export function drawable(all: Measurements, most: number): Drawable {
  const n = all.values.length;
  if (n <= most) return { line: all, even: all, width: 1 };
  const parts = stretches(n, Math.floor(most / 2));
  const even = {
    ...at(
      all,
      parts.map(([, to]) => to - 1),
    ),
    values: Float32Array.from(parts, ([from, to]) => mean(all.values.subarray(from, to))),
  };
  const kept = [...new Set([0, ...ends(all.values, most - 2), n - 1])];
  return { line: at(all, kept), even, width: n / parts.length };
}

/** The part of a curve between two places, and its neighbors on both sides, so that lines run on to the edges. */
export function within({ steps, success }: Curve, [from, to]: readonly [number, number]): Curve {
  const first = steps.findIndex((x) => x >= from);
  const last = steps.findLastIndex((x) => x <= to);
  const [a, b] = [first < 0 ? steps.length - 1 : Math.max(0, first - 1), Math.min(steps.length, last + 2)];
  return { steps: steps.slice(a, b), success: success.slice(a, b) };
}

/** A range of an axis that goes from 0 to `end`, `factor` times as wide around `at`, inside the axis; null: all of it. */
export function zoomed(
  [from, to]: readonly [number, number],
  { at, factor, end }: { readonly at: number; readonly factor: number; readonly end: number },
): readonly [number, number] | null {
  const wide = Math.max(end / 1000, (to - from) * factor);
  if (wide >= end * 0.999) return null;
  const low = Math.min(Math.max(0, at - wide / 2), end - wide);
  return [low, low + wide];
}
