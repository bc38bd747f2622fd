import { configWith } from '../../config/schema.ts';
import type { Aggregate } from '../../core/aggregate.ts';
import { must } from '../../core/problem.ts';
import type { AnyValues } from '../../core/settings.ts';
import type { JudgedSet } from '../conformance/judge.ts';
import type { Units } from '../conformance/units.ts';
import type { KlPenalty } from '../../core/math/kl.ts';
import type { Objective, StepControl } from '../../slots/types.ts';
import type { NetworkShape } from '../../networks/dense/shape.ts';
import { networkOf, policyOf, type Policy } from '../../networks/policy.ts';
import { makeArrays, makeUpdateArrays, type Arrays } from '../../engine/arrays.ts';
import { UnitPolicy } from '../../engine/cpu/unitPolicy.ts';
import { emptyTally, type CpuPolicy, type Tally } from '../../engine/cpu/policy.ts';
import { Survey } from '../../engine/cpu/survey.ts';
import { accumulate, Chunk } from '../../engine/cpu/update.ts';
import { makePlan, type Plan } from '../../engine/plan.ts';

/** What of a golden case is trained on: units as an objective sees them, and how their losses are averaged. */
export type Trained = {
  readonly units: Units;
  readonly set: JudgedSet;
  readonly objective: Objective;
  readonly params: AnyValues;
  readonly mode: Aggregate;
  /** what else the loss has: coefficients of the entropy bonus and of a KL term of this form */
  readonly term?: { readonly entropyCoef: number; readonly klCoef: number; readonly klForm: KlPenalty };
};

/** A golden case as the batch of its own plan, with the parameters whose outputs are the logits of the case. */
export type CaseBatch = {
  readonly plan: Plan;
  readonly policy: CpuPolicy;
  readonly arrays: Arrays;
  readonly theta: Float32Array;
  /** where there is a term: parameters of the reference */
  readonly reference?: Float32Array;
  readonly term?: Trained['term'];
  /** [B, T] credit */
  readonly A: Float32Array;
  /** every κ the objective gives, in the order in which it is asked */
  readonly kappas: number[];
};

/** What one look of training made of a batch. */
export type Learned = {
  readonly tally: Tally;
  /** ∂loss/∂θ */
  readonly gradient: Float32Array;
  /** marks of the survey, null without one, and what it asked of the step */
  readonly mark: Float64Array | null;
  readonly asked: StepControl;
  /** [B, T] weight of each step, and Δ as it was met */
  readonly weight: Float64Array;
  readonly delta: Float32Array;
};

/** The plan of a batch of golden units: everything but sizes, policy and objective is the default experiment. */
export function casePlan(
  { units, set, objective, params, mode, term }: Trained,
  policy: Policy,
  changes: Partial<Plan>,
  kappas: number[],
): Plan {
  const { B, P, G, L, actions } = units.inputs;
  const base = must(makePlan(configWith({ 'policy.method': 'tabular', 'run.seeds': 1 })));
  const watched: Objective = {
    ...objective,
    coefficient(unit, values, out) {
      objective.coefficient(unit, values, out);
      kappas.push(out.kappa);
    },
    // the case says which units are drawn
    ...(objective.survey
      ? { survey: (seen, values, mark) => objective.survey!({ ...seen, draw: set.draw }, values, mark) }
      : {}),
  };
  return {
    ...{ ...base, B, P, G, T: L, actions, policy, layout: policy.layout },
    ...{ objective: watched, objectiveParams: params, aggregate: mode, ...changes },
    control: { ...base.control, klForm: term?.klForm ?? 'exact' },
  };
}

/** A table of logits with the given number of rows: what a tabular policy learns from. */
export function tableOf(rows: number, actions: number): Policy {
  const shape: NetworkShape = {
    ...{ features: rows, hidden: [], activation: 'tanh' },
    ...{ bias: false, actions, critic: false },
  };
  return policyOf(networkOf('tabular'), shape);
}

/**
 * Every unit a step of a tabular policy. The row of unit u in the table is u itself, or `rowOf(u)` of `rows` where units
 * share states. Real units are moved to the front of their trajectory: `stepOf` tells where to.
 */
export function tableBatch(
  trained: Trained,
  rows = trained.units.inputs.mask.length,
  rowOf = (u: number): number => u,
): CaseBatch & { readonly stepOf: Int32Array } {
  const { units, set, term } = trained;
  const { B, L, actions, legal, action, logits, logitsRef } = units.inputs;
  const kappas: number[] = [];
  const plan = casePlan(trained, tableOf(rows, actions), { obsWords: Math.ceil(rows / 32) }, kappas);
  // parameters, those of the reference, gradient and that of a score
  const policy = new UnitPolicy(plan, 4 * plan.layout.size);
  const arrays = makeArrays(plan);
  const theta = policy.kernels.floats(plan.layout.size);
  const reference = policy.kernels.floats(plan.layout.size);
  const A = new Float32Array(B * L);
  const stepOf = new Int32Array(B * L).fill(-1);
  set.real.forEach((u, k) => {
    const i = Math.floor(u / L);
    const step = (stepOf[u] = i * L + arrays.length[i]!++);
    const row = rowOf(u);
    arrays.obs[(i * (L + 1) + (step % L)) * plan.obsWords + (row >> 5)]! |= 1 << (row & 31);
    for (let b = 0; b < actions; b++) {
      theta[row * actions + b] = logits[u * actions + b]!;
      reference[row * actions + b] = logitsRef[u * actions + b]!;
      if (legal[u * actions + b] !== 0) arrays.legal[step]! |= 1 << b;
    }
    arrays.action[step] = action[u]!;
    arrays.logp[step] = set.logp[k]! - set.delta[k]!;
    A[step] = set.A[k]!;
  });
  fillRows(trained, arrays);
  return { plan, policy, arrays, theta, reference, ...(term ? { term } : {}), A, kappas, stepOf };
}

/** What is known of whole trajectories. */
export function fillRows({ units }: Trained, arrays: Arrays): void {
  const { B, G, outcome, success } = units.inputs;
  for (let i = 0; i < B; i++) {
    arrays.outcome[i] = outcome[i]!;
    arrays.success[i] = success[i]!;
    arrays.taskIndex[i] = Math.floor(i / G);
  }
}

/**
 * One look of training at a batch: survey, coefficients, averages and the way back, as an update takes it. `prox`: log π_prox
 * of every decision. `slots`: what the constant average divides by.
 */
export function learnCase(batch: CaseBatch, prox: Float64Array | null, slots: number): Learned {
  const { plan, policy, arrays, theta, A, reference = theta, term } = batch;
  const weight = new Float64Array(plan.B * plan.T);
  const trajectories = Uint32Array.from({ length: plan.B }, (_, i) => i).filter((i) => arrays.length[i]! > 0);
  const survey = plan.objective.survey ? new Survey(plan, policy, makeUpdateArrays(plan)) : null;
  const asked = survey?.run({ arrays, theta, A }, trajectories, prox, { s: 0, update: 0, pass: 0 }) ?? {};
  const learn = policy.learn.bind(policy);
  policy.learn = (learning, step, w, n) => {
    for (let k = 0; k < n; k++) weight[step[k]!] = w[k]!;
    learn(learning, step, w, n);
  };
  const gradient = policy.kernels.floats(plan.layout.size);
  const tally = emptyTally();
  const delta = new Float32Array(plan.B * plan.T);
  const unitsMax = plan.ratioLevel === 'unit' ? policy.unitsMax : 1;
  accumulate(plan, policy, new Chunk(policy.chunk), trajectories, {
    ...{ arrays, theta, reference, A, target: null, s: 0, gradient, tally },
    ...{ delta, mark: survey && survey.mark },
    live: { learningRate: 0, entropyCoef: term?.entropyCoef ?? 0, klCoef: term?.klCoef ?? 0 },
    rows: slots / (plan.T * unitsMax),
  });
  policy.learn = learn;
  return { tally, gradient, mark: survey && survey.mark, asked, weight, delta };
}

/** Loss, κ with its weight and the gradient by the logits, out of what was learned from a table with a row for every unit. */
export function resultOf(
  { units, set }: Trained,
  { tally, gradient }: Pick<Learned, 'tally' | 'gradient'>,
  rowAt: (u: number) => number,
  recorded: (u: number, k: number) => number,
) {
  const { actions, mask, action } = units.inputs;
  const gradLogits = new Float64Array(mask.length * actions);
  const coef = new Float64Array(mask.length);
  set.real.forEach((u, k) => {
    let best = -1;
    for (let b = 0; b < actions; b++) {
      gradLogits[u * actions + b] = gradient[rowAt(u) + b]!;
      const isLarger = best < 0 || units.now.p[u * actions + b]! > units.now.p[u * actions + best]!;
      if (b !== action[u] && isLarger) best = b;
    }
    // ∂loss/∂z_b = −coef·π_b of an action that was not taken; where there is none the gradient does not tell
    const p = best < 0 ? 0 : units.now.p[u * actions + best]!;
    coef[u] = p > 0 ? -gradLogits[u * actions + best]! / p : recorded(u, k);
  });
  const gradNorm = Math.sqrt(gradLogits.reduce((total, g) => total + g * g, 0));
  return { loss: tally.policyLoss, coef, gradNorm, gradLogits };
}
