import { useMemo } from 'react';
import { credit as creditText } from '../credit/sentences.ts';
import type { Made } from './useGraph.ts';
import { creditOfNode, takenOf, waysOf, type Focus } from './words.ts';

/** More rows would not be read; the search finds the others. */
const MOST = 100;

type Props = {
  made: Made;
  credit: Float32Array;
  /** nodes that a search has left; null for all */
  only: readonly number[] | null;
  focus: Focus;
  choose: (focus: Focus) => void;
};

/** The graph as a table: every state with its visits, its ends, and its ways out. */
export function GraphList({ made, credit, only, focus, choose }: Props) {
  const { graph, names, group } = made;
  const nodes = useMemo(() => {
    const all = only ?? Array.from({ length: graph.nodes }, (_, v) => v);
    return [...all].sort((a, b) => graph.visits[b]! - graph.visits[a]! || a - b);
  }, [graph, only]);
  const ends = (v: number): string =>
    [
      graph.starts[v]! > 0 ? `${graph.starts[v]} start` : '',
      graph.successes[v]! > 0 ? `${graph.successes[v]} at the goal` : '',
      graph.failures[v]! > 0 ? `${graph.failures[v]} failed` : '',
      graph.cuts[v]! > 0 ? `${graph.cuts[v]} cut` : '',
    ]
      .filter((part) => part !== '')
      .join(', ') || '–';
  const way = (e: number): string => {
    const to = graph.from[e] === graph.to[e] ? 'itself' : names[graph.to[e]!]!.short;
    return `${group.snapshot.actions[graph.action[e]!] ?? 'no command'} to ${to} (${takenOf(graph, e)}×, ${creditText(credit[e]!)})`;
  };
  return (
    <div className="tablebox" tabIndex={0} role="region" aria-label="States of the graph">
      <table className="graphlist">
        <caption>
          {nodes.length > MOST
            ? `The ${MOST} most visited of ${nodes.length} states; the search finds the others.`
            : `${nodes.length} states, most visited first.`}{' '}
          Credit: mean over the steps that leave a state.
        </caption>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Visits</th>
            <th scope="col">Credit</th>
            <th scope="col">Starts and ends</th>
            <th scope="col">Steps out</th>
          </tr>
        </thead>
        <tbody>
          {nodes.slice(0, MOST).map((v) => (
            <tr key={v} className={focus.kind === 'node' && focus.at === v ? 'selected' : undefined}>
              <th scope="row">
                <button type="button" onClick={() => choose({ kind: 'node', at: v })}>
                  {names[v]!.long}
                </button>
              </th>
              <td>{graph.visits[v]}</td>
              <td>{creditText(creditOfNode(made, credit, v))}</td>
              <td>{ends(v)}</td>
              <td>{waysOf(made, v, 'out').map(way).join('; ') || '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
