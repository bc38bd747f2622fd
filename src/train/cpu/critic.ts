import { SOFT_MIN_ALPHA, softMin, valueGradient } from '../../core/value.ts';
import { valuesOf } from '../../policies/network.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';

/**
 * The values of a policy, as outputs that lie beside each other. One: it is V. Two (SAFE's double critic): what estimators
 * and explained variance read is their soft minimum, while each is regressed on the same target with a loss of its own and
 * held near its own old value. The trunk is shared, so both differ by their initial weights only.
 */
export class Critic {
  readonly values: 0 | 1 | 2;
  private readonly plan: Plan;

  constructor(plan: Plan) {
    this.plan = plan;
    this.values = valuesOf(plan.policy.shape);
  }

  /** V from the outputs at `at`. */
  valueOf(out: Float32Array, at: number): number {
    return this.values === 2 ? softMin(out[at]!, out[at + 1]!, SOFT_MIN_ALPHA).V : out[at]!;
  }

  /** Keeps V of a step, and of two values each. */
  keep(arrays: Arrays, step: number, out: Float32Array, at: number): void {
    if (this.values === 0) return;
    arrays.value[step] = this.valueOf(out, at);
    if (this.values === 2) for (const h of [0, 1]) arrays.valueHeads[2 * step + h] = out[at + h]!;
  }

  /** Gradient of the value loss of one step with weight w, by the outputs; returns w times the loss, the mean over heads. */
  learn(
    arrays: Arrays,
    target: number,
    step: number,
    w: number,
    out: Float32Array,
    at: number,
    d: Float32Array,
  ): number {
    const { plan, values } = this;
    let loss = 0;
    for (let h = 0; h < values; h++) {
      const old = values === 2 ? arrays.valueHeads[2 * step + h]! : arrays.value[step]!;
      const e = valueGradient(out[at + h]!, old, target, plan.valueLoss);
      loss += e.loss;
      d[at + h] = w * plan.valueCoef * e.gradient;
    }
    return (w * loss) / values;
  }
}
