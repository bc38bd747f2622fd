import { together } from '../../core/together.ts';
import { putBoth } from '../../slots/metrics/metrics.ts';
import { realSteps } from '../cpu/batches.ts';
import { batchSeen } from '../cpu/record.ts';
import type { UpdateRecord } from '../backend.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { neededBatch } from './readBatch.ts';

/** Metrics of the finished batch in TypeScript, into the record of its update: those that have no WebGPU form. */
export async function measureOnCpu(plan: Plan, b: RunBuffers, record: UpdateRecord): Promise<void> {
  const { B, T, S, metricsReadBack } = plan;
  const size = B * T * 4;
  const reads = metricsReadBack.flatMap((m) => m.reads);
  for (let s = 0; s < S; s++) {
    const [{ batch }, A] = await together([
      neededBatch({ plan, b, s }, [...reads, 'length', 'taskIndex'], {}),
      b.reads.of({ buffer: b.credit, offset: s * size, size }),
    ]);
    const judged = {
      A: realSteps(plan, batch.length, new Float32Array(A)),
      target: null,
      valueHeads: new Float32Array(0),
    };
    const seen = batchSeen(plan, batch, judged);
    const put = putBoth(record, s);
    for (const { id, of } of metricsReadBack) put(id, of(seen));
  }
}
