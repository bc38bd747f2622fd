import { ChevronRight, Pencil, Pin } from 'lucide-react';
import { memo } from 'react';
import { cellText, type Column } from './columns.ts';
import type { RunGroup } from './groups.ts';
import { idsOf, type Row } from './rows.ts';
import { useRuns } from './runsStore.ts';
import { useInterval } from './statistics.ts';
import { setOpen, setSelected } from './tableStore.ts';

type Props = {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column[];
  /** takes the keys of the table */
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly chosen: 'all' | 'some' | 'none';
  readonly edit: (row: Row) => void;
};

/** Names the line for the table that has the focus. */
export const lineId = ({ kind, id }: Row): string => `${kind}-${id.replaceAll(/[^\w-]/g, '_')}`;

/** One line of the table. */
export const Line = memo(function Line(props: Props) {
  const { row, index, columns, isActive, isOpen, chosen } = props;
  const isGroup = row.kind === 'group';
  const isBelow = row.kind === 'run' && row.isBelow;
  return (
    <div
      role="row"
      id={lineId(row)}
      data-active={isActive || undefined}
      className="runsline"
      aria-rowindex={index + 2}
      aria-level={isBelow ? 2 : 1}
      aria-selected={chosen === 'all'}
      {...(isGroup && { 'aria-expanded': isOpen })}
      data-row={row.id}
      data-below={isBelow || undefined}
    >
      {columns.map((column) =>
        column.id === 'name' ? <NameCell key="name" {...props} /> : <Cell key={column.id} column={column} row={row} />,
      )}
    </div>
  );
});

/** Selection, disclosure, name, tags and the way to edit them. */
function NameCell({ row, isOpen, chosen, edit }: Props) {
  const { name, group } = row;
  const { isPinned, tags } = row.kind === 'group' ? group : row.run;
  return (
    <div role="rowheader" className="namecell" data-column="name">
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={`Select ${name}`}
        checked={chosen === 'all'}
        ref={(box) => {
          if (box) box.indeterminate = chosen === 'some';
        }}
        onChange={(event) => setSelected(idsOf(row), event.target.checked)}
      />
      {row.kind === 'group' ? (
        <button
          type="button"
          className="icon disclosure"
          tabIndex={-1}
          aria-label={isOpen ? `Hide the seeds of ${name}` : `Show the seeds of ${name}`}
          onClick={() => setOpen([row.id], !isOpen)}
        >
          <ChevronRight aria-hidden size={15} data-open={isOpen} />
        </button>
      ) : (
        <span className="disclosure" />
      )}
      {isPinned && <Pin role="img" aria-label="pinned" size={13} className="pinned" />}
      <span className="runname" title={name}>
        {name}
      </span>
      {row.kind === 'group' && row.runs.length < group.runs.length && (
        <span className="quiet shownpart" title="The filters hide the others; the score is that of the whole group.">
          {row.runs.length} of {group.runs.length} shown
        </span>
      )}
      {tags.map((tag) => (
        <span key={tag} className="tag">
          {tag}
        </span>
      ))}
      <button type="button" className="icon edit" tabIndex={-1} aria-label={`Edit ${name}`} onClick={() => edit(row)}>
        <Pencil aria-hidden size={14} />
      </button>
    </div>
  );
}

function Cell({ column, row }: { readonly column: Column; readonly row: Row }) {
  const isGroup = row.kind === 'group';
  if (isGroup && column.id === 'score') return <ScoreCell group={row.group} />;
  if (column.id === 'state') return <StateCell row={row} column={column} />;
  const isOwn =
    isGroup || column.id === 'task' || column.id === 'method' ? !(row.kind === 'run' && row.isBelow) : false;
  const text = cellText(column, isOwn ? column.group(row.group) : row.kind === 'run' ? column.run(row.run) : null);
  const isMissing = text === '–' && row.kind === 'run' && (column.id === 'task' || column.id === 'method');
  return (
    <div role="gridcell" data-column={column.id} className={column.isNumber ? 'numbercell' : undefined} title={text}>
      {isMissing ? '' : text}
    </div>
  );
}

/** How far the runs are, and whether another tab trains them. */
function StateCell({ row, column }: { readonly row: Row; readonly column: Column }) {
  const isGroup = row.kind === 'group';
  const text = cellText(column, isGroup ? column.group(row.group) : column.run(row.run));
  const runs = isGroup ? row.group.members : [row.run];
  const isElsewhere = useRuns(({ elsewhere }) =>
    runs.some(({ state, batch }) => state === 'running' && elsewhere.has(batch)),
  );
  const said = isElsewhere ? text.replace('running', 'running elsewhere') : text;
  return (
    <div
      role="gridcell"
      data-column="state"
      data-state={text.split(':')[0]}
      title={isElsewhere ? `${said}: in another tab of this browser` : said}
    >
      {said}
    </div>
  );
}

/** The interquartile mean with its interval, or why there is none. */
function ScoreCell({ group: { scored, score, isSoFar } }: { readonly group: RunGroup }) {
  const interval = useInterval(scored.map((run) => run.score!));
  const few = interval === null ? 'too few seeds' : '';
  return (
    <div role="gridcell" className="numbercell scorecell" data-column="score">
      {score === null ? (
        '–'
      ) : (
        <>
          <span>{score.toFixed(3)}</span>
          <span className="quiet">
            {interval ? `${interval[0].toFixed(2)}–${interval[1].toFixed(2)}` : few}
            {isSoFar ? ' so far' : ''}
          </span>
        </>
      )}
    </div>
  );
}
