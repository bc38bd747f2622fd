import { iqm } from '../../core/stats.ts';
import { metricIndex, metrics, type Metric, type MetricId } from '../../slots/metrics/metrics.ts';
import { updateNumber } from '../../core/counting.ts';
import { Plot } from '../analysis/plot.ts';
import type { Numbers } from '../runs/summary.ts';

/** Points of a line in a figure, at most. */
const MOST = 400;
const SHOWN: readonly MetricId[] = ['success', 'evalSuccess', 'returnMean', 'entropy', 'ess', 'approxKL'];

/** A metric against updates: every seed as a thin line, their interquartile mean as a thick one; null: not measured. */
function figureOf(numbers: Numbers, seeds: readonly number[], id: MetricId): string | null {
  const { title, unit, range, isBefore = false }: Metric = metrics[metricIndex[id]]!;
  const at = (u: number, s: number): number => numbers.at(u, s, id);
  const all = Array.from({ length: numbers.updates }, (_, u) => u).filter((u) =>
    seeds.every((_, s) => Number.isFinite(at(u, s))),
  );
  if (all.length < 2) return null;
  const every = Math.ceil(all.length / MOST);
  const kept = all.filter((_, k) => k % every === 0 || k === all.length - 1);
  const x = kept.map((u) => (isBefore ? u : updateNumber(u)));
  const values = kept.flatMap((u) => seeds.map((_, s) => at(u, s)));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const plot = new Plot({
    title,
    x: { from: 0, to: x.at(-1)!, label: 'updates' },
    y: {
      from: Math.min(low, range?.[0] ?? low),
      to: Math.max(high, range?.[1] ?? high, low + 1e-9),
      label: unit,
    },
    legend: [seeds.length === 1 ? `seed ${seeds[0]}` : `interquartile mean of ${seeds.length} seeds`],
  });
  if (seeds.length > 1)
    seeds.forEach((_, s) =>
      plot.line(
        0,
        x,
        kept.map((u) => at(u, s)),
        true,
      ),
    );
  plot.line(
    0,
    x,
    kept.map((u) => iqm(seeds.map((_, s) => at(u, s)))),
  );
  return plot.svg();
}

/** Figures of a run by the names of their files: what it measured of the metrics that every run shows. */
export function figuresOf(
  numbers: Numbers,
  seeds: readonly number[],
): { readonly name: string; readonly svg: string }[] {
  return SHOWN.flatMap((id) => {
    const svg = figureOf(numbers, seeds, id);
    return svg === null ? [] : [{ name: `${id}.svg`, svg }];
  });
}
