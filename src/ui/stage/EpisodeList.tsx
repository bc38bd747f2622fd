import { useState } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { useSnapshot } from '../frames.ts';
import { signed } from '../format.ts';
import { select, useView } from '../stores/view.ts';

type Filter = 'all' | 'success' | 'failure';
type Order = 'task' | 'length' | 'credit';

/** Largest |A| of an episode, with its sign. */
function loudest(snapshot: Snapshot, i: number): number {
  let most = 0;
  for (let t = 0; t < snapshot.length[i]!; t++) {
    const A = snapshot.A[i * snapshot.T + t]!;
    if (Math.abs(A) > Math.abs(most)) most = A;
  }
  return most;
}

/** Episodes of a batch that pass the filter, in the chosen order. */
export function listed(snapshot: Snapshot, filter: Filter, order: Order): number[] {
  const all = Array.from({ length: snapshot.B }, (_, i) => i).filter(
    (i) => filter === 'all' || (snapshot.success[i] === 1) === (filter === 'success'),
  );
  if (order === 'length') return all.sort((a, b) => snapshot.length[a]! - snapshot.length[b]!);
  if (order === 'credit') return all.sort((a, b) => Math.abs(loudest(snapshot, b)) - Math.abs(loudest(snapshot, a)));
  return all;
}

/** Every episode of the newest batch; choosing one shows it on the stage. */
export function EpisodeList() {
  const snapshot = useSnapshot();
  const selected = useView((v) => v.trajectory);
  const [filter, setFilter] = useState<Filter>('all');
  const [order, setOrder] = useState<Order>('task');
  if (!snapshot)
    return (
      <p className="quiet">Episodes appear here after the first update. Press Run, or Step for a single update.</p>
    );
  const shown = listed(snapshot, filter, order).slice(0, 128);
  return (
    <div className="episodes">
      <div className="panelhead">
        <label className="inline">
          Show{' '}
          <select value={filter} onChange={(event) => setFilter(event.target.value as Filter)}>
            <option value="all">all</option>
            <option value="success">successes</option>
            <option value="failure">failures</option>
          </select>
        </label>
        <label className="inline">
          by{' '}
          <select value={order} onChange={(event) => setOrder(event.target.value as Order)}>
            <option value="task">task</option>
            <option value="length">length</option>
            <option value="credit">largest credit</option>
          </select>
        </label>
        <span className="quiet">
          update {snapshot.update + 1}, {shown.length} episodes
        </span>
      </div>
      <ul>
        {shown.map((i) => (
          <li key={i}>
            <button type="button" aria-pressed={i === selected} onClick={() => select(i, 0)}>
              <span className="number">{i + 1}</span>
              <span>task {snapshot.taskIndex[i]! + 1}</span>
              <span>{snapshot.success[i] === 1 ? '✓ success' : '✗ failure'}</span>
              <span className="number">{snapshot.length[i]} steps</span>
              <span className="number">credit up to {signed(loudest(snapshot, i))}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
