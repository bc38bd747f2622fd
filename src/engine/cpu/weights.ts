import type { StateStore } from '../../contract/stateStore.ts';
import { clipByNorm } from '../../core/math/gradientNorm.ts';
import type { Kernels } from '../../networks/kernels.ts';
import { part } from '../../contract/columns.ts';
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

  constructor(plan: Plan, kernels: Kernels, store: StateStore) {
    this.plan = plan;
    this.kernels = kernels;
    this.gradient = kernels.floats(plan.layout.size);
    this.theta = store.of('theta', 'f32');
    this.m = store.of('m', 'f32');
    this.v = store.of('v', 'f32');
    this.reference = store.of('reference', 'f32');
    this.lastGradient = store.of('lastGradient', 'f32');
    this.before = new Float32Array(plan.layout.size * 3);
    this.last = kernels.floats(plan.S * plan.layout.size);
  }

  /** A state has been loaded. */
  begin(): void {
    this.last.set(this.theta);
  }

  /** Cuts the gradient to the plan's norm; its norm before that. */
  clip(): number {
    const { gradient, kernels } = this;
    return clipByNorm(gradient, this.plan.clipNorm, kernels.globalNorm(gradient));
  }

  /** Optimizer step number `at` of replica s; if a parameter would not be finite nothing moves. False then. */
  step(s: number, at: number, learningRate: number): boolean {
    const { gradient, before } = this;
    const moved = { theta: this.of('theta', s), gradient, m: this.of('m', s), v: this.of('v', s), before };
    return guardedStep(this.plan, this.kernels, moved, at, learningRate);
  }

  /** Takes back what led further than `most` of the last step, which was one of replica s; the share that was kept. */
  cut(s: number, kl: number, most: number): number {
    return cutStep(this.of('theta', s), this.before, kl, most);
  }

  /** The current policy becomes the reference of replica s; its optimizer starts anew. */
  resetReference(s: number): void {
    this.of('reference', s).set(this.of('theta', s));
    this.of('m', s).fill(0);
    this.of('v', s).fill(0);
  }

  /** How far the update has moved replica s, which learned last. */
  record(metrics: Float64Array, s: number): void {
    const [theta, last, lastGradient] = [this.of('theta', s), this.of('last', s), this.of('lastGradient', s)];
    recordWeights(this.kernels, { theta, last, gradient: this.gradient, lastGradient }, metrics, s);
  }

  /** besides the state */
  get bytes(): number {
    return this.gradient.byteLength;
  }

  private of(name: 'theta' | 'm' | 'v' | 'reference' | 'last' | 'lastGradient', s: number): Float32Array {
    return part(this[name], this.plan.S, s);
  }
}
