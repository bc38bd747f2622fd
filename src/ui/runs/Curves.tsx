import { useMemo, useState } from 'react';
import type { GroupCurve } from '../../lab/analysis/bands.ts';
import { metrics, type Metric } from '../../slots/metrics/metrics.ts';
import { Figure, type Table } from '../charts/Figure.tsx';
import type { Source } from '../charts/SavePicture.tsx';
import { count, short, value } from '../format.ts';
import { CurvePlot, placeOf, POINTS, type Drawn, type Range } from './CurvePlot.tsx';
import { evaluationLine, metricLine, smoothed, X_AXES, X_WORDS, type XAxis } from './lines.ts';
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
  const curves = useCurves(ids, id !== EVAL);
  const raw = useMemo(
    () =>
      shown.map(({ name, runs }): Drawn => {
        const lines = runs.map((run) => {
          const kept = curves.get(run.id);
          return id === EVAL ? evaluationLine(run, axis) : kept ? metricLine(run, kept, metric, axis) : null;
        });
        return { name, lines: lines.filter((line) => line !== null) };
      }),
    [shown, curves, id, axis, metric],
  );
  const smooth = useMemo(() => raw.map(({ lines }) => lines.map((line) => smoothed(line, beta))), [raw, beta]);
  const about = `${id} ${axis}`;
  const ask = useMemo(() => {
    const groups = smooth.filter((lines) => lines.length > 0);
    return groups.length > 0 ? { about, groups, points: POINTS, ...(range && { range }) } : null;
  }, [about, smooth, range]);
  const known = useAnswer('curves', ask);
  const answer = known.ask?.about === about && known.ask.groups.length === ask?.groups.length ? known.answer : null;
  const found = raw.map(({ lines }) => lines.length > 0);
  const means = raw.map((_, k) => (found[k] ? (answer?.[found.slice(0, k).filter(Boolean).length] ?? null) : null));
  const isWaiting = id !== EVAL && ids.some((run) => !curves.has(run));
  const missing = isWaiting ? 0 : raw.reduce((n, { lines }, k) => n + shown[k]!.runs.length - lines.length, 0);
  return (
    <Figure
      title={metric.title}
      unit={metric.unit}
      doc={`${metric.doc} Thin: every run as it was measured. Thick: interquartile mean of each group with its 95 % band, up to the end of its shortest run.`}
      sentence={sentenceOf({ shown, chosen, means, missing, isWaiting, axis, beta, range })}
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

type Said = {
  readonly shown: readonly Chosen[];
  readonly chosen: readonly Chosen[];
  readonly means: readonly (GroupCurve | null)[];
  readonly missing: number;
  readonly isWaiting: boolean;
  readonly axis: XAxis;
  readonly beta: number;
  readonly range: Range | null;
};

function sentenceOf({ shown, chosen, means, missing, isWaiting, axis, beta, range }: Said): string {
  if (isWaiting) return 'The curves are being read.';
  const ends = shown.map(({ name }, k) => `${name} ends at ${value(means[k]?.iqm.at(-1))}`);
  const few = shown.filter(({ runs }) => runs.length < 3).length;
  return [
    `${ends.join('; ')}.`,
    few > 0 ? `Too few seeds for a band: ${few === 1 ? '1 group' : `${few} groups`}.` : '',
    chosen.length > shown.length ? `The first ${MOST_DRAWN} of ${chosen.length} groups are drawn.` : '',
    missing > 0 ? `Without this curve: ${count(missing)} runs.` : '',
    range ? `Shown: ${short(range[0])} to ${short(range[1])} ${X_WORDS[axis]}.` : '',
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
