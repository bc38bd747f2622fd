import type { Opened } from '../../logs/desk.ts';
import { SIZES, type Silent } from '../../logs/summary.ts';
import { count, percent } from '../format.ts';
import { showStep } from './showStep.ts';

/** How often states are met again: what GiGPO and its like can compare. */
export function MetPanel({ opened }: { opened: Opened }) {
  const { anchors, silent } = opened;
  return (
    <section aria-label="States and groups">
      <h2>What can be compared</h2>
      <p>{silentWords(silent)}</p>
      {!anchors && <p>This log has no states, so only whole episodes are compared.</p>}
      {anchors && (
        <>
          <p>
            The episodes went through {count(anchors.states)} states. {count(anchors.shared)} of them were met by more
            than one episode of their task: {percent(anchors.stepsShared / Math.max(1, anchors.steps))} of the steps can
            be compared with what others did in the same state.
          </p>
          <div className="tablebox" tabIndex={0} role="region" aria-label="How often states were met">
            <table>
              <caption className="visually-hidden">States by how often they were met</caption>
              <thead>
                <tr>
                  {SIZES.map((size) => (
                    <th key={size} scope="col">
                      {size}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                <tr className="number">
                  {anchors.bySize.map((n, k) => (
                    <td key={SIZES[k]}>{count(n)}</td>
                  ))}
                </tr>
              </tbody>
            </table>
          </div>
          {anchors.top.length > 0 && <h3>Met most</h3>}
          <ul className="logtop">
            {anchors.top.map((a) => (
              <li key={a.step}>
                <button type="button" className="inword" onClick={() => showStep(a)}>
                  {a.visits} visits by {a.episodes} {a.episodes === 1 ? 'episode' : 'episodes'}
                </button>{' '}
                <span className="quiet">{a.text === '' ? '(no text)' : a.text.slice(0, 160)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function silentWords({ all, tasks, won, lost, alone }: Silent): string {
  if (all.length === 0) return 'No task is silent: in each of them, outcomes differ.';
  const parts = [
    won > 0 ? `all episodes succeeded in ${count(won)}` : '',
    lost > 0 ? `all failed or got the same in ${count(lost)}` : '',
    alone > 0 ? `${count(alone)} ${alone === 1 ? 'has' : 'have'} only one episode` : '',
  ];
  return (
    `${count(all.length)} of ${count(tasks)} tasks ${all.length === 1 ? 'is' : 'are'} silent: outcomes do not differ ` +
    `(${parts.filter((part) => part !== '').join(', ')}). Estimators that compare outcomes learn nothing there.`
  );
}
