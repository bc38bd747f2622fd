import { prepareTask } from '../../src/config/level.ts';
import { configWith } from '../../src/config/schema.ts';
import { must } from '../../src/core/problem.ts';
import { gpuBackendOn } from '../../src/engine/gpu/gpuBackend.ts';
import { createRun } from '../../src/engine/run.ts';
import { openGpu } from '../../src/gpu/device.ts';
import { whenDone } from '../../src/gpu/deviceWait.ts';
import { networks } from '../../src/networks/registry.ts';
import { replay, taped } from './tape.ts';

const PAIRS = 7;
/** What a busy machine may need until a quiet moment was seen by both. A wait for a timer is as long in all of them. */
const MOST_PAIRS = 28;
const UPDATES = 5;

/**
 * Updates of a tiny run, and right before each lot the submissions of one like it again without a wait in between, which is
 * what its kernels allow. The ratio is that of the shortest times, which a busy machine changes least; pairs are taken until
 * it is at most `enough`.
 */
export async function tinyRun(
  enough: number,
): Promise<{ ratio: number; pairs: readonly (readonly [number, number])[] }> {
  const gpu = must(await openGpu());
  for (const network of networks) await network.gpu?.();
  const config = configWith({ 'run.updates': 1000, 'run.backend': 'webgpu', 'run.seeds': 1 });
  await prepareTask(config);
  const run = must(await createRun(config, gpuBackendOn(gpu)));
  const idle = (): Promise<unknown> => whenDone(gpu.device.queue);
  const train = async (): Promise<void> => {
    for (let u = 0; u < UPDATES; u++) await run.submit();
    await idle();
  };
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const from = performance.now();
    await work();
    return performance.now() - from;
  };
  // kernels compile, and pace learns
  for (let k = 0; k < 4; k++) await train();
  const pairs: (readonly [number, number])[] = [];
  const shortest = (which: 0 | 1): number => Math.min(...pairs.map((pair) => pair[which]));
  const ratio = (): number => shortest(0) / shortest(1);
  while (pairs.length < PAIRS || (ratio() > enough && pairs.length < MOST_PAIRS)) {
    const tape = await taped(train);
    const allowed = await timed(() => {
      replay(gpu.device, tape);
      return idle();
    });
    pairs.push([await timed(train), allowed]);
  }
  if (gpu.complaint !== null) throw new Error(gpu.complaint);
  run.dispose();
  return { ratio: ratio(), pairs };
}
