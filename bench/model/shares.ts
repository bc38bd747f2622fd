import { findNodeGpu } from '../../src/cli/node.ts';
import { gpuBackendOn } from '../../src/engine/gpu/gpuBackend.ts';
import { profileRun } from '../../src/lab/profile.ts';
import { labRun } from '../ours/runs.ts';
import { CASES } from './cases.ts';
import { count } from './count.ts';
import type { ModelDevice } from './devices.ts';
import { timeOf } from './estimate.ts';

/**
 * A device whose shaders run on two cores of a CPU: about 20 GFLOP/s of products in registers, dispatches of 15 µs, and
 * invocations that wait for nothing but their own arithmetic (measured on SwiftShader, docs/benchmarks.md).
 */
const SOFTWARE: ModelDevice = {
  name: 'software adapter',
  ...{ dispatchUs: 15, submitUs: 60, readBackUs: 300, gigabytesPerS: 5, teraflops: 0.02, efficiency: 0.5 },
  ...{ laneGigaflops: 10, laneLoadNs: 2, laneReadNs: 1, laneOperationNs: 0.6 },
  from: 'ratios of SwiftShader on two cores',
};

/** Shares of kernels in an update, by this machine's device and by the model. */
export async function shares(): Promise<string> {
  const gpu = await findNodeGpu();
  if (typeof gpu === 'string') return gpu;
  const lines: string[] = [];
  for (const one of CASES.filter(({ isAsked }) => isAsked)) {
    const run = await labRun(gpu, { ...one.changes, 'optimizer.learningRate': 1e-7 });
    const { kernels } = await profileRun(run.plan, await run.checkpoint(), gpuBackendOn(gpu), gpu, 2);
    run.dispose();
    const { dispatches } = await count(one, gpu.software);
    const byKernel = new Map<string, { measured: number; model: number }>();
    const of = (kernel: string): { measured: number; model: number } => {
      const name = kernel.split('.')[0]!;
      const known = byKernel.get(name) ?? { measured: 0, model: 0 };
      byKernel.set(name, known);
      return known;
    };
    for (const { kernel, ms } of kernels) of(kernel).measured += ms;
    for (const dispatch of dispatches)
      of(dispatch.kernel).model += (dispatch.times * timeOf(SOFTWARE, dispatch).us) / 1e3;
    const all = [...byKernel.values()];
    const [measured, model] = (['measured', 'model'] as const).map((k) => all.reduce((sum, x) => sum + x[k], 0)) as [
      number,
      number,
    ];
    lines.push(`${one.name}: shares of kernels on ${gpu.name}, measured and by the model, in per cent`, '');
    const sorted = [...byKernel].sort((a, b) => b[1].measured - a[1].measured).slice(0, 12);
    for (const [kernel, x] of sorted)
      lines.push(
        `| ${kernel} | ${((100 * x.measured) / measured).toFixed(1)} | ${((100 * x.model) / model).toFixed(1)} |`,
      );
    lines.push('');
  }
  return lines.join('\n');
}
