import { LEFT_OUT } from '../../core/math/clip.ts';
import { METRICS, metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import type { StepControl } from '../../slots/types.ts';
import type { UpdateRecord } from '../backend.ts';
import type { Plan } from '../plan.ts';
import type { Slice } from '../../gpu/recorder.ts';
import type { RunBuffers } from './buffers.ts';
import { knownOf } from './marks.ts';

/** What an objective says of the marks that the device has made: they come back behind the report, and nothing waits for them. */
export class ToldMarks {
  /** of the marks of all replicas */
  readonly bytes: number;
  /** where the numbers are that it tells of: the marks, or what comes with them */
  private readonly from: Slice;
  private readonly plan: Plan;
  private readonly b: RunBuffers;

  constructor(plan: Plan, b: RunBuffers) {
    this.plan = plan;
    this.b = b;
    this.bytes = 4 * plan.S * plan.B * plan.T;
    const isOfBatch = plan.objective.marks?.(plan.objectiveParams as never).of === 'batch';
    const [buffer, offset] = isOfBatch ? [knownOf(plan, b), this.bytes] : [b.credit, 4 * b.marksAt];
    this.from = { buffer, offset, size: this.bytes };
  }

  /** Copies them to the end of what comes back of an update. */
  encode(encoder: GPUCommandEncoder, to: GPUBuffer): void {
    const { from, bytes } = this;
    encoder.copyBufferToBuffer(from.buffer, from.offset, to, to.size - bytes, bytes);
  }

  /** Writes into a record what the marks in these bytes say. */
  tell({ metrics }: UpdateRecord, bytes: ArrayBuffer): void {
    const { S, B, T } = this.plan;
    for (let s = 0; s < S; s++) {
      const marks = new Float32Array(bytes, bytes.byteLength - this.bytes + 4 * s * B * T, B * T);
      for (const [id, value] of Object.entries(this.of(marks).measured ?? {}))
        metrics[s * METRICS + metricIndex[id as MetricId]] = value;
    }
  }

  /** How the behavior weights of a replica lie in the last batch. */
  async weights(s: number): Promise<StepControl['weights']> {
    const size = this.bytes / this.plan.S;
    const slice = { ...this.from, offset: this.from.offset + s * size, size };
    return this.of(new Float32Array(await this.b.reads.of(slice))).weights;
  }

  private of(marks: Float32Array): StepControl {
    const { objective, objectiveParams } = this.plan;
    const real = Float64Array.from(marks.filter((mark) => mark !== LEFT_OUT));
    return real.length > 0 ? objective.tells!(real, objectiveParams as never) : {};
  }
}
