import { useMemo, useState } from 'react';
import type { MetricGroup } from '../../slots/metrics/types.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import { lacking } from '../../config/needs.ts';
import { actingIn } from '../../config/schema.ts';
import { slots, type Config } from '../../config/slots.ts';
import { part } from '../Part.tsx';
import { useWholeConfig } from '../session.ts';
import { look, type XAxis } from '../stores/view.ts';
import { useXAxis } from './useXAxis.ts';
import { ChartPanel } from './ChartPanel.tsx';
import { GhostBar } from './GhostBar.tsx';
import { ExportCurves } from './ExportCurves.tsx';

// Most visits open none of them; they come when one is opened.
const MoreCharts = part(
  () => import('./MoreCharts.tsx').then((m) => m.MoreCharts),
  <p className="quiet">The charts are loading.</p>,
);

const FIRST: readonly MetricId[] = ['success', 'returnMean', 'entropy', 'ess', 'approxKL', 'clipFraction', 'gradNorm'];
/** What is shown even where its switch is off, with what it needs: a reward that a model makes is only as good as the model. */
const ERROR: MetricId = 'rewardModelError';

/**
 * What is shown first. In a run whose reward is shaped, what is paid stands beside what is wanted, and with it whatever else
 * is measured of the modules that act.
 */
function firstOf(config: Config): readonly MetricId[] {
  const acting = actingIn(
    config,
    slots.find((slot) => slot.id === 'reward')!,
  ).flatMap(({ module }) => module.metrics ?? []);
  const shown = ([...new Set(acting)] as MetricId[]).filter(
    (id) => id === ERROR || lacking(config, { id }).length === 0,
  );
  return [FIRST[0]!, ...shown, ...FIRST.slice(1)];
}

const FOLDS: readonly (readonly [group: MetricGroup, title: string, what: string])[] = [
  ['live', 'More for every update', 'evaluation, length, groups that agree'],
  ['exploration', 'Exploration', 'pass@k, entropy law, what actions reveal about states'],
  ['data', 'Data', 'log-ratios, sample sizes, clipping, age'],
  ['structure', 'Structure', 'where runs stop, useful groups, shared states, loops'],
  ['optimizer', 'Optimizer', 'gradient noise, size of the step, losses'],
  ['credit', 'Credit', 'its size, its spread, its agreement with the truth'],
];

/** Live curves: the ones everybody needs first, the others in folds by what they are about. */
export function Charts() {
  const xAxis = useXAxis();
  const config = useWholeConfig();
  const isClocked = config?.rollout['ages'] === 'queue';
  const first = useMemo(() => (config ? firstOf(config) : FIRST), [config]);
  return (
    <>
      <div className="panelhead">
        <h2>Curves</h2>
        <label className="inline">
          against{' '}
          <select value={xAxis} onChange={(event) => look({ xAxis: event.target.value as XAxis })}>
            <option value="update">updates</option>
            <option value="envSteps">environment steps</option>
            {(isClocked || xAxis === 'simTime') && <option value="simTime">simulated time</option>}
          </select>
        </label>
      </div>
      <GhostBar />
      <div className="chartgrid">
        {first.map((id) => (
          <ChartPanel key={id} id={id} />
        ))}
      </div>
      {FOLDS.map(([group, title, what]) => (
        <Fold key={group} group={group} title={title} what={what} without={first} />
      ))}
      <ExportCurves />
    </>
  );
}

type FoldProps = {
  readonly group: MetricGroup;
  readonly title: string;
  readonly what: string;
  readonly without: readonly MetricId[];
};

/** A group of charts that exists only while it is open. */
function Fold({ group, title, what, without }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="more" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} <span className="quiet">{what}</span>
      </summary>
      {isOpen && (
        <div className="chartgrid">
          <MoreCharts group={group} without={without} />
        </div>
      )}
    </details>
  );
}
