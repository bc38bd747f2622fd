import { SOFT_MIN_ALPHA, softMin, valueGradient } from '../../core/value.ts';
import type { Outputs } from '../../contract/network.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';

/**
 * The values of a policy, as outputs that lie beside each other. One: it is V. Two (SAFE's double critic): what estimators
 * and explained variance read is their soft minimum, while each is regressed on the same target with a loss of its own and
 * held near its own old value. The trunk is shared, so both differ by their initial weights only.
 */
export class Critic {
  private readonly plan: Plan;
  private readonly values: Outputs;

  /** `values`: what the network answers with */
  constructor(plan: Plan, values: Outputs) {
    this.plan = plan;
    this.values = values;
  }

  /** V of row k. */
  valueOf(k: number): number {
    const { out, first, stride, count } = this.values;
    const at = first + k * stride;
    return count === 2 ? softMin(out[at]!, out[at + 1]!, SOFT_MIN_ALPHA).V : out[at]!;
  }

  /** Keeps V of a step that row k answers, and of two values each. */
  keep(arrays: Arrays, step: number, k: number): void {
    const { out, first, stride, count } = this.values;
    if (count === 0) return;
    arrays.value[step] = this.valueOf(k);
    if (count === 2) for (let h = 0; h < 2; h++) arrays.valueHeads[2 * step + h] = out[first + k * stride + h]!;
  }

  /** Gradient of the value loss of a step, row k, with weight w; returns w times the loss, the mean over heads. */
  learn(arrays: Arrays, target: number, step: number, w: number, k: number): number {
    const { plan } = this;
    const { out, d, first, stride, count } = this.values;
    const at = first + k * stride;
    let loss = 0;
    for (let h = 0; h < count; h++) {
      const old = count === 2 ? arrays.valueHeads[2 * step + h]! : arrays.value[step]!;
      const e = valueGradient(out[at + h]!, old, target, plan.valueLoss);
      loss += e.loss;
      d[at + h] = w * plan.valueCoef * e.gradient;
    }
    return (w * loss) / count;
  }
}
