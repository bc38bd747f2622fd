import { useMemo, useState } from 'react';
import { edgeMeans, trajectoryAdvantage } from '../../lab/analysis/graph.ts';
import { estimators } from '../../slots/methods.ts';
import { symmetricLimit } from '../color.ts';
import { SignedScale } from '../credit/Legend.tsx';
import { credit as creditText } from '../credit/sentences.ts';
import { useRunConfig } from '../session.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { isBeside } from '../stage/beside.ts';
import { NotOfTheBatch } from '../stage/NotOfTheBatch.tsx';
import { useShown } from '../stage/shown.ts';
import { look, select, useView } from '../stores/view.ts';
import { GraphCanvas } from './GraphCanvas.tsx';
import { GraphControls, type ColorBy } from './GraphControls.tsx';
import { GraphLegend } from './GraphLegend.tsx';
import { GraphList } from './GraphList.tsx';
import { Here } from './Here.tsx';
import { batchSteps, drawnFocus, focusOfHit, move, stepOf, visitOf } from './focus.ts';
import type { Hit } from './geometry.ts';
import { valuesOf } from './question.ts';
import { chooseSteps } from './selection.ts';
import { useGraph, type Made } from './useGraph.ts';
import { edgeSentence, graphSentence, nodeSentence, search, type Focus } from './words.ts';
import './graph.css';

/** How the episodes of one task run together and apart, as a graph of states; selection is shared with stage and strips. */
export function GraphPanel() {
  const shown = useShown();
  if (shown && isBeside(shown)) return <NotOfTheBatch what="The graph" />;
  return <GraphOf snapshot={shown} />;
}

function GraphOf({ snapshot }: { snapshot: Snapshot | null }) {
  const trajectory = useView((v) => v.trajectory);
  const [history, setHistory] = useState(0);
  const [open, setOpen] = useState<{ from: object | null; chains: readonly number[] }>({ from: null, chains: [] });
  const task = snapshot ? snapshot.taskIndex[Math.min(trajectory, snapshot.B - 1)]! : 0;
  const key = useMemo(() => ({ snapshot, task, history }), [snapshot, task, history]);
  const isOwn = open.from === key;
  const chains = isOwn ? open.chains : NO_CHAINS;
  const asked = useMemo(
    () => (snapshot ? { snapshot, task, history, open: chains } : null),
    [snapshot, task, history, chains],
  );
  const { made, failed } = useGraph(asked);
  if (!snapshot)
    return (
      <p className="quiet">
        After the first update, the episodes of a task appear here as a graph: where they run together and where they
        part. Press Run, or Step for a single update.
      </p>
    );
  return (
    <div className="graph">
      {failed && <p role="alert">{failed}</p>}
      {made ? (
        <Shown
          made={made}
          history={history}
          setHistory={setHistory}
          isUnfolded={chains.length > 0}
          unfold={(node) => setOpen({ from: key, chains: node === null ? [] : [...chains, node] })}
        />
      ) : (
        !failed && <p className="quiet">The graph is being laid out.</p>
      )}
    </div>
  );
}

const NO_CHAINS: readonly number[] = [];

type Props = {
  made: Made;
  history: number;
  setHistory: (h: number) => void;
  isUnfolded: boolean;
  /** shows the inside of a chain; null folds all again */
  unfold: (node: number | null) => void;
};

function Shown({ made, history, setHistory, isUnfolded, unfold }: Props) {
  const { graph, drawn, group } = made;
  const { snapshot } = group;
  const config = useRunConfig();
  const method = estimators.find((e) => e.id === config?.advantage.method)?.title ?? 'the run';
  const trajectory = useView((v) => v.trajectory);
  const step = useView((v) => v.step);
  const [colorBy, setColorBy] = useState<ColorBy>('run');
  const [wanted, setWanted] = useState('');
  const [isList, setList] = useState(false);
  const [own, setOwn] = useState<{ made: Made; focus: Focus; trajectory: number; step: number } | null>(null);

  const values = useMemo(() => {
    if (colorBy === 'salt') return trajectoryAdvantage(group.batch);
    return valuesOf(group, colorBy === 'exact' && snapshot.exact ? snapshot.exact : snapshot.A);
  }, [colorBy, group, snapshot]);
  const credit = useMemo(() => edgeMeans(graph, values), [graph, values]);
  const limit = useMemo(() => symmetricLimit(credit), [credit]);

  // what was chosen here holds until a step is chosen elsewhere
  const isOwn = own !== null && own.made === made && own.trajectory === trajectory && own.step === step;
  const focus = useMemo(
    () => (isOwn ? own.focus : stepOf(made, trajectory, step)),
    [isOwn, own, made, trajectory, step],
  );
  const shown = useMemo(() => drawnFocus(made, focus), [made, focus]);
  const path = useMemo(() => pathOf(made, trajectory), [made, trajectory]);
  const found = useMemo(() => search(made, snapshot.actions, wanted), [made, snapshot, wanted]);
  const marked = useMemo(() => {
    if (!found) return null;
    const edges = new Set(found.edges);
    return {
      nodes: new Set(found.nodes.map((v) => drawn.drawnOf[v]!)),
      edges: new Set(Array.from(drawn.edge.keys()).filter((e) => edges.has(drawn.edge[e]!))),
    };
  }, [found, drawn]);

  const choose = (to: Focus): void => {
    const cell = visitOf(made, to, trajectory);
    setOwn({ made, focus: to, trajectory: cell.i, step: cell.t });
    chooseSteps(snapshot, to.kind === 'edge' ? batchSteps(made, to.at) : new Uint32Array());
    select(cell.i, cell.t);
  };
  const point = (hit: Hit): void => {
    const inside = hit.kind === 'node' ? drawn.inside[hit.at]! : null;
    if (inside && inside.length > 1) unfold(inside[0]!);
    choose(focusOfHit(made, hit));
  };
  const hover = (hit: Hit | null): void => {
    const cell = hit ? visitOf(made, focusOfHit(made, hit), trajectory) : null;
    look({ hovered: cell });
  };
  const onKey = (pressed: string): boolean => {
    if (pressed === 'Enter' && shown?.kind === 'node' && drawn.inside[shown.at]!.length > 1) {
      unfold(drawn.inside[shown.at]![0]!);
      return true;
    }
    const to = move(made, focus, pressed);
    if (to) choose(to);
    return to !== null;
  };
  const told =
    focus.kind === 'node'
      ? nodeSentence(made, focus.at)
      : edgeSentence(made, focus.at, snapshot.actions, creditText(credit[focus.at]!));
  const summary = graphSentence(made);
  return (
    <>
      <GraphControls
        {...{
          made,
          history,
          setHistory,
          colorBy,
          setColorBy,
          method,
          wanted,
          setWanted,
          found,
          isList,
          setList,
          isUnfolded,
          choose,
          focus,
        }}
        fold={() => unfold(null)}
      />
      <h2>Where the episodes of task {group.task + 1} run together and where they part</h2>
      <p className="sees">{summary}</p>
      <GraphCanvas
        {...{ made, credit, limit, path, summary, told, onKey }}
        actions={snapshot.actions}
        focus={shown}
        found={marked}
        onPoint={point}
        onHover={hover}
      />
      <SignedScale limit={limit} what={`mean credit of the steps on a line, ${colorWords(colorBy, method)}`} />
      <Here {...{ made, credit, values, focus, choose }} />
      {isList && <GraphList {...{ made, credit, focus, choose }} only={found ? found.nodes : null} />}
      <GraphLegend />
    </>
  );
}

function colorWords(by: ColorBy, method: string): string {
  if (by === 'salt') return 'as SALT would assign it';
  return by === 'exact' ? 'exact advantage' : `by ${method}`;
}

/** Drawn edges of an episode of the group; none for an episode of another task. */
export function pathOf({ graph, drawn, group }: Made, trajectory: number): Set<number> {
  const k = group.members.indexOf(trajectory);
  const { T } = group.batch;
  const steps = k < 0 ? [] : Array.from({ length: group.batch.length[k]! }, (_, t) => graph.edgeOf[k * T + t]!);
  const own = new Set(steps);
  return new Set(Array.from(drawn.edge.keys()).filter((e) => own.has(drawn.edge[e]!)));
}
