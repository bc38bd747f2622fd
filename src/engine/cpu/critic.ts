import { SOFT_MIN_ALPHA, softMin, valueGradient } from '../../core/value.ts';
import type { Outputs } from '../../contract/network.ts';
import type { Arrays } from '../arrays.ts';
import type { Units } from '../../contract/units.ts';
import type { Plan } from '../plan.ts';

/**
 * The values of a policy, as outputs that lie beside each other. One: it is V. Two (SAFE's double critic): what estimators
 * and explained variance read is their soft minimum, while each is regressed on the same target with a loss of its own and
 * held near its own old value. The trunk is shared, so both differ by their initial weights only.
 */
export class Critic {
  private readonly plan: Plan;
  private readonly values: Outputs;
  private readonly units: Units;

  /** `values`: what the network answers with; `units`: those of the step at hand */
  constructor(plan: Plan, values: Outputs, units: Units) {
    this.plan = plan;
    this.values = values;
    this.units = units;
  }

  /** V of row k, after a beginning of what it decides: the empty one is prefix 0. */
  valueOf(k: number, prefix = 0): number {
    const { out, first, stride, count, perPrefix = 0 } = this.values;
    const at = first + k * stride + prefix * perPrefix;
    return count === 2 ? softMin(out[at]!, out[at + 1]!, SOFT_MIN_ALPHA).V : out[at]!;
  }

  /** Keeps V of a step that row k answers, and of two values each. */
  keep(arrays: Arrays, step: number, k: number): void {
    const { out, first, stride, count } = this.values;
    if (count === 0) return;
    arrays.value[step] = this.valueOf(k);
    if (arrays.unitValue.length > 0) this.keepUnits(arrays, step, k);
    if (count === 2) for (let h = 0; h < 2; h++) arrays.valueHeads[2 * step + h] = out[first + k * stride + h]!;
  }

  /** V before each unit of that step, as they were decided. */
  private keepUnits({ unitValue }: Arrays, step: number, k: number): void {
    const { n, prefix, tree } = this.units;
    const K = tree.decisions;
    for (let d = 0; d < K; d++) unitValue[step * K + d] = d < n ? this.valueOf(k, prefix[d]) : 0;
  }

  /** Gradient of the loss of V before each unit of a step, row k, each with weight w; returns w times their sum. */
  learnUnits({ unitValue }: Arrays, target: Float32Array, step: number, w: number, k: number): number {
    const { plan, units } = this;
    const { out, d: slope, first, stride, perPrefix = 0 } = this.values;
    let loss = 0;
    for (let d = 0; d < units.n; d++) {
      const at = first + k * stride + units.prefix[d]! * perPrefix;
      const u = step * units.tree.decisions + d;
      const e = valueGradient(out[at]!, unitValue[u]!, target[u]!, plan.valueLoss);
      loss += e.loss;
      slope[at] = w * plan.valueCoef * e.gradient;
    }
    return w * loss;
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
