import { mixedChance, rateBars, taskRates } from '../../slots/metrics/batchMeasures.ts';
import { percent, value } from '../format.ts';
import { groupsOf } from '../../core/batch.ts';
import { Axes } from './Axes.tsx';
import { BudgetBars } from './BudgetBars.tsx';
import { ReliabilityChart } from './ReliabilityChart.tsx';
import { Figure } from './Figure.tsx';
import { HEIGHT, pathOf, scaleOf, WIDTH } from './frame.ts';
import { useShown } from './useShown.ts';

const DOC =
  'Task groups of the newest batch shown, by their success rate p. Curve: chance 1 − p^G − (1−p)^G that a group of G has both outcomes at rate p; an estimator that sees only outcomes learns from no others.';
const BARS = ['all solved', '80 % and more', 'between', '20 % and less', 'none'] as const;
const BAR_HIGH = 18;

/** Tasks by success rate: five bars, and the chance that a group of this size has both outcomes. */
export function TasksPanel() {
  const shown = useShown();
  if (!shown) {
    return (
      <Figure title="Tasks by success" unit="groups" doc={DOC} file="tasks" table={null} sentence="">
        <p className="quiet empty">Appears with the first batch.</p>
      </Figure>
    );
  }
  const rates = taskRates(shown);
  const groups = groupsOf(shown);
  const episodes = groups.map((group) => group.length);
  const expected = groups.map(([first]) => shown.expected?.success[shown.taskIndex[first!]!] ?? NaN);
  const expects = expected.some((p) => !Number.isNaN(p));
  const bars = rateBars(rates);
  const G = Math.round(shown.B / rates.length);
  const mixed = rates.filter((p) => p > 0 && p < 1).length;
  const told = `${mixed} of ${rates.length} groups have both outcomes; ${bars[0]} are all solved, ${bars[4]} not at all.`;
  const scale = scaleOf([0, 1], [0, 1]);
  const curve = Array.from({ length: 51 }, (_, k) => k / 50);
  const most = Math.max(...bars, 1);
  return (
    <Figure
      title="Tasks by success"
      unit="groups"
      doc={DOC}
      sentence={told}
      file="tasks"
      table={{
        columns: [
          'group',
          'episodes',
          'success rate',
          'chance of both outcomes',
          ...(expects ? ['expected success'] : []),
        ],
        rows: rates.map((p, k) => [
          ...[k + 1, episodes[k]!, value(p), value(mixedChance(p, episodes[k]!))],
          ...(expects ? [Number.isNaN(expected[k]!) ? 'unseen' : value(expected[k]!)] : []),
        ]),
      }}
    >
      <svg viewBox={`0 0 ${WIDTH} ${BARS.length * BAR_HIGH + 4}`} role="img" aria-label={`Five bars. ${told}`}>
        {BARS.map((name, k) => (
          <g key={name}>
            <text x={96} y={k * BAR_HIGH + 13} textAnchor="end">
              {name}
            </text>
            <rect className="tall" x={102} y={k * BAR_HIGH + 3} height={BAR_HIGH - 6} width={(200 * bars[k]!) / most} />
            <text x={108 + (200 * bars[k]!) / most} y={k * BAR_HIGH + 13}>
              {bars[k]}
            </text>
          </g>
        ))}
      </svg>
      <BudgetBars
        expects={expects}
        tasks={rates.map((rate, k) => ({ rate, episodes: episodes[k]!, expected: expected[k]! }))}
      />
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Chance that a group of ${G} has both outcomes, by success rate, with the groups as points.`}
      >
        <Axes
          scale={scale}
          x={[0, 0.5, 1].map((p) => [p, percent(p)])}
          y={[0, 0.5, 1].map((p) => [p, percent(p)])}
          name={`success rate of a task, groups of ${G}`}
        />
        <path className="line" d={pathOf(curve.map((p) => [scale.x(p), scale.y(mixedChance(p, G))]))} />
        {rates.slice(0, 300).map((p, k) => (
          <circle key={k} className="dot" r="3" cx={scale.x(p)} cy={scale.y(mixedChance(p, G))} />
        ))}
      </svg>
      {shown.expected && <ReliabilityChart sums={shown.expected.sums} />}
    </Figure>
  );
}
