import { percent, signed } from '../format.ts';

/** What was done in one state, how often, and what came of it. */
export type ActionRow = {
  readonly action: string;
  readonly visits: number;
  readonly successes: number;
  /** mean reward from there on, and as the estimator sees it where that differs */
  readonly toGo: number;
  readonly judged: number | null;
  /** the step that is shown did this */
  readonly isThis: boolean;
};

const value = (x: number): string => signed(Number(x.toFixed(3)));

export function ActionsTable({ rows }: { rows: readonly ActionRow[] }) {
  const isJudged = rows.some(({ judged }) => judged !== null);
  return (
    <table>
      <caption className="visually-hidden">Actions taken in this state</caption>
      <thead>
        <tr>
          <th scope="col">Action</th>
          <th scope="col">Visits</th>
          <th scope="col">Success after it</th>
          <th scope="col">Mean reward from here on</th>
          {isJudged && <th scope="col">The same, as the estimator sees it</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ action, visits, successes, toGo, judged, isThis }, k) => (
          <tr key={k} className={isThis ? 'selected' : undefined}>
            <th scope="row">
              {action}
              {isThis && <span className="quiet"> (this step)</span>}
            </th>
            <td>{visits}</td>
            <td>{percent(successes / visits)}</td>
            <td>{value(toGo)}</td>
            {judged !== null && <td>{value(judged)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
