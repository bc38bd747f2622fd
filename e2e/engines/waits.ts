import type { Engine } from './engine.ts';
import { withModule } from './modulePage.ts';

type Waits = { readonly module: typeof import('../../src/gpu/deviceWait.ts') };
type Tiny = { readonly module: typeof import('./tinyRun.ts') };

/** Median of ten waits for an idle device in ms, in turn without and with what the lab does about timers. */
export const mediansOfWaits = (engine: Engine): Promise<{ plain: number; helped: number }> =>
  withModule(engine, 'src/gpu/deviceWait.ts', () =>
    engine.evaluate(async () => {
      const { measureGrain, whenDone } = (window as unknown as Waits).module;
      const device = await (await navigator.gpu.requestAdapter())!.requestDevice();
      await measureGrain(device);
      const took: Record<'plain' | 'helped', number[]> = { plain: [], helped: [] };
      const time = async (kind: 'plain' | 'helped', wait: () => Promise<unknown>): Promise<void> => {
        const from = performance.now();
        await wait();
        took[kind].push(performance.now() - from);
      };
      for (let k = 0; k < 10; k++) {
        await time('plain', () => device.queue.onSubmittedWorkDone());
        await time('helped', () => whenDone(device.queue));
      }
      const median = (all: number[]): number => all.sort((a, b) => a - b)[5]!;
      return { plain: median(took.plain), helped: median(took.helped) };
    }),
  );

/** How many times as long as their kernels alone the updates of a tiny run take, and the times in ms; up to `enough` it is not measured closer. */
export const shareOfWaits = (engine: Engine, enough: number): ReturnType<typeof import('./tinyRun.ts').tinyRun> =>
  withModule(engine, 'e2e/engines/tinyRun.ts', () =>
    engine.evaluate((most) => (window as unknown as Tiny).module.tinyRun(most), enough),
  );
