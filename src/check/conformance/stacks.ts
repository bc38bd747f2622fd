import type { Batch } from '../../contract/columns.ts';
import { defaultsOf } from '../../core/settings.ts';
import { sumOfNormalized } from '../../slots/advantage/gdpo.ts';
import { distances, graphGpo, graphReward } from '../../slots/advantage/graphGpo.ts';
import { gpg } from '../../slots/advantage/gpg.ts';
import { grpo } from '../../slots/advantage/grpo.ts';
import { grpoPassK } from '../../slots/advantage/grpoPassK.ts';
import { opo } from '../../slots/advantage/opo.ts';
import { creditOverBaseline } from '../../slots/advantage/optimalTokenBaseline.ts';
import { reinforcePPBaseline } from '../../slots/advantage/reinforcePPBaseline.ts';
import { rloo } from '../../slots/advantage/rloo.ts';
import { whiten } from '../../slots/advantage/segments.ts';
import { stateGraph } from '../../slots/advantage/stateGraph.ts';
import type { Singleton } from '../../slots/advantage/trajectoryCredit.ts';
import { batchOfCase, type AdvantageInputs } from './advantage.ts';
import type { Got } from './check.ts';
import { keys, list, number, positive, shapeIssue, size, type Fields } from './shape.ts';

/** What cases of kind `stackCredit` do not hold: nothing that these estimators of released stacks read. */
type Absent =
  | ('value' | 'valueFinal' | 'entropy' | 'logpPhi' | 'greedyReturn')
  | ('planMask' | 'role' | 'branchParent' | 'branchStep' | 'obsTable');

/** Inputs of a case of schema `stacks/1`, kind `stackCredit`; groups may differ in size. */
export type StackInputs = Omit<AdvantageInputs, Absent> & {
  /** Σ_b π_old(b)², and the importance weight of each step */
  readonly sumPiSquared: readonly number[];
  readonly isWeight: readonly number[];
  /** reward parts of every trajectory, in number, [B * K] and their weights [K] */
  readonly parts: number;
  readonly rewardPart: readonly number[];
  readonly rewardWeight: readonly number[];
};

/** The batch of a case of kind `stackCredit`. */
export function batchOfStack(inputs: StackInputs): Batch {
  const { P, B, T } = inputs;
  const steps = new Array<number>(B * T).fill(0);
  const rows = new Array<number>(B).fill(0);
  const perStep = { value: steps, entropy: steps, logpPhi: steps, planMask: steps };
  const perTrajectory = { valueFinal: rows, role: rows, branchParent: rows.map(() => -1), branchStep: rows };
  const batch = batchOfCase({ ...inputs, ...perStep, ...perTrajectory, greedyReturn: new Array<number>(P).fill(0) });
  const { logpOld, sumPiSquared } = inputs;
  return {
    ...batch,
    scoreNorm: Float32Array.from(sumPiSquared, (s, k) => 1 - 2 * Math.exp(logpOld[k]!) + s),
    rewardParts: Float32Array.from(inputs.rewardPart),
  };
}

const steps = list('B', 'T');

const stackInputs: Fields = {
  ...{ P: size, G: size, B: size, T: size },
  ...{ length: list('B'), taskIndex: list('B'), success: list('B'), terminated: list('B') },
  ...{ parts: size, rewardPart: list('B', 'parts'), rewardWeight: list('parts') },
  ...{
    action: steps,
    reward: steps,
    logpOld: steps,
    sumPiSquared: steps,
    isWeight: steps,
    stateKey: keys('B', 'T'),
    finalStateKey: keys('B'),
  },
};

/** The sentence on what is wrong with the inputs of a case of kind `stackCredit`, or null. */
export const stackInputsIssue = (inputs: unknown): string | null => shapeIssue(inputs, stackInputs, 'inputs');

/** The parameters that a key of kind `stackCredit` reads; the others read none. */
const graphParams = { graphGamma: number, graphWeightStep: number, graphWeightEpisode: number };

/** The sentence on a parameter of this key that is missing or no number, or null. */
export function stackKeyIssue(key: string, params: unknown): string | null {
  if (key === 'gpg') return shapeIssue(params, { gpgNorm: positive }, 'params');
  return key.startsWith('graphGpo') ? shapeIssue(params, graphParams, 'params') : null;
}

type Params = { readonly [name: string]: number };
/** What a group of one gets by the parameters of a case, the only one of them that is a word. */
export const aloneAs = (golden: object): { readonly singleton: Singleton } => ({
  singleton: (golden as { readonly singleton?: unknown }).singleton === 'return' ? 'return' : 'zero',
});
type GraphSettings = { readonly mode: 'std' | 'mean'; readonly pays: 'distance' | 'progress' };

/** The golden parts are before their weights, ωₛ and ωₑ. */
function graphCredit(batch: Batch, golden: Params, how: GraphSettings): { [part: string]: ArrayLike<number> } {
  const { graphGamma, graphWeightStep, graphWeightEpisode } = golden;
  const params = { ...defaultsOf(graphGpo.params), ...how, decay: graphGamma!, rows: 'steps' } as const;
  const graph = stateGraph(batch);
  const { parts } = graphGpo.run(batch, params);
  const { A } = graphGpo.run(batch, { ...params, omega: graphWeightStep!, omegaEpisode: graphWeightEpisode! });
  return {
    distance: distances(batch, graph).after,
    reward: graphReward(batch, graph, graphGamma!, how.pays),
    step: parts!['step']!,
    episode: parts!['episode']!,
    total: A,
  };
}

/** How the keys of kind `stackCredit` that are built here are computed. */
export const stackKeys: { readonly [key: string]: (batch: Batch, golden: Params, inputs: StackInputs) => Got } = {
  optimalTokenBaseline: (batch, golden) => creditOverBaseline(batch, { zeroTail: true, ...aloneAs(golden) }),
  optimalTokenBaselineKeepTail: (batch, golden) => creditOverBaseline(batch, { zeroTail: false, ...aloneAs(golden) }),
  optimalTokenBaselineWeighted: (batch, golden, { isWeight }) =>
    creditOverBaseline(batch, { zeroTail: true, ...aloneAs(golden) }, isWeight),
  gdpo: (batch, golden, { rewardWeight }) =>
    whiten(batch, sumOfNormalized(batch, rewardWeight, aloneAs(golden).singleton)),
  gdpoEqual: (batch, golden, { rewardWeight }) =>
    whiten(
      batch,
      sumOfNormalized(
        batch,
        rewardWeight.map(() => 1),
        aloneAs(golden).singleton,
      ),
    ),
  opo: (batch, golden) => opo.run(batch, aloneAs(golden)).A,
  grpoPassK: (batch) => grpoPassK.run(batch, { divide: true }).A,
  grpoPassKMean: (batch) => grpoPassK.run(batch, { divide: false }).A,
  gpg: (batch, golden) => gpg.run(batch, { rows: 'trajectories', norm: golden['gpgNorm']!, ...aloneAs(golden) }).A,
  grpoRowsSteps: (batch, golden) => grpo.run(batch, { rows: 'steps', ...aloneAs(golden) }).A,
  rlooRowsSteps: (batch, golden) => rloo.run(batch, { rows: 'steps', leaveFamilyOut: false, ...aloneAs(golden) }).A,
  reinforcePPBaselineRowsSteps: (batch, golden) =>
    reinforcePPBaseline.run(batch, { rows: 'steps', ...aloneAs(golden) }).A,
  graphGpoStep: (batch, golden) => graphCredit(batch, golden, { mode: 'std', pays: 'distance' }),
  graphGpoStepMean: (batch, golden) => graphCredit(batch, golden, { mode: 'mean', pays: 'distance' }),
  graphGpoStepProgress: (batch, golden) => graphCredit(batch, golden, { mode: 'std', pays: 'progress' }),
};
