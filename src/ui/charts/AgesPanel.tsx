import { metricIndex, metrics } from '../../slots/metrics/metrics.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { count, value, many } from '../format.ts';
import { Axes } from './Axes.tsx';
import { Empty } from './Empty.tsx';
import { Figure } from './Figure.tsx';
import { BOTTOM, HEIGHT, scaleOf, WIDTH } from './frame.ts';
import { useShown } from './useShown.ts';

const DOC =
  'Decisions of the newest batch shown, by age: updates between the policy that sampled them and the one that learns. The last column holds everything older.';

/** Name of each column, and what all of them say in one sentence. */
export function tellAges({ bound, units }: NonNullable<Snapshot['ages']>): { names: string[]; told: string } {
  const last = units.length - 1;
  // where nothing older is allowed than the last column, it is an age like the others
  const isOpen = last < bound;
  const names = Array.from(units, (_, age) => (age < last || last === bound ? String(age) : `${last}+`));
  const all = units.reduce((a, b) => a + b, 0);
  const mean = units.reduce((sum, n, age) => sum + n * age, 0) / all;
  const oldest = units.findLastIndex((n) => n > 0);
  const most = oldest === last && isOpen ? `${last} updates or more` : many(oldest, 'update');
  const over = last > bound ? units[last]! : 0;
  const mid = isOpen ? `at least ${value(mean)}` : value(mean);
  const bounded =
    over === 0 ? `none is older than the limit of ${bound}` : `${count(over)} are older than the limit of ${bound}`;
  return { names, told: `${count(all)} decisions, ${mid} updates old on average, the oldest ${most}; ${bounded}.` };
}

/** How old the decisions of the newest shown batch are. */
export function AgesPanel() {
  const shown = useShown();
  if (!shown?.ages) {
    return (
      <Figure title="Ages" unit="decisions" doc={DOC} file="ages" table={null} sentence="">
        <Empty metric={metrics[metricIndex.staleness]!} hasBegun={shown !== null} />
      </Figure>
    );
  }
  const { units } = shown.ages;
  const { names, told } = tellAges(shown.ages);
  const most = Math.max(...units);
  const scale = scaleOf([-0.5, units.length - 0.5], [0, most]);
  const wide = scale.x(0.8) - scale.x(0);
  const every = Math.ceil(units.length / 12);
  const last = units.length - 1;
  return (
    <Figure
      title="Ages"
      unit="decisions"
      doc={DOC}
      sentence={told}
      file="ages"
      table={{ columns: ['age in updates', 'decisions'], rows: names.map((name, age) => [name, units[age]!]) }}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Decisions by age. ${told}`}>
        <Axes
          scale={scale}
          x={names.flatMap((name, age) =>
            age === last || (age % every === 0 && last - age >= every) ? [[age, name] as const] : [],
          )}
          y={[...new Set([0, most])].map((n) => [n, count(n)])}
          name="age in updates"
        />
        {Array.from(units, (n, age) => (
          <rect
            key={age}
            className="tall"
            x={scale.x(age) - wide / 2}
            width={wide}
            y={scale.y(n)}
            height={HEIGHT - BOTTOM - scale.y(n)}
          />
        ))}
      </svg>
    </Figure>
  );
}
