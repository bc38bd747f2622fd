import { updateNumber } from '../../core/counting.ts';
import { useDeferredValue, useId, useMemo, useState, type KeyboardEvent } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { select, useView } from '../stores/view.ts';
import { batchOf, besideOf, cameFrom, howItTrains, isBeside, weightsOf } from './beside.ts';
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
import { showBatch, useShown } from './shown.ts';

const BranchTree = part(
  () => import('./BranchTree.tsx').then((m) => m.BranchTree),
  <p className="quiet">The tree is loading.</p>,
);

/** More would not be read; the filter finds the others. */
const MOST = 128;

/** Every episode of the batch on the stage; choosing one shows it there. */
export function EpisodeList() {
  // the stage comes first; the list follows in pieces between which the page answers
  const staged = useDeferredValue(useShown());
  const trajectory = useView((v) => v.trajectory);
  const [filter, setFilter] = useState<Filter>(EVERYTHING);
  const [isTree, setTree] = useState(false);
  const id = useId();
  const snapshot = staged && batchOf(staged);
  const own = useListed(snapshot, filter);
  const beside = useListed(
    useMemo(() => snapshot && besideOf(snapshot), [snapshot]),
    filter,
  );
  if (!snapshot || !staged)
    return (
      <p className="quiet">Episodes appear here after the first update. Press Run, or Step for a single update.</p>
    );
  const found = own.length;
  const shown = [...own.slice(0, MOST), ...beside.slice(0, MOST)];
  const here = Math.min(trajectory, staged.B - 1);
  const at = shown.findIndex(({ of, i }) => of === staged && i === here);
  const nameOf = ({ of, i }: Entry): string => `${id}-${isBeside(of) ? 'beside-' : ''}${i}`;
  const choose = (entry: Entry): void => {
    // from then on the batch stays, so that this one can take its place
    select(entry.i, 0);
    showBatch(entry.of);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = moveInList(event.key, at, shown.length);
    if (to === null) return;
    event.preventDefault();
    choose(shown[to]!);
    document.getElementById(nameOf(shown[to]!))?.scrollIntoView({ block: 'nearest' });
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
        Update {updateNumber(snapshot.update)}: {found} of {snapshot.B} episodes
        {snapshot.whole > snapshot.B && ` (the first of ${snapshot.whole} in the batch)`}
        {found > MOST && `, the first ${MOST} are listed`}
        {beside.length > 0 && `, and ${beside.length} that trained beside them`}
        {(snapshot.beside?.left ?? 0) > 0 && ` (${snapshot.beside!.left} more are not shown)`}.
      </p>
      <div
        role="listbox"
        tabIndex={0}
        aria-label="Episodes; arrow keys choose"
        aria-activedescendant={at >= 0 ? nameOf(shown[at]!) : undefined}
        onKeyDown={onKeyDown}
      >
        {shown.map((entry, k) => (
          <button
            key={nameOf(entry)}
            type="button"
            id={nameOf(entry)}
            role="option"
            className={isBeside(entry.of) ? 'beside' : undefined}
            tabIndex={-1}
            aria-selected={k === at}
            onClick={() => choose(entry)}
          >
            <Cells {...entry} />
          </button>
        ))}
      </div>
    </div>
  );
}

/** An episode of a batch or of what trained beside it, with its credit of largest size. */
type Entry = { readonly of: Snapshot; readonly i: number; readonly most: number };

function useListed(of: Snapshot | null, filter: Filter): readonly Entry[] {
  const most = useMemo(() => (of ? loudest(of) : new Float32Array()), [of]);
  return useMemo(
    () => (of ? listed(of, most, filter).map((i) => ({ of, i, most: most[i]! })) : []),
    [of, most, filter],
  );
}

function Cells({ of, i, most }: Entry) {
  if (!isBeside(of))
    return (
      <>
        <span className="number">{i + 1}</span>
        <span>task {of.taskIndex[i]! + 1}</span>
        <span>{endingOf(of, i)}</span>
        <span className="number">{of.length[i]} steps</span>
        <span className="number">{mostCredit(most)}</span>
      </>
    );
  return (
    <>
      <span className="number">+{i + 1}</span>
      <span>{cameFrom(of, i)}</span>
      <span>{of.success[i] === 1 ? '✓ success' : '✗ failure'}</span>
      <span className="number">{of.length[i]} steps</span>
      <span className="number">
        {of.rows[i]!.isImitated ? howItTrains(of, i) : `${mostCredit(most)}, π/π_old ${weightsOf(of, i).mean}`}
      </span>
    </>
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
