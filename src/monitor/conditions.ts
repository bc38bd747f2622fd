import { updateNumber } from '../core/counting.ts';
import type { AlarmAction, ConditionId } from './types.ts';
import { ALWAYS, SILENT, SPIKE, type PanelSigns, type Signs } from './signs.ts';

/** Thresholds of the specification (product U28); the guards against chance stand in monitorSigns.ts. */
const ENTROPY_SHARE = 0.05;
const SOLVED = 0.9;
const INFO_SHARE = 0.25;
const INFO_LEAST = 0.1;
const TEMPLATE_ENTROPY = 0.3;
const ESS_LEAST = 0.3;
const RATIO = [0.5, 2] as const;
const SILENT_UPDATES = 10;
const DROP = 0.3;
const DRIFT = 0.2;
/** Success that is lost, and shaped return that is gained, relative to its size, before a reward counts as farmed. */
const FARMED = 0.1;

/** The settings that a likely cause is read off. */
export type CauseFacts = {
  readonly learningRate: number;
  readonly optimizer: string;
  readonly clipNorm: number;
  /** optimizer steps an update takes */
  readonly epochs: number;
  readonly minibatches: number;
  readonly entropyCoef: number;
  readonly groupSize: number;
  readonly T: number;
  /** updates between the policy that samples and the one that learns */
  readonly staleness: number;
  /** levels that a seed trains on; 0: new ones every time */
  readonly levels: number;
  /** titles of the reward modules that are on */
  readonly rewards: readonly string[];
};

export type Condition = {
  readonly id: ConditionId;
  readonly title: string;
  /** what it means and what helps, for someone who has not met it yet */
  readonly doc: string;
  readonly action: AlarmAction;
  /** the numbers that show it, as one sentence; null while all is well */
  holds(signs: Signs): string | null;
  /** the likely cause in this experiment, one sentence */
  cause(facts: CauseFacts, signs: Signs): string;
};

const percent = (x: number): string => `${Math.round(100 * x)} %`;
const short = (x: number): string => String(Number(x.toPrecision(2)));

/** How far an update goes, in the words of the settings. */
function stride({ epochs, minibatches, learningRate, optimizer }: CauseFacts): string {
  const steps = epochs * minibatches;
  const rate = `at learning rate ${short(learningRate)} with ${optimizer}`;
  return steps > 1 ? `${steps} optimizer steps on each batch ${rate}` : `one optimizer step ${rate}`;
}

/** May the share of successes be 90 % of what the best policy reaches? Then the task counts as solved. */
const isSolved = ({ success, ceiling }: Signs): boolean => success !== null && success.high >= SOLVED * ceiling;

/** On the levels that train success has surely risen since the held-out ones stalled, and surely is higher there. */
const hasDrifted = ({ seen, held, seenThen }: PanelSigns): boolean =>
  seen.mean - seenThen.mean > DRIFT && seen.low > seenThen.high && seen.low > held.high;

/** Has success surely fallen since it was best, while what the reward modules pay has risen? */
const isFarmed = ({ success, best, shaped, shapedThen }: Signs): boolean =>
  success !== null &&
  best !== null &&
  best.mean - success.mean > FARMED &&
  success.high < best.low &&
  shaped - shapedThen > FARMED * Math.max(1, Math.abs(shapedThen));

/** Had the batch lost at least as much of its sample size before the first step as the steps took from it? */
const wasOld = ({ ess, essStart }: Signs): boolean => essStart * essStart <= ess;

/** Updates in a row after which a planner that always or never switches has collapsed. */
const COLLAPSED_UPDATES = 20;

/** Everything the monitor looks for, in the order in which alarms are shown. */
export const conditions: readonly Condition[] = [
  {
    id: 'nonFinite',
    title: 'A number is not finite',
    doc: 'A number became infinite or undefined. The run stopped before it reached the weights. Go back and take smaller steps: lower the learning rate, clip the gradient, or make rewards smaller.',
    action: 'rewind',
    holds: ({ bad, update }) =>
      bad === null ? null : `First seen in the ${bad} slot, at update ${updateNumber(update)}.`,
    cause: (facts) =>
      facts.clipNorm > 0
        ? `The steps are too large: ${stride(facts)}.`
        : `Nothing limits the gradient, and the steps are large: ${stride(facts)}.`,
  },
  {
    id: 'entropyCollapse',
    title: 'The policy is certain too early',
    doc: 'Entropy is below 5 % of its start although the task is not solved: success is below 90 % of what is possible. A policy that is certain tries nothing new, so it can hardly find anything better. Go back and keep it exploring: with an entropy bonus, smaller steps, or a higher sampling temperature.',
    action: 'rewind',
    holds: (signs) => {
      const { entropy, entropyStart, success } = signs;
      if (!success || isSolved(signs) || !(entropy < ENTROPY_SHARE * entropyStart)) return null;
      return `Entropy ${short(entropy)} nats, ${percent(entropy / entropyStart)} of its start, success ${percent(success.mean)}.`;
    },
    cause: (facts) =>
      facts.entropyCoef > 0
        ? `The entropy bonus of ${short(facts.entropyCoef)} is too weak for ${stride(facts)}, or the rewards favor a quick end.`
        : `There is no entropy bonus, and ${stride(facts)} follow${facts.epochs * facts.minibatches > 1 ? '' : 's'} the first thing that pays.`,
  },
  {
    id: 'templateCollapse',
    title: 'The policy ignores what it sees',
    doc: 'Actions now reveal less than a quarter of what they once did about the state, while the policy still looks varied. It has learned one habit for every state instead of a reaction to each. Entropy alone does not show this. Go back, then weaken the entropy bonus or whatever rewards the habit.',
    action: 'rewind',
    holds: (signs) => {
      const { info, infoMost, entropy, success } = signs;
      if (!(infoMost >= INFO_LEAST && info < INFO_SHARE * infoMost && entropy > TEMPLATE_ENTROPY)) return null;
      if (!success || isSolved(signs)) return null;
      return `Actions and states share ${short(Math.max(0, info))} nats, once ${short(infoMost)}; entropy ${short(entropy)} nats.`;
    },
    cause: (facts) =>
      facts.entropyCoef >= 0.05
        ? `The entropy bonus of ${short(facts.entropyCoef)} weighs more than the credit and pulls every state to the same distribution.`
        : 'Credit no longer depends on the state: every step of an episode is praised or blamed alike.',
  },
  {
    id: 'lowEss',
    title: 'A few episodes decide everything',
    doc: 'The effective sample size is below 30 % of the batch: after the update, importance weights of whole episodes differ so much that most of them hardly count. What the update learned rests on few episodes. Take smaller or fewer steps per batch, or use fresher data.',
    action: 'lowerRate',
    holds: (signs) =>
      signs.ess < ESS_LEAST && !wasOld(signs)
        ? `ESS/N is ${short(signs.ess)}: ${percent(signs.ess)} of the episodes count.`
        : null,
    cause: (facts) =>
      facts.staleness > 0
        ? `The batches come from policies up to ${facts.staleness} updates old, and differences multiply over up to ${facts.T} steps.`
        : `The step is too long: ${stride(facts)}, and differences multiply over up to ${facts.T} steps.`,
  },
  {
    id: 'replayDrift',
    title: 'The data came from an older policy',
    doc: 'The effective sample size is below 30 % of the batch, and at least half of that was lost before the first optimizer step: the data came from versions that the policy has since left behind. Smaller steps keep versions similar; fresher data or a smaller bound on its age also help. A proximal policy moves the center of the clip, but the data stays old.',
    action: 'lowerRate',
    holds: (signs) =>
      signs.ess < ESS_LEAST && wasOld(signs)
        ? `ESS/N is ${short(signs.essStart)} before the update and ${short(signs.ess)} after it: the batch was already too old.`
        : null,
    cause: (facts) =>
      facts.staleness > 0
        ? `Batches are up to ${facts.staleness} updates old, and an update moves far: ${stride(facts)}.`
        : `Rollouts are coarser than what trains, and differences multiply over up to ${facts.T} steps.`,
  },
  {
    id: 'ratioDrift',
    title: 'The policy has moved away from its data',
    doc: 'The mean ratio of new to old probabilities is outside 0.5 … 2; on data of the old policy it should be 1 on average. So the actions in the batch are no longer what the policy would do, and the batch says little about it. Take smaller or fewer steps per batch, or a clip.',
    action: 'lowerRate',
    holds: ({ ratioMean }) =>
      ratioMean < RATIO[0] || ratioMean > RATIO[1]
        ? `The mean ratio ρ is ${short(ratioMean)} after the update; it should be near 1.`
        : null,
    cause: (facts, { ratioMean }) =>
      ratioMean < RATIO[0]
        ? `The update pushes down nearly everything that was tried: ${stride(facts)}, with credit that is mostly negative.`
        : `The update pulls up nearly everything that was tried: ${stride(facts)}, with credit that is mostly positive.`,
  },
  {
    id: 'silentGroups',
    title: 'Groups agree, so nothing is learned',
    doc: 'For ten updates more than 90 % of the groups had members with equal returns, and the task is not solved; where a reward pays in place of the task, only updates without any credit count. Comparing equals gives no credit. Make the task easier, start closer to the goal, use larger groups, or choose an estimator that compares single steps.',
    action: 'read',
    holds: (signs) =>
      signs.silentFor >= SILENT_UPDATES && signs.success && !isSolved(signs)
        ? `More than ${percent(SILENT)} of the groups agreed in ${signs.silentFor} updates in a row; success ${percent(signs.success.mean)}.`
        : null,
    cause: ({ groupSize }, { success }) =>
      success && success.mean > 0.5
        ? `Easy tasks are always solved and hard ones never: few are left in between.`
        : `With groups of ${groupSize} hardly any episode finds the reward, so all members fail alike.`,
  },
  {
    id: 'rewardHacking',
    title: 'The reward is farmed',
    doc: 'Since success was best, it has fallen by more than 0.1 and more than chance explains, while the shaped return has risen: the policy gets better at what is paid and worse at what is wanted. The score never counts shaped reward, so the gap is visible in the chart of the shaped return. Make the largest pay of an episode smaller than the goal, average it over the steps, or shape with a potential.',
    action: 'rewind',
    holds: (signs) =>
      isFarmed(signs)
        ? `Success ${percent(signs.success!.mean)}, at best ${percent(signs.best!.mean)} until update ${updateNumber(signs.best!.update)}; shaped return ${short(signs.shaped)}, ${short(signs.shapedThen)} then.`
        : null,
    cause: ({ rewards }) =>
      `What pays is not success but ${rewards.map((title) => `“${title}”`).join(' and ')}, and that pays more.`,
  },
  {
    id: 'successDrop',
    title: 'Training success has fallen',
    doc: 'Training success is more than 0.3 below its best so far, by more than chance explains: the two intervals do not overlap. Something learned was lost, or something else pays better. Go back to the checkpoint with the best evaluation; then take smaller steps, or check whether the return rises while success falls.',
    action: 'rewind',
    holds: ({ success, best, ...signs }) =>
      success &&
      best &&
      !isFarmed({ success, best, ...signs }) &&
      best.mean - success.mean > DROP &&
      success.high < best.low
        ? `Training success ${percent(success.mean)}, at best ${percent(best.mean)} until update ${updateNumber(best.update)} (averages over a few updates).`
        : null,
    cause: (facts) => `Either ${stride(facts)} went too far, or the rewards pay for something other than success.`,
  },
  {
    id: 'gradientSpike',
    title: 'An unusually large gradient',
    doc: 'The gradient norm is more than ten times its median and larger than ever before. One such step can undo many small ones. Clip the gradient, normalize credit or rewards, or lower the learning rate.',
    action: 'lowerRate',
    holds: ({ gradNorm, gradUsual, gradMost }) =>
      gradNorm > SPIKE * gradUsual && gradNorm > gradMost
        ? `Gradient norm ${short(gradNorm)}, usually ${short(gradUsual)}: ${Math.round(gradNorm / gradUsual)} times as large.`
        : null,
    cause: ({ clipNorm }, { gradNorm }) =>
      clipNorm > 0
        ? `A rare outcome gave credit far from the usual; ${gradNorm > clipNorm ? 'only the clip held it back' : `the clip at ${short(clipNorm)} is too wide to notice`}.`
        : 'A rare outcome gave credit far from the usual, and no gradient clip holds the step back.',
  },
  {
    id: 'panelDrift',
    title: 'The policy memorizes its levels',
    doc: 'On the levels it trains on, success has risen by more than 0.2; on levels it never trains on, it has not risen since and is lower now, by more than chance explains. What it learned holds only for its own levels. Train on more levels or on new ones every time, give the policy less capacity to memorize them, or go back to where both were equal.',
    action: 'rewind',
    holds: ({ panel }) =>
      panel && hasDrifted(panel)
        ? `Evaluation success ${percent(panel.seen.mean)} on its own levels, ${percent(panel.seenThen.mean)} after update ${panel.update}; on held-out levels ${percent(panel.held.mean)}, ${percent(panel.heldThen)} then.`
        : null,
    cause: ({ levels, learningRate }) =>
      levels === 0
        ? `The held-out levels are unlike those it trains on, and ${short(learningRate)} is a learning rate that forgets quickly.`
        : `It trains on ${levels === 1 ? 'a single level' : `${levels} levels`} only, so remembering ${levels === 1 ? 'it' : 'them'} pays as much as learning the task.`,
  },
  {
    id: 'hierarchyCollapse',
    title: 'The hierarchy has collapsed',
    doc: 'For twenty updates the planner took a new subgoal in more than 90 % of its decisions, or less than once in an episode. Then a subgoal says nothing about several steps: the policy acts as if it had none. Lower the cost of keeping a subgoal, let who acts see only what is nearby, or do without subgoals.',
    action: 'read',
    holds: ({ collapsedFor, switchRate }) =>
      collapsedFor >= COLLAPSED_UPDATES
        ? `The switch rate is ${percent(switchRate)}, and has been like this for ${collapsedFor} updates.`
        : null,
    cause: ({ rewards }, { switchRate }) => {
      if (switchRate <= ALWAYS) return 'The first subgoal is good enough for the whole episode, or none is of any use.';
      return rewards.length > 0
        ? `Switching may pay: ${rewards.map((title) => `“${title}”`).join(' and ')} changes what keeping a subgoal is worth.`
        : 'Nothing makes a subgoal last: who acts sees enough without it.';
    },
  },
];
