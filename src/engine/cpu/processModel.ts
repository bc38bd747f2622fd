import type { StateStore } from '../../contract/stateStore.ts';
import type { Batch } from '../../contract/columns.ts';
import type { Preference } from '../../slots/advantage/types.ts';
import { clipByNorm } from '../../core/math/gradientNorm.ts';
import type { Arrays } from '../arrays.ts';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import type { Plan } from '../plan.ts';
import type { Process } from '../processModel.ts';
import { askAbout } from './asking.ts';
import { guardedStep } from './guardedStep.ts';
import type { CpuPolicy } from './policy.ts';

/**
 * The process model φ on the CPU path. Once per update it scores the batch (`score`), and after the credit was given from
 * these numbers it takes one step on the preference loss of the same batch (`learn`). Its optimizer is the policy's.
 */
export class CpuProcessModel {
  private readonly plan: Plan;
  private readonly process: Process;
  private readonly policy: CpuPolicy;
  private readonly state: {
    readonly phi: Float32Array;
    readonly m: Float32Array;
    readonly v: Float32Array;
    /** [S] optimizer steps taken */
    readonly steps: Uint32Array;
  };
  private readonly gradient: Float32Array;
  private readonly before: Float32Array;
  private readonly step: Int32Array;
  private readonly slope: Float64Array;

  constructor(plan: Plan, process: Process, policy: CpuPolicy, store: StateStore) {
    this.plan = plan;
    this.process = process;
    this.policy = policy;
    const { size } = plan.layout;
    const of = (name: string): Float32Array => store.of(`process.${name}`, 'f32');
    this.state = { phi: of('phi'), m: of('m'), v: of('v'), steps: store.of('process.steps', 'u32') };
    this.gradient = policy.kernels.floats(size);
    this.before = new Float32Array(3 * size);
    this.step = new Int32Array(policy.chunk);
    this.slope = new Float64Array(policy.chunk);
  }

  /** besides the state */
  get bytes(): number {
    return this.gradient.byteLength + this.before.byteLength;
  }

  /** Writes log π_φ of every real step of replica s into the arrays. */
  score(arrays: Arrays, s: number): void {
    const about = { arrays, theta: this.state.phi, s, step: this.step };
    askAbout(this.plan, about, (asking) => this.policy.logProbs(asking, arrays.logpPhi));
  }

  /** The step after an update, and what is measured of it. */
  settle(
    arrays: Arrays,
    batch: Batch,
    s: number,
    { rate, put }: { readonly rate: number; readonly put: (s: number, id: MetricId, value: number) => void },
  ): 'objective' | 'optimizer' | null {
    const { preference, trouble } = this.learn(arrays, batch, s, rate);
    if (preference.pairs > 0) {
      put(s, 'pairAccuracy', preference.accuracy);
      put(s, 'pairLoss', preference.loss);
    }
    return trouble;
  }

  /** One step on the preference loss of the scored batch; none without a pair. A reason if a number was not finite. */
  learn(
    arrays: Arrays,
    batch: Batch,
    s: number,
    learningRate: number,
  ): { preference: Preference; trouble: 'objective' | 'optimizer' | null } {
    const { plan, state, gradient, before } = this;
    const { settings, loss } = this.process;
    const preference = loss(batch, settings.beta, settings.score);
    if (preference.pairs === 0) return { preference, trouble: null };
    gradient.fill(0);
    askAbout(plan, { arrays, theta: state.phi, s, step: this.step }, (asking) => {
      for (let k = 0; k < asking.n; k++)
        this.slope[k] = preference.gradPerStep[Math.floor(this.step[k]! / plan.T) - s * plan.B]!;
      this.policy.addLogpGradient(asking, this.slope, gradient);
    });
    if (!Number.isFinite(clipByNorm(gradient, settings.clipNorm))) return { preference, trouble: 'objective' };
    const { size } = plan.layout;
    const of = (values: Float32Array): Float32Array => values.subarray(s * size, (s + 1) * size);
    const trained = { theta: of(state.phi), gradient, m: of(state.m), v: of(state.v), before };
    const step = ++state.steps[s]!;
    const isGood = guardedStep(plan, this.policy.kernels, trained, step, settings.rate * learningRate);
    return { preference, trouble: isGood ? null : 'optimizer' };
  }
}
