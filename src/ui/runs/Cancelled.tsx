import { useState } from 'react';
import { isLeft, type KeptSweep } from '../../lab/runs/sweep.ts';
import { count } from '../format.ts';
import { goOn, useSweep } from '../sweeps/sweepStore.ts';
import type { RunGroup } from './groups.ts';

type Props = {
  readonly groups: readonly RunGroup[];
  readonly sweeps: readonly KeptSweep[];
  readonly selected: ReadonlySet<string>;
  /** id of the sweep that the filter shows; empty: of all */
  readonly batch: string;
};

/** The cancelled comparison that the filter or the selection is about, and how far it came; null: there is none. */
export function cancelledOf({ groups, sweeps, selected, batch }: Props) {
  const cancelled = new Map(sweeps.flatMap((sweep) => (sweep.state === 'cancelled' ? [[sweep.id, sweep]] : [])));
  if (cancelled.size === 0) return null;
  const runs = groups.flatMap((group) => group.runs);
  const asked = runs.find(
    (run) => isLeft(run) && cancelled.has(run.batch) && (run.batch === batch || selected.has(run.id)),
  );
  if (!asked) return null;
  const own = runs.filter((run) => run.batch === asked.batch);
  const finished = own.filter(({ state }) => state === 'finished').length;
  return { sweep: cancelled.get(asked.batch)!, finished, total: own.length };
}

/** A comparison that was cancelled can be continued as long as its runs are in the table, also after a reload. */
export function Cancelled(props: Props) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const owner = useSweep((s) => s.owner);
  const found = cancelledOf(props);
  if (!found) return null;
  const { sweep, finished, total } = found;
  const run = async (): Promise<void> => {
    setTrouble((await goOn(sweep.id)) ? null : useSweep.getState().trouble);
  };
  return (
    <div className="cancelled" role="note">
      <p>
        The comparison “{sweep.title}” was cancelled when {count(finished)} of its {count(total)} runs were finished.
      </p>
      <button type="button" disabled={owner === 'elsewhere'} onClick={() => void run()}>
        Continue comparison
      </button>
      {owner === 'elsewhere' && <p className="quiet">Another tab trains one; pause or cancel that first.</p>}
      {trouble && (
        <p className="issue error" role="alert">
          {trouble}
        </p>
      )}
    </div>
  );
}
