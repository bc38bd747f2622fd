import type { Positions } from '../../slots/metrics/batchMeasures.ts';
import { css, viridis } from '../color.ts';
import { count, value } from '../format.ts';
import { Figure } from './Figure.tsx';
import { WIDTH } from './frame.ts';
import { useShown } from './useShown.ts';

const DOC =
  'Means over the steps at the same position in their episode, of the newest batch shown. Late positions rest on few steps: the paler the column, the fewer.';
const ROWS = [
  ['entropy', 'policy entropy'],
  ['size', '|A|'],
  ['moved', '|Δ| of the update'],
] as const;
/** Columns that are drawn; with more positions each stands for several. */
const MOST_COLUMNS = 90;
const HIGH = 26;
const NAME = 116;

type Column = { readonly from: number; readonly to: number; readonly steps: number } & Record<
  (typeof ROWS)[number][0],
  number
>;

/** Positions joined to at most MOST_COLUMNS columns, each a mean over its steps; those without steps are left out. */
export function columnsOf(positions: Positions): Column[] {
  const T = positions.steps.reduce((last, n, t) => (n > 0 ? t + 1 : last), 0);
  const wide = Math.ceil(T / MOST_COLUMNS) || 1;
  const columns: Column[] = [];
  for (let from = 0; from < T; from += wide) {
    const to = Math.min(T, from + wide) - 1;
    const sums = { steps: 0, entropy: 0, size: 0, moved: 0 };
    for (let t = from; t <= to; t++) {
      const n = positions.steps[t]!;
      sums.steps += n;
      for (const [id] of ROWS) sums[id] += n * positions[id][t]!;
    }
    const mean = (id: (typeof ROWS)[number][0]): number => sums[id] / sums.steps;
    columns.push({ from, to, steps: sums.steps, entropy: mean('entropy'), size: mean('size'), moved: mean('moved') });
  }
  return columns;
}

/** Entropy, size of the credit and how far the update moved, by position in the episode. */
export function PositionPanel() {
  const shown = useShown();
  const columns = shown ? columnsOf(shown.positions) : [];
  if (!shown || columns.length === 0) {
    return (
      <Figure title="By position" unit="means" doc={DOC} file="positions" table={null} sentence="">
        <p className="quiet empty">Appears with the first batch.</p>
      </Figure>
    );
  }
  const most = Math.max(...columns.map((c) => c.steps));
  const wide = (WIDTH - NAME) / columns.length;
  const [first, last] = [columns[0]!, columns.at(-1)!];
  const there = (t: number): string => count(shown.positions.steps[t]!);
  const told = `Entropy ${value(first.entropy)} at the first step, ${value(last.entropy)} at step ${last.to + 1}; ${there(last.to)} of ${there(0)} episodes get that far.`;
  return (
    <Figure
      title="By position"
      unit="means"
      doc={DOC}
      sentence={told}
      file="positions"
      table={{
        columns: ['step', 'steps there', ...ROWS.map(([, name]) => name)],
        rows: columns.map((c) => [
          c.from === c.to ? c.from + 1 : `${c.from + 1}–${c.to + 1}`,
          c.steps,
          ...ROWS.map(([id]) => value(c[id])),
        ]),
      }}
    >
      <svg viewBox={`0 0 ${WIDTH} ${ROWS.length * (HIGH + 6)}`} role="img" aria-label={`Means by position. ${told}`}>
        {ROWS.map(([id, name], r) => {
          const top = Math.max(...columns.map((c) => c[id])) || 1;
          return (
            <g key={id}>
              <text x={NAME - 6} y={r * (HIGH + 6) + 12} textAnchor="end">
                {name}
              </text>
              <text x={NAME - 6} y={r * (HIGH + 6) + 24} textAnchor="end" className="small">
                0 … {value(top)}
              </text>
              {columns.map((c, k) => (
                <rect
                  key={k}
                  x={NAME + k * wide}
                  y={r * (HIGH + 6)}
                  width={wide + 0.4}
                  height={HIGH}
                  fill={css(viridis(c[id] / top))}
                  opacity={0.25 + 0.75 * (c.steps / most)}
                />
              ))}
            </g>
          );
        })}
      </svg>
    </Figure>
  );
}
