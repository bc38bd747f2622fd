import { css, viridis } from '../color.ts';
import { credit } from '../credit/sentences.ts';
import { percent } from '../format.ts';
import type { SignalRow } from './rows.ts';

const RAMP = Array.from({ length: 9 }, (_, k) => css(viridis(k / 8))).join(', ');

/** What the strips mean, each in a few words. */
export function RowLegend({ rows }: { rows: readonly SignalRow[] }) {
  return (
    <dl className="rowlegend">
      {rows.map(({ id, title, what, kind, low, high }) => (
        <div key={id}>
          <dt>{title}</dt>{' '}
          <dd>
            {what}
            {kind === 'level' && (
              <>
                : {id === 'completion' ? percent(low) : credit(low)}{' '}
                <span className="ramp" aria-hidden style={{ background: `linear-gradient(90deg, ${RAMP})` }} />{' '}
                {id === 'completion' ? percent(high) : credit(high)}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
