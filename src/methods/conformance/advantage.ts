import type { Batch } from '../../core/batch.ts';
import { keyWords } from '../../core/hash.ts';
import { defaultsOf } from '../../core/settings.ts';
import { drGrpo } from '../advantage/drGrpo.ts';
import { gae, generalizedAdvantage, type CutMode } from '../advantage/gae.ts';
import { gigpo } from '../advantage/gigpo.ts';
import { grpo } from '../advantage/grpo.ts';
import { hgpo } from '../advantage/hgpo.ts';
import { reinforcePP } from '../advantage/reinforcePP.ts';
import { reinforcePPBaseline } from '../advantage/reinforcePPBaseline.ts';
import { rloo } from '../advantage/rloo.ts';
import { edgeHeads, salt } from '../advantage/salt.ts';
import { anchorHeads, countHeads } from '../advantage/segments.ts';
import type { Got } from './check.ts';

/** Inputs of one case of schema `advantage-core/1`; step arrays are flat [B*T]. */
export type AdvantageInputs = {
  readonly P: number;
  readonly G: number;
  readonly B: number;
  readonly T: number;
  readonly length: readonly number[];
  readonly taskIndex: readonly number[];
  readonly stateKey: readonly string[];
  readonly finalStateKey: readonly string[];
  readonly action: readonly number[];
  readonly reward: readonly number[];
  readonly success: readonly number[];
  readonly terminated: readonly number[];
  readonly value: readonly number[];
  readonly valueFinal: readonly number[];
  readonly entropy: readonly number[];
  readonly logpOld: readonly number[];
};

/** The batch of a golden case; R is summed from the rewards. */
export function batchOfCase(inputs: AdvantageInputs): Batch {
  const { P, G, B, T } = inputs;
  const outcome = new Float32Array(B);
  for (let i = 0; i < B; i++) {
    let total = 0;
    for (let t = 0; t < inputs.length[i]!; t++) total += inputs.reward[i * T + t]!;
    outcome[i] = total;
  }
  return {
    P,
    G,
    B,
    T,
    length: Uint32Array.from(inputs.length),
    taskIndex: Uint32Array.from(inputs.taskIndex),
    stateKey: Uint32Array.from(inputs.stateKey.flatMap((text) => keyWords(text))),
    finalStateKey: Uint32Array.from(inputs.finalStateKey.flatMap((text) => keyWords(text))),
    action: Uint32Array.from(inputs.action),
    reward: Float32Array.from(inputs.reward),
    outcome,
    success: Uint32Array.from(inputs.success),
    terminated: Uint32Array.from(inputs.terminated),
    logp: Float32Array.from(inputs.logpOld),
    entropy: Float32Array.from(inputs.entropy),
    value: Float32Array.from(inputs.value),
    valueFinal: Float32Array.from(inputs.valueFinal),
  };
}

type Params = { readonly [name: string]: number };
type Computation = (batch: Batch, params: Params) => Got;

const gigpoParts =
  (mode: 'std' | 'mean', episodeRows: 'trajectories' | 'steps'): Computation =>
  (batch, { omega, stepGamma }) => {
    const params = { omega: omega!, gamma: stepGamma!, mode, episodeRows };
    // The golden step part is before its weight; the parts of the estimator add up to A.
    const unweighted = gigpo.run(batch, { ...params, omega: 1 }).parts!;
    return {
      episode: unweighted['episode']!,
      step: unweighted['step']!,
      total: gigpo.run(batch, params).A,
      stepGroup: anchorHeads(batch),
    };
  };

const gaeParts =
  (cut: CutMode): Computation =>
  (batch, { gaeGamma, gaeLambda }) => {
    const { adv, target } = generalizedAdvantage(batch, gaeGamma!, gaeLambda!, cut);
    return { adv, target, whitened: gae.run(batch, { gamma: gaeGamma!, lambda: gaeLambda!, cut }).A };
  };

const hgpoRun =
  (mode: 'std' | 'mean', weights: 'paper' | 'recipe'): Computation =>
  (batch, { hgpoK, hgpoAlpha, stepGamma }) =>
    hgpo.run(batch, { K: hgpoK!, alpha: hgpoAlpha!, gamma: stepGamma!, mode, weights }).A;

const saltParts =
  (base: 'grpo' | 'rloo', count: 'visit' | 'trajectory', withHistory: boolean): Computation =>
  (batch, { saltHistory }) => {
    const history = withHistory ? saltHistory! : 0;
    const head = edgeHeads(batch, history);
    const size = countHeads(head);
    return {
      adv: salt.run(batch, { base, history, count }).A,
      edgeSize: Int32Array.from(head, (e) => (e < 0 ? 0 : size[e]!)),
    };
  };

/** How each key of schema `advantage-core/1` is computed. */
export const advantageKeys: { readonly [key: string]: Computation } = {
  grpo: (batch) => grpo.run(batch, defaultsOf(grpo.params)).A,
  drGrpo: (batch) => drGrpo.run(batch, defaultsOf(drGrpo.params)).A,
  rloo: (batch) => rloo.run(batch, defaultsOf(rloo.params)).A,
  reinforcePP: (batch, { reinforceGamma }) => reinforcePP.run(batch, { gamma: reinforceGamma! }).A,
  reinforcePPBaseline: (batch) => reinforcePPBaseline.run(batch, defaultsOf(reinforcePPBaseline.params)).A,
  gaeZero: gaeParts('zero'),
  gaeBootstrap: gaeParts('bootstrap'),
  egae: gaeParts('egae'),
  gigpoStd: gigpoParts('std', 'trajectories'),
  gigpoMean: gigpoParts('mean', 'trajectories'),
  gigpoStepRowsStd: gigpoParts('std', 'steps'),
  hgpoStd: hgpoRun('std', 'paper'),
  hgpoMean: hgpoRun('mean', 'paper'),
  hgpoRecipe: hgpoRun('std', 'recipe'),
  saltGrpo: saltParts('grpo', 'visit', false),
  saltRloo: saltParts('rloo', 'visit', false),
  saltGrpoTrajectoryCount: saltParts('grpo', 'trajectory', false),
  saltGrpoHistory: saltParts('grpo', 'visit', true),
};
