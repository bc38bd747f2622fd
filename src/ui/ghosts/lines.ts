import { updateNumber } from '../../core/counting.ts';
import { iqm, mean } from '../../core/stats.ts';
import { differenceOf, type Difference } from '../../core/difference.ts';
import { metrics, type Metric } from '../../slots/metrics/metrics.ts';
import type { CurveColumn } from '../../worker/protocol.ts';
import { countedAxis, type XAxis } from '../stores/view.ts';
import type { Ghost } from './ghosts.ts';

/** A metric of a run with its seeds. */
export type Measured = CurveColumn & Pick<Ghost, 'S' | 'firstSeed'> & { readonly metric: number };

/** The gray line of a kept run: places and interquartile means. */
export type GhostLine = { readonly name: string; readonly points: readonly (readonly [x: number, y: number])[] };

/** Vertices of a gray line; beyond it, the lowest and highest of every stretch. */
const MOST_POINTS = 200;

/** Place of index u on the axis, as in charts/rows.ts. */
function placeOf({ steps }: CurveColumn, u: number, isBefore: boolean, xAxis: 'update' | 'envSteps'): number {
  if (xAxis === 'update') return isBefore ? u : updateNumber(u);
  return isBefore ? (u > 0 ? steps[u - 1]! : 0) : steps[u]!;
}

/** Values of the seeds at an index that were measured. */
const valuesAt = (values: Float32Array, S: number, u: number): Float32Array =>
  values.subarray(u * S, (u + 1) * S).filter((x) => !Number.isNaN(x));

const isBeforeOf = ({ metric }: Measured): boolean => (metrics[metric] as Metric).isBefore ?? false;

/** @param clock [n, S] times of the same run, where the axis is that of its clock */
export function ghostLine(run: Measured, clock: Float32Array | null, xAxis: XAxis): GhostLine['points'] {
  const { S, steps, values } = run;
  const isBefore = isBeforeOf(run);
  const points: [number, number][] = [];
  const times = (u: number): Float32Array => valuesAt(clock!, S, u);
  const hasClock = clock !== null && xAxis === 'simTime' && steps.length > 0 && times(0).length > 0;
  const place = (u: number): number => {
    if (hasClock) return isBefore && u === 0 ? 0 : mean(times(u - (isBefore ? 1 : 0)));
    return placeOf(run, u, isBefore, countedAxis(xAxis));
  };
  for (let u = 0; u < steps.length; u++) {
    const measured = valuesAt(values, S, u);
    if (measured.length > 0) points.push([place(u), iqm(measured)]);
  }
  return thinned(points);
}

/** The lowest and the highest of every stretch, in their order. */
function thinned(points: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  if (points.length <= MOST_POINTS) return points;
  const stretches = MOST_POINTS / 2;
  return Array.from({ length: stretches }, (_, k) => {
    const part = points.slice(
      Math.floor((k * points.length) / stretches),
      Math.floor(((k + 1) * points.length) / stretches),
    );
    const ends = [part.reduce((a, b) => (b[1] < a[1] ? b : a)), part.reduce((a, b) => (b[1] > a[1] ? b : a))] as const;
    return ends[0][0] <= ends[1][0] ? ends : [ends[1], ends[0]];
  }).flat();
}

/** What two runs are compared at: the same update, or as many environment steps. */
export type ComparedBy = 'update' | 'envSteps';

/** Difference of two runs at a place of the axis: after an update, or after so many steps. */
export type DifferenceAt = Difference & { readonly place: number };

/** Points at which two runs are compared, at most; each is a measurement of the first run, and never a stretch. */
const MOST_COMPARED = 100;

/**
 * Both runs at the same places, `first` less `second`: at all that the first has measured and the second has come to, or at
 * evenly spread ones of them. At the same update both were measured; after as many steps, the second has what it had
 * measured last.
 */
export function differencesOf(first: Measured, second: Measured, by: ComparedBy = 'update'): DifferenceAt[] {
  const isBefore = isBeforeOf(first);
  const placesOf = (run: Measured): { u: number; place: number }[] =>
    Array.from(run.steps, (_, u) => ({ u, place: placeOf(run, u, isBefore, by) })).filter(
      ({ u }) => valuesAt(run.values, run.S, u).length > 0,
    );
  const [own, others] = [placesOf(first), placesOf(second)];
  const end = others.at(-1)?.place ?? -Infinity;
  const both = own.flatMap(({ u, place }) => {
    const other = others.findLast((one) => (by === 'update' ? one.place === place : one.place <= place));
    return other && place <= end ? [{ u, other: other.u, place }] : [];
  });
  const every = Math.ceil(both.length / MOST_COMPARED);
  // the newest one is always among them
  return both
    .filter((_, k) => (both.length - 1 - k) % every === 0)
    .map(({ u, other, place }) => ({
      ...differenceOf(bySeed(first, u), bySeed(second, other))!,
      place,
    }));
}

function bySeed({ S, firstSeed, values }: Measured, u: number): Map<number, number> {
  const found = new Map<number, number>();
  for (let s = 0; s < S; s++) {
    const x = values[u * S + s]!;
    if (!Number.isNaN(x)) found.set(firstSeed + s, x);
  }
  return found;
}
