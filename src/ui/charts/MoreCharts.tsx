import { measures } from '../../slots/metrics/measures.ts';
import type { Metric, MetricGroup } from '../../slots/metrics/types.ts';
import { metrics, type MetricId } from '../../slots/metrics/metrics.ts';
import { AgesPanel } from './AgesPanel.tsx';
import { BehaviorPanel } from './BehaviorPanel.tsx';
import { ChartPanel } from './ChartPanel.tsx';
import { ConfusionPanel } from './ConfusionPanel.tsx';
import { CovPanel } from './CovPanel.tsx';
import { CreditShape, WordPanel } from './CreditShape.tsx';
import { FanPanel } from './FanPanel.tsx';
import { FAMILY_METRICS, FamiliesPanel } from './FamiliesPanel.tsx';
import { LawPanel } from './LawPanel.tsx';
import { LookaheadPanel } from './LookaheadPanel.tsx';
import { MassPanel } from './MassPanel.tsx';
import { MeasurePanel } from './MeasurePanel.tsx';
import { NoisePanel } from './NoisePanel.tsx';
import { NotesPanel } from './NotesPanel.tsx';
import { PassPanel } from './PassPanel.tsx';
import { PositionPanel } from './PositionPanel.tsx';
import { IN_SAFE, SafePanel } from './SafePanel.tsx';
import { ProbePanel } from './ProbePanel.tsx';
import { StopsPanel } from './StopsPanel.tsx';
import { TasksPanel } from './TasksPanel.tsx';
import { WeightsPanel } from './WeightsPanel.tsx';

/** The quantiles of Δ are one figure, the fan. */
const isInFan = ({ id }: Metric): boolean => /^delta\d+$/.test(id);

/** Metrics that are lines in another chart. */
const ELSEWHERE: readonly MetricId[] = [...IN_SAFE, ...FAMILY_METRICS, 'entropyMost', 'entropyPlain'];

/** Everything that is measured in one group: its figures, then curves of every update, then curves of shown batches. */
export function MoreCharts({ group, without }: { group: MetricGroup; without: readonly string[] }) {
  const shown = measures.filter((m) => m.group === group && !isInFan(m));
  return (
    <>
      <Figures group={group} />
      {metrics
        .filter((m) => m.group === group && !without.includes(m.id) && !ELSEWHERE.includes(m.id))
        .map(({ id }) => (
          <ChartPanel key={id} id={id} />
        ))}
      {shown.length > 0 && (
        <p className="quiet">
          These are measured only on the batches shown, for the seed on the stage: they have fewer points, and some need
          exact values.
        </p>
      )}
      {shown.map(({ id }) => (
        <MeasurePanel key={id} id={id} />
      ))}
    </>
  );
}

function Figures({ group }: { group: MetricGroup }) {
  switch (group) {
    case 'exploration':
      return (
        <>
          <PassPanel />
          <LookaheadPanel />
          <LawPanel />
          <MassPanel />
          <CovPanel />
          <PositionPanel />
          <WordPanel />
        </>
      );
    case 'data':
      return (
        <>
          <FanPanel />
          <FamiliesPanel />
          <AgesPanel />
          <WeightsPanel />
        </>
      );
    case 'structure':
      return (
        <>
          <ConfusionPanel />
          <StopsPanel />
          <ProbePanel />
          <BehaviorPanel />
          <NotesPanel />
          <TasksPanel />
        </>
      );
    case 'optimizer':
      return (
        <>
          <NoisePanel />
          <SafePanel />
        </>
      );
    case 'credit':
      return <CreditShape />;
    case 'live':
      return null;
  }
}
