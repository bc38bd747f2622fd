import type { Comparison, Profile } from '../../lab/analysis/comparison.ts';
import { TAUS } from '../../lab/analysis/comparisonFigures.ts';
import { doCross } from '../../lab/analysis/comparison.ts';
import { Figure } from '../charts/Figure.tsx';
import type { Source } from '../charts/SavePicture.tsx';
import { bandBetween, GroupLegend, GroupPlot, lineThrough } from './GroupPlot.tsx';
import { dashOf, strokeOf } from '../charts/groupLines.ts';
import { MOST_DRAWN } from './members.ts';

const UNIT = { from: 0, to: 1 } as const;
const number = (x: number | undefined): string => (x === undefined ? '–' : x.toFixed(3));

/** Share of the runs of each group above every score. */
export function Profiles({ profiles, source }: { readonly profiles: readonly Profile[]; readonly source: Source }) {
  const drawn = profiles.slice(0, MOST_DRAWN);
  const [first] = drawn;
  const crossing = drawn.slice(1).filter((profile) => doCross(profile, first!));
  return (
    <Figure
      title="Performance profiles"
      unit="share of runs"
      doc="Share of the runs of each group with a score above τ, with pointwise 95 % bands. A profile above another one is better at every level; where they cross, it depends on the level which is better."
      sentence={
        crossing.length === 0
          ? 'Higher is better.'
          : `Crosses that of ${first!.name}: ${crossing.map(({ name }) => name).join(', ')}. Which is better depends on the level.`
      }
      file="profiles"
      table={{
        columns: ['τ', ...drawn.flatMap(({ name }) => [name, `${name} low`, `${name} high`])],
        rows: TAUS.map((tau, k) => [
          tau,
          ...drawn.flatMap(({ share, band }) => [share[k], band?.low[k], band?.high[k]].map(number)),
        ]),
      }}
      source={source}
    >
      <GroupPlot label="Performance profiles" x={{ ...UNIT, label: 'score τ' }} y={UNIT}>
        {(to) => (
          <>
            {drawn.map(
              ({ name, band }, k) =>
                band && (
                  <path
                    key={name}
                    d={bandBetween(to, TAUS, band.low, band.high)}
                    fill={strokeOf(k)}
                    className="groupband"
                  />
                ),
            )}
            {drawn.map(({ name, share }, k) => (
              <path
                key={name}
                d={lineThrough(to, TAUS, share)}
                className="thickline"
                stroke={strokeOf(k)}
                strokeDasharray={dashOf(k)}
              />
            ))}
          </>
        )}
      </GroupPlot>
      <GroupLegend names={drawn.map(({ name }) => name)} />
    </Figure>
  );
}

/** How probable it is that a run of each group scores higher than one of the first. */
export function Improvement({ comparison, source }: { readonly comparison: Comparison; readonly source: Source }) {
  const [first, ...others] = comparison.rows;
  const drawn = others.slice(0, MOST_DRAWN - 1);
  if (drawn.length === 0) return null;
  const n = drawn.length;
  return (
    <Figure
      title="Probability of improvement"
      unit={`over ${first!.name}`}
      doc="How probable it is that a run of the group scores higher than one of the baseline; ties count half. 0.5 is no difference. It is not a p-value. Lines: 95 % intervals."
      sentence={drawn
        .map(
          ({ name, against }) =>
            `${name} ${against!.improvement.toFixed(2)}${against!.improvementInterval ? '' : ' (too few seeds for an interval)'}`,
        )
        .join('; ')}
      file="improvement"
      table={{
        columns: ['group', 'probability', 'low', 'high'],
        rows: others.map(({ name, against: a }) => [
          name,
          ...[a!.improvement, a!.improvementInterval?.[0], a!.improvementInterval?.[1]].map(number),
        ]),
      }}
      source={source}
    >
      <GroupPlot
        label="Probability of improvement"
        x={{ ...UNIT, label: `worse than ${first!.name} ← 0.5 → better` }}
        y={{ from: 0.4, to: n + 0.6, isPlain: true }}
      >
        {(to) => (
          <>
            <path d={`M${to.x(0.5)} ${to.y(0.4)}V${to.y(n + 0.6)}`} className="cursorline" />
            {drawn.map(({ name, against }, k) => {
              const y = to.y(n - k);
              const interval = against!.improvementInterval;
              return (
                <g key={name} stroke={strokeOf(k + 1)} fill={strokeOf(k + 1)}>
                  {interval && <path d={`M${to.x(interval[0])} ${y}H${to.x(interval[1])}`} strokeWidth={2.5} />}
                  <circle cx={to.x(against!.improvement)} cy={y} r={5} />
                  <text x={to.x(0) + 4} y={y - 9} stroke="none">
                    {name.length > 70 ? `${name.slice(0, 68)}…` : name}
                  </text>
                </g>
              );
            })}
          </>
        )}
      </GroupPlot>
    </Figure>
  );
}
