import { clipByNorm } from '../../methods/optimizer/clip.ts';
import type { Kernels } from '../../policies/kernels.ts';
import { part } from '../arrays.ts';
import type { TrainState } from '../backend.ts';
import type { Plan } from '../plan.ts';
import { guardedStep } from './guardedStep.ts';
import { cutStep } from './klPreview.ts';
import { recordWeights } from './record.ts';

/** Parameters of all replicas, their moments, the reference, and the gradient of the replica that learns. */
export class Weights {
  readonly theta: Float32Array;
  readonly reference: Float32Array;
  readonly gradient: Float32Array;
  private readonly m: Float32Array;
  private readonly v: Float32Array;
  /** parameters and moments of a replica before its last step */
  private readonly before: Float32Array;
  /** parameters and last gradient of the update before, for metrics only */
  private readonly last: Float32Array;
  private readonly lastGradient: Float32Array;
  private readonly plan: Plan;
  private readonly kernels: Kernels;

  constructor(plan: Plan, kernels: Kernels) {
    this.plan = plan;
    this.kernels = kernels;
    const size = plan.S * plan.layout.size;
    this.gradient = kernels.floats(plan.layout.size);
    this.theta = kernels.floats(size);
    this.m = kernels.floats(size);
    this.v = kernels.floats(size);
    this.reference = kernels.floats(size);
    this.before = new Float32Array(plan.layout.size * 3);
    this.last = new Float32Array(size);
    this.lastGradient = new Float32Array(size);
  }

  load(state: TrainState): void {
    this.theta.set(state.theta);
    this.last.set(state.theta);
    if (state.lastGradient) this.lastGradient.set(state.lastGradient);
    else this.lastGradient.fill(0);
    this.m.set(state.m);
    this.v.set(state.v);
    this.reference.set(state.reference);
  }

  save(): Pick<TrainState, 'theta' | 'm' | 'v' | 'reference' | 'lastGradient'> {
    const { theta, m, v, reference, lastGradient } = this;
    return {
      theta: theta.slice(),
      m: m.slice(),
      v: v.slice(),
      reference: reference.slice(),
      lastGradient: lastGradient.slice(),
    };
  }

  /** Cuts the gradient to the plan's norm; its norm before that. */
  clip(): number {
    return clipByNorm(this.gradient, this.plan.clipNorm);
  }

  /** Optimizer step number `at` of replica s; if a parameter would not be finite nothing moves. False then. */
  step(s: number, at: number, learningRate: number): boolean {
    const moved = { theta: this.of('theta', s), m: this.of('m', s), v: this.of('v', s), before: this.before };
    return guardedStep(this.plan, this.kernels, moved, this.gradient, at, learningRate);
  }

  /** Takes back what led too far of the last step, which was one of replica s; the share that was kept. */
  cut(s: number, kl: number): number {
    return cutStep(this.of('theta', s), this.before, kl);
  }

  /** The present policy becomes the reference of replica s; its optimizer starts anew. */
  resetReference(s: number): void {
    this.of('reference', s).set(this.of('theta', s));
    this.of('m', s).fill(0);
    this.of('v', s).fill(0);
  }

  /** How far the update has moved replica s, which learned last. */
  record(metrics: Float64Array, s: number): void {
    recordWeights(this.of('theta', s), this.of('last', s), this.gradient, this.of('lastGradient', s), metrics, s);
  }

  get bytes(): number {
    const { theta, m, v, reference, gradient } = this;
    return [theta, m, v, reference, gradient].reduce((n, array) => n + array.byteLength, 0);
  }

  private of(name: 'theta' | 'm' | 'v' | 'reference' | 'last' | 'lastGradient', s: number): Float32Array {
    return part(this[name], this.plan.S, s);
  }
}
