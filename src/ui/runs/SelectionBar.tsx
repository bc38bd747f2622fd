import { useState, type FormEvent } from 'react';
import { getValue, setValue } from '../../config/schema.ts';
import { isTrainedAgain } from '../../lab/runs/ofSweep.ts';
import type { RunRecord } from '../../lab/runs/record.ts';
import { remember } from '../before.ts';
import { count, many } from '../format.ts';
import { say } from '../notices/say.ts';
import { present } from '../session.ts';
import { startFrom } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { tagsOf } from './EditDialog.tsx';
import type { RunGroup } from './groups.ts';
import { label, letGo, remove, takeBack, useRuns } from './runsStore.ts';
import { setSelected, useTable } from './tableStore.ts';

/** The experiment of a group becomes the draft of the lab, with all its seeds; what was there can be taken back. */
function openInLab({ config, members }: RunGroup, name: string): void {
  remember(present());
  const seeds = members.map(({ seed }) => seed);
  const first = setValue(config, 'run.seed', Math.min(...seeds));
  // seeds of a run count up from its first: only such groups open whole
  const isRow = Math.max(...seeds) - Math.min(...seeds) + 1 === seeds.length;
  startFrom(isRow ? setValue(first, 'run.seeds', Math.min(seeds.length, 8)) : first, name);
  say(`The experiment ${name} is in the lab, seed ${getValue(first, 'run.seed') as number}.`, false);
  location.assign('#/lab');
}

/** The run of the page that was set aside and that all of these records are of, or null. */
function setAside(runs: readonly RunRecord[]): string | null {
  const [first] = runs;
  const isOne = runs.every(
    ({ batch, origin, state }) => batch === first?.batch && origin === 'page' && state === 'paused',
  );
  return first && isOne ? first.batch : null;
}

/** A run that was set aside comes back into the lab, where it stopped. */
async function resumeRun(id: string): Promise<void> {
  if (useRun.getState().id !== id) await (await import('../kept/leftRun.ts')).resumeLeft(id);
  location.assign('#/lab');
}

/** Offers the runs as a file. */
async function saveBundle(ids: readonly string[], hasWeights: boolean): Promise<void> {
  const weighed = (done: number, of: number): void => say(`${done} of ${of} runs are trained again.`);
  try {
    const { exportBundle } = await import('../bundles/exportBundle.ts');
    say((await exportBundle(ids, hasWeights ? { weighed } : {})) ?? 'The bundle is saved as a file.');
  } catch (error) {
    say(`The bundle could not be made: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

type Props = {
  readonly runs: readonly RunRecord[];
  readonly groups: readonly RunGroup[];
  readonly names: ReadonlyMap<string, string>;
  /** ids of all runs that are shown */
  readonly all: () => readonly string[];
  /** how many of the selected runs the filters hide */
  readonly hidden: number;
};

/** What can be done with the selected runs. It is always there, so that nothing moves when one is selected. */
export function SelectionBar({ runs, groups, names, all, hidden }: Props) {
  const deleted = useRuns((r) => r.deleted);
  const isElsewhere = useRuns(({ elsewhere }) => runs.some(({ batch }) => elsewhere.has(batch)));
  const ids = runs.map(({ id }) => id);
  const isNone = runs.length === 0;
  const aside = setAside(runs);
  const arePinned = !isNone && runs.every(({ isPinned }) => isPinned);
  const areTraining = runs.some(({ state }) => state === 'running' || state === 'waiting');
  return (
    <div className="selectionbar" role="group" aria-label="Selected runs">
      <span className="number">
        {isNone
          ? 'Nothing is selected'
          : `${many(runs.length, 'run')} in ${many(groups.length, 'group')} selected${hidden > 0 ? `, ${count(hidden)} of them hidden by the filters` : ''}`}
      </span>
      <button type="button" title="All runs that pass the filters" onClick={() => setSelected(all(), true)}>
        Select all
      </button>
      <button type="button" disabled={isNone} onClick={() => void label(ids, () => ({ isPinned: !arePinned }))}>
        {arePinned ? 'Unpin' : 'Pin'}
      </button>
      <AddTag runs={runs} />
      <button
        type="button"
        disabled={groups.length !== 1}
        onClick={() => groups[0] && openInLab(groups[0], names.get(groups[0].key)!)}
      >
        Open in the lab
      </button>
      <button
        type="button"
        disabled={aside === null || isElsewhere}
        aria-describedby={isElsewhere ? 'elsewhere' : undefined}
        title="Continues a run that was set aside, with all its seeds, where it stopped"
        onClick={() => aside !== null && void resumeRun(aside)}
      >
        Resume in the lab
      </button>
      <button
        type="button"
        disabled={isNone}
        title="A zip file with the selected runs; of several also with their comparison and its report"
        onClick={() => void saveBundle(ids, false)}
      >
        Save bundle
      </button>
      {runs.some(isTrainedAgain) && (
        <button
          type="button"
          title="Runs of comparisons keep no weights: those on the CPU path train again, to the same digest, for their weights and last episodes"
          onClick={() => void saveBundle(ids, true)}
        >
          Save with weights
        </button>
      )}
      <button
        type="button"
        disabled={isNone || areTraining}
        title={
          areTraining ? 'Runs that are still to train are deleted with their sweep, or when they are over.' : undefined
        }
        onClick={() => void remove(ids)}
      >
        Delete
      </button>
      <button type="button" disabled={isNone} onClick={() => useTable.setState({ selected: new Set() })}>
        Clear
      </button>
      {isElsewhere && (
        <span id="elsewhere" className="quiet">
          Another tab of this browser has a selected run open; it is resumed there, or once that tab is closed.
        </span>
      )}
      {deleted && (
        <span className="undo" role="status">
          {many(deleted.runs.length, 'run')} deleted.
          <button type="button" onClick={() => void takeBack()}>
            Undo
          </button>
          <button type="button" onClick={letGo}>
            Dismiss
          </button>
        </span>
      )}
    </div>
  );
}

function AddTag({ runs }: { readonly runs: readonly RunRecord[] }) {
  const [text, setText] = useState('');
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const added = tagsOf(text);
    if (added.length === 0 || runs.length === 0) return;
    setText('');
    void label(
      runs.map(({ id }) => id),
      ({ tags }) => ({ tags: [...new Set([...tags, ...added])] }),
    );
  };
  return (
    <form className="addtag" onSubmit={add}>
      <input
        type="text"
        aria-label="Tag for the selected runs"
        placeholder="Tag"
        disabled={runs.length === 0}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" disabled={runs.length === 0 || tagsOf(text).length === 0}>
        Add tag
      </button>
    </form>
  );
}
