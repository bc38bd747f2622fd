import { adaptiveKl } from './control/adaptiveKl.ts';
import type { Controller } from './control/types.ts';
import { entropyFloor } from './control/entropyFloor.ts';
import { entropyStep } from './control/entropyStep.ts';
import { entropyTarget } from './control/entropyTarget.ts';
import { klStop } from './control/klStop.ts';
import { resetEvery } from './control/resetEvery.ts';
import { resetStalled } from './control/resetStalled.ts';
import { safe } from './control/safe.ts';
import { stepPreview } from './control/stepPreview.ts';
import { clipCredit } from './revise/clipCredit.ts';
import { equalTasks } from './revise/equalTasks.ts';
import { matchSize } from './revise/matchSize.ts';
import type { Revision } from './revise/types.ts';
import { softerBlame } from './revise/softerBlame.ts';
import { trainedRoles } from './revise/trainedRoles.ts';
import { virtualTarget } from './revise/virtualTarget.ts';
import { actionDelay } from './wrapper/actionDelay.ts';
import { externalChain } from './wrapper/externalChain.ts';
import { hints } from './wrapper/hints.ts';
import { goal } from './wrapper/goal.ts';
import { library } from './wrapper/library.ts';
import { levelRow } from './wrapper/levelRow.ts';
import { stepBudget } from './wrapper/stepBudget.ts';
import { notes } from './wrapper/notes.ts';
import { darkness } from './wrapper/darkness.ts';
import { obsNoise } from './wrapper/obsNoise.ts';
import { options } from './wrapper/options.ts';
import { question } from './wrapper/question.ts';
import { rewardDelay } from './wrapper/rewardDelay.ts';
import { rewardNoise } from './wrapper/rewardNoise.ts';
import { stateKeys } from './wrapper/stateKeys.ts';
import { subgoals } from './wrapper/subgoals.ts';
import { teacher } from './wrapper/teacher.ts';
import { thoughts } from './wrapper/thoughts.ts';
import { visitBudget } from './wrapper/visitBudget.ts';
import type { Wrapper } from './wrapper/types.ts';
import { beacons } from './reward/beacons.ts';
import { carl } from './reward/carl.ts';
import { countBonus } from './reward/countBonus.ts';
import { eapo } from './reward/eapo.ts';
import { gra } from './reward/gra.ts';
import { hbpo } from './reward/hbpo.ts';
import { heron } from './reward/heron.ts';
import { keepCost } from './reward/keepCost.ts';
import { ladder } from './reward/ladder.ts';
import { milestones } from './reward/milestones.ts';
import { mira } from './reward/mira.ts';
import { newStates } from './reward/newStates.ts';
import { oni } from './reward/oni.ts';
import { overlong } from './reward/overlong.ts';
import { pairwise } from './reward/pairwise.ts';
import { pbrs } from './reward/pbrs.ts';
import { progress } from './reward/progress.ts';
import { refusals } from './reward/refusals.ts';
import { rlsp } from './reward/rlsp.ts';
import { spa } from './reward/spa.ts';
import { tagReward } from './reward/tagReward.ts';
import { subpo } from './reward/subpo.ts';
import type { RewardModule } from './reward/types.ts';
import { envGen } from './task/envGen.ts';
import { exIt } from './task/exIt.ts';
import { h1 } from './task/h1.ts';
import { knapsack } from './task/knapsack/knapsack.ts';
import { levelReplay } from './task/levelReplay.ts';
import { omniReset } from './task/omniReset.ts';
import { predicted } from './task/predicted/predicted.ts';
import { scaler } from './task/scaler.ts';
import { scalingInter } from './task/scalingInter.ts';
import { snapshotRl } from './task/snapshotRl.ts';
import { startDistance } from './task/startDistance.ts';
import type { TaskSource } from './task/types.ts';
import { uniform } from './task/uniform.ts';
import { expertIteration } from './rollout/expertIteration/expertIteration.ts';
import { relift } from './rollout/relift/relift.ts';
import { sqirl } from './rollout/sqirl/sqirl.ts';
import { vscRl } from './rollout/vscRl/vscRl.ts';
import { weightedReplay } from './rollout/weightedReplay/weightedReplay.ts';
import { archer } from './rollout/archer/archer.ts';
import { arpo } from './rollout/arpo/arpo.ts';
import { blueprints } from './rollout/blueprints/blueprints.ts';
import { dynamicSampling } from './rollout/dynamicSampling/dynamicSampling.ts';
import { contrast } from './rollout/contrast.ts';
import { valueResampling } from './rollout/valueResampling.ts';
import { deepSearch } from './rollout/deepSearch/deepSearch.ts';
import { hindsight } from './rollout/hindsight/hindsight.ts';
import { greedy } from './rollout/greedy.ts';
import { oracleRepair } from './rollout/oracleRepair/oracleRepair.ts';
import { scafGrpo } from './rollout/scafGrpo.ts';
import { sampled } from './rollout/sampled.ts';
import { sleaRl } from './rollout/sleaRl/sleaRl.ts';
import { spear } from './rollout/spear/spear.ts';
import { swarm } from './rollout/swarm/swarm.ts';
import type { Rollout, SideEpisodes, VersionRule } from './rollout/types.ts';
import { fixed } from './rollout/versions/fixed.ts';
import { interrupted } from './rollout/versions/interrupted.ts';
import { mixed } from './rollout/versions/mixed.ts';
import { queue } from './rollout/versions/queue/queue.ts';

/** One list per slot; order here is the order in menus, and in a stack the order in which its modules run. */
export const rollouts: readonly Rollout[] = [
  sampled,
  dynamicSampling,
  valueResampling,
  contrast,
  arpo,
  blueprints,
  spear,
  ...[relift, weightedReplay, archer, vscRl, hindsight, expertIteration, swarm, sqirl],
  deepSearch,
  scafGrpo,
  oracleRepair,
  sleaRl,
];
export const sources: readonly TaskSource[] = [
  ...[uniform, levelReplay, knapsack, predicted, scaler, h1],
  ...[scalingInter, startDistance, omniReset, snapshotRl, exIt, envGen],
];
/** What is played beside a batch where a module needs it. */
export const sideEpisodes: readonly SideEpisodes[] = [greedy];
/** Which versions of the weights play a batch; the first is the default. */
export const versionRules: readonly [VersionRule, ...VersionRule[]] = [fixed, mixed, interrupted, queue];
export const wrappers: readonly Wrapper[] = [
  stateKeys,
  question,
  externalChain,
  visitBudget,
  levelRow,
  actionDelay,
  rewardDelay,
  obsNoise,
  darkness,
  rewardNoise,
  options,
  thoughts,
  stepBudget,
  teacher,
  hints,
  library,
  goal,
  subgoals,
  notes,
];
/** What replaces the reward stands before what adds to it. */
export const rewards: readonly RewardModule[] = [
  gra,
  ladder,
  carl,
  eapo,
  spa,
  heron,
  pairwise,
  hbpo,
  subpo,
  pbrs,
  mira,
  progress,
  milestones,
  beacons,
  refusals,
  keepCost,
  rlsp,
  overlong,
  countBonus,
  newStates,
  oni,
  tagReward,
];
export const revisions: readonly Revision[] = [
  matchSize,
  softerBlame,
  virtualTarget,
  clipCredit,
  equalTasks,
  trainedRoles,
];
export const controllers: readonly Controller[] = [
  adaptiveKl,
  safe,
  entropyTarget,
  entropyStep,
  entropyFloor,
  klStop,
  stepPreview,
  resetStalled,
  resetEvery,
];
