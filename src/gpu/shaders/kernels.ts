import type { Kernel } from '../kernel.ts';
import act from './activation/act.wgsl?raw';
import addDelta from './addDelta/addDelta.wgsl?raw';
import attention from './attention/attention.wgsl?raw';
import attentionDots from './attention/attentionDots.wgsl?raw';
import attentionKey from './attention/attentionKey.wgsl?raw';
import attentionQuery from './attention/attentionQuery.wgsl?raw';
import distanceGradient from './attention/distanceGradient.wgsl?raw';
import counts from './counts/counts.wgsl?raw';
import creditSums from './creditSums/creditSums.wgsl?raw';
import rowSums from './creditSums/rowSums.wgsl?raw';
import batchStats from './batchStats/batchStats.wgsl?raw';
import coefficientsOfRows from './coefficients/rows.wgsl?raw';
import coefficientsOfSteps from './coefficients/steps.wgsl?raw';
import coefficients from './coefficients/coefficients.wgsl?raw';
import klSlope from './coefficients/klSlope.wgsl?raw';
import logp from './coefficients/logp.wgsl?raw';
import softMin from './critic/softMin.wgsl?raw';
import valueTerm from './critic/valueTerm.wgsl?raw';
import combine from './combine/combine.wgsl?raw';
import commandUnits from './commandUnits/commandUnits.wgsl?raw';
import decided from './commandUnits/decided.wgsl?raw';
import unitStats from './commandUnits/unitStats.wgsl?raw';
import cutStepJudge from './cutStep/judge.wgsl?raw';
import cutStep from './cutStep/cutStep.wgsl?raw';
import dropRows from './dropRows/dropRows.wgsl?raw';
import draw from './envWalk/draw.wgsl?raw';
import envWalk from './envWalk/envWalk.wgsl?raw';
import hash from './envWalk/hash.wgsl?raw';
import hashRows from './hashRows/hashRows.wgsl?raw';
import fill from './fill/fill.wgsl?raw';
import chain from './fusedForward/chain.wgsl?raw';
import evenWeights from './fusedForward/evenWeights.wgsl?raw';
import fusedForward from './fusedForward/fusedForward.wgsl?raw';
import oddWeights from './fusedForward/oddWeights.wgsl?raw';
import fusedRollout from './fusedRollout/fusedRollout.wgsl?raw';
import played from './fusedRollout/played.wgsl?raw';
import gate from './gate/gate.wgsl?raw';
import gateBackward from './gate/gateBackward.wgsl?raw';
import gatherRows from './gatherRows/gatherRows.wgsl?raw';
import scatterRows from './gatherRows/scatterRows.wgsl?raw';
import gatherTask from './gatherTask/gatherTask.wgsl?raw';
import gradNorm from './gradNorm/gradNorm.wgsl?raw';
import gruCell from './gruCell/gruCell.wgsl?raw';
import gruCellBackward from './gruCell/gruCellBackward.wgsl?raw';
import gruJoin from './gruGate/gruJoin.wgsl?raw';
import gruJoinBackward from './gruGate/gruJoinBackward.wgsl?raw';
import gruOpen from './gruGate/gruOpen.wgsl?raw';
import gruOpenBackward from './gruGate/gruOpenBackward.wgsl?raw';
import klStopJudge from './klStop/judge.wgsl?raw';
import klStop from './klStop/klStop.wgsl?raw';
import layerNorm from './layerNorm/layerNorm.wgsl?raw';
import layerNormBackward from './layerNorm/layerNormBackward.wgsl?raw';
import layerNormGradient from './layerNorm/layerNormGradient.wgsl?raw';
import linkSets from './linkSets/linkSets.wgsl?raw';
import lossSums from './lossSums/lossSums.wgsl?raw';
import matchSize from './matchSize/matchSize.wgsl?raw';
import meanDistance from './meanDistance/meanDistance.wgsl?raw';
import levelSums from './levelSums/levelSums.wgsl?raw';
import normalizeAnchor from './normalizeAnchor/normalizeAnchor.wgsl?raw';
import branchSets from './branchSets/branchSets.wgsl?raw';
import equalShare from './equalShare/equalShare.wgsl?raw';
import following from './following/following.wgsl?raw';
import mapValues from './mapValues/mapValues.wgsl?raw';
import meanStats from './wholeStats/meanStats.wgsl?raw';
import moments from './wholeStats/moments.wgsl?raw';
import wholeStats from './wholeStats/wholeStats.wgsl?raw';
import normalizeBy from './normalizeBy/normalizeBy.wgsl?raw';
import optimize from './optimize/optimize.wgsl?raw';
import meanDelta from './payReference/meanDelta.wgsl?raw';
import payReference from './payReference/payReference.wgsl?raw';
import nearKl from './playedKl/nearKl.wgsl?raw';
import klOfRows from './playedKl/rows.wgsl?raw';
import klOfSteps from './playedKl/steps.wgsl?raw';
import playedKl from './playedKl/playedKl.wgsl?raw';
import ownRows from './ownRows/ownRows.wgsl?raw';
import mixOfActions from './policyMix/actions.wgsl?raw';
import mixOfWords from './policyMix/words.wgsl?raw';
import policyMix from './policyMix/policyMix.wgsl?raw';
import decide from './policyHead/decide.wgsl?raw';
import headOfRows from './policyHead/rows.wgsl?raw';
import headOfSteps from './policyHead/steps.wgsl?raw';
import policyHead from './policyHead/policyHead.wgsl?raw';
import preference from './preference/preference.wgsl?raw';
import preferenceScores from './preference/scores.wgsl?raw';
import random from './random/random.wgsl?raw';
import clipping from './ratioStats/clipping.wgsl?raw';
import ratioStats from './ratioStats/ratioStats.wgsl?raw';
import ratio from './ratio/ratio.wgsl?raw';
import pullToTarget from './reviseCredit/pullToTarget.wgsl?raw';
import scaleNegative from './reviseCredit/scaleNegative.wgsl?raw';
import rewardOps from './rewardOps/rewardOps.wgsl?raw';
import reverseScan from './reverseScan/reverseScan.wgsl?raw';
import moves from './rollout/moves.wgsl?raw';
import rollout from './rollout/rollout.wgsl?raw';
import roundWeights from './roundWeights/roundWeights.wgsl?raw';
import runningReward from './runningReward/runningReward.wgsl?raw';
import scaleByLargest from './scaleByLargest/scaleByLargest.wgsl?raw';
import still from './rollout/still.wgsl?raw';
import sharedChain from './sharedRollout/sharedChain.wgsl?raw';
import sharedRollout from './sharedRollout/sharedRollout.wgsl?raw';
import segmentStats from './segmentStats/segmentStats.wgsl?raw';
import setStats from './setStats/setStats.wgsl?raw';
import signalStates from './signalStates/signalStates.wgsl?raw';
import signalSteps from './signalSteps/signalSteps.wgsl?raw';
import sliceSum from './sliceSum/sliceSum.wgsl?raw';
import stepList from './stepList/stepList.wgsl?raw';
import stepRates from './stepRates/stepRates.wgsl?raw';
import tdError from './tdError/tdError.wgsl?raw';
import threshold from './threshold/threshold.wgsl?raw';
import tokenEmbed from './tokenEmbed/tokenEmbed.wgsl?raw';
import tokenEmbedGradient from './tokenEmbed/tokenEmbedGradient.wgsl?raw';
import lastValue from './tokenHead/lastValue.wgsl?raw';
import tokenHead from './tokenHead/tokenHead.wgsl?raw';
import tokenHeadBackward from './tokenHead/tokenHeadBackward.wgsl?raw';
import tokenHeadGradient from './tokenHead/tokenHeadGradient.wgsl?raw';
import columnGradient from './tokenLinear/columnGradient.wgsl?raw';
import token from './tokenPack/token.wgsl?raw';
import tokenPack from './tokenPack/tokenPack.wgsl?raw';
import setOfRows from './topSet/rows.wgsl?raw';
import setOfSteps from './topSet/steps.wgsl?raw';
import topSet from './topSet/topSet.wgsl?raw';
import oneUnit from './turns/oneUnit.wgsl?raw';
import tree from './tree/tree.wgsl?raw';
import turnLast from './turns/turnLast.wgsl?raw';
import turnUnits from './turns/turnUnits.wgsl?raw';
import wordUnits from './turns/wordUnits.wgsl?raw';
import unitRates from './unitRates/unitRates.wgsl?raw';
import actionColumns from './units/actionColumns.wgsl?raw';
import actionTree from './units/actions.wgsl?raw';
import atStep from './units/atStep.wgsl?raw';
import chunkRows from './units/chunkRows.wgsl?raw';
import command from './units/command.wgsl?raw';
import commandColumns from './units/commandColumns.wgsl?raw';
import everyStep from './units/everyStep.wgsl?raw';
import softmax from './units/softmax.wgsl?raw';
import updateStats from './updateStats/updateStats.wgsl?raw';
import weightStats from './weightStats/weightStats.wgsl?raw';
import weights from './weights/weights.wgsl?raw';

/** The units of a step: one with all actions, or the words of a command. */
const ACTION = [actionTree, actionColumns];
const WORDS = [command, commandColumns];

/** Every kernel, by the name of its folder; `.words`: where a step may have several units. Adding one is a folder and a line here. */
export const kernels = {
  policyHead: {
    id: 'policyHead',
    wgsl: policyHead,
    link: [random, softMin, ...ACTION, headOfSteps, atStep, softmax, decide],
  },
  policyHeadWords: {
    id: 'policyHead.words',
    wgsl: policyHead,
    link: [random, softMin, ...WORDS, headOfRows, chunkRows, softmax, decide],
  },
  topSet: { id: 'topSet', wgsl: topSet, link: [actionTree, setOfSteps, atStep, softmax] },
  topSetRestore: {
    id: 'topSet.restore',
    wgsl: topSet,
    link: [actionTree, setOfSteps, atStep, softmax],
    entry: 'restore',
  },
  topSetWords: { id: 'topSet.words', wgsl: topSet, link: [command, setOfRows, chunkRows, softmax] },
  topSetWordsRestore: {
    id: 'topSet.words.restore',
    wgsl: topSet,
    link: [command, setOfRows, chunkRows, softmax],
    entry: 'restore',
  },
  reverseScan: { id: 'reverseScan', wgsl: reverseScan },
  tdError: { id: 'tdError', wgsl: tdError, link: [softMin] },
  segmentStats: { id: 'segmentStats', wgsl: segmentStats },
  segmentStatsFew: { id: 'segmentStats.few', wgsl: segmentStats, entry: 'few' },
  wholeStats: { id: 'wholeStats', wgsl: wholeStats, link: [moments, tree] },
  meanStats: { id: 'meanStats', wgsl: meanStats, link: [moments, tree] },
  normalizeBy: { id: 'normalizeBy', wgsl: normalizeBy },
  mapValues: { id: 'mapValues', wgsl: mapValues },
  following: { id: 'following', wgsl: following },
  equalShare: { id: 'equalShare', wgsl: equalShare },
  branchEarliest: { id: 'branchSets.earliest', wgsl: branchSets, entry: 'earliest' },
  branchOwners: { id: 'branchSets.owners', wgsl: branchSets, entry: 'owners' },
  branchBranch: { id: 'branchSets.branch', wgsl: branchSets, entry: 'branch' },
  branchSpread: { id: 'branchSets.spread', wgsl: branchSets, entry: 'spread' },
  linkSets: { id: 'linkSets', wgsl: linkSets },
  linkInOrder: { id: 'linkSets.inOrder', wgsl: linkSets, entry: 'inOrder' },
  normalizeAnchor: { id: 'normalizeAnchor', wgsl: normalizeAnchor },
  setStats: { id: 'setStats', wgsl: setStats },
  levelSums: { id: 'levelSums', wgsl: levelSums },
  combine: { id: 'combine', wgsl: combine },
  ownLengths: { id: 'ownRows.lengths', wgsl: ownRows, entry: 'lengths' },
  ownWeights: { id: 'ownRows.weigh', wgsl: ownRows, entry: 'weigh' },
  dropRows: { id: 'dropRows', wgsl: dropRows },
  gatherTask: { id: 'gatherTask', wgsl: gatherTask },
  ratio: { id: 'ratio', wgsl: ratio },
  scaleByLargest: { id: 'scaleByLargest', wgsl: scaleByLargest },
  threshold: { id: 'threshold', wgsl: threshold },
  weights: { id: 'weights', wgsl: weights, link: [tree] },
  addDelta: { id: 'addDelta', wgsl: addDelta },
  preferenceScores: { id: 'preferenceScores', wgsl: preferenceScores },
  preference: { id: 'preference', wgsl: preference, link: [tree] },
  unitRates: { id: 'unitRates', wgsl: unitRates },
  stepRates: { id: 'stepRates', wgsl: stepRates },
  roundCopy: { id: 'roundCopy', wgsl: roundWeights, entry: 'copy' },
  roundRows: { id: 'roundRows', wgsl: roundWeights, entry: 'rows' },
  gradNorm: { id: 'gradNorm', wgsl: gradNorm },
  lossSums: { id: 'lossSums', wgsl: lossSums, link: [tree] },
  matchSize: { id: 'matchSize', wgsl: matchSize, link: [tree] },
  klStopHold: { id: 'klStop.hold', wgsl: klStop, entry: 'hold' },
  klStopKeep: { id: 'klStop.keep', wgsl: klStop, entry: 'keep' },
  klStopJudge: { id: 'klStop.judge', wgsl: klStopJudge, link: [tree] },
  cutStepHold: { id: 'cutStep.hold', wgsl: cutStep, entry: 'hold' },
  cutStepJudge: { id: 'cutStep.judge', wgsl: cutStepJudge, link: [tree] },
  cutStepCut: { id: 'cutStep.cut', wgsl: cutStep, entry: 'cut' },
  meanDelta: { id: 'meanDelta', wgsl: meanDelta, link: [tree] },
  payReference: { id: 'payReference', wgsl: payReference },
  pullToTarget: { id: 'pullToTarget', wgsl: pullToTarget, link: [tree] },
  scaleNegative: { id: 'scaleNegative', wgsl: scaleNegative },
  batchStats: { id: 'batchStats', wgsl: batchStats, link: [tree] },
  updateStats: { id: 'updateStats', wgsl: updateStats, link: [tree] },
  rowSums: { id: 'rowSums', wgsl: rowSums },
  creditSums: { id: 'creditSums', wgsl: creditSums },
  playedKl: { id: 'playedKl', wgsl: playedKl, link: [...ACTION, klOfSteps, everyStep, softmax, nearKl] },
  playedKlWords: { id: 'playedKl.words', wgsl: playedKl, link: [...WORDS, klOfRows, chunkRows, softmax, nearKl] },
  meanDistance: { id: 'meanDistance', wgsl: meanDistance },
  runningReward: { id: 'runningReward', wgsl: runningReward, link: [tree] },
  ratioStats: { id: 'ratioStats', wgsl: ratioStats, link: [tree, clipping] },
  weightStats: { id: 'weightStats', wgsl: weightStats },
  turnLast: { id: 'turnLast', wgsl: turnLast },
  turnSteps: { id: 'turnSteps', wgsl: turnUnits, link: [oneUnit] },
  turnWords: { id: 'turnWords', wgsl: turnUnits, link: [command, decided, wordUnits] },
  signalSteps: { id: 'signalSteps', wgsl: signalSteps },
  rewardAt: { id: 'rewardOps.at', wgsl: rewardOps, entry: 'at' },
  rewardLast: { id: 'rewardOps.last', wgsl: rewardOps, entry: 'last' },
  rewardMean: { id: 'rewardOps.mean', wgsl: rewardOps, entry: 'mean' },
  rewardPay: { id: 'rewardOps.pay', wgsl: rewardOps, entry: 'pay' },
  countKeys: { id: 'counts.keys', wgsl: counts, link: [random], entry: 'keys' },
  countClear: { id: 'counts.clear', wgsl: counts, link: [random], entry: 'clear' },
  countInsert: { id: 'counts.insert', wgsl: counts, link: [random], entry: 'insert' },
  countSettle: { id: 'counts.settle', wgsl: counts, link: [random], entry: 'settle' },
  countLook: { id: 'counts.look', wgsl: counts, link: [random], entry: 'look' },
  hashRows: { id: 'hashRows', wgsl: hashRows, link: [random] },
  fill: { id: 'fill', wgsl: fill },
  sliceSum: { id: 'sliceSum', wgsl: sliceSum },
  stepList: { id: 'stepList', wgsl: stepList },
  tokenPack: { id: 'tokenPack', wgsl: tokenPack },
  tokenEmbed: { id: 'tokenEmbed', wgsl: tokenEmbed, link: [token] },
  tokenEmbedGradient: { id: 'tokenEmbedGradient', wgsl: tokenEmbedGradient, link: [token] },
  layerNorm: { id: 'layerNorm', wgsl: layerNorm },
  layerNormBackward: { id: 'layerNormBackward', wgsl: layerNormBackward },
  layerNormGradient: { id: 'layerNormGradient', wgsl: layerNormGradient },
  columnGradient: { id: 'columnGradient', wgsl: columnGradient },
  attentionDots: { id: 'attentionDots', wgsl: attentionDots },
  distanceGradient: { id: 'distanceGradient', wgsl: distanceGradient, link: [token] },
  gatherRows: { id: 'gatherRows', wgsl: gatherRows },
  scatterRows: { id: 'scatterRows', wgsl: scatterRows, link: [token] },
  gate: { id: 'gate', wgsl: gate },
  gateBackward: { id: 'gateBackward', wgsl: gateBackward },
  gruCell: { id: 'gruCell', wgsl: gruCell },
  gruCellBackward: { id: 'gruCellBackward', wgsl: gruCellBackward },
  gruOpen: { id: 'gruOpen', wgsl: gruOpen },
  gruJoin: { id: 'gruJoin', wgsl: gruJoin },
  gruJoinBackward: { id: 'gruJoinBackward', wgsl: gruJoinBackward },
  gruOpenBackward: { id: 'gruOpenBackward', wgsl: gruOpenBackward },
  tokenHead: { id: 'tokenHead', wgsl: tokenHead },
  tokenHeadBackward: { id: 'tokenHeadBackward', wgsl: tokenHeadBackward },
  tokenHeadGradient: { id: 'tokenHeadGradient', wgsl: tokenHeadGradient },
  lastValue: { id: 'lastValue', wgsl: lastValue, link: [softMin] },
  commandUnits: { id: 'commandUnits', wgsl: commandUnits, link: [command, decided] },
  unitStats: { id: 'unitStats', wgsl: unitStats },
} as const satisfies Readonly<Record<string, Kernel>>;

/** Kernels that an objective, an optimizer or an environment completes. */
export const coefficientsWith = (objective: string): Kernel => ({
  id: 'coefficients',
  wgsl: coefficients,
  link: [objective, ...ACTION, coefficientsOfSteps, everyStep, klSlope, valueTerm],
});
export const coefficientsOfWordsWith = (objective: string): Kernel => ({
  id: 'coefficients.words',
  wgsl: coefficients,
  link: [objective, ...WORDS, coefficientsOfRows, chunkRows, clipping, klSlope, valueTerm],
});
/** The objective that completes `coefficients` to the gradient of log π. */
export const logpWgsl: string = logp;
const quads = (actions: number): string => `const QUADS = ${Math.ceil(actions / 4)}u;`;
/** Sums of each of so many actions, four side by side. */
export const policyMixWith = (actions: number, hasWords = false): Kernel => ({
  id: hasWords ? 'policyMix.words' : 'policyMix',
  wgsl: policyMix,
  link: [quads(actions), ...(hasWords ? [...WORDS, mixOfWords] : [...ACTION, mixOfActions]), tree],
});
export const optimizeWith = (optimizer: string): Kernel => ({ id: 'optimize', wgsl: optimize, link: [optimizer] });
/** The world of a rollout: its rules, what looks different by chance, and both behind their wrappers (gpu/wrapped.ts). */
export type LinkedWorld = { readonly step: string; readonly flicker: string | undefined; readonly wrapped: string };
export const rolloutWith = (
  { step, flicker = still, wrapped }: LinkedWorld,
  entry: 'start' | 'turn' | 'observe' | 'step' | 'finish',
): Kernel => ({
  id: `rollout.${entry}`,
  wgsl: rollout,
  link: [random, step, flicker, wrapped, moves],
  entry,
});
/** A chain of dense layers as kernels for one invocation per observation are made for it; offsets in floats. */
export type Chain = {
  readonly widths: readonly number[];
  readonly weightsAt: readonly number[];
  readonly biasesAt: readonly number[];
  readonly hasBias: boolean;
};
const constantsOf = ({ widths, weightsAt, biasesAt, hasBias }: Chain): string => {
  const list = (name: string, values: readonly number[]): string =>
    `const ${name} = array<u32, ${values.length}>(${values.map((x) => `${x}u`).join(', ')});`;
  return [
    `const LAYERS = ${weightsAt.length}u;`,
    `const WIDEST = ${Math.max(...widths.slice(1))}u;`,
    `const BIT_WORDS = ${Math.ceil(widths[0]! / 32)}u;`,
    `const HAS_BIAS = ${hasBias};`,
    list('WIDTHS', widths),
    list('WEIGHTS_AT', weightsAt),
    list('BIASES_AT', biasesAt),
  ].join('\n');
};
const weightsOf = ({ widths }: Chain): string =>
  widths.slice(1, -1).every((width) => width % 4 === 0) ? evenWeights : oddWeights;
export const fusedForwardWith = (network: Chain): Kernel => ({
  id: 'fusedForward',
  wgsl: fusedForward,
  link: [act, weightsOf(network), constantsOf(network), chain],
});
/** Many steps in one dispatch: a world, what evaluates the network for `kernel`, and the decision. */
const playedBy = (
  kernel: Pick<Kernel, 'id' | 'wgsl'>,
  { step, flicker = still, wrapped }: LinkedWorld,
  network: Chain,
  evaluation: readonly string[],
): Kernel => ({
  ...kernel,
  link: [
    ...[played, random, step, flicker, wrapped, moves, act, weightsOf(network), constantsOf(network)],
    ...[...evaluation, softMin, ...ACTION, softmax, decide],
  ],
});
export const fusedRolloutWith = (world: LinkedWorld, network: Chain): Kernel =>
  playedBy({ id: 'fusedRollout', wgsl: fusedRollout }, world, network, [chain]);
/** The same for layers as wide as a workgroup can hold: four columns of four trajectories for each invocation. */
export const sharedRolloutWith = (world: LinkedWorld, network: Chain): Kernel => {
  const blocks = Math.ceil(Math.max(...network.widths.slice(1, -1)) / 4);
  const group = `const GROUP = ${Math.ceil(blocks / 16) * 32}u;`;
  return playedBy({ id: 'sharedRollout', wgsl: sharedRollout }, world, network, [group, sharedChain]);
};
/** What a world tells beside its reward: its steps, and its functions of a state. */
export const signalStatesWith = ({ step, flicker = still, wrapped }: LinkedWorld, signals: string): Kernel => ({
  id: 'signalStates',
  wgsl: signalStates,
  link: [random, step, flicker, signals, wrapped],
});
/** Environments and random numbers as golden values ask for them; no run uses these. */
export const envWalkWith = (step: string): Kernel => ({ id: 'envWalk', wgsl: envWalk, link: [random, step] });
export const goldenDraw: Kernel = { id: 'goldenDraw', wgsl: draw, link: [random] };
export const goldenHash: Kernel = { id: 'goldenHash', wgsl: hash, link: [random] };
/** Attention and its backward pass, for heads of one width: arrays of that size stay in registers. */
const attentionParts = { attention, attentionQuery, attentionKey } as const;
export const attentionWith = (width: number, part: keyof typeof attentionParts): Kernel => ({
  id: part,
  wgsl: attentionParts[part],
  link: [`const WIDTH = ${width}u;`, token],
});
/** Functions of random.wgsl, for kernels outside this folder and for tests. */
export const randomWgsl: string = random;
