import type { Snapshot, StepAnswer } from '../../worker/protocol.ts';
import { signed, many } from '../format.ts';
import { select } from '../stores/view.ts';
import { endingOf } from '../stage/episodes.ts';
import { ActionsTable } from './ActionsTable.tsx';
import { byAction } from './visits.ts';

/** Rows of a long list that are shown at once. */
const MOST = 60;

type Props = { snapshot: Snapshot; answer: StepAnswer; step: number };

/** Everybody who stood in this state: what they did there and what came of it. */
export function Members({ snapshot, answer, step }: Props) {
  const { sameState, toGo, judgedToGo } = answer;
  const rows = byAction(snapshot, sameState, toGo, judgedToGo ?? toGo);
  const episodes = new Set(Array.from(sameState, (k) => Math.floor(k / snapshot.T))).size;
  const told =
    sameState.length === 1
      ? 'No other episode of this task was in this state, so there is nothing to compare this step with.'
      : `${sameState.length} visits by ${many(episodes, 'episode')} of this task. ` +
        (rows.length === 1
          ? 'All of them chose the same action, so there is no telling what another one would have brought.'
          : 'They chose different actions, so the actions can be compared.');
  return (
    <section className="members">
      <h3>Who else was in this state?</h3>
      <p className="quiet">{told}</p>
      {rows.length > 0 && (
        <ActionsTable
          rows={rows.map(({ action, judged, ...row }) => ({
            ...row,
            action: snapshot.actions[action] ?? 'no command',
            judged: judgedToGo ? judged : null,
            isThis: action === snapshot.action[step],
          }))}
        />
      )}
      {sameState.length > 1 && (
        <details>
          <summary>All {sameState.length} visits</summary>
          <div className="tablebox" tabIndex={0} role="region" aria-label="Visits to this state">
            <table>
              <caption className="visually-hidden">Visits to this state, each with its action and how it ended</caption>
              <thead>
                <tr>
                  <th scope="col">Visit</th>
                  <th scope="col">Action</th>
                  <th scope="col">Return</th>
                  {snapshot.judged && <th scope="col">Return, as the estimator sees it</th>}
                  <th scope="col">End</th>
                </tr>
              </thead>
              <tbody>
                {Array.from(sameState.subarray(0, MOST), (k) => {
                  const [i, t] = [Math.floor(k / snapshot.T), k % snapshot.T];
                  return (
                    <tr key={k} className={k === step ? 'selected' : undefined}>
                      <th scope="row">
                        <button type="button" onClick={() => select(i, t)}>
                          Episode {i + 1}, step {t + 1}
                        </button>
                      </th>
                      <td>{snapshot.actions[snapshot.action[k]!] ?? 'no command'}</td>
                      <td>{signed(Number(snapshot.outcome[i]!.toFixed(3)))}</td>
                      {snapshot.judged && <td>{signed(Number(snapshot.judged.outcome[i]!.toFixed(3)))}</td>}
                      <td>{endingOf(snapshot, i)}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
          {sameState.length > MOST && <p className="quiet">The first {MOST} are listed.</p>}
        </details>
      )}
    </section>
  );
}
