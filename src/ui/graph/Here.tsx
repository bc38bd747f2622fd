import { stepsOfEdge } from '../../lab/analysis/graph.ts';
import { credit as creditText } from '../credit/sentences.ts';
import { select } from '../stores/view.ts';
import type { Made } from './useGraph.ts';
import { edgeSentence, nodeSentence, takenOf, waysOf, type Focus } from './words.ts';

type Props = {
  made: Made;
  credit: Float32Array;
  /** [members*T] the single credits behind the means */
  values: Float32Array;
  focus: Focus;
  choose: (focus: Focus) => void;
};

/** Steps of an edge that get a button. */
const MOST = 24;

/** The chosen state with its ways out and in, or the chosen step with every episode that made it. */
export function Here({ made, credit, values, focus, choose }: Props) {
  const { graph, group } = made;
  const { actions } = group.snapshot;
  if (focus.kind === 'node') {
    return (
      <div className="here">
        <p>{nodeSentence(made, focus.at)}</p>
        <Ways title="Steps out" side="out" {...{ made, credit, choose }} node={focus.at} />
        <Ways title="Steps in" side="in" {...{ made, credit, choose }} node={focus.at} />
      </div>
    );
  }
  const steps = stepsOfEdge(graph, focus.at);
  const { T } = group.batch;
  return (
    <div className="here">
      <p>{edgeSentence(made, focus.at, actions, creditText(credit[focus.at]!))}</p>
      <div>
        <h3>Its states</h3>
        <ul>
          <li>
            <button type="button" onClick={() => choose({ kind: 'node', at: graph.from[focus.at]! })}>
              from {made.names[graph.from[focus.at]!]!.short}
            </button>
          </li>
          <li>
            <button type="button" onClick={() => choose({ kind: 'node', at: graph.to[focus.at]! })}>
              to {made.names[graph.to[focus.at]!]!.short}
            </button>
          </li>
        </ul>
      </div>
      <div>
        <h3>Episodes that took this step</h3>
        <ul>
          {[...steps.subarray(0, MOST)].map((k) => {
            const i = group.members[Math.floor(k / T)]!;
            const ended = group.snapshot.success[i] === 1 ? '✓' : '✗';
            return (
              <li key={k}>
                <button type="button" className="number" onClick={() => select(i, k % T)}>
                  {ended} episode {i + 1}, step {(k % T) + 1}: {creditText(values[k]!)}
                </button>
              </li>
            );
          })}
          {steps.length > MOST && <li className="quiet">and {steps.length - MOST} more</li>}
        </ul>
      </div>
    </div>
  );
}

type WaysProps = Omit<Props, 'focus' | 'values'> & { title: string; node: number; side: 'out' | 'in' };

function Ways({ made, credit, choose, title, node, side }: WaysProps) {
  const { graph, names, group } = made;
  const ways = waysOf(made, node, side);
  return (
    <div>
      <h3>{title}</h3>
      {ways.length === 0 && (
        <p className="quiet">{side === 'out' ? 'None: episodes end here.' : 'None: this is the start.'}</p>
      )}
      <ul>
        {ways.map((e) => {
          const other = side === 'out' ? graph.to[e]! : graph.from[e]!;
          const c = credit[e]!;
          return (
            <li key={e}>
              <button type="button" onClick={() => choose({ kind: 'edge', at: e })}>
                {c > 0 ? '▲' : c < 0 ? '▼' : '·'} {group.snapshot.actions[graph.action[e]!] ?? 'no command'}{' '}
                <span className="number">
                  {takenOf(graph, e)}×, {creditText(c)}
                </span>
              </button>
              <button type="button" onClick={() => choose({ kind: 'node', at: other })}>
                {side === 'out' ? 'to' : 'from'} {other === node ? 'itself' : names[other]!.short}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
