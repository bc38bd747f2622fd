import { useMemo, useState } from 'react';
import { edgeMeans } from '../../lab/analysis/graph.ts';
import { symmetricLimit } from '../color.ts';
import { SignedScale } from '../credit/Legend.tsx';
import { credit as creditText } from '../credit/sentences.ts';
import { drawnFocus, focusOfHit, move, stepOf, visitOf } from '../graph/focus.ts';
import { GraphCanvas } from '../graph/GraphCanvas.tsx';
import { pathOf } from '../graph/GraphPanel.tsx';
import '../graph/graph.css';
import { valuesOf } from '../graph/question.ts';
import { useGraph, type Made } from '../graph/useGraph.ts';
import { edgeSentence, graphSentence, nodeSentence, type Focus } from '../graph/words.ts';
import { useShown } from '../stage/shown.ts';
import { look, select, useView } from '../stores/view.ts';

const NO_CHAINS: readonly number[] = [];

/** How the episodes of one task run together and apart, as a graph of states. */
export function GraphView() {
  const snapshot = useShown();
  const trajectory = useView((v) => v.trajectory);
  const task = snapshot ? snapshot.taskIndex[Math.min(trajectory, snapshot.B - 1)]! : 0;
  const asked = useMemo(() => (snapshot ? { snapshot, task, history: 0, open: NO_CHAINS } : null), [snapshot, task]);
  const { made, failed } = useGraph(asked);
  if (failed) return <p role="alert">{failed}</p>;
  if (!snapshot)
    return (
      <p className="quiet">
        After the first update, the episodes of a task appear here as a graph: where they run together and where they
        part.
      </p>
    );
  return made ? <Drawn made={made} /> : <p className="quiet">The graph is being laid out.</p>;
}

function Drawn({ made }: { made: Made }) {
  const { graph, group } = made;
  const { snapshot } = group;
  const trajectory = useView((v) => v.trajectory);
  const step = useView((v) => v.step);
  const [own, setOwn] = useState<{ made: Made; focus: Focus } | null>(null);
  const credit = useMemo(() => edgeMeans(graph, valuesOf(group, snapshot.A)), [graph, group, snapshot]);
  const limit = useMemo(() => symmetricLimit(credit), [credit]);
  const focus = useMemo(
    () => (own?.made === made ? own.focus : stepOf(made, trajectory, step)),
    [own, made, trajectory, step],
  );
  const shown = useMemo(() => drawnFocus(made, focus), [made, focus]);
  const path = useMemo(() => pathOf(made, trajectory), [made, trajectory]);
  const choose = (to: Focus): void => {
    setOwn({ made, focus: to });
    const cell = visitOf(made, to, trajectory);
    select(cell.i, cell.t);
  };
  const told =
    focus.kind === 'node'
      ? nodeSentence(made, focus.at)
      : edgeSentence(made, focus.at, snapshot.actions, creditText(credit[focus.at]!));
  return (
    <div className="graph">
      <GraphCanvas
        {...{ made, credit, limit, path, told }}
        summary={graphSentence(made)}
        actions={snapshot.actions}
        focus={shown}
        found={null}
        onPoint={(hit) => choose(focusOfHit(made, hit))}
        onHover={(hit) => look({ hovered: hit ? visitOf(made, focusOfHit(made, hit), trajectory) : null })}
        onKey={(key) => {
          const to = move(made, focus, key);
          if (to) choose(to);
          return to !== null;
        }}
        isSmall
      />
      <p className="told">{told}</p>
      <SignedScale limit={limit} what="mean credit of the steps on a line" />
      <p className="quiet">{graphSentence(made)}</p>
    </div>
  );
}
