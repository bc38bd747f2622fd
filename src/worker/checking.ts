import * as Comlink from 'comlink';
import { adapterFacts } from '../check/device/adapter.ts';
import { checkDevice } from '../check/device/checkDevice.ts';
import { wantedOf } from '../check/device/only.ts';
import type { CheckReport } from '../check/device/report.ts';
import { openGpu } from '../gpu/device.ts';
import type { Told } from './protocol.ts';
import { Telling } from './telling.ts';

/** So often at most the page hears how far a check is. */
const EVERY_MS = 100;

/** Checks the graphics device of this browser, or the CPU path where there is none. Whoever stops it ends the worker. */
export class DeviceChecker {
  /** `only`: names of parts and kernels; all where there are none. */
  async run(tell: Told<[report: CheckReport]>, only: string | null): Promise<CheckReport> {
    const opened = await openGpu();
    const gpu = opened.ok ? opened.value : null;
    const why = opened.ok ? null : opened.problem.kind === 'noWebGpu' ? opened.problem.why : 'It could not be opened.';
    const adapter = gpu && (await adapterFacts(navigator.gpu));
    const telling = new Telling(tell, EVERY_MS);
    return checkDevice({
      ...{ gpu, why, adapter, ...wantedOf(only) },
      tell(report) {
        const now = performance.now();
        if (telling.isDue(now)) telling.say(now, report);
      },
    });
  }
}

/** Answers whoever holds the other end of the port. */
export function serveCheck(port: MessagePort): void {
  Comlink.expose(new DeviceChecker(), port);
}
