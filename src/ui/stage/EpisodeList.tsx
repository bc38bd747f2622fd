import { updateNumber } from '../../core/counting.ts';
import { useDeferredValue, useId, useMemo, useState, type KeyboardEvent } from 'react';
import { select, useView } from '../stores/view.ts';
import {
  endingOf,
  EVERYTHING,
  listed,
  loudest,
  mostCredit,
  moveInList,
  type Ending,
  type Filter,
  type Order,
} from './episodes.ts';
import { part } from '../Part.tsx';
import { useShown } from './shown.ts';

const BranchTree = part(
  () => import('./BranchTree.tsx').then((m) => m.BranchTree),
  <p className="quiet">The tree is loading.</p>,
);

/** More would not be read; the filter finds the others. */
const MOST = 128;

/** Every episode of the batch on the stage; choosing one shows it there. */
export function EpisodeList() {
  // the stage comes first; the list follows in pieces between which the page answers
  const snapshot = useDeferredValue(useShown());
  const trajectory = useView((v) => v.trajectory);
  const [filter, setFilter] = useState<Filter>(EVERYTHING);
  const [isTree, setTree] = useState(false);
  const id = useId();
  const most = useMemo(() => (snapshot ? loudest(snapshot) : new Float32Array()), [snapshot]);
  const found = useMemo(() => (snapshot ? listed(snapshot, most, filter) : []), [snapshot, most, filter]);
  if (!snapshot)
    return (
      <p className="quiet">Episodes appear here after the first update. Press Run, or Step for a single update.</p>
    );
  const shown = found.slice(0, MOST);
  const at = shown.indexOf(Math.min(trajectory, snapshot.B - 1));
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = moveInList(event.key, at, shown.length);
    if (to === null) return;
    event.preventDefault();
    select(shown[to]!, 0);
    document.getElementById(`${id}-${shown[to]}`)?.scrollIntoView({ block: 'nearest' });
  };
  const choice = (
    <label className="inline">
      <input type="checkbox" checked={isTree} onChange={(event) => setTree(event.target.checked)} /> As a tree of the
      task
    </label>
  );
  if (isTree)
    return (
      <div className="episodes">
        {choice}
        <BranchTree snapshot={snapshot} />
      </div>
    );
  return (
    <div className="episodes">
      {choice}
      <Filters filter={filter} change={(some) => setFilter({ ...filter, ...some })} />
      <p className="quiet">
        Update {updateNumber(snapshot.update)}: {found.length} of {snapshot.B} episodes
        {found.length > MOST && `, the first ${MOST} are listed`}.
      </p>
      <div
        role="listbox"
        tabIndex={0}
        aria-label="Episodes; arrow keys choose"
        aria-activedescendant={at >= 0 ? `${id}-${shown[at]}` : undefined}
        onKeyDown={onKeyDown}
      >
        {shown.map((i, k) => (
          <button
            key={i}
            type="button"
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={k === at}
            onClick={() => select(i, 0)}
          >
            <span className="number">{i + 1}</span>
            <span>task {snapshot.taskIndex[i]! + 1}</span>
            <span>{endingOf(snapshot, i)}</span>
            <span className="number">{snapshot.length[i]} steps</span>
            <span className="number">{mostCredit(most[i]!)}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

const ENDINGS: Readonly<Record<Ending, string>> = { all: 'all', success: 'successes', failure: 'failures' };
const ORDERS: Readonly<Record<Order, string>> = {
  task: 'task',
  short: 'shortest first',
  long: 'longest first',
  credit: 'largest |A| first',
};

function Filters({ filter, change }: { filter: Filter; change: (some: Partial<Filter>) => void }) {
  const number = (text: string, empty: number): number => (text === '' ? empty : Number(text));
  return (
    <div className="panelhead filters">
      <label className="inline">
        Show{' '}
        <select value={filter.ending} onChange={(event) => change({ ending: event.target.value as Ending })}>
          {Object.entries(ENDINGS).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="inline">
        of at least{' '}
        <input type="number" min={0} onChange={(event) => change({ shortest: number(event.target.value, 0) })} />
      </label>
      <label className="inline">
        and at most{' '}
        <input type="number" min={0} onChange={(event) => change({ longest: number(event.target.value, Infinity) })} />{' '}
        steps
      </label>
      <label className="inline">
        with |A| from{' '}
        <input
          type="number"
          min={0}
          step="any"
          onChange={(event) => change({ credit: number(event.target.value, 0) })}
        />
      </label>
      <label className="inline">
        sorted by{' '}
        <select value={filter.order} onChange={(event) => change({ order: event.target.value as Order })}>
          {Object.entries(ORDERS).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
