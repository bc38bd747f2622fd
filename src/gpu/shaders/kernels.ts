import type { Kernel } from '../kernel.ts';
import act from './activation/act.wgsl?raw';
import addDelta from './addDelta/addDelta.wgsl?raw';
import attention from './attention/attention.wgsl?raw';
import attentionDots from './attention/attentionDots.wgsl?raw';
import attentionKey from './attention/attentionKey.wgsl?raw';
import attentionQuery from './attention/attentionQuery.wgsl?raw';
import distanceGradient from './attention/distanceGradient.wgsl?raw';
import creditSums from './creditSums/creditSums.wgsl?raw';
import rowSums from './creditSums/rowSums.wgsl?raw';
import batchStats from './batchStats/batchStats.wgsl?raw';
import coefficients from './coefficients/coefficients.wgsl?raw';
import klSlope from './coefficients/klSlope.wgsl?raw';
import logp from './coefficients/logp.wgsl?raw';
import softMin from './critic/softMin.wgsl?raw';
import valueTerm from './critic/valueTerm.wgsl?raw';
import combine from './combine/combine.wgsl?raw';
import commandCoefficients from './commandCoefficients/commandCoefficients.wgsl?raw';
import command from './commandHead/command.wgsl?raw';
import commandHead from './commandHead/commandHead.wgsl?raw';
import commandProbs from './commandHead/commandProbs.wgsl?raw';
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
import normalizeBy from './normalizeBy/normalizeBy.wgsl?raw';
import optimize from './optimize/optimize.wgsl?raw';
import meanDelta from './payReference/meanDelta.wgsl?raw';
import payReference from './payReference/payReference.wgsl?raw';
import commandKl from './playedKl/commandKl.wgsl?raw';
import nearKl from './playedKl/nearKl.wgsl?raw';
import playedKl from './playedKl/playedKl.wgsl?raw';
import ownRows from './ownRows/ownRows.wgsl?raw';
import policyMix from './policyMix/policyMix.wgsl?raw';
import decide from './policyHead/decide.wgsl?raw';
import policyHead from './policyHead/policyHead.wgsl?raw';
import preference from './preference/preference.wgsl?raw';
import preferenceScores from './preference/scores.wgsl?raw';
import random from './random/random.wgsl?raw';
import clipping from './ratioStats/clipping.wgsl?raw';
import ratioStats from './ratioStats/ratioStats.wgsl?raw';
import ratio from './ratio/ratio.wgsl?raw';
import pullToTarget from './reviseCredit/pullToTarget.wgsl?raw';
import scaleNegative from './reviseCredit/scaleNegative.wgsl?raw';
import reverseScan from './reverseScan/reverseScan.wgsl?raw';
import moves from './rollout/moves.wgsl?raw';
import perturb from './rollout/perturb.wgsl?raw';
import rollout from './rollout/rollout.wgsl?raw';
import roundWeights from './roundWeights/roundWeights.wgsl?raw';
import runningReward from './runningReward/runningReward.wgsl?raw';
import scaleByLargest from './scaleByLargest/scaleByLargest.wgsl?raw';
import still from './rollout/still.wgsl?raw';
import sharedChain from './sharedRollout/sharedChain.wgsl?raw';
import sharedRollout from './sharedRollout/sharedRollout.wgsl?raw';
import segmentStats from './segmentStats/segmentStats.wgsl?raw';
import setStats from './setStats/setStats.wgsl?raw';
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
import commandSet from './topSet/commandSet.wgsl?raw';
import keep from './topSet/keep.wgsl?raw';
import topSet from './topSet/topSet.wgsl?raw';
import oneUnit from './turns/oneUnit.wgsl?raw';
import tree from './tree/tree.wgsl?raw';
import turnLast from './turns/turnLast.wgsl?raw';
import turnUnits from './turns/turnUnits.wgsl?raw';
import wordUnits from './turns/wordUnits.wgsl?raw';
import unitRates from './unitRates/unitRates.wgsl?raw';
import updateStats from './updateStats/updateStats.wgsl?raw';
import weightStats from './weightStats/weightStats.wgsl?raw';
import weights from './weights/weights.wgsl?raw';
import wordMix from './wordMix/wordMix.wgsl?raw';

/** Every kernel, by the name of its folder. Adding one is a folder and a line here. */
export const kernels = {
  policyHead: { id: 'policyHead', wgsl: policyHead, link: [random, softMin, decide] },
  topSet: { id: 'topSet', wgsl: topSet, link: [keep] },
  topSetRestore: { id: 'topSet.restore', wgsl: topSet, link: [keep], entry: 'restore' },
  commandSet: { id: 'commandSet', wgsl: commandSet, link: [command, commandProbs, keep] },
  commandSetRestore: {
    id: 'commandSet.restore',
    wgsl: commandSet,
    link: [command, commandProbs, keep],
    entry: 'restore',
  },
  reverseScan: { id: 'reverseScan', wgsl: reverseScan },
  tdError: { id: 'tdError', wgsl: tdError, link: [softMin] },
  segmentStats: { id: 'segmentStats', wgsl: segmentStats },
  segmentStatsFew: { id: 'segmentStats.few', wgsl: segmentStats, entry: 'few' },
  normalizeBy: { id: 'normalizeBy', wgsl: normalizeBy },
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
  playedKl: { id: 'playedKl', wgsl: playedKl, link: [nearKl] },
  commandKl: { id: 'commandKl', wgsl: commandKl, link: [command, commandProbs, nearKl] },
  meanDistance: { id: 'meanDistance', wgsl: meanDistance },
  runningReward: { id: 'runningReward', wgsl: runningReward, link: [tree] },
  ratioStats: { id: 'ratioStats', wgsl: ratioStats, link: [tree, clipping] },
  weightStats: { id: 'weightStats', wgsl: weightStats },
  turnLast: { id: 'turnLast', wgsl: turnLast },
  turnSteps: { id: 'turnSteps', wgsl: turnUnits, link: [oneUnit] },
  turnWords: { id: 'turnWords', wgsl: turnUnits, link: [command, decided, wordUnits] },
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
  gruOpen: { id: 'gruOpen', wgsl: gruOpen },
  gruJoin: { id: 'gruJoin', wgsl: gruJoin },
  gruJoinBackward: { id: 'gruJoinBackward', wgsl: gruJoinBackward },
  gruOpenBackward: { id: 'gruOpenBackward', wgsl: gruOpenBackward },
  tokenHead: { id: 'tokenHead', wgsl: tokenHead },
  tokenHeadBackward: { id: 'tokenHeadBackward', wgsl: tokenHeadBackward },
  tokenHeadGradient: { id: 'tokenHeadGradient', wgsl: tokenHeadGradient },
  lastValue: { id: 'lastValue', wgsl: lastValue, link: [softMin] },
  commandHead: { id: 'commandHead', wgsl: commandHead, link: [random, softMin, command, commandProbs] },
  commandUnits: { id: 'commandUnits', wgsl: commandUnits, link: [command, decided] },
  unitStats: { id: 'unitStats', wgsl: unitStats },
  wordMix: { id: 'wordMix', wgsl: wordMix, link: [command] },
} as const satisfies Readonly<Record<string, Kernel>>;

/** Kernels that an objective, an optimizer or an environment completes. */
export const coefficientsWith = (objective: string): Kernel => ({
  id: 'coefficients',
  wgsl: coefficients,
  link: [objective, klSlope, valueTerm],
});
/** The objective that completes `coefficients` to the gradient of log π. */
export const logpWgsl: string = logp;
export const commandCoefficientsWith = (objective: string): Kernel => ({
  id: 'commandCoefficients',
  wgsl: commandCoefficients,
  link: [objective, command, clipping, klSlope, valueTerm],
});
/** Sums of each of so many actions, four side by side. */
export const policyMixWith = (actions: number): Kernel => ({
  id: 'policyMix',
  wgsl: policyMix,
  link: [`const QUADS = ${Math.ceil(actions / 4)}u;`, tree],
});
export const optimizeWith = (optimizer: string): Kernel => ({ id: 'optimize', wgsl: optimize, link: [optimizer] });
export const rolloutWith = (
  step: string,
  entry: 'start' | 'turn' | 'observe' | 'step' | 'finish',
  flicker: string = still,
): Kernel => ({
  id: `rollout.${entry}`,
  wgsl: rollout,
  link: [random, step, flicker, perturb, moves],
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
  step: string,
  flicker: string | undefined,
  network: Chain,
  evaluation: readonly string[],
): Kernel => ({
  ...kernel,
  link: [
    ...[played, random, step, flicker ?? still, perturb, moves, act, weightsOf(network), constantsOf(network)],
    ...[...evaluation, softMin, decide],
  ],
});
export const fusedRolloutWith = (step: string, flicker: string | undefined, network: Chain): Kernel =>
  playedBy({ id: 'fusedRollout', wgsl: fusedRollout }, step, flicker, network, [chain]);
/** The same for layers as wide as a workgroup can hold: four columns of four trajectories for each invocation. */
export const sharedRolloutWith = (step: string, flicker: string | undefined, network: Chain): Kernel => {
  const blocks = Math.ceil(Math.max(...network.widths.slice(1, -1)) / 4);
  const group = `const GROUP = ${Math.ceil(blocks / 16) * 32}u;`;
  return playedBy({ id: 'sharedRollout', wgsl: sharedRollout }, step, flicker, network, [group, sharedChain]);
};
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
