import type { Batch } from '../../contract/columns.ts';
import { keyWords } from '../../core/hash.ts';
import { defaultsOf, type ValuesOf } from '../../core/settings.ts';
import { aepo } from '../../slots/advantage/aepo.ts';
import { arpo } from '../../slots/advantage/arpo.ts';
import { consistencyCredit } from '../../slots/advantage/copo.ts';
import { drGrpo } from '../../slots/advantage/drGrpo.ts';
import { empg } from '../../slots/advantage/empg.ts';
import { flowGrpo } from '../../slots/advantage/flowGrpo.ts';
import { gae } from '../../slots/advantage/gae.ts';
import { generalizedAdvantage, type CutMode } from '../../slots/advantage/generalizedAdvantage.ts';
import { gigpo, type gigpoParams } from '../../slots/advantage/gigpo.ts';
import { gigpoSimilar } from '../../slots/advantage/gigpoSimilar.ts';
import { grpo } from '../../slots/advantage/grpo.ts';
import { hgpo } from '../../slots/advantage/hgpo.ts';
import { hicra } from '../../slots/advantage/hicra.ts';
import { keptTrajectories, loop } from '../../slots/advantage/loop.ts';
import { litePpo } from '../../slots/advantage/litePpo.ts';
import { mapo } from '../../slots/advantage/mapo.ts';
import { mars } from '../../slots/advantage/mars.ts';
import { implicitReward, oprl } from '../../slots/advantage/oprl/oprl.ts';
import { preferenceLoss } from '../../slots/advantage/oprl/preference.ts';
import { type ScoreForm } from '../../slots/advantage/types.ts';
import { reinforcePP } from '../../slots/advantage/reinforcePP.ts';
import { reinforcePPBaseline } from '../../slots/advantage/reinforcePPBaseline.ts';
import { remax } from '../../slots/advantage/remax.ts';
import { rloo } from '../../slots/advantage/rloo.ts';
import { salt } from '../../slots/advantage/salt.ts';
import { edgeHeads } from '../../slots/advantage/edgeHeads.ts';
import { anchorHeads, countHeads, type Heads } from '../../slots/advantage/segments.ts';
import { similarHeads } from '../../slots/advantage/similarity.ts';
import type { Credit } from '../../slots/types.ts';
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
  readonly logpPhi: readonly number[];
  readonly greedyReturn: readonly number[];
  readonly planMask: readonly number[];
  readonly role: readonly number[];
  readonly branchParent: readonly number[];
  readonly branchStep: readonly number[];
  /** key → cells, only in cases that test similarity grouping */
  readonly obsTable?: { readonly [key: string]: readonly number[] };
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
    logpPhi: Float32Array.from(inputs.logpPhi),
    greedyReturn: Float32Array.from(inputs.greedyReturn),
    planMask: Uint8Array.from(inputs.planMask),
    role: Uint32Array.from(inputs.role),
    branchParent: Int32Array.from(inputs.branchParent),
    branchStep: Uint32Array.from(inputs.branchStep),
    ...(inputs.obsTable ? { obsCells: cellsOf(inputs.stateKey, inputs.obsTable) } : {}),
  };
}

/** [B, T, C] the cells of each step's observation; zeros on padding, whose key is in no table. */
function cellsOf(keys: readonly string[], table: { readonly [key: string]: readonly number[] }): Uint32Array {
  const C = Math.max(...Object.values(table).map((cells) => cells.length));
  const cells = new Uint32Array(keys.length * C);
  keys.forEach((key, k) => {
    if (Object.hasOwn(table, key)) cells.set(table[key]!, k * C);
  });
  return cells;
}

type Params = { readonly [name: string]: number };
type Computation = (batch: Batch, params: Params) => Got;

type GigpoRun = (batch: Batch, params: ValuesOf<typeof gigpoParams>, golden: Params) => Credit;

const gigpoParts =
  (
    mode: 'std' | 'mean',
    episodeRows: 'trajectories' | 'steps',
    run: GigpoRun = gigpo.run,
    headsOf: (batch: Batch, golden: Params) => Heads = anchorHeads,
  ): Computation =>
  (batch, golden) => {
    const params = { omega: golden['omega']!, gamma: golden['stepGamma']!, mode, episodeRows };
    // The golden step part is before its weight; the parts of the estimator add up to A.
    const unweighted = run(batch, { ...params, omega: 1 }, golden).parts!;
    return {
      episode: unweighted['episode']!,
      step: unweighted['step']!,
      total: run(batch, params, golden).A,
      stepGroup: headsOf(batch, golden),
    };
  };

const gigpoSimilarRun: GigpoRun = (batch, params, { similarityThreshold }) =>
  gigpoSimilar.run(batch, { ...params, threshold: similarityThreshold!, compare: 'cells' });

const gaeParts =
  (cut: CutMode): Computation =>
  (batch, { gaeGamma, gaeLambda }) => {
    const { adv, target } = generalizedAdvantage(batch, gaeGamma!, gaeLambda!, cut);
    return { adv, target, whitened: gae.run(batch, { gamma: gaeGamma!, lambda: gaeLambda!, cut }).A };
  };

const hgpoRun =
  (mode: 'std' | 'mean', weights: 'paper' | 'recipe'): Computation =>
  (batch, { hgpoK, hgpoAlpha, stepGamma }) =>
    hgpo.run(batch, { ...defaultsOf(hgpo.params), K: hgpoK!, alpha: hgpoAlpha!, gamma: stepGamma!, mode, weights }).A;

const saltParts =
  (base: 'grpo' | 'rloo', count: 'visit' | 'trajectory', withHistory: boolean): Computation =>
  (batch, { saltHistory }) => {
    const history = withHistory ? saltHistory! : 0;
    const head = edgeHeads(batch, history);
    const size = countHeads(head);
    return {
      adv: salt.run(batch, { ...defaultsOf(salt.params), base, history, count }).A,
      edgeSize: Int32Array.from(head, (e) => (e < 0 ? 0 : size[e]!)),
    };
  };

const oprlParts =
  (base: 'grpo' | 'rloo', maxAbs: boolean): Computation =>
  (batch, { oprlAlpha, oprlBeta }) => {
    const params = { ...defaultsOf(oprl.params), base, maxAbs, alpha: oprlAlpha!, beta: oprlBeta! };
    const unweighted = oprl.run(batch, { ...params, alpha: 1 }).parts!;
    return {
      reward: implicitReward(batch, oprlBeta!, maxAbs),
      episode: unweighted['episode']!,
      step: unweighted['step']!,
      total: oprl.run(batch, params).A,
    };
  };

const oprlDpo =
  (form: ScoreForm): Computation =>
  (batch, { oprlBeta }) =>
    preferenceLoss(batch, oprlBeta!, form);

const mapoParts =
  (scope: 'task' | 'batch'): Computation =>
  (batch, { mapoAlpha, mapoBeta, stepGamma }) => {
    const params = { alpha: mapoAlpha!, beta: mapoBeta!, gamma: stepGamma!, scope };
    const unweighted = mapo.run(batch, { ...params, alpha: 1, beta: 1 }).parts!;
    return { turn: unweighted['turn']!, immediate: unweighted['immediate']!, total: mapo.run(batch, params).A };
  };

/** How each key of schema `advantage-core/1` is computed. */
export const advantageKeys: { readonly [key: string]: Computation } = {
  grpo: (batch) => grpo.run(batch, defaultsOf(grpo.params)).A,
  drGrpo: (batch) => drGrpo.run(batch, defaultsOf(drGrpo.params)).A,
  rloo: (batch) => rloo.run(batch, defaultsOf(rloo.params)).A,
  loop: (batch, { loopThreshold }) => {
    const { A } = loop.run(batch, defaultsOf(loop.params));
    return { adv: A, keep: keptTrajectories(batch, A, loopThreshold!) };
  },
  remax: (batch) => remax.run(batch, { form: 'outcome' }).A,
  remaxToGo: (batch) => remax.run(batch, { form: 'toGo' }).A,
  reinforcePP: (batch, { reinforceGamma }) => reinforcePP.run(batch, { gamma: reinforceGamma! }).A,
  reinforcePPBaseline: (batch) => reinforcePPBaseline.run(batch, defaultsOf(reinforcePPBaseline.params)).A,
  gaeZero: gaeParts('zero'),
  gaeBootstrap: gaeParts('bootstrap'),
  egae: gaeParts('egae'),
  gigpoStd: gigpoParts('std', 'trajectories'),
  gigpoMean: gigpoParts('mean', 'trajectories'),
  gigpoStepRowsStd: gigpoParts('std', 'steps'),
  gigpoSimilarStd: gigpoParts('std', 'trajectories', gigpoSimilarRun, (batch, { similarityThreshold }) =>
    similarHeads(batch, { threshold: similarityThreshold!, compare: 'cells' }),
  ),
  hgpoStd: hgpoRun('std', 'paper'),
  hgpoMean: hgpoRun('mean', 'paper'),
  hgpoRecipe: hgpoRun('std', 'recipe'),
  saltGrpo: saltParts('grpo', 'visit', false),
  saltRloo: saltParts('rloo', 'visit', false),
  saltGrpoTrajectoryCount: saltParts('grpo', 'trajectory', false),
  saltGrpoHistory: saltParts('grpo', 'visit', true),
  oprlGrpo: oprlParts('grpo', false),
  oprlRloo: oprlParts('rloo', false),
  oprlRlooMaxAbs: oprlParts('rloo', true),
  oprlDpoSum: oprlDpo('sum'),
  oprlDpoMean: oprlDpo('mean'),
  flowGrpo: (batch) => flowGrpo.run(batch, { rows: 'trajectories' }).A,
  flowGrpoTurnRows: (batch) => flowGrpo.run(batch, { rows: 'steps' }).A,
  mapoGroup: mapoParts('task'),
  mapoBatch: mapoParts('batch'),
  mars: (batch) => ({ adv: mars.run(batch, { whitened: false }).A, whitened: mars.run(batch, { whitened: true }).A }),
  litePpo: (batch) => litePpo.run(batch, defaultsOf(litePpo.params)).A,
  copo: (batch, { copoGain, copoRho }) => {
    const { A, perTask } = consistencyCredit(batch, copoGain!, copoRho!);
    return { total: A, ...perTask };
  },
  empg: (batch, { empgK, empgKFuture, empgZeta }) =>
    empg.run(batch, { ...defaultsOf(empg.params), k: empgK!, kFuture: empgKFuture!, zeta: empgZeta! }).A,
  hicra: (batch, { hicraAlpha }) => hicra.run(batch, { ...defaultsOf(hicra.params), alpha: hicraAlpha! }).A,
  arpoHard: (batch) => arpo.run(batch, { ...defaultsOf(arpo.params), shared: 'hard' }).A,
  aepo: (batch, { aepoA }) => aepo.run(batch, { ...defaultsOf(aepo.params), a: aepoA! }).A,
};
