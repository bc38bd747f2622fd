import type { Snapshot } from '../../worker/protocol.ts';
import { count, value } from '../format.ts';
import { Axes } from './Axes.tsx';
import { Figure } from './Figure.tsx';
import { BOTTOM, HEIGHT, scaleOf, TOP, WIDTH } from './frame.ts';
import { useShown } from './useShown.ts';

const DOC =
  'Decoupled PPO: decisions of the newest batch shown, by b = π_prox/π_old: how much more likely the decision was under the policy at the start of the update than under the one that played. The axis is logarithmic, the dashed line is the cap.';

type Weights = NonNullable<Snapshot['weights']>;

/** Lower and upper end of every bar, and what all of them say in one sentence. */
export function tellWeights({ low, high, units, cap, capped }: Weights): { ends: [number, number][]; told: string } {
  const end = (k: number): number => low * (high / low) ** (k / units.length);
  const ends = Array.from(units, (_, k): [number, number] => [end(k), end(k + 1)]);
  const all = units.reduce((a, b) => a + b, 0);
  const over =
    capped === 0
      ? `none is above the cap of ${value(cap)}`
      : `${value(100 * capped)} % are above the cap of ${value(cap)}`;
  const first = units.findIndex((n) => n > 0);
  const last = units.findLastIndex((n) => n > 0);
  return { ends, told: `${count(all)} decisions, b from ${value(end(first))} to ${value(end(last + 1))}; ${over}.` };
}

/** How the behavior weights of the newest shown batch lie; nothing where the objective has none. */
export function WeightsPanel() {
  const weights = useShown()?.weights;
  if (!weights) return null;
  const { low, high, units, cap } = weights;
  const { ends, told } = tellWeights(weights);
  const most = Math.max(...units);
  const scale = scaleOf([Math.log(low), Math.log(high)], [0, most]);
  const x = (b: number): number => scale.x(Math.log(b));
  const ticks = [low, Math.sqrt(low * high), high];
  return (
    <Figure
      title="Behavior weights"
      unit="decisions"
      doc={DOC}
      sentence={told}
      file="behavior-weights"
      table={{
        columns: ['b from', 'b to', 'decisions'],
        rows: ends.map(([from, to], k) => [value(from), value(to), units[k]!]),
      }}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Decisions by behavior weight. ${told}`}>
        <Axes
          scale={scale}
          x={ticks.map((b) => [Math.log(b), value(b)])}
          y={[0, most].map((n) => [n, count(n)])}
          name="b = π_prox/π_old"
        />
        {ends.map(([from, to], k) => (
          <rect
            key={k}
            className="tall"
            x={x(from) + 0.5}
            width={x(to) - x(from) - 1}
            y={scale.y(units[k]!)}
            height={HEIGHT - BOTTOM - scale.y(units[k]!)}
          />
        ))}
        {cap >= low && cap <= high && (
          <path d={`M${x(cap)} ${TOP}V${HEIGHT - BOTTOM}`} stroke="var(--text)" strokeDasharray="3 3" />
        )}
      </svg>
    </Figure>
  );
}
