import { useMemo, useState } from 'react';
import type { Opened } from '../../logs/desk.ts';
import { SignedScale } from '../credit/Legend.tsx';
import { layoutRows, type Cell } from '../credit/layout.ts';
import { count, signed } from '../format.ts';
import { useView } from '../stores/view.ts';
import { useNeedsSigns } from '../useTheme.ts';
import { desk } from './desk.ts';
import { listedTasks, tasksAtOnce, useLogs } from './logStore.ts';
import { LogStrip } from './LogStrip.tsx';
import { useAnswer } from './useAnswer.ts';

/** Pixels between two tasks, and of a strip. */
const GAP = 6;
const HIGH = 230;

/** The strips of the chosen estimators for some tasks at a time, with a common cursor. */
export function LogStrips({ opened }: { opened: Opened }) {
  const { chosen, from, hidesSilent, pinned, given, reading } = useLogs();
  const listed = useMemo(() => listedTasks(opened, hidesSilent), [opened, hidesSilent]);
  const size = tasksAtOnce(opened);
  const tasks = listed.slice(from, from + size);
  const about = chosen.length === 0 ? null : JSON.stringify([given.length, reading, chosen, tasks]);
  const { answer: window, isOld } = useAnswer(() => desk().window(tasks, chosen), about);
  const needsSigns = useNeedsSigns();
  const hasSigns = useView((v) => v.hasSigns) || needsSigns;
  const [hovered, setHovered] = useState<Cell | null>(null);
  const layout = useMemo(() => {
    if (!window) return null;
    const height = Math.max(hasSigns ? 8 : 3, Math.min(16, Math.floor(HIGH / window.B)));
    return layoutRows(window, 'start', height, GAP);
  }, [window, hasSigns]);
  const row = window ? window.row.indexOf(pinned.i) : -1;
  const mine = window && row >= 0 ? { i: row, t: Math.min(pinned.t, window.length[row]! - 1) } : null;
  const shown = hovered && window && hovered.i < window.B ? hovered : mine;
  if (chosen.length === 0) return <p className="quiet">Choose at least one estimator above.</p>;
  return (
    <section aria-label="Credit of every step" aria-busy={isOld}>
      <Pager {...{ opened, listed, from, size }} />
      {!window || !layout ? (
        <p className="quiet">Credit is being computed.</p>
      ) : (
        <>
          <div className="strips logstrips">
            {window.columns.map((column) => (
              <figure key={column.id}>
                <figcaption>{column.title}</figcaption>
                <LogStrip
                  {...{ window, column, layout, shown, hasSigns }}
                  pinned={mine}
                  choose={({ i, t }) => useLogs.setState({ pinned: { i: window.row[i]!, t } })}
                  hover={setHovered}
                />
                <SignedScale limit={column.limit} what="own scale" />
              </figure>
            ))}
          </div>
          <p className="told number">
            {shown &&
              `${window.episodes[shown.i]!.slice(0, 60)}, step ${shown.t + 1} of ${window.length[shown.i]}, outcome ${signed(window.outcome[shown.i]!)}: ` +
                window.columns.map((c) => `${c.title} ${signed(c.values[shown.i * window.T + shown.t]!)}`).join(' · ')}
          </p>
          {window.cut && <p className="quiet">{window.cut}</p>}
          <ol className="lognames">
            {window.tasks.map(([g, name]) => (
              <li key={g} value={g + 1}>
                {name.slice(0, 160)}
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

type PagerProps = { opened: Opened; listed: readonly number[]; from: number; size: number };

/** Which tasks are shown, and the way to the others. */
function Pager({ opened, listed, from, size }: PagerProps) {
  const hidesSilent = useLogs((l) => l.hidesSilent);
  const last = Math.min(listed.length, from + size);
  const go = (to: number): void => {
    const first = Math.max(0, Math.min(to, size * Math.floor((listed.length - 1) / size)));
    useLogs.setState({ from: first });
  };
  const { silent } = opened;
  return (
    <div className="panelhead logpager">
      <span className="number">
        {listed.length > 1 ? `Tasks ${count(from + 1)} to ${count(last)} of ${count(listed.length)}` : 'One task'}
      </span>
      {listed.length > size && (
        <>
          <button type="button" disabled={from === 0} onClick={() => go(from - size)}>
            ← Before
          </button>
          <button type="button" disabled={last === listed.length} onClick={() => go(from + size)}>
            Next →
          </button>
        </>
      )}
      {silent.all.length > 0 && silent.all.length < silent.tasks && (
        <label className="check">
          <input
            type="checkbox"
            checked={hidesSilent}
            onChange={({ target }) => useLogs.setState({ hidesSilent: target.checked, from: 0 })}
          />{' '}
          Without silent tasks
        </label>
      )}
    </div>
  );
}
