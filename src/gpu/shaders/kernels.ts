import { wordsOfMix } from '../../core/slices.ts';
import type { Kernel } from '../kernel.ts';
import act from './network/activation/act.wgsl?raw';
import attentionDots from './network/attention/attentionDots.wgsl?raw';
import counts from './rollout/counts/counts.wgsl?raw';
import creditSize from './credit/creditSize/creditSize.wgsl?raw';
import creditSums from './credit/creditSums/creditSums.wgsl?raw';
import batchStats from './metrics/batchStats/batchStats.wgsl?raw';
import coefficientsOfSteps from './objective/coefficients/steps.wgsl?raw';
import outputsOfSteps from './objective/coefficients/outputs.wgsl?raw';
import coefficients from './objective/coefficients/coefficients.wgsl?raw';
import klSlope from './objective/coefficients/klSlope.wgsl?raw';
import logp from './objective/coefficients/logp.wgsl?raw';
import softMin from './network/critic/softMin.wgsl?raw';
import valueTerm from './network/critic/valueTerm.wgsl?raw';
import combine from './credit/combine/combine.wgsl?raw';
import decided from './decision/commandUnits/decided.wgsl?raw';
import cutStepJudge from './network/cutStep/judge.wgsl?raw';
import cutStep from './network/cutStep/cutStep.wgsl?raw';
import dropRows from './rollout/dropRows/dropRows.wgsl?raw';
import hashRows from './credit/hashRows/hashRows.wgsl?raw';
import fill from './network/fill/fill.wgsl?raw';
import chain from './network/fusedForward/chain.wgsl?raw';
import evenWeights from './network/fusedForward/evenWeights.wgsl?raw';
import fusedForward from './network/fusedForward/fusedForward.wgsl?raw';
import oddWeights from './network/fusedForward/oddWeights.wgsl?raw';
import fusedRollout from './rollout/fusedRollout/fusedRollout.wgsl?raw';
import played from './rollout/fusedRollout/played.wgsl?raw';
import gate from './network/gate/gate.wgsl?raw';
import gateBackward from './network/gate/gateBackward.wgsl?raw';
import gatherTask from './network/gatherTask/gatherTask.wgsl?raw';
import gruJoin from './network/gruGate/gruJoin.wgsl?raw';
import gruJoinBackward from './network/gruGate/gruJoinBackward.wgsl?raw';
import gruOpen from './network/gruGate/gruOpen.wgsl?raw';
import gruOpenBackward from './network/gruGate/gruOpenBackward.wgsl?raw';
import stopAboveJudge from './objective/stopAbove/judge.wgsl?raw';
import stopAbove from './objective/stopAbove/stopAbove.wgsl?raw';
import layerNorm from './network/layerNorm/layerNorm.wgsl?raw';
import layerNormBackward from './network/layerNorm/layerNormBackward.wgsl?raw';
import layerNormGradient from './network/layerNorm/layerNormGradient.wgsl?raw';
import linkBlock from './credit/linkSets/linkBlock.wgsl?raw';
import linkSets from './credit/linkSets/linkSets.wgsl?raw';
import unitSize from './credit/unitSize/unitSize.wgsl?raw';
import meanDistance from './credit/meanDistance/meanDistance.wgsl?raw';
import levelSums from './credit/levelSums/levelSums.wgsl?raw';
import normalizeAnchor from './credit/normalizeAnchor/normalizeAnchor.wgsl?raw';
import branchSets from './credit/branchSets/branchSets.wgsl?raw';
import equalShare from './credit/equalShare/equalShare.wgsl?raw';
import lead from './credit/lead/lead.wgsl?raw';
import following from './credit/following/following.wgsl?raw';
import mapValues from './credit/mapValues/mapValues.wgsl?raw';
import meanStats from './credit/wholeStats/meanStats.wgsl?raw';
import moments from './credit/wholeStats/moments.wgsl?raw';
import wholeStats from './credit/wholeStats/wholeStats.wgsl?raw';
import normalizeBy from './credit/normalizeBy/normalizeBy.wgsl?raw';
import givenNorm from './network/optimize/givenNorm.wgsl?raw';
import optimize from './network/optimize/optimize.wgsl?raw';
import meanDelta from './rollout/payReference/meanDelta.wgsl?raw';
import payReference from './rollout/payReference/payReference.wgsl?raw';
import forkRows from './rollout/forkRows/forkRows.wgsl?raw';
import ownRows from './rollout/ownRows/ownRows.wgsl?raw';
import mixOfActions from './decision/policyMix/actions.wgsl?raw';
import mixOfWords from './decision/policyMix/words.wgsl?raw';
import policyMix from './decision/policyMix/policyMix.wgsl?raw';
import decide from './decision/policyHead/decide.wgsl?raw';
import headOfSteps from './decision/policyHead/steps.wgsl?raw';
import policyHead from './decision/policyHead/policyHead.wgsl?raw';
import random from './decision/random/random.wgsl?raw';
import clipping from './objective/ratioStats/clipping.wgsl?raw';
import excess from './objective/ratioStats/excess.wgsl?raw';
import ratioStats from './objective/ratioStats/ratioStats.wgsl?raw';
import zipValues from './credit/zipValues/zipValues.wgsl?raw';
import pullToTarget from './credit/reviseCredit/pullToTarget.wgsl?raw';
import scaleNegative from './credit/reviseCredit/scaleNegative.wgsl?raw';
import rewardOps from './rollout/rewardOps/rewardOps.wgsl?raw';
import reverseScan from './credit/reverseScan/reverseScan.wgsl?raw';
import far from './rollout/rollout/far.wgsl?raw';
import moves from './rollout/rollout/moves.wgsl?raw';
import near from './rollout/rollout/near.wgsl?raw';
import rollout from './rollout/rollout/rollout.wgsl?raw';
import roundWeights from './network/roundWeights/roundWeights.wgsl?raw';
import runningReward from './rollout/runningReward/runningReward.wgsl?raw';
import scaleByLargest from './credit/scaleByLargest/scaleByLargest.wgsl?raw';
import still from './rollout/rollout/still.wgsl?raw';
import segmentStats from './credit/segmentStats/segmentStats.wgsl?raw';
import setStats from './credit/setStats/setStats.wgsl?raw';
import signalStates from './rollout/signalStates/signalStates.wgsl?raw';
import signalSteps from './rollout/signalSteps/signalSteps.wgsl?raw';
import stepList from './rollout/stepList/stepList.wgsl?raw';
import tdError from './credit/tdError/tdError.wgsl?raw';
import threshold from './credit/threshold/threshold.wgsl?raw';
import lastValue from './network/tokenHead/lastValue.wgsl?raw';
import columnGradient from './network/tokenLinear/columnGradient.wgsl?raw';
import oneUnit from './rollout/turns/oneUnit.wgsl?raw';
import treeRows from './decision/tree/rows.wgsl?raw';
import treeSteps from './decision/tree/steps.wgsl?raw';
import treeWgsl from './decision/tree/tree.wgsl?raw';
import turnLast from './rollout/turns/turnLast.wgsl?raw';
import turnUnits from './rollout/turns/turnUnits.wgsl?raw';
import wordUnits from './rollout/turns/wordUnits.wgsl?raw';
import unitRates from './decision/unitRates/unitRates.wgsl?raw';
import actionColumns from './decision/units/actionColumns.wgsl?raw';
import actionTree from './decision/units/actions.wgsl?raw';
import atStep from './decision/units/atStep.wgsl?raw';
import command from './decision/units/command.wgsl?raw';
import commandColumns from './decision/units/commandColumns.wgsl?raw';
import everyStep from './decision/units/everyStep.wgsl?raw';
import planned from './decision/units/planned.wgsl?raw';
import softmax from './decision/units/softmax.wgsl?raw';
import updateStats from './metrics/updateStats/updateStats.wgsl?raw';
import weightStats from './objective/weightStats/weightStats.wgsl?raw';
import unitWeights from './objective/weights/unitWeights.wgsl?raw';
import weights from './objective/weights/weights.wgsl?raw';

/** The units of a step: one with all actions, or the words of a command. */
export const ACTION = [actionTree, actionColumns];
export const WORDS = [command, commandColumns];
/** Every step of a batch is a row. */
export const EVERY_STEP = [everyStep, planned];

const treeWith = (lanes: number, share: number, added: string): string =>
  [`const LANES = ${lanes}u;\nconst SHARE = ${share}u;`, treeWgsl, added].join('\n');
/** tree.wgsl for workgroups of so many invocations, each of which adds up whole rows, or pieces of them. */
export const treeOf = (lanes: number): string => treeWith(lanes, 1, treeRows);
export const stepTreeOf = (lanes: number, share: number): string => treeWith(lanes, share, treeSteps);
const tree = treeOf(64);

/** Every kernel, by the name of its folder; `.words`: where a step may have several units. Adding one is a folder and a line here. */
export const kernels = {
  policyHead: {
    id: 'policyHead',
    wgsl: policyHead,
    link: [random, softMin, ...ACTION, headOfSteps, atStep, softmax, decide],
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
  lead: { id: 'lead', wgsl: lead },
  branchEarliest: { id: 'branchSets.earliest', wgsl: branchSets, entry: 'earliest' },
  branchOwners: { id: 'branchSets.owners', wgsl: branchSets, entry: 'owners' },
  branchBranch: { id: 'branchSets.branch', wgsl: branchSets, entry: 'branch' },
  branchSpread: { id: 'branchSets.spread', wgsl: branchSets, entry: 'spread' },
  linkSets: { id: 'linkSets', wgsl: linkSets, link: [linkBlock] },
  linkInOrder: { id: 'linkSets.inOrder', wgsl: linkSets, link: [linkBlock], entry: 'inOrder' },
  normalizeAnchor: { id: 'normalizeAnchor', wgsl: normalizeAnchor },
  setStats: { id: 'setStats', wgsl: setStats },
  levelSums: { id: 'levelSums', wgsl: levelSums },
  combine: { id: 'combine', wgsl: combine },
  copyPrefix: { id: 'forkRows.copy', wgsl: forkRows, entry: 'copy' },
  beginForks: { id: 'forkRows.begin', wgsl: forkRows, entry: 'begin' },
  ownLengths: { id: 'ownRows.lengths', wgsl: ownRows, entry: 'lengths' },
  ownWeights: { id: 'ownRows.weigh', wgsl: ownRows, entry: 'weigh' },
  dropRows: { id: 'dropRows', wgsl: dropRows },
  gatherTask: { id: 'gatherTask', wgsl: gatherTask },
  zipValues: { id: 'zipValues', wgsl: zipValues },
  scaleByLargest: { id: 'scaleByLargest', wgsl: scaleByLargest },
  threshold: { id: 'threshold', wgsl: threshold },
  weights: { id: 'weights', wgsl: weights, link: [tree, unitWeights] },
  unitRates: { id: 'unitRates', wgsl: unitRates },
  roundCopy: { id: 'roundCopy', wgsl: roundWeights, entry: 'copy' },
  roundRows: { id: 'roundRows', wgsl: roundWeights, entry: 'rows' },
  unitSize: { id: 'unitSize', wgsl: unitSize, link: [tree] },
  stopAboveHold: { id: 'stopAbove.hold', wgsl: stopAbove, entry: 'hold' },
  stopAboveKeep: { id: 'stopAbove.keep', wgsl: stopAbove, entry: 'keep' },
  stopAboveJudge: { id: 'stopAbove.judge', wgsl: stopAboveJudge, link: [tree, excess] },
  cutStepHold: { id: 'cutStep.hold', wgsl: cutStep, entry: 'hold' },
  cutStepJudge: { id: 'cutStep.judge', wgsl: cutStepJudge, link: [tree] },
  cutStepCut: { id: 'cutStep.cut', wgsl: cutStep, entry: 'cut' },
  meanDelta: { id: 'meanDelta', wgsl: meanDelta, link: [tree] },
  payReference: { id: 'payReference', wgsl: payReference },
  pullToTarget: { id: 'pullToTarget', wgsl: pullToTarget, link: [tree] },
  scaleNegative: { id: 'scaleNegative', wgsl: scaleNegative },
  meanDistance: { id: 'meanDistance', wgsl: meanDistance },
  runningReward: { id: 'runningReward', wgsl: runningReward, link: [tree] },
  weightStats: { id: 'weightStats', wgsl: weightStats },
  turnLast: { id: 'turnLast', wgsl: turnLast },
  turnSteps: { id: 'turnSteps', wgsl: turnUnits, link: [oneUnit] },
  turnWords: { id: 'turnWords', wgsl: turnUnits, link: [command, decided, wordUnits] },
  signalSteps: { id: 'signalSteps', wgsl: signalSteps },
  rewardAt: { id: 'rewardOps.at', wgsl: rewardOps, entry: 'at' },
  rewardLast: { id: 'rewardOps.last', wgsl: rewardOps, entry: 'last' },
  rewardEnd: { id: 'rewardOps.end', wgsl: rewardOps, entry: 'end' },
  rewardMean: { id: 'rewardOps.mean', wgsl: rewardOps, entry: 'mean' },
  rewardPay: { id: 'rewardOps.pay', wgsl: rewardOps, entry: 'pay' },
  countKeys: { id: 'counts.keys', wgsl: counts, link: [random], entry: 'keys' },
  countClear: { id: 'counts.clear', wgsl: counts, link: [random], entry: 'clear' },
  countInsert: { id: 'counts.insert', wgsl: counts, link: [random], entry: 'insert' },
  countSettle: { id: 'counts.settle', wgsl: counts, link: [random], entry: 'settle' },
  countLook: { id: 'counts.look', wgsl: counts, link: [random], entry: 'look' },
  hashRows: { id: 'hashRows', wgsl: hashRows, link: [random] },
  fill: { id: 'fill', wgsl: fill },
  stepList: { id: 'stepList', wgsl: stepList },
  layerNorm: { id: 'layerNorm', wgsl: layerNorm },
  layerNormBackward: { id: 'layerNormBackward', wgsl: layerNormBackward },
  layerNormGradient: { id: 'layerNormGradient', wgsl: layerNormGradient },
  columnGradient: { id: 'columnGradient', wgsl: columnGradient },
  attentionDots: { id: 'attentionDots', wgsl: attentionDots },
  gate: { id: 'gate', wgsl: gate },
  gateBackward: { id: 'gateBackward', wgsl: gateBackward },
  gruOpen: { id: 'gruOpen', wgsl: gruOpen },
  gruJoin: { id: 'gruJoin', wgsl: gruJoin },
  gruJoinBackward: { id: 'gruJoinBackward', wgsl: gruJoinBackward },
  gruOpenBackward: { id: 'gruOpenBackward', wgsl: gruOpenBackward },
  lastValue: { id: 'lastValue', wgsl: lastValue, link: [softMin] },
} as const satisfies Readonly<Record<string, Kernel>>;

/** Kernels that an objective, an optimizer or an environment completes. */
export const coefficientsWith = (
  objective: string,
  places: readonly string[] = EVERY_STEP,
  head: Pick<Kernel, 'id' | 'link'> | null = null,
): Kernel => ({
  id: head?.id ?? 'coefficients',
  wgsl: coefficients,
  link: [objective, ...ACTION, coefficientsOfSteps, ...places, ...(head?.link ?? [outputsOfSteps]), klSlope, valueTerm],
});
/** The objective that completes `coefficients` to the gradient of log π. */
export const logpWgsl: string = logp;
/** Kernels over the steps of rows, without what spreads these over lanes: see stepSums.ts. */
export const stepKernels = {
  batchStats: { id: 'batchStats', wgsl: batchStats, laneWords: 8 },
  creditSize: { id: 'creditSize', wgsl: creditSize, laneWords: 2 },
  creditSums: { id: 'creditSums', wgsl: creditSums, laneWords: 16 },
  updateStats: { id: 'updateStats', wgsl: updateStats, link: [excess], laneWords: 8 },
  ratioStats: { id: 'ratioStats', wgsl: ratioStats, link: [excess, clipping], laneWords: 20 },
} as const satisfies Readonly<Record<string, Kernel>>;
/** Bytes that every device has for a workgroup. */
export const WORKGROUP_BYTES = 16_384;
/** Sums of each of the actions, four side by side; where there are many, fewer lanes fit the memory of a workgroup. */
export const policyMixWith = (actions: number, hasWords = false): Kernel => {
  let lanes = 128;
  while (lanes * 4 * wordsOfMix(actions) > WORKGROUP_BYTES) lanes /= 2;
  const rows = hasWords ? [...WORDS, mixOfWords] : [...ACTION, mixOfActions];
  return {
    id: hasWords ? 'policyMix.words' : 'policyMix',
    wgsl: policyMix,
    link: [`const QUADS = ${Math.ceil(actions / 4)}u;`, ...rows],
    lanes,
    laneWords: wordsOfMix(actions),
  };
};
/** A step of an optimizer, with a norm that is there or with one that it makes from sums of squares (normSums.ts). */
export const optimizeWith = (optimizer: string, norm: readonly string[] = [givenNorm]): Kernel => ({
  id: 'optimize',
  wgsl: optimize,
  link: [optimizer, ...norm],
});
/** The world of a rollout: its rules, what looks different by chance, and both behind their wrappers (gpu/wrapped.ts). */
export type LinkedWorld = {
  readonly step: string;
  /** what is seen of it from step to step, if not all anew */
  readonly next: string | undefined;
  readonly flicker: string | undefined;
  readonly wrapped: string;
  /** words of a state, of an observation and of a level */
  readonly words: number;
  readonly obsWords: number;
  readonly levelWords: number;
};
/** Bytes of a state and its observation that an invocation has memory for, and of a level: more would crowd out others. */
export const NEAR_BYTES = 1024;
/** Where the world of a rollout works, with so many bytes of a workgroup for its players, or memory of an invocation. */
export const placesOf = ({ words, obsWords }: LinkedWorld, players = 1, bytes = NEAR_BYTES): readonly string[] => {
  const most = Math.min(NEAR_BYTES, bytes / players);
  if (4 * (words + obsWords) > most) return [far];
  const array = (name: string, n: number): string =>
    `var<${players > 1 ? 'workgroup' : 'private'}> ${name} : array<u32, ${players * n}>;`;
  const own = players > 1 ? [] : ['const player = 0u;'];
  const sizes = [`const STATE_WORDS = ${words}u;`, `const OBS_WORDS = ${obsWords}u;`];
  return [[...own, ...sizes, array('state', words), array('obs', obsWords)].join('\n'), near];
};
export const rolloutWith = (world: LinkedWorld, entry: 'start' | 'turn' | 'observe' | 'step' | 'late'): Kernel => ({
  id: `rollout.${entry}`,
  wgsl: rollout,
  link: [random, ...placesOf(world), world.step, world.flicker ?? still, world.wrapped, moves],
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
/** A world that is seen step after step in the same memory, where that is near. */
export const seenOn = (world: LinkedWorld, places: readonly string[]): LinkedWorld =>
  world.next === undefined || places[0] === far
    ? world
    : {
        ...world,
        step: `${world.step}\n${world.next}`,
        wrapped: world.wrapped.replace('envObserve(', 'envObserveNext('),
      };
/** Many steps in one dispatch: a world, what evaluates the network for `kernel`, and the decision. */
export const playedBy = (
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
export const fusedRolloutWith = (world: LinkedWorld, network: Chain): Kernel => {
  const places = placesOf(world);
  return playedBy({ id: 'fusedRollout', wgsl: fusedRollout }, seenOn(world, places), network, [...places, chain]);
};
/** Trajectories of a workgroup in sharedRollout.ts. */
export const PLAYERS = 8;
/** What a world tells beside its reward: its steps, and its functions of a state. */
export const signalStatesWith = ({ step, flicker = still, wrapped }: LinkedWorld, signals: string): Kernel => ({
  id: 'signalStates',
  wgsl: signalStates,
  link: [random, step, flicker, signals, wrapped],
});
/** Functions of random.wgsl, for kernels outside this folder and for tests. */
export const randomWgsl: string = random;
