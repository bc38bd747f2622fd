import type { Gpu } from '../../src/gpu/device.ts';
import { recordDenseStep } from '../../src/engine/gpu/denseStep.ts';
import { withoutPadding, type Step } from '../problem.ts';
import type { Contender } from '../types.ts';
import { adamContender, ADAM_RULE } from './adamStep.ts';
import { recorded } from './dense.ts';
import { lossOf } from './loss.ts';

/** The training step as the lab records it. */
export async function oursStepGpu(gpu: Gpu, problem: Step): Promise<Contender> {
  const { rows, inputs, hidden, classes } = problem;
  const owned: GPUBuffer[] = [];
  const made = await recorded(gpu, () =>
    recordDenseStep(
      gpu,
      { rows, widths: [inputs, hidden, classes], activation: 'relu' },
      ADAM_RULE,
      lossOf(gpu, owned, classes, problem.labels),
    ),
  );
  const { list, X, theta, rates, layout, free } = made;
  const { queue } = gpu.device;
  queue.writeBuffer(X, 0, problem.X as Float32Array<ArrayBuffer>);
  queue.writeBuffer(theta, 0, problem.theta as Float32Array<ArrayBuffer>);
  return adamContender(
    gpu,
    { list, theta, rates, size: layout.size },
    (values) => withoutPadding(problem, values),
    () => {
      free();
      for (const buffer of owned) gpu.free(buffer);
    },
  );
}
