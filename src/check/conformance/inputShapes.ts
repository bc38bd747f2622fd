import {
  isRecord,
  keys,
  list,
  listOf,
  maybeEmpty,
  number,
  numbers,
  positive,
  shapeIssue,
  size,
  type Fields,
  type Raw,
} from './shape.ts';

const steps = list('B', 'T');

/** Inputs of a case of schema `advantage-core/1`. */
const advantageInputs: Fields = {
  ...{ P: size, G: size, B: size, T: size },
  ...{ length: list('B'), taskIndex: list('B'), success: list('B'), terminated: list('B'), valueFinal: list('B') },
  ...{ greedyReturn: list('P'), branchParent: list('B'), branchStep: list('B') },
  ...{ action: steps, reward: steps, value: steps, entropy: steps, logpOld: steps, logpPhi: steps },
  ...{ planMask: steps, role: list('B') },
  ...{ stateKey: keys('B', 'T'), finalStateKey: keys('B') },
};

/** The sentence on what is wrong with the inputs of an advantage case, or null. */
export const advantageInputsIssue = (inputs: unknown): string | null => shapeIssue(inputs, advantageInputs, 'inputs');

/** The sentence on parameters that are not all numbers, or null. */
export function paramsIssue(params: unknown): string | null {
  if (!isRecord(params)) return 'params must be a record of numbers.';
  return shapeIssue(params, Object.fromEntries(Object.keys(params).map((name) => [name, number])), 'params');
}

const units = list('B', 'L');
const perAction = list('B', 'L', 'actions');
const perTrajectory = list('B');

/** Inputs of a case of kind `objective`; every key reads most of them. */
const objectiveInputs: Fields = {
  ...{ P: size, G: size, B: size, L: size, actions: size },
  ...{ mask: units, step: units, action: units, advantage: units, clipCovPick: units },
  ...{ legal: perAction, logits: perAction, logitsOld: perAction, logitsProx: perAction },
  ...{ logitsMu: perAction, logitsRef: perAction },
  ...{ success: perTrajectory, outcome: perTrajectory, demo: perTrajectory },
  pairs: maybeEmpty(listOf(list(2))),
};

const clip = ['epsLow', 'epsHigh'];
const covariance = ['clipCovRatio', 'covLow', 'covHigh'];
const alol = ['alolBaseline', 'alolClip', 'alolBeta'];
const cpl = ['cplAlpha', 'cplLambda'];

/** The parameters that a key of kind `objective` reads; the others read none. */
export const objectiveParams: { readonly [key: string]: readonly string[] } = {
  clipHigher: [...clip, 'dualC'],
  dualClip: [...clip, 'dualC'],
  aepo: [...clip, 'dualC'],
  cispo: clip,
  cispoUpper: ['cispoHigh'],
  gspo: ['gspoLow', 'gspoHigh'],
  stepRatio: clip,
  decoupled: ['behaveCap'],
  decoupledMask: ['behaveCap'],
  proxLogLinear: ['proxAlpha'],
  hispo: ['deltaSeq', 'deltaTok', 'posHigh', 'negLow', 'negHigh'],
  clipCov: [...clip, ...covariance],
  klCov: ['klCovRatio', 'klCovCoef'],
  dcpo: [...clip, 'dcpoTemperature', 'dcpoEntropyTarget', 'dcpoEntropyNow'],
  rover: ['roverTau'],
  alol_refFree: alol,
  alol_trajectory: alol,
  alol_perUnit: alol,
  alol_kl: alol,
  dpo: ['dpoBeta'],
  wDpo: ['dpoBeta'],
  cpl,
  cplKl: cpl,
  stableReinforce: ['advSigma'],
  negativeScale: ['libraBase', 'libraSlope'],
  nlpo: ['topP', 'minKeep'],
  vcpo: ['seqCap', 'baseEss'],
};

/** The sentence on what is wrong with the inputs of an objective case, or null. */
export function objectiveInputsIssue(inputs: unknown): string | null {
  const issue = shapeIssue(inputs, objectiveInputs, 'inputs');
  if (issue !== null) return issue;
  const { P, G, B, L, actions, mask, action, legal, pairs } = inputs as Readonly<Record<string, number>> &
    Readonly<Record<'mask' | 'action' | 'legal', readonly number[]>> & { readonly pairs: readonly number[][] };
  if (P! * G! !== B) return `inputs.B must be P times G, ${P! * G!}; it is ${B}.`;
  if (mask.every((m) => m === 0)) return 'inputs.mask holds no real unit.';
  for (let u = 0; u < B! * L!; u++) {
    const a = action[u]!;
    const isChoice = Number.isInteger(a) && a >= 0 && a < actions! && legal[u * actions! + a] !== 0;
    if (mask[u] !== 0 && !isChoice) return `inputs.action must hold legal actions; entry ${u} is ${a}.`;
  }
  const isTrajectory = (i: number): boolean => Number.isInteger(i) && i >= 0 && i < B!;
  const wrong = pairs.findIndex((pair) => !pair.every(isTrajectory));
  return wrong < 0 ? null : `inputs.pairs must hold numbers of trajectories; entry ${wrong} does not.`;
}

/** The sentence on a parameter, or an input of this key alone, that is missing or no number, or null. */
export function objectiveKeyIssue(key: string, params: unknown, inputs: unknown): string | null {
  const names = Object.hasOwn(objectiveParams, key) ? objectiveParams[key]! : [];
  const fields = Object.fromEntries(names.map((name) => [name, number]));
  const issue = names.length === 0 ? null : shapeIssue(params, fields, 'params');
  if (issue !== null || key !== 'vcpo') return issue;
  const table = shapeIssue(inputs, { states: size, stateIndex: units }, 'inputs');
  if (table !== null) return table;
  const { states, stateIndex } = inputs as { readonly states: number; readonly stateIndex: readonly number[] };
  const wrong = stateIndex.findIndex((s) => !Number.isInteger(s) || s < 0 || s >= states);
  return wrong < 0 ? null : `inputs.stateIndex must hold rows of the table; entry ${wrong} does not.`;
}

const rows = (width: number) => listOf(list(width));

/** Inputs of each section of a case of kind `metrics`. */
const metricInputs: { readonly [section: string]: Fields } = {
  entropy: {
    ...{ units: size, tokens: size, actions: size },
    ...{ logits: list('units', 'tokens', 'actions'), legal: list('units', 'tokens', 'actions') },
    ...{ tokenCount: list('units'), position: list('units') },
  },
  ess: { logWeights: listOf(list()), cap: positive },
  ratio: {
    ...{ logRatio: list(), advantage: list('logRatio'), quantiles: list() },
    ...{ epsLow: number, epsHigh: number, dualC: number },
  },
  gradient: {
    perTrajectory: (x, of) =>
      listOf(list())(x, of) ?? listOf(list((x as readonly (readonly number[])[])[0]!.length))(x, of),
    ...{ smallNormSq: number, bigNormSq: number, smallSize: positive, bigSize: positive },
  },
  advantage: {
    ...{ P: size, G: size },
    ...{ advantage: list('P', 'G'), length: list('P', 'G'), success: list('P', 'G') },
  },
  anchor: { task: list(), state: list('task'), action: list('task'), next: list('task') },
  explained: { ret: list(), value: list('ret') },
  passk: { n: list(), c: list('n'), k: list() },
  wilson: { successes: list(), trials: list('successes') },
  spl: { success: list(), shortest: list('success'), taken: list('success') },
  cov: { logp: list(), advantage: list('logp') },
  law: { entropy: list(), performance: list('entropy') },
  staleness: { version: number, behaviour: list(), bins: size },
  precision: { rows: size, actions: size, logits: list('rows', 'actions') },
  ablation: {
    ...{ seeds: size, tasks: size, x: list('seeds', 'tasks'), y: list('seeds', 'tasks') },
    ...{ bootIndex: list(), taus: list(), limit: positive, pValues: list() },
    ...{ curveSteps: list(), curveValue: list('curveSteps') },
  },
  fidelity: {
    ...{ states: size, actions: size, horizon: size, gamma: number, signThreshold: number },
    ...{ start: list('states'), reward: list('states', 'actions'), logitsTable: list('states', 'actions') },
    transition: listOf(rows(2), 'states', 'actions'),
    ...{ batch: listOf(rows(2)), creditToGo: listOf(list(), 'batch'), creditOutcome: listOf(list(), 'batch') },
  },
  biasVariance: { batches: listOf(rows(4)) },
};

/** The sentence on what is wrong with a section of a metrics case, or null. */
export function metricIssue(section: string, inputs: Raw): string | null {
  if (!Object.hasOwn(metricInputs, section)) return null;
  const issue = shapeIssue(inputs[section], metricInputs[section]!, `inputs.${section}`);
  return issue === null && section === 'biasVariance' ? metricIssue('fidelity', inputs) : issue;
}

const theta = list('theta0');

/** Inputs and parameters of each key of kind `optimizer`. */
const sequenceShapes: { readonly [key: string]: { readonly inputs: Fields; readonly params: Fields } } = {
  adam: {
    inputs: { theta0: list(), gradients: listOf(theta) },
    params: { adam: numbers('lr', 'beta1', 'beta2', 'eps', 'weightDecay', 'clipNorm') },
  },
  value: {
    inputs: { value: list(), valueOld: list('value'), ret: list('value'), valueMask: list('value') },
    params: { value: numbers('clip', 'huberDelta') },
  },
  npgIgt: {
    inputs: { theta0: list(), igtTarget: theta, igtNoise: listOf(theta) },
    params: { npgIgt: numbers('gamma0', 'etaPower', 'offset') },
  },
  safe: {
    inputs: { kl: list(), entropy: list('kl'), reward: list('kl') },
    params: { safe: numbers('baseThreshold', 'entropyFloor', 'kp', 'ki', 'kd', 'targetVelocity') },
  },
  softMin: { inputs: { v1: list(), v2: list('v1') }, params: { softMin: numbers('alpha') } },
  softMinWeight1: { inputs: { v1: list(), v2: list('v1') }, params: { softMin: numbers('alpha') } },
  massBalance: {
    inputs: { p: list(), correct: list('p'), sampledCount: list('p') },
    params: { massBalance: numbers('rewardCorrect', 'rewardWrong', 'eta', 'rollouts') },
  },
  adaptiveKl: { inputs: { kl: list() }, params: { adaptiveKl: numbers('beta0', 'target', 'horizon', 'n') } },
};

/** The sentence on what is wrong with what a key of an optimizer case reads, or null. */
export function sequenceIssue(key: string, inputs: unknown, params: unknown): string | null {
  if (!Object.hasOwn(sequenceShapes, key)) return null;
  const shape = sequenceShapes[key]!;
  return shapeIssue(inputs, shape.inputs, 'inputs') ?? shapeIssue(params, shape.params, 'params');
}
