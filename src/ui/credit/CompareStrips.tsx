import { useMemo } from 'react';
import type { CreditAnswer, Snapshot } from '../../worker/protocol.ts';
import { percent } from '../format.ts';
import { differenceOf } from './compareMath.ts';
import { compare, useCompare } from './compareStore.ts';
import { SignedScale } from './Legend.tsx';
import { Mark } from './Mark.tsx';
import { credit, stepName } from './sentences.ts';
import { useSlot } from './slots.ts';
import { Strip } from './Strip.tsx';
import { limitOf, type Layer } from './strips.ts';
import { useCells, useLayout } from './useCells.ts';

type Props = { snapshot: Snapshot; answer: CreditAnswer };

/** One strip per estimator with a common cursor, the truth, and the difference of two of them. */
export function CompareStrips({ snapshot, answer }: Props) {
  return (
    <>
      <SideBySide snapshot={snapshot} answer={answer} />
      <Difference snapshot={snapshot} answer={answer} truthTitle={titleOf(answer)} />
    </>
  );
}

const titleOf = ({ truth }: CreditAnswer): string =>
  truth.kind === 'estimated' ? 'Truth (estimated)' : 'Truth (exact)';

/** One strip per estimator and the truth, with a common cursor. */
export function SideBySide({ snapshot, answer }: Props) {
  const { truth, columns } = answer;
  const cells = useCells(snapshot);
  const title = titleOf(answer);
  const { i, t } = cells.shown;
  const k = i * snapshot.T + t;
  const isKnown = truth.values && (!truth.known || truth.known[k] === 1);
  const told = [
    ...columns.flatMap(({ A, title: name }, at) => (A ? [{ at, words: `${name} ${credit(A[k]!)}` }] : [])),
    ...(isKnown ? [{ at: -1, words: `truth ${credit(truth.values[k]!)}` }] : []),
  ];
  return (
    <>
      <div className="strips">
        {columns.map((column, at) => (
          <figure key={at}>
            <figcaption>
              <Mark at={at} /> {column.title}{' '}
              <span className="quiet">
                {column.scores?.sign === null || column.scores?.sign === undefined
                  ? ''
                  : `agrees in sign on ${percent(column.scores.sign)} of the steps that mattered`}
              </span>
            </figcaption>
            {column.A ? (
              <OneStrip snapshot={snapshot} layer={{ id: column.id, title: column.title, values: column.A }} />
            ) : (
              <p className="refused">{column.why}</p>
            )}
          </figure>
        ))}
        {truth.values && (
          <figure>
            <figcaption>
              <Mark at={-1} /> {title}{' '}
              <span className="quiet">
                how much better than the policy’s average
                {truth.knownSteps < truth.steps && '; white also where it was not estimated'}
              </span>
            </figcaption>
            <OneStrip snapshot={snapshot} layer={{ id: 'exact', title, values: truth.values }} />
          </figure>
        )}
      </div>
      <p className="told number">
        {stepName(snapshot, i, t)}:{' '}
        {told.map(({ at, words }) => (
          <span key={at}>
            <Mark at={at} /> {words}{' '}
          </span>
        ))}
      </p>
    </>
  );
}

/** A strip on its own scale: units of estimators differ, shapes are what is compared. */
function OneStrip({ snapshot, layer }: { snapshot: Snapshot; layer: Layer }) {
  const cells = useCells(snapshot);
  const { layout, hasSigns } = useLayout(snapshot, 0.6);
  const { values } = layer;
  const limit = useMemo(() => limitOf(snapshot, values), [snapshot, values]);
  return (
    <>
      <Strip snapshot={snapshot} layer={layer} limit={limit} layout={layout} {...cells} hasSigns={hasSigns} />
      <SignedScale limit={limit} what="own scale" />
    </>
  );
}

/** Two of the columns, each in its own size, subtracted: where one praises more than the other. */
function Difference({ snapshot, answer, truthTitle }: Props & { truthTitle: string }) {
  const { truth, columns } = answer;
  const wanted = useCompare((c) => c.difference);
  const slot = useSlot();
  const cells = useCells(snapshot);
  const { layout, hasSigns } = useLayout(snapshot, 0.6);
  const options = useMemo(
    () => [
      ...columns.flatMap(({ A, title }, at) => (A ? [{ at, title, values: A }] : [])),
      ...(truth.values ? [{ at: -1, title: truthTitle, values: truth.values }] : []),
    ],
    [columns, truth, truthTitle],
  );
  const a = options.find((o) => o.at === wanted[0]) ?? options[0];
  const b = options.find((o) => o.at === wanted[1] && o !== a) ?? options.findLast((o) => o !== a);
  const layer = useMemo(() => {
    if (!a || !b) return null;
    const known = a.at < 0 || b.at < 0 ? truth.known : null;
    return {
      id: 'exact',
      title: `${a.title} less ${b.title}`,
      values: differenceOf(snapshot, a.values, b.values, known),
    };
  }, [snapshot, a, b, truth.known]);
  if (!a || !b || !layer) return null;
  const limit = limitOf(snapshot, layer.values);
  const pick = (which: 0 | 1, value: number): void =>
    compare({ difference: which === 0 ? [value, b.at] : [a.at, value] });
  return (
    <figure>
      <figcaption className="difference">
        Difference:{' '}
        {([a, b] as const).map((chosen, which) => (
          <span key={which}>
            {which === 1 && ' less '}
            <select
              aria-label={which === 0 ? 'Difference of' : 'less'}
              value={chosen.at}
              onChange={(event) => pick(which as 0 | 1, Number(event.target.value))}
            >
              {options.map((o) => (
                <option key={o.at} value={o.at}>
                  {o.at < 0 ? '' : `${String.fromCharCode(65 + slot(o.at))} `}
                  {o.title}
                </option>
              ))}
            </select>
          </span>
        ))}{' '}
        <span className="quiet">each divided by its root mean square; white: they agree</span>
      </figcaption>
      <Strip snapshot={snapshot} layer={layer} limit={limit} layout={layout} {...cells} hasSigns={hasSigns} />
      <SignedScale limit={limit} what="orange: the first one gives this step more credit" />
    </figure>
  );
}
