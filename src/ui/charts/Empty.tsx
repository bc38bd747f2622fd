import { Fragment } from 'react';
import { lacking, needText } from '../../config/needs.ts';
import type { Metric } from '../../slots/metrics/types.ts';
import { goToField } from '../form/goToField.ts';
import { part } from '../Part.tsx';
import { useWholeConfig } from '../session.ts';

const Expected = part(() => import('./Expected.tsx').then((m) => m.Expected));

type Props = { metric: Metric; hasBegun: boolean };

/** Stands where a chart has no curve: which settings would give it one, and the way to them; else what it will show. */
export function Empty({ metric, hasBegun }: Props) {
  const config = useWholeConfig();
  const missing = config ? lacking(config, metric) : [];
  if (missing.length > 0) {
    return (
      <p className="quiet needs">
        Not measured with the settings of this run. It needs{' '}
        {missing.map((any, k) =>
          any.map(needText).map(({ path, field, value }, n) => (
            <Fragment key={path}>
              {n > 0 ? ' or ' : k > 0 && ' and '}
              <button type="button" className="inword" onClick={() => void goToField(path)}>
                {field}
              </button>
              : {value}
            </Fragment>
          )),
        )}
        .
      </p>
    );
  }
  return (
    <div className="plot">
      {metric.id === 'success' && !hasBegun && <Expected />}
      <p className="quiet empty">{hasBegun ? `Nothing measured yet. ${metric.doc}` : metric.look}</p>
    </div>
  );
}
