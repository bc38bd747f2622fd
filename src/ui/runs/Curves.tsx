import { useMemo, useState } from 'react';
import type { Curve, GroupCurve } from '../../lab/analysis/bands.ts';
import type { RunRecord } from '../../lab/runs/record.ts';
import { metrics, type Metric } from '../../slots/metrics/metrics.ts';
import { Figure, type Table } from '../charts/Figure.tsx';
import type { Source } from '../charts/SavePicture.tsx';
import { count, short, value } from '../format.ts';
import { CurvePlot, placeOf, POINTS, type Drawn, type Range } from './CurvePlot.tsx';
import { evaluationLine, metricLine, smoothed, X_AXES, X_WORDS, type Drawable, type XAxis } from './lines.ts';
import { MOST_DRAWN, type Chosen } from './members.ts';
import { useAnswer } from './useAnswer.ts';
import { useCurves } from './useCurves.ts';

const EVAL = 'evalSuccess';

/** A number of every selected run over time: thin lines, interquartile means, bands. */
export function Curves({ chosen, source }: { readonly chosen: readonly Chosen[]; readonly source: Source }) {
  const [id, setId] = useState<string>(EVAL);
  const [axis, setAxis] = useState<XAxis>('steps');
  const [beta, setBeta] = useState(0);
  const [range, setRange] = useState<Range | null>(null);
  const metric: Metric = metrics.find((m) => m.id === id)!;
  const shown = useMemo(() => chosen.slice(0, MOST_DRAWN), [chosen]);
  const ids = useMemo(() => shown.flatMap(({ runs }) => runs.map((run) => run.id)), [shown]);
  const curves = useCurves(ids, metric, id !== EVAL);
  const found = useMemo(
    () => shown.map(({ runs }) => runs.flatMap((run) => linesOf(run, id, axis, curves) ?? [])),
    [shown, curves, id, axis],
  );
  const raw = useMemo(
    () => shown.map(({ name }, k): Drawn => ({ name, lines: found[k]!.map(({ line }) => line) })),
    [shown, found],
  );
  // a stretch of so many measurements is smoothed like as many
  const smooth = useMemo(
    () => found.map((lines) => lines.map(({ even, width }) => smoothed(even, beta ** width))),
    [found, beta],
  );
  const about = `${id} ${axis}`;
  const ask = useMemo(() => {
    const groups = smooth.filter((lines) => lines.length > 0);
    return groups.length > 0 ? { about, groups, points: POINTS, ...(range && { range }) } : null;
  }, [about, smooth, range]);
  const known = useAnswer('curves', ask);
  const answer = known.ask?.about === about && known.ask.groups.length === ask?.groups.length ? known.answer : null;
  const has = found.map((lines) => lines.length > 0);
  const means = raw.map((_, k) => (has[k] ? (answer?.[has.slice(0, k).filter(Boolean).length] ?? null) : null));
  const width = Math.max(1, ...found.flat().map((one) => one.width));
  const isWaiting = id !== EVAL && ids.some((run) => !curves.has(run));
  const missing = isWaiting ? 0 : raw.reduce((n, { lines }, k) => n + shown[k]!.runs.length - lines.length, 0);
  return (
    <Figure
      title={metric.title}
      unit={metric.unit}
      doc={`${metric.doc} Thin: every run as it was measured. Thick: interquartile mean of each group with its 95 % band, up to the end of its shortest run.`}
      sentence={sentenceOf({ shown, chosen, means, missing, isWaiting, axis, beta, range, width })}
      file={`runs-${id}`}
      table={tableOf(shown, means, X_WORDS[axis])}
      source={source}
    >
      <div className="curvetools">
        <select aria-label="Metric" value={id} onChange={(event) => setId(event.target.value)}>
          {metrics.map((m) => (
            <option key={m.id} value={m.id}>
              {m.title}
            </option>
          ))}
        </select>
        <select
          aria-label="Horizontal axis"
          value={axis}
          onChange={(event) => {
            setAxis(event.target.value as XAxis);
            setRange(null);
          }}
        >
          {X_AXES.map((x) => (
            <option key={x} value={x}>
              over {X_WORDS[x]}
            </option>
          ))}
        </select>
        <label className="inline smoothing">
          Smoothing {beta.toFixed(2)}
          <input
            type="range"
            min={0}
            max={0.98}
            step={0.02}
            value={beta}
            onChange={(event) => setBeta(Number(event.target.value))}
          />
        </label>
      </div>
      <CurvePlot raw={raw} means={means} axis={axis} metric={metric} range={range} zoom={setRange} />
    </Figure>
  );
}

type Lines = { readonly line: Curve; readonly even: Curve; readonly width: number };

/** A number of a run: what is drawn, and what is averaged. Null where it has not been measured, or is being read. */
function linesOf(run: RunRecord, id: string, axis: XAxis, curves: ReadonlyMap<string, Drawable | null>): Lines | null {
  if (id === EVAL) {
    const line = evaluationLine(run, axis);
    return { line, even: line, width: 1 };
  }
  const kept = curves.get(run.id);
  const line = kept && metricLine(run, kept.line, axis);
  if (!kept || !line) return null;
  return { line, even: kept.width > 1 ? metricLine(run, kept.even, axis)! : line, width: kept.width };
}

type Said = {
  readonly shown: readonly Chosen[];
  readonly chosen: readonly Chosen[];
  readonly means: readonly (GroupCurve | null)[];
  readonly missing: number;
  readonly isWaiting: boolean;
  readonly axis: XAxis;
  readonly beta: number;
  readonly range: Range | null;
  /** measurements of a stretch of the longest run: 1 where each is drawn */
  readonly width: number;
};

function sentenceOf({ shown, chosen, means, missing, isWaiting, axis, beta, range, width }: Said): string {
  if (isWaiting) return 'The curves are being read.';
  const ends = shown.map(({ name }, k) => `${name} ends at ${value(means[k]?.iqm.at(-1))}`);
  const few = shown.filter(({ runs }) => runs.length < 3).length;
  return [
    `${ends.join('; ')}.`,
    few > 0 ? `Too few seeds for a band: ${few === 1 ? '1 group' : `${few} groups`}.` : '',
    chosen.length > shown.length ? `The first ${MOST_DRAWN} of ${chosen.length} groups are drawn.` : '',
    missing > 0 ? `Without this curve: ${count(missing)} runs.` : '',
    range ? `Shown: ${short(range[0])} to ${short(range[1])} ${X_WORDS[axis]}.` : '',
    width > 1
      ? `Of long runs the lowest and the highest of every ${Math.ceil(width)} measurements are drawn, and means are of as many.`
      : '',
    axis === 'seconds' ? 'The time of a run is spread evenly over its updates.' : '',
    beta > 0 ? 'Means and bands are of smoothed runs; thin lines are not smoothed.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function tableOf(shown: readonly Chosen[], means: readonly (GroupCurve | null)[], x: string): Table {
  const longest = means.reduce((a, b) => ((b?.steps.at(-1) ?? 0) > (a?.steps.at(-1) ?? 0) ? b : a), means[0] ?? null);
  const places = longest?.steps.filter((_, k) => k % 4 === 0) ?? [];
  return {
    columns: [x, ...shown.flatMap(({ name }) => [name, `${name} low`, `${name} high`])],
    rows: places.map((at) => [
      Math.round(at),
      ...means.flatMap((curve) => {
        const k = placeOf(curve, at);
        return [curve?.iqm[k], curve?.band?.low[k], curve?.band?.high[k]].map((y) =>
          y === undefined ? '–' : y.toPrecision(4),
        );
      }),
    ]),
  };
}
