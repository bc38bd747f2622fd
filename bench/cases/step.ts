import { onAllCores } from '../ours/cores/crew.ts';
import { expectedStep, oursStepsCpu } from '../ours/stepCpu.ts';
import { oursStepGpu } from '../ours/stepGpu.ts';
import { cpuSteps, gpuSteps } from '../peers/list.ts';
import { stepFlops, stepProblem } from '../problem.ts';
import { distance, type Candidate } from '../stats.ts';
import type { Bench } from '../types.ts';
import { asked, cpuName, measure, rates } from './measure.ts';

/** Parameters after three Adam steps; a step moves every weight by 1e-3, so a wrong gradient is off by far more. */
export const STEP_TOLERANCE = 2e-5;

/** Forward, backward and Adam of an MLP 128-128-4 at several batch sizes. */
export async function trainingStep(bench: Bench): Promise<void> {
  const { options, gpu } = bench;
  for (const rows of options.quick ? [4096] : [256, 512, 1024, 2048, 4096]) {
    const problem = stepProblem(rows);
    const text = `128-128-4, batch ${rows}`;
    const expected = expectedStep(problem);
    const put = (name: string, candidates: readonly Candidate[]) =>
      measure(bench, {
        ...{ name, shape: text, candidates, tolerance: STEP_TOLERANCE },
        error: (theta) => distance(theta, expected),
        numbers: (ms) => rates(bench, name, ms, stepFlops(problem)),
      });
    if (gpu && asked(bench, 'webgpu')) {
      const ours = { name: 'ours', make: () => oursStepGpu(gpu, problem) };
      await put('training step webgpu', [ours, ...(bench.peers ? gpuSteps(problem) : [])]);
    }
    if (asked(bench, 'cpu')) {
      const ours = oursStepsCpu(problem);
      await put(cpuName(bench, 'training step'), [
        ...ours,
        ...onAllCores({ kind: 'step', problem }, ours[0]!.make),
        ...(bench.peers ? cpuSteps(problem, options.quick) : []),
      ]);
    }
  }
}
