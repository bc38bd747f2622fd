import { useId, useState } from 'react';
import { select } from '../stores/view.ts';
import type { Made } from './useGraph.ts';
import { historySentence, type Focus } from './words.ts';

export type ColorBy = 'run' | 'salt' | 'exact';

type Props = {
  made: Made;
  history: number;
  setHistory: (h: number) => void;
  colorBy: ColorBy;
  setColorBy: (by: ColorBy) => void;
  method: string;
  wanted: string;
  setWanted: (text: string) => void;
  found: { readonly nodes: readonly number[]; readonly edges: readonly number[] } | null;
  isList: boolean;
  setList: (is: boolean) => void;
  isUnfolded: boolean;
  fold: () => void;
  focus: Focus;
  choose: (focus: Focus) => void;
};

const number = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

/** Task, history, colors and search of the graph. */
export function GraphControls(p: Props) {
  const { made, history } = p;
  const { snapshot, task, batch } = made.group;
  const id = useId();
  const longest = batch.length.reduce((a, b) => Math.max(a, b), 1);
  const tasks = [...new Set(snapshot.taskIndex)].sort((a, b) => a - b);
  const shownHistory = Math.min(history, longest);
  return (
    <>
      <div className="panelhead">
        <label className="inline">
          Task{' '}
          <select value={task} onChange={(event) => select(snapshot.taskIndex.indexOf(Number(event.target.value)), 0)}>
            {tasks.map((g) => (
              <option key={g} value={g}>
                {g + 1}
              </option>
            ))}
          </select>
        </label>
        <label className="inline">
          Color{' '}
          <select value={p.colorBy} onChange={(event) => p.setColorBy(event.target.value as ColorBy)}>
            <option value="run">credit of this run ({p.method})</option>
            <option value="salt">credit SALT would give</option>
            {snapshot.exact && <option value="exact">exact advantage</option>}
          </select>
        </label>
        <Search {...p} />
        {p.isUnfolded && (
          <button type="button" onClick={p.fold}>
            Fold chains again
          </button>
        )}
        <button type="button" aria-expanded={p.isList} onClick={() => p.setList(!p.isList)}>
          {p.isList ? 'Hide list' : 'Show as list'}
        </button>
      </div>
      <div className="graphhistory">
        <label htmlFor={id}>History</label>
        <input
          id={id}
          type="range"
          min={0}
          max={longest}
          value={shownHistory}
          aria-valuetext={`${number(shownHistory, 'step')}: ${historySentence(shownHistory, longest)}`}
          onChange={(event) => p.setHistory(Number(event.target.value))}
        />
        <span className="number">{shownHistory}</span>
        <span className="quiet">{historySentence(shownHistory, longest)}</span>
      </div>
      {made.merged && (
        <p className="issue">
          {made.merged.nodes} states are too many to draw:{' '}
          {made.merged.by === 'state'
            ? 'equal states are shown as one here, whatever came before.'
            : 'states with the agent in the same place are shown as one here.'}
        </p>
      )}
    </>
  );
}

/** Finds states and actions by their words; Next goes from one to the next. */
function Search({ wanted, setWanted, found, focus, choose }: Props) {
  const [, setTurn] = useState(0);
  const all: Focus[] = found
    ? [
        ...found.nodes.map((at) => ({ kind: 'node', at }) as const),
        ...found.edges.map((at) => ({ kind: 'edge', at }) as const),
      ]
    : [];
  const next = (): void => {
    if (all.length === 0) return;
    const here = all.findIndex((f) => f.kind === focus.kind && f.at === focus.at);
    setTurn((n) => n + 1);
    choose(all[(here + 1) % all.length]!);
  };
  return (
    <div className="graphsearch">
      <label className="inline">
        Find{' '}
        <input
          type="text"
          value={wanted}
          placeholder="action or state"
          onChange={(event) => setWanted(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && next()}
        />
      </label>
      <button type="button" disabled={all.length === 0} onClick={next}>
        Next
      </button>
      <span className="quiet number" role="status">
        {found ? `${number(found.nodes.length, 'state')}, ${number(found.edges.length, 'step')}` : ''}
      </span>
    </div>
  );
}
