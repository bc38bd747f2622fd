import { part } from '../../contract/columns.ts';
import { together } from '../../core/together.ts';
import { makeArrays } from '../arrays.ts';
import { CpuSignals } from '../cpu/signals.ts';
import { CpuStepScores } from '../cpu/stepScores.ts';
import type { Plan, Tasks } from '../plan.ts';
import { signalsOfPlan } from '../signalTables.ts';
import type { RunBuffers } from './buffers.ts';
import { scoreOf } from '../stepScores.ts';
import { readColumns, readWorld, wholeBatch } from './readBatch.ts';

/**
 * Scores of steps, and signals of the world for an estimator, in a run on WebGPU: computed on the CPU from a batch and weights
 * that are read back.
 */
export class GpuStepScores {
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  /** null: only signals are asked for */
  private readonly cpu: CpuStepScores | null;
  private readonly signals: CpuSignals | null;
  /** weights of all replicas, as training sees them */
  private readonly theta: GPUBuffer;

  constructor(plan: Plan, b: RunBuffers, theta: GPUBuffer) {
    this.plan = plan;
    this.b = b;
    this.cpu = CpuStepScores.of(plan);
    this.signals = CpuSignals.of(plan);
    this.theta = theta;
  }

  steps(s: number): number {
    return this.cpu?.steps(s) ?? 0;
  }

  /** Scores the last batch of all replicas; the column is then held in main memory. */
  async fill(tasks: Tasks): Promise<void> {
    const { plan, b } = this;
    const arrays = makeArrays(plan);
    const isAnswer = scoreOf(plan)?.of === 'answers';
    const weights = { buffer: this.theta, offset: 0, size: 4 * plan.S * plan.layout.size };
    const theta = new Float32Array(this.cpu ? await b.reads.of(weights) : []);
    for (let s = 0; s < plan.S; s++) {
      const source = { plan, b, s };
      const [{ batch, state }, world, asked] = await together([
        wholeBatch(source),
        readWorld(source),
        isAnswer ? readColumns(source, ['probs']) : {},
      ]);
      for (const [name, values] of Object.entries({ ...batch, ...world, ...asked, state })) {
        const to = (arrays as Readonly<Record<string, unknown>>)[name];
        if (to instanceof Float32Array || to instanceof Uint32Array) part(to, plan.S, s).set(values as Float32Array);
      }
      this.signals?.fill(arrays, tasks, s);
      this.cpu?.fill(arrays, tasks, part(theta, plan.S, s), s);
    }
    const scores = this.cpu ? [isAnswer ? ('answerProb' as const) : ('processScore' as const)] : [];
    for (const name of [...scores, ...signalsOfPlan(plan)]) b.batch.keepOnHost(name, arrays[name]);
  }
}
