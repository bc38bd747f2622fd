import type { Term } from '../../slots/types.ts';
import type { StepAnswer } from '../../worker/protocol.ts';
import { signed } from '../format.ts';
import { barOf } from '../credit/measureRows.ts';

/** Three digits and a sign: the size at which parts and their sum are compared by eye. */
const number = (x: number): string => signed(Number(x.toPrecision(3)));

/** Each part of the credit as a bar, the formula in letters, the same with the numbers of this step, and their sum. */
export function Terms({ answer }: { answer: Pick<StepAnswer, 'explanation' | 'A' | 'parts' | 'why'> }) {
  const { explanation, A, parts } = answer;
  const terms = explanation?.terms ?? [];
  const named = terms.length > 0 ? terms : parts;
  const most = Math.max(1e-9, Math.abs(A), ...named.map((p) => Math.abs(p.value)));
  const weights = terms.reduce((sum, t) => sum + (t.weight ?? 0), 0);
  const range = [-most, most] as const;
  return (
    <>
      {named.length > 0 && (
        <table className="parts">
          <caption className="visually-hidden">Parts of the credit of this step and their sum</caption>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Part</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {named.map((part) => (
              <Part
                key={part.name}
                name={part.name}
                value={part.value}
                range={range}
                weight={weightOf(part, weights)}
              />
            ))}
            <Part name={sumName(terms)} value={A} range={range} isSum />
          </tbody>
        </table>
      )}
      {named.length === 0 && answer.why === null && <p className="number">Credit of this step: {number(A)}.</p>}
      {terms.map((term) => (
        <TermLines key={term.name} term={term} />
      ))}
      {terms.length === 0 && answer.why === null && (
        <p className="quiet">This method does not show its numbers step by step yet; its formula is below.</p>
      )}
    </>
  );
}

const weightOf = (part: object, weights: number): number | null =>
  'weight' in part && typeof part.weight === 'number' ? part.weight / weights : null;

function sumName(terms: readonly Term[]): string {
  if (terms.some((t) => t.weight !== undefined)) return 'weighted mean';
  return terms.length === 1 ? 'credit' : 'sum';
}

type PartProps = {
  name: string;
  value: number;
  range: readonly [number, number];
  weight?: number | null;
  isSum?: boolean;
};

function Part({ name, value, range, weight = null, isSum = false }: PartProps) {
  const bar = barOf(value, range);
  return (
    <tr className={isSum ? 'sum' : undefined}>
      <th scope="row">
        {name}
        {weight !== null && <span className="quiet"> weight {Number(weight.toPrecision(2))}</span>}
      </th>
      <td>
        <span className="track" aria-hidden>
          <span className="zero" />
          <span
            className={value < 0 ? 'fill less' : 'fill more'}
            style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
          />
        </span>
        <span className="number">
          {value > 0 ? '▲ ' : value < 0 ? '▼ ' : ''}
          {number(value)}
        </span>
      </td>
    </tr>
  );
}

function TermLines({ term }: { term: Term }) {
  return (
    <section className="term">
      <h3>{term.name}</h3>
      <p className="formula">{term.formula}</p>
      <p className="formula filled">{term.filled}</p>
      <dl>
        {term.quantities.map((q) => (
          <div key={q.symbol}>
            <dt className="formula">{q.symbol}</dt>
            <dd>
              <span className="number">{number(q.value).replace('+', '')}</span> <span className="quiet">{q.what}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
