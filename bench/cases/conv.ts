import { convFlops, convProblem } from '../convProblem.ts';
import { expectedConvStep, oursConvCpu } from '../ours/convCpu.ts';
import { oursConvGpu } from '../ours/convGpu.ts';
import { cpuConvSteps, gpuConvSteps } from '../peers/list.ts';
import { distance, type Candidate } from '../stats.ts';
import type { Bench } from '../types.ts';
import { asked, cpuName, measure, rates, wanted } from './measure.ts';
import { STEP_TOLERANCE } from './step.ts';

/** Forward, backward and Adam of the convolution network over Sokoban's board, at several batch sizes. */
export async function convolutionStep(bench: Bench): Promise<void> {
  const { options, gpu, device } = bench;
  for (const rows of options.quick ? [256] : [256, 1024, 4096]) {
    const text = `10×10×4, 2 layers of 16, 64, 4, batch ${rows}`;
    // a device whose shaders run on the CPU would take minutes
    const onGpu = gpu && asked(bench, 'webgpu') && !(device.software && rows > 1024) ? 'convolution step webgpu' : null;
    const onCpu = asked(bench, 'cpu') ? cpuName(bench, 'convolution step') : null;
    if (![onGpu, onCpu].some((name) => name !== null && wanted({ ...bench, skipped: () => undefined }, name, text)))
      continue;
    const problem = convProblem(rows);
    const expected = expectedConvStep(problem);
    const put = (name: string, candidates: readonly Candidate[]) =>
      measure(bench, {
        ...{ name, shape: text, candidates, tolerance: STEP_TOLERANCE },
        error: (theta) => distance(theta, expected),
        numbers: (ms) => rates(bench, name, ms, convFlops(problem)),
      });
    if (onGpu) {
      const ours = { name: 'ours', make: () => oursConvGpu(gpu!, problem) };
      await put(onGpu, [ours, ...(bench.peers ? gpuConvSteps(problem) : [])]);
    }
    if (onCpu)
      await put(onCpu, [...oursConvCpu(problem), ...(bench.peers ? cpuConvSteps(problem, options.quick) : [])]);
  }
}
