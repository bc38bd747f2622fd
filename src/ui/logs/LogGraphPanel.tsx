import { useMemo, useState } from 'react';
import type { Opened } from '../../logs/desk.ts';
import type { LogGraph } from '../../logs/graphOf.ts';
import { symmetricLimit } from '../color.ts';
import { SignedScale } from '../credit/Legend.tsx';
import { signed } from '../format.ts';
import { GraphCanvas } from '../graph/GraphCanvas.tsx';
import { GraphLegend } from '../graph/GraphLegend.tsx';
import type { Hit } from '../graph/geometry.ts';
import '../graph/graph.css';
import { desk } from './desk.ts';
import { drawnHit, moved, nodeWords, edgeWords, placeOfHit, stepFocus } from './graphWords.ts';
import { useLogs } from './logStore.ts';
import { useAnswer } from './useAnswer.ts';

const NONE: readonly number[] = [];

/** The episodes of the task of the chosen step, as a graph of their states. */
export function LogGraphPanel({ opened, task }: { opened: Opened; task: number }) {
  const { told, chosen, given, reading } = useLogs();
  const [open, setOpen] = useState<{ about: string; chains: readonly number[] }>({ about: '', chains: NONE });
  const id = chosen.includes(told) ? told : (chosen[0] ?? told);
  const key = JSON.stringify([given.length, reading, task, id]);
  const chains = open.about === key ? open.chains : NONE;
  const { answer } = useAnswer<LogGraph | string>(
    async () => desk().graph(task, id, 0, chains),
    JSON.stringify([key, chains]),
  );
  const title = opened.offered.find((o) => o.id === id)?.title ?? id;
  return (
    <section className="graph" aria-label="Graph of the task">
      <h2>Where the episodes of this task run together and part</h2>
      {answer === null && <p className="quiet">The graph is being laid out.</p>}
      {typeof answer === 'string' && <p className="quiet">{answer}</p>}
      {answer !== null && typeof answer === 'object' && (
        <Drawn made={answer} title={title} unfold={(node) => setOpen({ about: key, chains: [...chains, node] })} />
      )}
    </section>
  );
}

function Drawn({ made, title, unfold }: { made: LogGraph; title: string; unfold: (node: number) => void }) {
  const pinned = useLogs((l) => l.pinned);
  const [own, setOwn] = useState<{ made: LogGraph; focus: Hit } | null>(null);
  const { graph, drawn, credit, actions, episodes } = made;
  const limit = useMemo(() => symmetricLimit(credit), [credit]);
  const focus = own?.made === made ? own.focus : drawnHit(made, stepFocus(made, pinned));
  const path = useMemo(() => pathOf(made, pinned.i), [made, pinned.i]);
  const point = (hit: Hit): void => {
    const inside = hit.kind === 'node' ? drawn.inside[hit.at]! : null;
    if (inside && inside.length > 1) return unfold(inside[0]!);
    setOwn({ made, focus: hit });
    const to = placeOfHit(made, hit, pinned);
    if (to) useLogs.setState({ pinned: to });
  };
  const onKey = (key: string): boolean => {
    if (key === 'Enter' && focus.kind === 'node' && drawn.inside[focus.at]!.length > 1) {
      unfold(drawn.inside[focus.at]![0]!);
      return true;
    }
    const to = moved(made, focus, key);
    if (to) point(to);
    return to !== null;
  };
  const summary = `${episodes} episodes; their ${graph.member.length} steps merge into ${graph.nodes} states and ${graph.edges} different steps.`;
  const words =
    focus.kind === 'node'
      ? nodeWords(made, focus.at)
      : edgeWords(made, focus.at, signed(credit[drawn.edge[focus.at]!]!));
  return (
    <>
      <p className="sees">{summary}</p>
      <GraphCanvas
        {...{ made, credit, limit, actions, path, focus, summary, onKey }}
        found={null}
        told={words}
        onPoint={point}
        onHover={() => undefined}
      />
      <p className="told">{words}</p>
      <SignedScale limit={limit} what={`mean credit of the steps on a line, by ${title}`} />
      <GraphLegend />
    </>
  );
}

/** Drawn edges of an episode; none where it is of another task. */
function pathOf({ graph, drawn, from, episodes, T }: LogGraph, i: number): Set<number> {
  const k = i - from;
  const own = new Set(k < 0 || k >= episodes ? [] : graph.edgeOf.subarray(k * T, (k + 1) * T));
  return new Set(Array.from(drawn.edge.keys()).filter((e) => own.has(drawn.edge[e]!)));
}
