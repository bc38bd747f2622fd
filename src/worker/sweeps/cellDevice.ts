import { problemText } from '../../config/problems.ts';
import { openGpu, type Gpu } from '../../gpu/device.ts';
import { networks } from '../../networks/registry.ts';
import type { CellDevice } from './cellTrainer.ts';

let gpu: Gpu | null = null;
/** Milliseconds that the news of a loss may come after the first call that failed because of it. */
const NEWS_MS = 200;

/** The graphics device of this worker, opened again where it has gone away or refused work; a sentence where there is none. */
export async function openCellDevice(): Promise<CellDevice | string> {
  if (!gpu || gpu.isLost || gpu.complaint !== null) {
    const opened = await openGpu();
    if (!opened.ok) return problemText(opened.problem).sentence;
    gpu = opened.value;
  }
  const own = gpu;
  // kernels and their lists are loaded where there is a device to run them
  const [{ gpuBackendOn }] = await Promise.all([
    import('../../engine/gpu/gpuBackend.ts'),
    ...networks.map((network) => network.gpu?.()),
  ]);
  return {
    make: gpuBackendOn(own),
    async gone() {
      await Promise.race([own.lost, new Promise((later) => setTimeout(later, NEWS_MS))]);
      return own.isLost ? 'The graphics device went away.' : null;
    },
  };
}
