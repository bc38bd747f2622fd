import { Fragment } from 'react';
import type { DenseInside } from '../../worker/protocol.ts';
import { percent, signed } from '../format.ts';
import { Matrix } from './Matrix.tsx';
import { chainWords, loudestUnits } from './words.ts';

type Props = { inside: DenseInside; actions: readonly string[] };

/** From the observation through every layer to the actions: weights, then what they make of this step. */
export function ChainPictures({ inside, actions }: Props) {
  const { isTable, features, on, layers, tensors, probs } = inside;
  const bits = Float32Array.from({ length: features }, (_, f) => (on.includes(f) ? 1 : 0));
  const weights = tensors?.filter((x) => x.kind === 'weight') ?? [];
  return (
    <>
      <p className="quiet">{chainWords(inside)}</p>
      <div className="pictures">
        {!isTable && <Matrix rows={1} cols={features} values={bits} title="Observation" kind="share" />}
        {layers.map((units, k) => {
          const isLast = k === layers.length - 1;
          const W = weights[k];
          return (
            <Fragment key={k}>
              {W && (
                <Matrix
                  {...{ rows: W.rows, cols: W.cols, values: W.values, kind: 'signed' }}
                  title={isTable ? 'Table: states by actions' : `Weights ${k + 1}: inputs by units`}
                  marked={isTable ? (on[0] ?? null) : null}
                />
              )}
              {!isLast && (
                <div>
                  <Matrix rows={1} cols={units.length} values={units} title={`Units of layer ${k + 1}`} kind="signed" />
                  <p className="quiet">Most active: {loudestUnits(units)}.</p>
                </div>
              )}
            </Fragment>
          );
        })}
      </div>
      <table className="logits">
        <caption>{isTable ? 'Row of this state' : 'Output'}</caption>
        <thead>
          <tr>
            <th scope="col">Action</th>
            <th scope="col">Logit</th>
            <th scope="col">π</th>
          </tr>
        </thead>
        <tbody>
          {actions.map((name, a) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="number">{signed(layers.at(-1)![a]!)}</td>
              <td className="number">{percent(probs[a]!)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
