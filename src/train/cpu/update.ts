import { logitGradient, type DistributionTerms } from '../../methods/objective/distribution.ts';
import { LOG_RATIO_LIMIT, ratioOf } from '../../methods/objective/ratio.ts';
import { valueGradient } from '../../methods/objective/value.ts';
import type { Coefficient } from '../../methods/types.ts';
import { softmaxRow } from '../../policies/dense.ts';
import { outputs } from '../../policies/network.ts';
import type { Arrays } from '../arrays.ts';
import type { Live } from '../backend.ts';
import type { Plan } from '../plan.ts';
import { CHUNK, type CpuNetwork } from './network.ts';

/** Sums over the real steps of one minibatch, or of the whole batch when it is only looked at. */
export type Tally = {
  policyLoss: number;
  valueLoss: number;
  klRef: number;
  /** Σ ρ − 1 − log ρ, largest ρ, clipped steps, steps */
  approxKL: number;
  ratioMax: number;
  clipped: number;
  steps: number;
};

export function emptyTally(): Tally {
  return { policyLoss: 0, valueLoss: 0, klRef: 0, approxKL: 0, ratioMax: 0, clipped: 0, steps: 0 };
}

/** Scratch rows, made once. */
export class UpdateScratch {
  readonly step = new Int32Array(CHUNK);
  readonly weight = new Float64Array(CHUNK);
  readonly p: Float32Array;
  readonly pRef: Float32Array;
  readonly coefficient: Coefficient = { loss: 0, kappa: 0, clip: 0 };
  readonly unit = { A: 0, delta: 0, logp: 0 };
  readonly terms: DistributionTerms = { entropy: 0, kl: 0 };
  /** [S*B*T] Δ of each step at the end of the update */
  readonly delta: Float32Array;
  constructor(plan: Plan) {
    this.p = new Float32Array(plan.shape.actions);
    this.pRef = new Float32Array(CHUNK * plan.shape.actions);
    this.delta = new Float32Array(plan.S * plan.B * plan.T);
  }
}

/**
 * Aggregation weight of every step of trajectory i in a minibatch (spec objective §0):
 * unitMean 1/Σn, seqMeanUnitMean 1/(B⁺ n_i), seqMeanUnitSum 1/B⁺, constant 1/(B·T).
 */
function weightOf(plan: Plan, n: number, units: number, trajectories: number): number {
  switch (plan.aggregate) {
    case 'unitMean':
      return 1 / units;
    case 'seqMeanUnitMean':
      return 1 / (trajectories * n);
    case 'seqMeanUnitSum':
      return 1 / trajectories;
    case 'constant':
      return 1 / (trajectories * plan.T);
  }
}

/**
 * Walks over the real steps of the given trajectories of replica s in chunks: forward pass, then `row` for each step.
 * With a gradient, `row` has filled `network.dOut` and the chunk is propagated back.
 */
export function accumulate(
  plan: Plan,
  arrays: Arrays,
  network: CpuNetwork,
  scratch: UpdateScratch,
  theta: Float32Array,
  reference: Float32Array,
  A: Float32Array,
  target: Float32Array | null,
  trajectories: Uint32Array,
  s: number,
  live: Live,
  gradient: Float32Array | null,
  tally: Tally,
): void {
  const { B, T, obsWords } = plan;
  let units = 0;
  for (const i of trajectories) units += arrays.length[s * B + i]!;
  let rows = 0;
  const flush = (): void => {
    runChunk(plan, arrays, network, scratch, theta, reference, A, target, s, live, gradient, tally, rows);
    rows = 0;
  };
  for (const i of trajectories) {
    const row = s * B + i;
    const n = arrays.length[row]!;
    const weight = weightOf(plan, n, units, trajectories.length);
    for (let t = 0; t < n; t++) {
      scratch.step[rows] = row * T + t;
      scratch.weight[rows] = weight;
      network.bitsAt[rows] = (row * (T + 1) + t) * obsWords;
      if (++rows === CHUNK) flush();
    }
  }
  if (rows > 0) flush();
}

function runChunk(
  plan: Plan,
  arrays: Arrays,
  network: CpuNetwork,
  scratch: UpdateScratch,
  theta: Float32Array,
  reference: Float32Array,
  A: Float32Array,
  target: Float32Array | null,
  s: number,
  live: Live,
  gradient: Float32Array | null,
  tally: Tally,
  rows: number,
): void {
  const actions = plan.shape.actions;
  const n = outputs(plan.shape);
  const at = s * plan.layout.size;
  if (live.klCoef > 0) {
    network.forward(reference, at, arrays.obs, rows);
    for (let k = 0; k < rows; k++) {
      const legal = arrays.legal[scratch.step[k]!]!;
      softmaxRow(network.out, k * n, actions, legal, 1 / plan.temperature, scratch.pRef, k * actions);
    }
  }
  network.forward(theta, at, arrays.obs, rows);
  for (let k = 0; k < rows; k++) stepGradient(plan, arrays, network, scratch, A, target, live, k, tally);
  if (gradient) network.backward(theta, at, arrays.obs, rows, gradient);
}

/** ∂L/∂out of one step: w·κ·(1[b = a] − π_b), entropy bonus, exact KL to the reference, value loss. */
function stepGradient(
  plan: Plan,
  arrays: Arrays,
  network: CpuNetwork,
  scratch: UpdateScratch,
  A: Float32Array,
  target: Float32Array | null,
  live: Live,
  k: number,
  tally: Tally,
): void {
  const actions = plan.shape.actions;
  const n = outputs(plan.shape);
  const { p, pRef, unit, coefficient } = scratch;
  const step = scratch.step[k]!;
  const w = scratch.weight[k]!;
  const action = arrays.action[step]!;
  const inverse = 1 / plan.temperature;
  const logZ = softmaxRow(network.out, k * n, actions, arrays.legal[step]!, inverse, p, 0);
  unit.A = A[step]!;
  unit.logp = network.out[k * n + action]! * inverse - logZ;
  unit.delta = unit.logp - arrays.logp[step]!;
  plan.objective.coefficient(unit, plan.objectiveParams, coefficient);

  const clamped = Math.max(-LOG_RATIO_LIMIT, Math.min(LOG_RATIO_LIMIT, unit.delta));
  const ratio = ratioOf(clamped);
  tally.policyLoss += w * coefficient.loss;
  tally.approxKL += ratio - 1 - clamped;
  tally.ratioMax = Math.max(tally.ratioMax, ratio);
  if (coefficient.clip !== 0) tally.clipped++;
  tally.steps++;
  scratch.delta[step] = unit.delta;

  const out = k * n;
  logitGradient(
    p,
    0,
    pRef,
    k * actions,
    actions,
    action,
    w * inverse,
    coefficient.kappa,
    live.entropyCoef,
    live.klCoef,
    network.dOut,
    out,
    scratch.terms,
  );
  tally.klRef += scratch.terms.kl;
  if (plan.shape.critic && target) {
    const e = valueGradient(network.out[out + actions]!, arrays.value[step]!, target[step]!, plan.valueClip);
    tally.valueLoss += w * e.loss;
    network.dOut[out + actions] = w * plan.valueCoef * e.gradient;
  }
}
