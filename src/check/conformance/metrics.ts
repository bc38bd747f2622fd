import { backwardInduction, type Model } from '../../core/dp.ts';
import { log } from '../../core/fmath.ts';
import { roundToHalf } from '../../core/rounding.ts';
import { mean } from '../../core/stats.ts';
import { anchorStats } from '../../slots/metrics/anchor.ts';
import { biasVariance } from '../../lab/analysis/biasVariance.ts';
import { creditCovariance, entropyLaw } from '../../slots/metrics/covariance.ts';
import { creditStats, groupShares } from '../../core/math/creditStats.ts';
import { entropyPerPosition, entropyStats } from '../../core/math/entropy.ts';
import {
  effectiveSampleSize,
  essClipped,
  essFromLogWeights,
  essLearningRateFactor,
  largestShare,
} from '../../core/math/ess.ts';
import { creditGradient, exactGradient, visitation, type CreditedStep } from '../../lab/analysis/exactGradient.ts';
import { agreement, correlation, cosine } from '../../core/fidelity.ts';
import { approxKl, clipFractions, deltaQuantiles } from '../../slots/metrics/ratio.ts';
import { mismatchOf, stalenessStats } from '../../core/math/staleness.ts';
import { explainedVariance, passAtK, successByPathLength } from '../../slots/metrics/success.ts';
import { wilsonInterval } from '../../core/math/wilson.ts';
import { choicesOf, entropyOf, softmax } from '../../core/math/distribution.ts';
import { gradientNoise, twoBatchNoise } from '../../slots/optimizer/gradientNoise.ts';
import { ablation, type AblationInputs } from './ablation.ts';
import type { Got } from './check.ts';

type List = readonly number[];

/** The golden files number the positions of actions from 0 to 5. */
const POSITIONS = 6;

/** Inputs of a case of kind `metrics`, one record per section; `start`, `ret` … as in the golden files. */
export type MetricInputs = {
  readonly entropy: {
    readonly units: number;
    readonly tokens: number;
    readonly actions: number;
    readonly logits: List;
    readonly legal: List;
    readonly tokenCount: List;
    readonly position: List;
  };
  readonly ess: { readonly logWeights: readonly List[]; readonly cap: number };
  readonly ratio: {
    readonly logRatio: List;
    readonly advantage: List;
    readonly epsLow: number;
    readonly epsHigh: number;
    readonly dualC: number;
    readonly quantiles: List;
  };
  readonly advantage: {
    readonly P: number;
    readonly G: number;
    readonly advantage: List;
    readonly length: List;
    readonly success: List;
  };
  readonly anchor: { readonly task: List; readonly state: List; readonly action: List; readonly next: List };
  readonly explained: { readonly ret: List; readonly value: List };
  readonly passk: { readonly n: List; readonly c: List; readonly k: List };
  readonly wilson: { readonly successes: List; readonly trials: List };
  readonly spl: { readonly success: List; readonly shortest: List; readonly taken: List };
  readonly cov: { readonly logp: List; readonly advantage: List };
  readonly staleness: { readonly version: number; readonly behaviour: List; readonly bins: number };
  readonly precision: { readonly rows: number; readonly actions: number; readonly logits: List };
  readonly law: { readonly entropy: List; readonly performance: List };
  readonly gradient: {
    readonly perTrajectory: readonly List[];
    readonly smallNormSq: number;
    readonly bigNormSq: number;
    readonly smallSize: number;
    readonly bigSize: number;
  };
  readonly ablation: AblationInputs;
  readonly fidelity: FidelityInputs;
  /** per batch steps as [t, state, action, credit], under the model and policy of `fidelity` */
  readonly biasVariance: { readonly batches: readonly (readonly (readonly [number, number, number, number])[])[] };
};

type FidelityInputs = {
  readonly states: number;
  readonly actions: number;
  readonly horizon: number;
  readonly gamma: number;
  readonly start: List;
  readonly reward: List;
  readonly transition: readonly (readonly (readonly [number, number])[])[];
  readonly logitsTable: List;
  readonly batch: readonly (readonly (readonly [number, number])[])[];
  readonly creditToGo: readonly List[];
  readonly creditOutcome: readonly List[];
  readonly signThreshold: number;
};

type Computations = { readonly [K in Exclude<keyof MetricInputs, 'biasVariance'>]: (inputs: MetricInputs[K]) => Got };

const computations: Computations = {
  entropy: ({ units, tokens, actions, logits, legal, tokenCount, position }) => {
    const perToken = new Float64Array(units * tokens);
    const legalCount = new Uint32Array(units * tokens);
    const p = new Float64Array(actions);
    for (let u = 0; u < units * tokens; u++) {
      if (u % tokens >= tokenCount[Math.floor(u / tokens)]!) continue;
      softmax(choicesOf(logits, u * actions, actions, legal), p, 0);
      perToken[u] = entropyOf(p, 0, actions);
      for (let b = 0; b < actions; b++) if (legal[u * actions + b] !== 0) legalCount[u]!++;
    }
    const stats = entropyStats(perToken, legalCount, { tokens, tokenCount });
    const perPosition = entropyPerPosition(stats.perAction, position, POSITIONS);
    return { perToken, ...stats, normalised: stats.normalized, perPosition };
  },
  ess: ({ logWeights, cap }) => {
    const ratio = logWeights.map(essFromLogWeights);
    return {
      ess: logWeights.map(effectiveSampleSize),
      ratio,
      ratioClipped: logWeights.map((set) => essClipped(set, log(cap))),
      lrScale: ratio.map((share) => essLearningRateFactor(share, 1)),
      maxShare: logWeights.map(largestShare),
    };
  },
  ratio: ({ logRatio, advantage, epsLow, epsHigh, dualC, quantiles }) => ({
    quantile: deltaQuantiles(logRatio, quantiles),
    ...clipFractions(logRatio, advantage, 1 - epsLow, 1 + epsHigh, dualC),
    ...approxKl(logRatio),
  }),
  advantage: ({ P, G, advantage, length, success }) => {
    const B = P * G;
    const T = Math.max(...length);
    const A = new Float64Array(B * T);
    const real: number[] = [];
    for (let i = 0; i < B; i++) {
      for (let t = 0; t < length[i]!; t++) {
        A[i * T + t] = advantage[i]!;
        real.push(advantage[i]!);
      }
    }
    const batch = {
      B,
      T,
      length: Uint32Array.from(length),
      taskIndex: Uint32Array.from({ length: B }, (_, i) => Math.floor(i / G)),
      success: Uint32Array.from(success),
    };
    return { ...creditStats(real), ...groupShares(batch, A) };
  },
  anchor: (steps) => ({ ...anchorStats(steps) }),
  explained: ({ ret, value }) => ({ explainedVariance: explainedVariance(ret, value) }),
  passk: ({ n, c, k }) => {
    const perTask = n.map((total, task) => k.map((draws) => passAtK(total, c[task]!, draws)));
    return { perTask, mean: k.map((_, at) => mean(perTask.map((row) => row[at]!))) };
  },
  wilson: ({ successes, trials }) => ({ interval: successes.map((s, k) => wilsonInterval(s, trials[k]!)) }),
  spl: ({ success, shortest, taken }) => ({ spl: successByPathLength(success, shortest, taken) }),
  cov: ({ logp, advantage }) => ({ ...creditCovariance(advantage, logp) }),
  staleness: ({ version, behaviour, bins }) => ({ ...stalenessStats(version, behaviour, bins) }),
  precision: ({ rows, actions, logits }) => {
    const all = new Uint8Array(logits.length).fill(1);
    const p = new Float64Array(actions);
    const logps = (z: readonly number[]): Float64Array => {
      const out = new Float64Array(z.length);
      for (let row = 0; row < rows; row++) {
        const logZ = softmax(choicesOf(z, row * actions, actions, all), p, 0);
        for (let b = row * actions; b < (row + 1) * actions; b++) out[b] = z[b]! - logZ;
      }
      return out;
    };
    return { ...mismatchOf(logps(logits.map(roundToHalf)), logps(logits), actions) };
  },
  law: ({ entropy, performance }) => {
    const law = entropyLaw(entropy, performance);
    return law && { ...law };
  },
  gradient: ({ perTrajectory, smallNormSq, bigNormSq, smallSize, bigSize }) => ({
    ...gradientNoise(perTrajectory),
    twoBatch: twoBatchNoise(smallNormSq, bigNormSq, smallSize, bigSize),
  }),
  ablation,
  fidelity,
};

/** How each key of kind `metrics` is computed from the inputs of the whole case. */
export const metricKeys: { readonly [key: string]: (inputs: MetricInputs) => Got } = {
  ...Object.fromEntries(
    Object.keys(computations).map((key) => [
      key,
      // The key pairs a computation with its own inputs; the compiler cannot follow that through a record.
      (inputs: MetricInputs) =>
        (computations[key as keyof Computations] as (x: unknown) => Got)(inputs[key as keyof Computations]),
    ]),
  ),
  biasVariance: ({ fidelity: world, biasVariance: { batches } }) => {
    const { states, actions, horizon: T, gamma } = world;
    const { V, Q } = backwardInduction(modelOf(world), policyOf(world), T, gamma);
    const samples = batches.flat().map(([t, state, action, credit]) => {
      const cell = (t * states + state) * actions + action;
      return { cell, credit, exact: Q[cell]! - V[t * states + state]! };
    });
    const found = biasVariance(samples, T * states * actions);
    return found && { ...found };
  },
};

function fidelity(inputs: FidelityInputs): Got {
  const { states, actions, horizon: T, gamma, start, batch } = inputs;
  const model = modelOf(inputs);
  const policy = policyOf(inputs);
  const values = backwardInduction(model, policy, T, gamma);
  const best = backwardInduction(model, null, T, gamma);
  const d = visitation(model, policy, start, T);
  const gradient = exactGradient(model, policy, values, d, gamma);
  const exactOf = ({ V, Q }: { V: Float64Array; Q: Float64Array }): number[][] =>
    batch.map((steps) => steps.map(([s, a], t) => Q[(t * states + s) * actions + a]! - V[t * states + s]!));
  const exact = exactOf(values);
  const exactStar = exactOf(best);
  const judge = (credit: readonly List[]): { [name: string]: Got } => {
    const steps: CreditedStep[] = credit.flatMap((row, i) =>
      row.map((x, t) => ({ t, state: batch[i]![t]![0], action: batch[i]![t]![1], credit: x })),
    );
    const estimate = creditGradient(steps, batch.length, policy, states, actions, gamma);
    return {
      ...agreement(credit.flat(), exact.flat(), inputs.signThreshold),
      gradCosine: cosine(estimate, gradient),
      pearsonStar: correlation(credit.flat(), exactStar.flat()),
    };
  };
  let J = 0;
  for (let s = 0; s < states; s++) J += start[s]! * values.V[s]!;
  return {
    J,
    V: values.V,
    Q: values.Q,
    Vstar: best.V,
    visitation: d,
    exactGradient: gradient,
    exactAdvantage: exact,
    exactAdvantageStar: exactStar,
    toGo: judge(inputs.creditToGo),
    outcome: judge(inputs.creditOutcome),
    perfect: judge(exact),
  };
}

function policyOf({ states, actions, logitsTable }: FidelityInputs): Float64Array {
  const all = new Uint8Array(states * actions).fill(1);
  const policy = new Float64Array(states * actions);
  for (let s = 0; s < states; s++) softmax(choicesOf(logitsTable, s * actions, actions, all), policy, s * actions);
  return policy;
}

function modelOf({ states, actions, reward, transition }: FidelityInputs): Model {
  const offset = new Uint32Array(states * actions + 1);
  transition.forEach((outcomes, sa) => (offset[sa + 1] = offset[sa]! + outcomes.length));
  const flat = transition.flat();
  return {
    states,
    actions,
    offset,
    next: Int32Array.from(flat, ([, next]) => next),
    probability: Float64Array.from(flat, ([probability]) => probability),
    reward: Float64Array.from(reward),
    success: new Float64Array(states * actions),
  };
}
