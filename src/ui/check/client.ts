import * as Comlink from 'comlink';
import type { CheckReport } from '../../check/device/report.ts';
import type { DeviceChecker } from '../../worker/checking.ts';
import { toldBy } from '../drawn.ts';
import { owedBy } from '../owed.ts';

export type Checking = {
  /** the whole report; refused where the worker stopped or was ended */
  readonly done: Promise<CheckReport>;
  /** ends the worker, whatever it is doing */
  readonly end: () => void;
};

/** Starts a check, or parts of one, in a worker of its own: it has the kernels of the one that trains, and can be ended at any time. */
export function startCheck(tell: (report: CheckReport) => void, only: string | null): Checking {
  const worker = new Worker(new URL('../../worker/worker.ts', import.meta.url), { type: 'module' });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ check: port2 }, [port2]);
  const { calls, end } = owedBy<DeviceChecker>(Comlink.wrap<DeviceChecker>(port1) as unknown as DeviceChecker);
  worker.onerror = (event) => {
    event.preventDefault();
    end();
  };
  const over = (): void => {
    worker.terminate();
    end();
  };
  return { done: calls.run(toldBy(tell), only).finally(over), end: over };
}
