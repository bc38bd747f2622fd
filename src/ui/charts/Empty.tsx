import { Fragment } from 'react';
import { lacking, needText } from '../../config/needs.ts';
import type { Metric } from '../../methods/analysis/metric.ts';
import { goToField } from '../form/goToField.ts';
import { useWholeConfig } from '../session.ts';

type Props = { metric: Metric; hasBegun: boolean };

/** Stands where a chart has no curve: which settings would give it one, and the way to them; else what it will show. */
export function Empty({ metric, hasBegun }: Props) {
  const config = useWholeConfig();
  const missing = config ? lacking(config, metric.needs) : [];
  if (missing.length > 0) {
    return (
      <p className="quiet needs">
        Not measured with the settings of this run. It needs{' '}
        {missing.map(needText).map(({ path, field, value }, k) => (
          <Fragment key={path}>
            {k > 0 && ' and '}
            <button type="button" className="inword" onClick={() => goToField(path)}>
              {field}
            </button>
            : {value}
          </Fragment>
        ))}
        .
      </p>
    );
  }
  return (
    <div className="plot">
      <p className="quiet empty">{hasBegun ? `Nothing measured so far. ${metric.doc}` : metric.look}</p>
    </div>
  );
}
