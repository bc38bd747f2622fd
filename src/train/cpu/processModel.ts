import type { Batch } from '../../core/batch.ts';
import { preferenceLoss, type Preference } from '../../methods/advantage/oprl/preference.ts';
import { clipByNorm } from '../../methods/optimizer/clip.ts';
import type { Arrays } from '../arrays.ts';
import type { ProcessState, TrainState } from '../backend.ts';
import type { Plan } from '../plan.ts';
import { processState, type ProcessSettings } from '../processModel.ts';
import { askAbout } from './asking.ts';
import { guardedStep } from './guardedStep.ts';
import type { CpuPolicy } from './policy.ts';

/**
 * The process model φ on the CPU path. Once per update it scores the batch (`score`), and after the credit was given from
 * these numbers it takes one step on the preference loss of the same batch (`learn`). Its optimizer is the policy's.
 */
export class CpuProcessModel {
  private readonly plan: Plan;
  private readonly settings: ProcessSettings;
  private readonly policy: CpuPolicy;
  private readonly state: ProcessState;
  private readonly gradient: Float32Array;
  private readonly before: Float32Array;
  private readonly step: Int32Array;
  private readonly slope: Float64Array;

  constructor(plan: Plan, settings: ProcessSettings, policy: CpuPolicy) {
    this.plan = plan;
    this.settings = settings;
    this.policy = policy;
    const { size } = plan.layout;
    const make = (): Float32Array => policy.kernels.floats(plan.S * size);
    this.state = { phi: make(), m: make(), v: make(), steps: new Uint32Array(plan.S) };
    this.gradient = policy.kernels.floats(size);
    this.before = new Float32Array(3 * size);
    this.step = new Int32Array(policy.chunk);
    this.slope = new Float64Array(policy.chunk);
  }

  load(state: TrainState): void {
    const { phi, m, v, steps } = processState(this.plan, state);
    this.state.phi.set(phi);
    this.state.m.set(m);
    this.state.v.set(v);
    this.state.steps.set(steps);
  }

  save(): ProcessState {
    const { phi, m, v, steps } = this.state;
    return { phi: phi.slice(), m: m.slice(), v: v.slice(), steps: steps.slice() };
  }

  get bytes(): number {
    const { phi, m, v } = this.state;
    return phi.byteLength + m.byteLength + v.byteLength + this.gradient.byteLength + this.before.byteLength;
  }

  /** Writes log π_φ of every real step of replica s into the arrays. */
  score(arrays: Arrays, s: number): void {
    const about = { arrays, theta: this.state.phi, s, step: this.step };
    askAbout(this.plan, about, (asking) => this.policy.logProbs(asking, arrays.logpPhi));
  }

  /** One step on the preference loss of the scored batch; none without a pair. A reason if a number was not finite. */
  learn(
    arrays: Arrays,
    batch: Batch,
    s: number,
    learningRate: number,
  ): { preference: Preference; trouble: 'objective' | 'optimizer' | null } {
    const { plan, settings, state, gradient } = this;
    const preference = preferenceLoss(batch, settings.beta, settings.score);
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
    const trained = { theta: of(state.phi), m: of(state.m), v: of(state.v), before: this.before };
    const step = ++state.steps[s]!;
    const isGood = guardedStep(plan, this.policy.kernels, trained, gradient, step, settings.rate * learningRate);
    return { preference, trouble: isGood ? null : 'optimizer' };
  }
}
