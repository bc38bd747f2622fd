import { useId, type KeyboardEvent } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { signed } from '../format.ts';
import { select, useView } from '../stores/view.ts';
import { endingOf, membersOf, moveInList, numberIn, plain } from './episodes.ts';
import { REPLAY, searchOf, type SearchView } from '../../lab/analysis/searched.ts';
import { branchesOf, depthsOf, histogram, type Branch } from './tree.ts';
import './branchTree.css';

/** Earlier than this share of an episode, forks explore little: a median below it is a warning. */
const EARLY = 0.1;

/** The episodes of the task on the stage as a tree: where each left another one, why, and what became of it. */
export function BranchTree({ snapshot }: { snapshot: Snapshot }) {
  const trajectory = Math.min(
    useView((v) => v.trajectory),
    snapshot.B - 1,
  );
  const id = useId();
  const task = snapshot.taskIndex[trajectory]!;
  const branches = branchesOf(snapshot, task);
  const members = membersOf(snapshot.taskIndex, task);
  const search = searchOf(snapshot, task);
  const at = branches.findIndex(({ row }) => row === trajectory);
  const choose = ({ row, step }: Branch): void => select(row, Math.min(step, snapshot.length[row]! - 1));
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = moveInList(event.key, at, branches.length);
    if (to === null) return;
    event.preventDefault();
    choose(branches[to]!);
    document.getElementById(`${id}-${branches[to]!.row}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <p className="quiet">
        Task {task + 1}: {snapshot.forks ? forkedSentence(snapshot, branches) : PARTED}{' '}
        {search && searchSentence(search)} Choosing an episode shows it at the step where it parts.
      </p>
      <div
        className="branches"
        role="listbox"
        tabIndex={0}
        aria-label="Tree of episodes; arrow keys choose"
        aria-activedescendant={at >= 0 ? `${id}-${trajectory}` : undefined}
        onKeyDown={onKeyDown}
      >
        {branches.map((branch) => (
          <button
            key={branch.row}
            type="button"
            id={`${id}-${branch.row}`}
            role="option"
            tabIndex={-1}
            aria-selected={branch.row === trajectory}
            onClick={() => choose(branch)}
          >
            <span className="number">{numberIn(members, branch.row)}</span>
            <Line snapshot={snapshot} branch={branch} search={search} />
            <span>
              {becameOf(snapshot, branch.row)}
              {search?.isChosen.has(branch.row) && ', backed up'}
            </span>
            <span className="quiet">{whyOf(snapshot, branch, members, search)}</span>
          </button>
        ))}
      </div>
      {snapshot.forks && snapshot.forks.parent.some((parent) => parent >= 0) && <Forks snapshot={snapshot} />}
    </>
  );
}

const PARTED = 'nothing was forked; each episode stands below the one with which it shares its beginning.';

function forkedSentence({ forks }: Snapshot, branches: readonly Branch[]): string {
  const forked = branches.filter(({ row }) => forks!.parent[row]! >= 0).length;
  return `${branches.length - forked} episodes began at the start, ${forked} were forked from others.`;
}

function searchSentence({ isChosen }: SearchView): string {
  return `${isChosen.size} were backed up; their curve is the value of the states on their way, from −1 to 1.`;
}

/** Points of the curve of an episode that was backed up. */
function curveOf({ length }: Snapshot, row: number, search: SearchView, x: (t: number) => number): string {
  const points = Array.from({ length: length[row]! }, (_, k) => [k + 1, search.at(row, k + 1)!.q] as const);
  return points.map(([t, q], k) => `${k === 0 ? 'M' : 'L'}${x(t)} ${8 - 7 * Math.max(-1, Math.min(1, q))}`).join('');
}

/** Steps from left to right: shared ones thin, own ones thick; dashed where it failed. */
function Line({
  snapshot,
  branch: { row, step, parent },
  search,
}: {
  snapshot: Snapshot;
  branch: Branch;
  search: SearchView | null;
}) {
  const { T, length, success } = snapshot;
  const x = (t: number): number => 2 + (156 * t) / T;
  return (
    <svg viewBox="0 0 160 16" width="160" height="16" aria-hidden="true">
      {parent >= 0 && <path className="shared" d={`M${x(0)} 8H${x(step)}`} />}
      {parent >= 0 && <path className="fork" d={`M${x(step)} 0V8`} />}
      <path className={success[row] === 1 ? 'own won' : 'own lost'} d={`M${x(step)} 8H${x(length[row]!)}`} />
      {search?.isChosen.has(row) && <path className="backed" d={curveOf(snapshot, row, search, x)} />}
    </svg>
  );
}

/** How it ended, its return, and its credit from the step on that is its own. */
function becameOf(snapshot: Snapshot, row: number): string {
  const { T, A, length, outcome, forks } = snapshot;
  const from = forks && forks.parent[row]! >= 0 ? forks.step[row]! : 0;
  let sum = 0;
  for (let t = from; t < length[row]!; t++) sum += A[row * T + t]!;
  const mean = sum / (length[row]! - from);
  return `${endingOf(snapshot, row)}, return ${plain(outcome[row]!)}, ${length[row]} steps, mean A ${signed(mean)}`;
}

function whyOf(
  { forks, length, origin }: Snapshot,
  { row, parent, step }: Branch,
  members: readonly number[],
  search: SearchView | null,
): string {
  if (parent < 0) return origin[row] === REPLAY ? 'a stored solution, replayed' : 'from the start';
  if (step === length[row]) return `the same steps as episode ${numberIn(members, parent)}`;
  const from = `from episode ${numberIn(members, parent)} at step ${step + 1}`;
  const why = forks?.decisions.find(({ child }) => child === row);
  const known = search?.at(row, step);
  if (known) return `${from}: value ${signed(known.q)}, visits ${known.visits}`;
  if (!why) return search ? `${from}: no value yet` : from;
  return `${from}, ${why.reason}: P ${plain(why.probability)}, entropy ${signed(why.delta)} against the start`;
}

function Forks({ snapshot }: { snapshot: Snapshot }) {
  const { depths, median } = depthsOf(snapshot);
  const { decisions } = snapshot.forks!;
  return (
    <>
      {median < EARLY && (
        <p className="warn">
          Half of the forks part within the first tenth of an episode. Let fewer steps fork, or lower the probability.
        </p>
      )}
      <div className="forkbars">
        {decisions.length > 0 && (
          <Bars title={`P at ${decisions.length} steps that could fork`} values={decisions.map((d) => d.probability)} />
        )}
        <Bars title={`Where ${depths.length} forks part, as a share of the episode`} values={depths} />
      </div>
    </>
  );
}

function Bars({ title, values }: { title: string; values: readonly number[] }) {
  const bins = histogram(values);
  const most = Math.max(1, ...bins);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <svg
        viewBox="0 0 200 48"
        role="img"
        aria-label={`${title}: ${bins.map((n, k) => `${n} from ${k / 10} to ${(k + 1) / 10}`).join(', ')}`}
      >
        {bins.map((n, k) => (
          <rect key={k} x={20 * k + 1} width={18} y={46 - (44 * n) / most} height={(44 * n) / most + 1} />
        ))}
      </svg>
      <span className="quiet">0 … 1</span>
    </figure>
  );
}
