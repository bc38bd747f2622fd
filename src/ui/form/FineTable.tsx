import { wordsOf } from '../../config/words/wordsOf.ts';
import type { FinePrint } from '../../contract/module.ts';

/** Where the paper of a method, its released code and this lab do not do the same. */
export function FineTable({ rows }: { rows: readonly FinePrint[] }) {
  return (
    <details className="fold">
      <summary>Fine print: paper, code, and this lab</summary>
      {rows.map(({ on, paper, code, lab }) => (
        <dl key={on} className="fineprint">
          <dt>{wordsOf(on)}</dt>
          <dd>
            <b>Paper:</b> {wordsOf(paper)}
          </dd>
          <dd>
            <b>Code:</b> {wordsOf(code)}
          </dd>
          <dd>
            <b>Lab:</b> {wordsOf(lab)}
          </dd>
        </dl>
      ))}
    </details>
  );
}
