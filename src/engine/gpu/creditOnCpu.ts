import { together } from '../../core/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import type { Credit } from '../../slots/types.ts';
import type { Plan, Tasks } from '../plan.ts';
import { meanOfUnits } from '../unitCredit.ts';
import type { RunBuffers } from './buffers.ts';
import { neededBatch } from './readBatch.ts';
import { needsUnits, readFor, unitCountsOf, withUnits } from './readUnits.ts';
import type { GpuStepScores } from './stepScores.ts';

/** Where a batch is read from, and its credit goes. */
type Place = {
  readonly gpu: Gpu;
  readonly plan: Plan;
  readonly b: RunBuffers;
  readonly scores: GpuStepScores | null;
  readonly tasks: Tasks;
};

/** Reads the last batch back, gives credit in TypeScript and writes it; what else it says of each replica goes `into`. */
export async function creditOnCpu(
  { gpu, plan, b, scores, tasks }: Place,
  into: Pick<Credit, 'parts' | 'keep'>[],
): Promise<void> {
  await scores?.fill(tasks);
  for (let s = 0; s < plan.S; s++) {
    const [{ batch }, counts] = await together([
      neededBatch({ plan, b, s }, readFor(plan.estimator)),
      unitCountsOf(plan, b, s),
    ]);
    const filled = needsUnits(plan.estimator) ? withUnits(batch, counts, b) : batch;
    const credit = plan.estimator.run(filled, plan.estimatorParams as never);
    const { target, parts, keep } = credit;
    into[s] = { ...(parts ? { parts } : {}), ...(keep ? { keep } : {}) };
    const at = s * plan.B * plan.T * 4;
    let { A } = credit;
    if (b.creditAt > 0) {
      A = new Float32Array(plan.B * plan.T);
      meanOfUnits(credit.A, batch, counts, A);
      const to = 4 * (b.creditAt + s * credit.A.length);
      gpu.device.queue.writeBuffer(b.credit, to, credit.A as Float32Array<ArrayBuffer>);
    }
    gpu.device.queue.writeBuffer(b.credit, at, A as Float32Array<ArrayBuffer>);
    if (target) gpu.device.queue.writeBuffer(b.credit, b.section * 4 + at, target as Float32Array<ArrayBuffer>);
  }
}
