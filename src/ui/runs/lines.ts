import type { Curve } from '../../lab/analysis/bands.ts';
import type { RunCurves, RunRecord } from '../../lab/runs/record.ts';

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

/** A metric of every update of a run; where it was not measured there is no point. Null: the run does not have it. */
export function metricLine(
  run: RunRecord,
  { columns, part }: RunCurves,
  { id, isBefore = false }: { readonly id: string; readonly isBefore?: boolean },
  axis: XAxis,
): Curve | null {
  const column = columns.indexOf(id);
  if (column < 0) return null;
  const x: number[] = [];
  const y: number[] = [];
  for (let u = 0; u < part.steps.length; u++) {
    const value = part.values[u * columns.length + column]!;
    if (!Number.isFinite(value)) continue;
    // the policy that plays a batch was measured before its update
    const at = u + (isBefore ? 0 : 1);
    const steps = at === 0 ? 0 : part.steps[at - 1]!;
    x.push(axis === 'updates' ? at : axis === 'steps' ? steps : secondsAt(run, at));
    y.push(value);
  }
  return x.length === 0 ? null : { steps: x, success: y };
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

/** At most `most` points, the lowest and the highest of each stretch: spikes survive. */
export function thinned({ steps, success }: Curve, most: number): Curve {
  const n = steps.length;
  if (n <= most) return { steps, success };
  const buckets = Math.max(1, Math.floor(most / 2));
  const kept: number[] = [];
  for (let b = 0; b < buckets; b++) {
    const [from, to] = [Math.floor((b * n) / buckets), Math.floor(((b + 1) * n) / buckets)];
    let [low, high] = [from, from];
    for (let k = from; k < to; k++) {
      if (success[k]! < success[low]!) low = k;
      if (success[k]! > success[high]!) high = k;
    }
    kept.push(Math.min(low, high), Math.max(low, high));
  }
  return { steps: kept.map((k) => steps[k]!), success: kept.map((k) => success[k]!) };
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
