import { updateNumber } from '../../core/counting.ts';
import { iqm, mean } from '../../core/stats.ts';
import { differenceOf, type Difference } from '../../core/difference.ts';
import { metricIndex, metrics, type Metric } from '../../slots/metrics/metrics.ts';
import type { SeriesPart } from '../../worker/protocol.ts';
import { countedAxis, type XAxis } from '../stores/view.ts';
import { at, type Ghost } from './ghosts.ts';

/** All curves of a run with its seeds. */
export type Curves = Pick<Ghost, 'S' | 'firstSeed' | 'curves'>;

/** The gray line of a kept run: places and interquartile means. */
export type GhostLine = { readonly name: string; readonly points: readonly (readonly [x: number, y: number])[] };

/** Vertices of a gray line; beyond it, the lowest and highest of every stretch. */
const MOST_POINTS = 200;

/** Place of index u on the axis, as in charts/rows.ts. */
function placeOf({ steps }: SeriesPart, u: number, isBefore: boolean, xAxis: 'update' | 'envSteps'): number {
  if (xAxis === 'update') return isBefore ? u : updateNumber(u);
  return isBefore ? (u > 0 ? steps[u - 1]! : 0) : steps[u]!;
}

/** Values of the seeds at an index that were measured. */
function valuesAt({ S, curves }: Curves, u: number, metric: number): number[] {
  return Array.from({ length: S }, (_, s) => at(curves, S, u, s, metric)).filter((x) => !Number.isNaN(x));
}

export function ghostLine(ghost: Curves & { readonly name: string }, metric: number, xAxis: XAxis): GhostLine {
  const { isBefore = false }: Metric = metrics[metric]!;
  const points: [number, number][] = [];
  const times = (u: number): number[] => valuesAt(ghost, u, metricIndex.simTime);
  const hasClock = xAxis === 'simTime' && ghost.curves.steps.length > 0 && times(0).length > 0;
  const place = (u: number): number => {
    if (hasClock) return isBefore && u === 0 ? 0 : mean(times(u - (isBefore ? 1 : 0)));
    return placeOf(ghost.curves, u, isBefore, countedAxis(xAxis));
  };
  for (let u = 0; u < ghost.curves.steps.length; u++) {
    const values = valuesAt(ghost, u, metric);
    if (values.length > 0) points.push([place(u), iqm(values)]);
  }
  return { name: ghost.name, points: thinned(points) };
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
export function differencesOf(
  first: Curves,
  second: Curves,
  metric: number,
  by: ComparedBy = 'update',
): DifferenceAt[] {
  const { isBefore = false }: Metric = metrics[metric]!;
  const placesOf = (run: Curves): { u: number; place: number }[] =>
    Array.from(run.curves.steps, (_, u) => ({ u, place: placeOf(run.curves, u, isBefore, by) })).filter(
      ({ u }) => valuesAt(run, u, metric).length > 0,
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
      ...differenceOf(bySeed(first, u, metric), bySeed(second, other, metric))!,
      place,
    }));
}

function bySeed({ S, firstSeed, curves }: Curves, u: number, metric: number): Map<number, number> {
  const found = new Map<number, number>();
  for (let s = 0; s < S; s++) {
    const x = at(curves, S, u, s, metric);
    if (!Number.isNaN(x)) found.set(firstSeed + s, x);
  }
  return found;
}
