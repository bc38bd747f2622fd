import type { TrainState } from '../../contract/state.ts';
import type { Gpu } from '../../gpu/device.ts';
import { LIVE_WORDS } from '../../gpu/live.ts';
import { METRICS, metricIndex } from '../../slots/metrics/metrics.ts';
import { KL_PENALTIES } from '../../core/math/kl.ts';
import { ofReplica, type Live, type UpdateRecord } from '../backend.ts';
import { Control, hasOwnRates, isControlled } from '../control.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import type { Report } from '../../core/report.ts';
import { REPORT_WORDS, wordOf } from './report.ts';

const PAID = wordOf('control', 'paid');
const TAKEN = wordOf('control', 'taken');

/** True if every step of every replica has its own rates, which it may not share as its objective shortens the step. */
export const hasRatesEach = ({ control, live, objective, objectiveParams }: Plan): boolean =>
  hasOwnRates(control, live) ||
  objective.survey !== undefined ||
  objective.marks?.(objectiveParams as never).of === 'weight';

/**
 * Coefficients and step counts of every replica, as the kernels of an update read them. Where they follow measurements,
 * `engine/control.ts` decides from the record of the update before: such a run has one update in flight at a time.
 */
export class GpuControl {
  /** null: every replica has the live coefficients */
  readonly control: Control | null;
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly rates: Float32Array<ArrayBuffer>;
  private readonly words = new Float32Array(LIVE_WORDS);
  /** of the update in flight */
  private live: Live;
  /** by replica: 1 if the look at the end of that update compares with the reference */
  private readonly compared: Uint8Array;
  /** [S] weight of the KL term in the rewards of that update */
  private readonly paying: Float64Array;
  /** optimizer steps taken */
  steps = 0;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.live = plan.live;
    this.compared = new Uint8Array(plan.S);
    this.paying = new Float64Array(plan.S);
    this.control = isControlled(plan.control) ? new Control(plan.control, b.tensors.host) : null;
    this.rates = new Float32Array(plan.epochs * plan.minibatches * (hasRatesEach(plan) ? plan.S : 1) * 4);
  }

  load(state: TrainState): void {
    this.steps = state.steps;
  }

  /** Before the credit, where rewards pay by a coefficient, and before the steps of an update. */
  putLive(live: Live, update: number, isPaying = false): void {
    const { plan, b, control, words } = this;
    const { queue } = this.gpu.device;
    const isWarmingUp = Number(update < plan.criticWarmup);
    const form = KL_PENALTIES.indexOf(plan.control.klForm);
    const put = (to: GPUBuffer, klCoefOf: (own: Live) => number): void => {
      for (let s = 0; s < plan.S; s++) {
        const own = control ? control.liveOf(live, s) : ofReplica(live, s);
        const klCoef = klCoefOf(own);
        if (isPaying) this.paying[s] = own.klCoef;
        words.set([isWarmingUp, own.entropyCoef, klCoef, form], 4 * s);
        this.compared[s] = Number(klCoef > 0);
      }
      queue.writeBuffer(to, 0, words);
    };
    this.live = live;
    put(b.live, ({ klCoef }) => (b.paid ? 0 : klCoef));
    // a look has no gradient: there any weight above 0 only measures KL
    const measures = !isPaying && control?.settings.looksAtKl === true;
    if (b.look !== b.live) put(b.look, ({ klCoef }) => (measures ? 1 : klCoef));
  }

  /** Weight of the KL term in the rewards of replica s, and whether its reference is another one since. */
  paid(s: number, update: number): { readonly klCoef: number; readonly isReset: boolean } {
    return { klCoef: this.paying[s]!, isReset: this.control?.counts.resetAt[s] === update + 1 };
  }

  /** Whether the update in flight compares each replica with the reference, to be kept with its report. */
  comparisons(): Uint8Array {
    return this.compared.slice();
  }

  /** Learning rate and what else the optimizer is told of step k of this update of replica s. */
  rateOf(k: number, s: number): readonly [rate: number, c1: number, c2: number, unused: number] {
    const { plan, control } = this;
    const n = (control ? control.counts.taken[s]! : this.steps) + k + 1;
    const [factor, c1, c2] = plan.optimizer.rates(n, plan.optimizerParams as never);
    return [factor * ofReplica(this.live, s).learningRate, c1, c2, 0];
  }

  /** Rates of all steps of an update, [steps, 4] or [steps, S, 4]. */
  putRates(): void {
    const { plan, rates } = this;
    const each = hasRatesEach(plan) ? plan.S : 1;
    for (let k = 0; k < plan.epochs * plan.minibatches; k++)
      for (let s = 0; s < each; s++) rates.set(this.rateOf(k, s), 4 * (k * each + s));
    this.gpu.device.queue.writeBuffer(this.b.rates, 0, rates);
  }

  /** Once all steps of an update are submitted. */
  count(): void {
    this.steps += this.plan.epochs * this.plan.minibatches;
  }

  /** Lets every replica follow the record of the update, and resets the references that are due. */
  settle({ metrics, update }: UpdateRecord, report: Float32Array): void {
    const { plan, control } = this;
    if (!control) return;
    for (let s = 0; s < plan.S; s++) {
      const of = report.subarray(s * REPORT_WORDS, (s + 1) * REPORT_WORDS);
      control.counts.taken[s]! += takenOf(plan, of[TAKEN]!);
      if (plan.control.klIn === 'reward') {
        const { klCoef } = control.liveOf(this.live, s);
        metrics[s * METRICS + metricIndex.klRef] = klCoef > 0 ? of[PAID]! : NaN;
      }
      if (control.settle(s, metrics, update, this.live, plan.B)) this.resetReference(s);
    }
  }

  /** The current policy becomes the reference of replica s; its optimizer starts anew. */
  private resetReference(s: number): void {
    const { theta, reference, m, v } = this.b;
    const { device } = this.gpu;
    const bytes = this.plan.layout.size * 4;
    const encoder = device.createCommandEncoder({ label: 'reset' });
    encoder.copyBufferToBuffer(theta, s * bytes, reference, s * bytes, bytes);
    for (const moment of [m, v]) encoder.clearBuffer(moment, s * bytes, bytes);
    device.queue.submit([encoder.finish()]);
  }
}

/** Optimizer steps that a replica took in an update, where its report says `counted`. */
const takenOf = ({ control, epochs, minibatches }: Plan, counted: number): number =>
  control.stopsAt !== null ? counted : epochs * minibatches;

/** The same of every replica, from the section of controlled runs; null: it was not read, as nothing stops. */
export function stepsTaken(plan: Plan, section: ArrayBuffer | null): readonly number[] {
  const words = section && new Float32Array(section);
  return Array.from({ length: plan.S }, (_, s) => takenOf(plan, words?.[s * REPORT_WORDS + TAKEN] ?? 0));
}

/** Steps taken, minibatches it looked at, and sum of the shares that a preview kept. */
export function stepsOf(plan: Plan, { taken, looks, kept }: Report['control']) {
  return { taken: takenOf(plan, taken), looks: takenOf(plan, looks), kept };
}
