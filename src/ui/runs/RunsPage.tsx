import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { many } from '../format.ts';
import { part } from '../Part.tsx';
import { useHash } from '../useHash.ts';
import { Cancelled } from './Cancelled.tsx';
import { EditDialog } from './EditDialog.tsx';
import { EmptyRuns } from './EmptyRuns.tsx';
import { groupRuns, type RunGroup } from './groups.ts';
import { Names } from './names.ts';
import { filtered, Lines, type Row } from './rows.ts';
import { followRuns, useRuns } from './runsStore.ts';
import { RunsHelp } from './RunsHelp.tsx';
import { RunsTable } from './RunsTable.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { close } from './statistics.ts';
import { EVERYTHING, useTable } from './tableStore.ts';
import { Toolbar } from './Toolbar.tsx';
import './runs.css';

// charts and statistics come when something is selected
const Compare = part(
  () => import('./Compare.tsx').then((m) => m.Compare),
  <p className="quiet">The comparison is loading.</p>,
);

const StorageDialog = part(() => import('../kept/StorageDialog.tsx').then((m) => m.StorageDialog));

/** “#/runs?batch=…” shows only the runs of one sweep or of one run of the page. */
const batchOf = (hash: string): string => new URLSearchParams(hash.split('?')[1] ?? '').get('batch') ?? '';

/** Groups of all runs; those in which nothing changes stay the same objects. */
function useGroups(): ReadonlyMap<string, RunGroup> {
  const runs = useRuns((r) => r.runs);
  const [made, setMade] = useState({ runs, groups: groupRuns(runs.values(), new Map()) });
  if (made.runs === runs) return made.groups;
  const groups = groupRuns(runs.values(), made.groups);
  setMade({ runs, groups });
  return groups;
}

/** All kept runs as one table, and the comparison of those that are selected. */
export function RunsPage() {
  const batch = useHash(batchOf);
  const { state, sweeps, deleted } = useRuns();
  const groups = useGroups();
  const [naming] = useState(() => new Names());
  const names = useMemo(() => naming.of(groups.values()), [naming, groups]);
  const { isGrouped, sort, filter, open, selected } = useTable();
  const [lines] = useState(() => new Lines());
  const [isHeld, hold] = useState(false);
  const [edited, setEdited] = useState<Row | null>(null);
  const [isStorage, setStorage] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    const leave = followRuns();
    return () => {
      leave();
      close();
    };
  }, []);
  useEffect(() => {
    if (batch !== '') useTable.setState({ filter: { ...EVERYTHING, batch } });
  }, [batch]);
  const rows = useMemo(
    () => lines.of(groups.values(), names, { isGrouped, sort, filter, open }, isHeld),
    [lines, groups, names, isGrouped, sort, filter, open, isHeld],
  );
  const chosen = useMemo(
    () => [...groups.values()].filter(({ runs }) => runs.some(({ id }) => selected.has(id))),
    [groups, selected],
  );
  const runs = useMemo(() => chosen.flatMap((g) => g.runs.filter(({ id }) => selected.has(id))), [chosen, selected]);
  // charts and statistics of many runs follow the table and never keep it waiting
  const compared = useDeferredValue(
    useMemo(() => ({ groups: chosen, names, selected, tried: groups.size }), [chosen, names, selected, groups]),
  );
  const all = useMemo(() => [...groups.values()], [groups]);
  // those that pass the filters, and not whole groups of which one passes
  const shownIds = (): string[] =>
    filtered(groups.values(), names, filter).flatMap((found) => found.runs.map(({ id }) => id));
  const hidden = useMemo(() => {
    if (filter === EVERYTHING || runs.length === 0) return 0;
    const shown = new Set(filtered(chosen, names, filter).flatMap((found) => found.runs));
    return runs.filter((run) => !shown.has(run)).length;
  }, [chosen, runs, names, filter]);
  const total = all.reduce((n, group) => n + group.runs.length, 0);
  return (
    <main className="runspage" data-state={state}>
      <div className="runstop">
        <h2 ref={title} tabIndex={-1}>
          Runs
        </h2>
        <span className="quiet number">
          {state === 'there' &&
            `${many(total, 'run')} in ${many(groups.size, 'group')}, ${many(rows.length, 'line')} shown`}
        </span>
        <button type="button" className="inword" onClick={() => setStorage(true)}>
          Storage
        </button>
        <a href="#/trajectories">Logs of other agents</a>
        <a href="#/lab">Back to the lab</a>
      </div>
      {isStorage && <StorageDialog close={() => setStorage(false)} />}
      {total > 0 && <RunsHelp />}
      {state === 'missing' && (
        <p className="notice serious">This browser keeps nothing for this page, so there are no runs to show.</p>
      )}
      {state === 'there' && total === 0 ? (
        <EmptyRuns />
      ) : (
        <>
          <Toolbar groups={all} sweeps={sweeps} />
          <Cancelled groups={all} sweeps={sweeps} selected={selected} batch={filter.batch} />
          <RunsTable rows={rows} edit={setEdited} hold={hold} />
          {state === 'there' && rows.length === 0 && <p className="quiet">No run fits these filters.</p>}
        </>
      )}
      {(total > 0 || state !== 'there' || deleted !== null) && (
        <SelectionBar runs={runs} groups={chosen} names={names} all={shownIds} hidden={hidden} />
      )}
      {runs.length > 0 && compared.groups.length > 0 && <Compare {...compared} />}
      {edited && <EditDialog row={edited} close={() => setEdited(null)} />}
    </main>
  );
}
