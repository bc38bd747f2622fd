import { memo, useMemo, useState } from 'react';
import { commonTasks, SCORES, SCORE_WORDS, type ScoreKind } from '../../lab/analysis/strata.ts';
import { usualScore } from '../../lab/analysis/usualScore.ts';
import type { Source } from '../charts/SavePicture.tsx';
import { ComparisonTable } from './ComparisonTable.tsx';
import { Curves } from './Curves.tsx';
import type { RunGroup } from './groups.ts';
import { chosenGroups, memberGroups, MOST_GROUPS, tasksIn, type Chosen } from './members.ts';
import { Settings } from './Settings.tsx';
import { Improvement, Profiles } from './Statistics.tsx';
import { useTable } from './tableStore.ts';
import { useAnswer } from './useAnswer.ts';
import '../charts/charts.css';

type Props = {
  readonly groups: readonly RunGroup[];
  readonly names: ReadonlyMap<string, string>;
  readonly selected: ReadonlySet<string>;
  readonly tried: number;
};

const SCORE_LABELS: Readonly<Record<ScoreKind, string>> = {
  lastTenth: 'Last tenth',
  equalSteps: 'At equal steps',
  final: 'Last evaluation',
  best: 'Best (optimistic)',
  area: 'Area under the curve',
};

/** The link of a picture opens the experiment of its first group. */
async function linkOf(chosen: readonly Chosen[]): Promise<string> {
  const { linkFragment } = await import('../../config/link.ts');
  const [first] = chosen;
  return `${location.origin}${location.pathname}${first ? linkFragment({ config: first.group.config }) : ''}`;
}

const sourceOf = (chosen: readonly Chosen[]): Source => ({
  caption: `${chosen.map(({ name, group, runs }) => `${name}: ${group.runs[0]!.group}, seeds ${runs.map(({ seed }) => seed).join(' ')}`).join('; ')}.`,
  link: () => linkOf(chosen),
});

/** Curves, statistics and settings of the selected groups. */
export const Compare = memo(function Compare({ groups, names, selected, tried }: Props) {
  const baseline = useTable((t) => t.baseline);
  const [asked, setScore] = useState<ScoreKind | null>(null);
  const [threshold, setThreshold] = useState(0.8);
  const [wantsTasks, setTasks] = useState(false);
  const all = useMemo(() => chosenGroups(groups, names, selected, baseline), [groups, names, selected, baseline]);
  const chosen = useMemo(() => all.slice(0, MOST_GROUPS), [all]);
  const source = useMemo(() => sourceOf(chosen), [chosen]);
  const tasks = useMemo(() => tasksIn(chosen), [chosen]);
  const usual = useMemo(() => usualScore(chosen.map(({ group }) => group.config)), [chosen]);
  const score = asked ?? usual;
  const areTasksOne = wantsTasks && tasks > 1;
  const members = useMemo(() => memberGroups(chosen, areTasksOne), [chosen, areTasksOne]);
  const isPossible = members.length > 0 && commonTasks(members).length > 0;
  const ask = useMemo(
    () => (isPossible ? { groups: members, threshold, score } : null),
    [isPossible, members, threshold, score],
  );
  const { answer, failed, ask: answered } = useAnswer('compare', ask);
  if (chosen.length === 0)
    return <p className="quiet">The selected runs have not been evaluated yet, so there is nothing to compare.</p>;
  const without = groups.length - all.length;
  return (
    <section
      className="compare"
      aria-label="Comparison of the selected runs"
      data-ready={answer !== null && answered === ask}
    >
      <div className="comparetools">
        <h2>Compare</h2>
        <label className="inline">
          Baseline{' '}
          <select value={chosen[0]!.key} onChange={(event) => useTable.setState({ baseline: event.target.value })}>
            {chosen.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className="inline" title={`The score of a run: ${SCORE_WORDS[score]}.`}>
          Score{' '}
          <select value={score} onChange={(event) => setScore(event.target.value as ScoreKind)}>
            {SCORES.map((kind) => (
              <option key={kind} value={kind}>
                {SCORE_LABELS[kind]}
              </option>
            ))}
          </select>
        </label>
        <label className="inline">
          Threshold {threshold.toFixed(2)}{' '}
          <input
            type="range"
            min={0}
            max={1}
            step={0.05}
            value={threshold}
            onChange={(event) => setThreshold(Number(event.target.value))}
          />
        </label>
        {tasks > 1 && (
          <label
            className="check inline"
            title="Groups that are equal but for their task become one; seeds are drawn inside each task."
          >
            <input type="checkbox" checked={wantsTasks} onChange={(event) => setTasks(event.target.checked)} />
            Methods over {tasks} tasks
          </label>
        )}
      </div>
      {without > 0 && (
        <p className="quiet">Without an evaluation, and not compared: {without} of the selected groups.</p>
      )}
      {all.length > chosen.length && (
        <p className="quiet">
          The first {MOST_GROUPS} of {all.length} groups are compared.
        </p>
      )}
      {chosen.some(({ group }) => group.isSoFar) && (
        <p className="quiet">Of groups without a finished run, all runs count as far as they have come.</p>
      )}
      {!isPossible && <p className="quiet">These methods have no task in common.</p>}
      {failed && (
        <p className="notice serious">The statistics could not be computed. Select fewer groups and try again.</p>
      )}
      <div className="figurepair">
        <Curves chosen={chosen} source={source} />
        {answer && (
          <div className="figurestack">
            <Improvement comparison={answer.comparison} source={source} />
            <Profiles profiles={answer.profiles} source={source} />
          </div>
        )}
      </div>
      {answer && (
        <ComparisonTable comparison={answer.comparison} profiles={answer.profiles} score={score} tried={tried} />
      )}
      <Settings chosen={chosen} source={source} />
    </section>
  );
});
