import { coresOfRun } from '../../config/coresFor.ts';
import { makeLevelOf } from '../../config/level.ts';
import { getValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { coresOfPage } from '../../core/coresOfPage.ts';
import { isWebKit } from '../keeping.ts';
import { runConfig } from '../session.ts';
import { useRun } from '../stores/run.ts';

/** Seconds left from which on a reload is worth its while. */
const LONG = 30;

/** True where this page is not isolated, and will be when it is opened again: no frame, and not in WebKit (docs/hosting.md). */
const willShare = (): boolean =>
  !crossOriginIsolated && parent === window && !!navigator.serviceWorker?.controller && !isWebKit(navigator.userAgent);

/** Cores that a run of one seed may use where cores share memory. */
function coresOf(config: Config): number {
  const number = (path: string): number => getValue(config, path) as number;
  const level = makeLevelOf(config);
  if (!level.ok || number('run.seeds') > 1) return 1;
  const { maxSteps: T, policy } = level.value;
  const B = number('rollout.tasksPerBatch') * number('rollout.groupSize');
  const layout = { size: policy.layout.parameters };
  return coresOfRun({ layout, B, T, minibatches: number('objective.minibatches') }, coresOfPage());
}

/**
 * Cores share memory on isolated pages only; on others they send each other the rows of one seed. Where a host sends no
 * headers, the service worker isolates the page from its second opening on: whoever trains one seed for long in the first one is
 * told so.
 */
export function OneCore() {
  const isLong = useRun((r) => r.backend === 'cpu' && r.leftBetween !== null && r.leftBetween[0] >= LONG);
  const config = runConfig();
  const cores = isLong && config && willShare() ? coresOf(config) : 1;
  if (cores < 2) return null;
  return (
    <p className="onecore">
      On a first visit cores have to send each other what they know. After a reload {cores} cores share memory, and the
      run can be resumed.{' '}
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </p>
  );
}
