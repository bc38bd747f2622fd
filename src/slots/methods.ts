import { aepo } from './advantage/aepo.ts';
import { arpo } from './advantage/arpo.ts';
import { copo } from './advantage/copo.ts';
import { drGrpo } from './advantage/drGrpo.ts';
import { dual } from './advantage/dual.ts';
import { empg } from './advantage/empg.ts';
import { flowGrpo } from './advantage/flowGrpo.ts';
import { formula } from './advantage/formula.ts';
import { g2po } from './advantage/g2po.ts';
import { gae } from './advantage/gae.ts';
import { gdpo } from './advantage/gdpo.ts';
import { gigpo } from './advantage/gigpo.ts';
import { gigpoSimilar } from './advantage/gigpoSimilar.ts';
import { gpg } from './advantage/gpg.ts';
import { graft } from './advantage/graft.ts';
import { graphGpo } from './advantage/graphGpo.ts';
import { graphGpoSimilar } from './advantage/graphGpoSimilar.ts';
import { grpo } from './advantage/grpo.ts';
import { grpoPassK } from './advantage/grpoPassK.ts';
import { hbpo } from './advantage/hbpo.ts';
import { hgpo } from './advantage/hgpo.ts';
import { hicra } from './advantage/hicra.ts';
import { igpo } from './advantage/igpo.ts';
import { litePpo } from './advantage/litePpo.ts';
import { loop } from './advantage/loop.ts';
import { mapo } from './advantage/mapo.ts';
import { mars } from './advantage/mars.ts';
import { nodeValue } from './advantage/nodeValue.ts';
import { opo } from './advantage/opo.ts';
import { optimalTokenBaseline } from './advantage/optimalTokenBaseline.ts';
import { oprl } from './advantage/oprl/oprl.ts';
import { himac } from './advantage/himac.ts';
import { hiper } from './advantage/hiper.ts';
import { hrpo } from './advantage/hrpo.ts';
import { poad } from './advantage/poad.ts';
import { reinforcePP } from './advantage/reinforcePP.ts';
import { reinforcePPBaseline } from './advantage/reinforcePPBaseline.ts';
import { remax } from './advantage/remax.ts';
import { rloo } from './advantage/rloo.ts';
import { rlvmr } from './advantage/rlvmr.ts';
import { rtmc } from './advantage/rtmc.ts';
import { salt } from './advantage/salt.ts';
import { aboveStep } from './advantage/aboveStep.ts';
import { stepSamples } from './advantage/stepSamples.ts';
import { aepo as aepoClip } from './objective/aepo.ts';
import { alol } from './objective/alolRun.ts';
import { capo } from './objective/capo.ts';
import { cispo } from './objective/cispo.ts';
import { clipCov } from './objective/clipCov.ts';
import { cpl } from './objective/cpl.ts';
import { decoupled } from './objective/decoupled.ts';
import { dpo } from './objective/dpo.ts';
import { dppo } from './objective/dppo.ts';
import { dro } from './objective/dro.ts';
import { gmpo } from './objective/gmpo.ts';
import { gspo } from './objective/gspo.ts';
import { hispo } from './objective/hispo.ts';
import { klCov } from './objective/klCov.ts';
import { luspo } from './objective/luspo.ts';
import { m2po } from './objective/m2po.ts';
import { masksOf, withMasks } from './objective/masks.ts';
import { mhpo } from './objective/mhpo.ts';
import { nlpo } from './objective/nlpo.ts';
import { ppoClip } from './objective/ppoClip.ts';
import { reinforce } from './objective/reinforce.ts';
import { rejection } from './objective/rejection.ts';
import { rlPlus } from './objective/rlPlus.ts';
import { rolloutCorrection } from './objective/rolloutCorrection.ts';
import { rover } from './objective/rover.ts';
import { sapo } from './objective/sapo.ts';
import { stableReinforce } from './objective/stableReinforce.ts';
import { vcpo } from './objective/vcpo.ts';
import { vespo } from './objective/vespo.ts';
import { adam } from './optimizer/adam.ts';
import { normalizedSgd } from './optimizer/normalizedSgd.ts';
import { npgIgt } from './optimizer/npgIgt.ts';
import { rmsProp } from './optimizer/rmsProp.ts';
import { sgd } from './optimizer/sgd.ts';
import type { AnyValues } from '../core/settings.ts';
import { withLevelPools } from './advantage/levelPools.ts';
import { withNotesApart } from './advantage/apart.ts';
import { cutRowSettings, cutRowsOf, withoutCut } from './advantage/cutRows.ts';
import { estimatorWith } from './advantage/estimatorWith.ts';
import { objectiveWith, type Estimator, type Objective, type Optimizer } from './types.ts';

/** Order here is the order in menus. */
export const estimators: readonly Estimator[] = [
  gigpo,
  grpo,
  drGrpo,
  rloo,
  reinforcePP,
  reinforcePPBaseline,
  gae,
  poad,
  hiper,
  himac,
  hrpo,
  hgpo,
  salt,
  loop,
  flowGrpo,
  litePpo,
  opo,
  grpoPassK,
  gpg,
  gdpo,
  copo,
  mapo,
  mars,
  empg,
  aepo,
  hicra,
  rtmc,
  graphGpo,
  g2po,
  graft,
  gigpoSimilar,
  graphGpoSimilar,
  optimalTokenBaseline,
  stepSamples,
  aboveStep,
  hbpo,
  remax,
  oprl,
  dual,
  rlvmr,
  igpo,
  arpo,
  nodeValue,
  formula,
];
export const objectives: readonly Objective[] = [
  ppoClip,
  decoupled,
  rolloutCorrection,
  rejection,
  m2po,
  vcpo,
  cispo,
  reinforce,
  aepoClip,
  sapo,
  gspo,
  luspo,
  vespo,
  gmpo,
  dppo,
  dro,
  clipCov,
  klCov,
  stableReinforce,
  hispo,
  ...[mhpo, capo],
  dpo,
  cpl,
  alol,
  rlPlus,
  nlpo,
  rover,
];
export const optimizers: readonly Optimizer[] = [adam, rmsProp, sgd, normalizedSgd, npgIgt];
/** What a policy learns solutions with before its first update: −log π(a|o), and Adam with its usual moments. */
export const cloning: { readonly objective: Objective; readonly optimizer: Optimizer } = {
  objective: reinforce,
  optimizer: adam as Optimizer,
};

/** An objective as it trains: as its own settings make it, with the masks that those of all objectives ask for. */
export const objectiveIn = (slot: { readonly [name: string]: unknown }, objective: Objective): Objective =>
  withMasks(objectiveWith(objective, (slot[objective.id] ?? {}) as AnyValues), masksOf(slot));

/** Settings that hold for every estimator. */
export const creditSettings = cutRowSettings;

/** An estimator as it trains: as its settings and the policy make it, without the episodes that the slot leaves out. `writes`: the policy
 * chooses words; `apartFrom`: the first of the actions whose steps are compared with no others, null: there is none; `pools`: states are
 * compared over tasks that play the same level. */
export const estimatorAsSet = (
  slot: { readonly [name: string]: unknown },
  estimator: Estimator,
  writes: boolean,
  { apartFrom, pools }: { readonly apartFrom: number | null; readonly pools: boolean },
): Estimator => {
  const made = estimatorWith(estimator, (slot[estimator.id] ?? {}) as AnyValues, writes);
  return withoutCut(withNotesApart(withLevelPools(made, pools), apartFrom), cutRowsOf(slot));
};
