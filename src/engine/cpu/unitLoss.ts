import type { Network } from '../../contract/network.ts';
import type { Units } from '../../contract/units.ts';
import { logitGradient, type DistributionTerms, type Pair, type UnitLoss } from '../../core/math/distribution.ts';
import type { Coefficient } from '../../slots/types.ts';
import type { Plan } from '../plan.ts';
import { shareOfWord } from '../unitSet.ts';
import { Critic } from './critic.ts';
import type { Learning } from './policy.ts';
import { clippingOf, count, type Clipping } from './units.ts';

/** Numbers of the units of a batch, where a step may have several. */
export type UnitColumns = {
  /** [S, B, T, K] log π of every unit when it was decided */
  readonly logp: Float32Array;
  /** [S, B, T, K] log π_θ − log π_old when it was last looked at; null where a step is one unit */
  readonly delta: Float32Array | null;
};

/**
 * What turns the units of a step into ∂L/∂logits and ∂L/∂V: ratio, clip and loss of the objective, entropy bonus, KL to the
 * reference, critic. Whatever the network, and however many units a step has.
 */
export class StepLoss {
  readonly critic: Critic;
  private readonly plan: Plan;
  private readonly network: Network;
  private readonly units: Units;
  private readonly clipping: Clipping;
  private readonly ref: { readonly p: Float32Array; readonly logp: Float64Array };
  private readonly pair: Pair;
  private readonly loss: UnitLoss;
  private readonly slots: number;
  private readonly coefficient: Coefficient = { loss: 0, kappa: 0, clip: 0 };
  private readonly unit = { A: 0, delta: 0, logp: 0, mark: 0 };
  private readonly terms: DistributionTerms = { entropy: 0, kl: 0 };

  constructor(plan: Plan, network: Network, units: Units) {
    this.plan = plan;
    this.network = network;
    this.units = units;
    this.critic = new Critic(plan, network.values, units);
    this.clipping = clippingOf(plan);
    this.slots = network.logits.count;
    const all = network.chunk * this.slots;
    this.ref = { p: new Float32Array(all), logp: new Float64Array(all) };
    const now = { p: units.p, logp: new Float64Array(this.slots) };
    this.pair = { now, at: 0, ref: this.ref, refAt: 0, count: 0 };
    const { klForm } = plan.control;
    this.loss = { chosen: 0, w: 0, kappa: 0, entropyCoef: 0, klCoef: 0, klForm };
  }

  /** Keeps what the reference says of the k-th row, whose answer the units face. */
  keepReference(k: number): void {
    this.units.turn(k);
    this.units.fillAll(this.ref.p, this.ref.logp, k * this.slots);
  }

  /**
   * ∂L/∂logits and ∂L/∂V of a step, the k-th row, with weight w. Ratio per unit: every decision has its own Δ. Ratio per
   * step: Δ is the sum over the units or their mean, all share the coefficient, in the latter case in equal parts. A look
   * that wants no gradient leaves ∂L/∂logits as it is.
   */
  learn(learning: Learning, columns: UnitColumns, step: number, w: number, k: number): void {
    const { A, target, unitTarget, tally, delta, mark, live } = learning;
    const { plan, units, unit, coefficient, loss, pair } = this;
    const K = units.tree.decisions;
    const { n } = units;
    const perUnit = learning.unitA ?? null;
    if (columns.delta) columns.delta.fill(0, step * K + n, (step + 1) * K);
    let sum = 0;
    let logp = 0;
    for (let d = 0; d < n; d++) {
      const moved = units.logp[d]! - columns.logp[step * K + d]!;
      logp += units.logp[d]!;
      sum += moved;
      if (columns.delta) columns.delta[step * K + d] = moved;
    }
    delta[step] = sum;
    tally.steps++;
    unit.A = A[step]!;
    const perStep = plan.ratioLevel !== 'unit';
    const share = shareOfWord(plan.ratioLevel, n);
    if (perStep) {
      unit.logp = logp * share;
      unit.delta = sum * share;
      unit.mark = mark ? mark[step * K]! : 0;
      plan.objective.coefficient(unit, plan.objectiveParams, coefficient);
      count(tally, w, unit, coefficient, this.clipping);
    }
    loss.w = w * (1 / plan.temperature) * (learning.policyWeight ?? 1);
    loss.entropyCoef = live.entropyCoef;
    loss.klCoef = live.klCoef;
    const differentiates = learning.gradient !== null || live.klCoef > 0;
    const { d: dLogits, first, stride } = this.network.logits;
    for (let d = 0; d < n; d++) {
      if (!perStep) {
        if (perUnit) unit.A = perUnit[step * K + d]!;
        unit.logp = units.logp[d]!;
        unit.delta = units.logp[d]! - columns.logp[step * K + d]!;
        unit.mark = mark ? mark[step * K + d]! : 0;
        plan.objective.coefficient(unit, plan.objectiveParams, coefficient);
        count(tally, w, unit, coefficient, this.clipping);
      }
      if (!differentiates) continue;
      const at = units.firstOf(d);
      if (live.klCoef > 0) units.fillLogProbs(d, pair.now.logp);
      pair.at = at;
      pair.refAt = k * this.slots + at;
      pair.count = units.countOf(d);
      loss.chosen = units.slot[d]! - at;
      loss.kappa = coefficient.kappa * share;
      logitGradient(pair, loss, dLogits, first + k * stride + at, this.terms);
      tally.klRef += this.terms.kl;
    }
    if (!target) return;
    const { critic } = this;
    tally.valueLoss += unitTarget?.length
      ? critic.learnUnits(learning.arrays, unitTarget, step, perStep ? w / n : w, k)
      : critic.learn(learning.arrays, target[step]!, step, w, k);
  }
}
