import { useState } from 'react';
import type { Opened } from '../../logs/desk.ts';
import type { Pair } from '../../logs/summary.ts';
import { css, signedColor } from '../color.ts';
import { percent, signed } from '../format.ts';
import { useIsDark } from '../useTheme.ts';
import { desk } from './desk.ts';
import { useLogs } from './logStore.ts';
import { showStep } from './showStep.ts';
import { useAnswer } from './useAnswer.ts';

type Pairs = { readonly ids: readonly string[]; readonly pairs: readonly Pair[] };

/** The two that agree least; the first two while that is not known. */
function leastAlike(answer: Pairs | null, chosen: readonly string[]): readonly [string, string] {
  const known = answer?.pairs.filter((p) => p.correlation !== null) ?? [];
  const [least] = [...known].sort((x, y) => x.correlation! - y.correlation!);
  return least ? [answer!.ids[least.a]!, answer!.ids[least.b]!] : [chosen[0]!, chosen[1]!];
}

/** How far the chosen estimators agree, and the steps that two of them dispute most. */
export function DisputePanel({ opened }: { opened: Opened }) {
  const { chosen, given, reading } = useLogs();
  const isDark = useIsDark();
  const [pair, setPair] = useState<readonly [string, string] | null>(null);
  const about = chosen.length < 2 ? null : JSON.stringify([given.length, reading, chosen]);
  const { answer } = useAnswer(() => desk().pairs(chosen), about);
  const [a, b] = pair && pair.every((id) => chosen.includes(id)) ? pair : leastAlike(answer, chosen);
  const asked = chosen.length < 2 ? null : JSON.stringify([about, a, b]);
  const { answer: disputes } = useAnswer(() => desk().disputes(a, b), asked);
  const titles = new Map(opened.offered.map(({ id, title }) => [id, title]));
  if (chosen.length < 2) return null;
  return (
    <section aria-label="Where estimators disagree">
      <h2>Where estimators disagree</h2>
      {answer && (
        <div className="tablebox" tabIndex={0} role="region" aria-label="Agreement of estimators">
          <table className="logmatrix">
            <caption>Correlation of credit, and how often the signs agree. Choose a pair to see its disputes.</caption>
            <thead>
              <tr>
                <th scope="col">
                  <span className="visually-hidden">Estimator</span>
                </th>
                {answer.titles.slice(1).map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {answer.titles.slice(0, -1).map((title, row) => (
                <tr key={title}>
                  <th scope="row">{title}</th>
                  {answer.titles.slice(1).map((other, k) => {
                    const found = answer.pairs.find((p) => p.a === row && p.b === k + 1);
                    if (!found) return <td key={other}>–</td>;
                    const color = signedColor(found.correlation ?? 0, isDark);
                    const ids = [answer.ids[row]!, answer.ids[k + 1]!] as const;
                    return (
                      <td key={other}>
                        <button
                          type="button"
                          className="number"
                          aria-pressed={ids[0] === a && ids[1] === b}
                          onClick={() => setPair(ids)}
                        >
                          <span className="swatch" aria-hidden style={{ background: css(color) }} />
                          {found.correlation === null ? 'no spread' : found.correlation.toFixed(2)}
                          <small>{found.sign === null ? '' : ` signs ${percent(found.sign)}`}</small>
                        </button>
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <h3>
        {titles.get(a)} against {titles.get(b)}
      </h3>
      <p className="quiet">
        The steps they dispute most, one of an episode. Credit is told in units of the usual size of each: 1 is its root
        mean square over all steps.
      </p>
      <ol className="logtop">
        {(disputes ?? []).map((d) => (
          <li key={d.step}>
            <button type="button" className="inword" onClick={() => showStep(d)}>
              {d.episode.slice(0, 40)}, step {d.t + 1}
            </button>{' '}
            <span className="number">
              {titles.get(a)} {signed(Number(d.x.toFixed(2)))}, {titles.get(b)} {signed(Number(d.y.toFixed(2)))}
            </span>{' '}
            <span className="quiet">{d.action.slice(0, 120)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
