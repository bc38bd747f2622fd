import type { Batch } from '../../contract/columns.ts';
import { returnsToGo } from '../../core/batch.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { grpo } from '../../slots/advantage/grpo.ts';
import { checkKeys, failure, type CheckEntry, type Golden, type Got, type Tolerance } from '../conformance/check.ts';
import { batchOfCase, type AdvantageInputs } from '../conformance/advantage.ts';
import { isRecord, keys, list, number, shapeIssue, size, type Fields } from '../conformance/shape.ts';
import { gra } from '../../slots/reward/gra.ts';
import { pbrs } from '../../slots/reward/pbrs.ts';
import type { RewardModule } from '../../slots/reward/types.ts';
import { Rewards } from '../../engine/rewards.ts';
import { plainKeys, PLAIN_INPUTS, PLAIN_NEEDS } from './plainKeys.ts';
import { learnedKeys, LEARNED_NEEDS } from './rewardKeys.ts';
import { hierarchyKeys, HIERARCHY_INPUTS, HIERARCHY_NEEDS } from './hierarchyKeys.ts';
import { unitKeys, UNIT_INPUTS, UNIT_NEEDS } from './unitKeys.ts';

/** One case of schema `reward-hierarchy/1`. */
export type RewardCase = {
  readonly name: string;
  readonly params: { readonly [name: string]: number };
  readonly inputs: AdvantageInputs & {
    readonly phi: readonly number[];
    readonly outcomeScore: readonly number[];
    readonly immediate: readonly number[];
  };
  readonly expected: { readonly [key: string]: Golden };
};

const steps = list('B', 'T');
const inputFields: Fields = {
  ...{ P: size, G: size, B: size, T: size, reward: steps, action: steps, immediate: steps },
  ...{ length: list('B'), taskIndex: list('B'), success: list('B'), terminated: list('B'), outcomeScore: list('B') },
  ...{ stateKey: keys('B', 'T'), finalStateKey: keys('B') },
  phi: (x, of) => list(Number(of['B']) * (Number(of['T']) + 1))(x, of),
};
const NEEDED: { readonly [key: string]: readonly string[] } = {
  ...LEARNED_NEEDS,
  ...PLAIN_NEEDS,
  ...UNIT_NEEDS,
  ...HIERARCHY_NEEDS,
  ...{ pbrs: ['phiGamma'], pbrsKeep: ['phiGamma'], pbrsUndiscounted: [], gra: ['graDelta'] },
};

const OWN_INPUTS: { readonly [key: string]: Fields } = { ...PLAIN_INPUTS, ...UNIT_INPUTS, ...HIERARCHY_INPUTS };
/** What one key reads of the inputs beside those of every case, with the sizes that they are told by. */
const inputsOf = (key: string): Fields =>
  Object.hasOwn(OWN_INPUTS, key) ? { B: size, T: size, ...OWN_INPUTS[key] } : {};

/** Why a case cannot be checked at all, one sentence, or null. */
function caseIssue(golden: RewardCase): string | null {
  if (!isRecord(golden)) return 'The case must be a record of inputs and expected values.';
  if (!isRecord(golden.expected) || Object.keys(golden.expected).length === 0) return 'expected holds no value.';
  if (!isRecord(golden.params)) return 'params must be a record of numbers.';
  return shapeIssue(golden.inputs, inputFields, 'inputs');
}

/** The batch of a case, with its signals; what its policy sampled is not told and never read. */
export function rewardBatch(inputs: RewardCase['inputs']): Batch {
  const { B, T } = inputs;
  const none = { steps: Array<number>(B * T).fill(0), rows: Array<number>(B).fill(0) };
  const { steps: s, rows: r } = none;
  const silent = { value: s, entropy: s, logpOld: s, logpPhi: s, planMask: s, valueFinal: r, role: r };
  const absent = { greedyReturn: r, branchParent: r, branchStep: r };
  return {
    ...batchOfCase({ ...inputs, ...silent, ...absent }),
    phi: Float32Array.from(inputs.phi),
    outcomeScore: Float32Array.from(inputs.outcomeScore),
    // what the critics of a case say of a step stands in place of the lab's own
    grounded: Float32Array.from(inputs.immediate),
    novel: new Float32Array(B * T),
  };
}

/** Reward and returns as a run with this module would see them. */
export function paid<M extends RewardModule>(batch: Batch, module: M, params: AnyValues): Batch {
  const plan = { S: 1, B: batch.B, T: batch.T, rewards: [{ module, params }] };
  const columns = { shapedReward: new Float32Array(batch.B * batch.T), shapedOutcome: new Float32Array(batch.B) };
  return new Rewards(plan, columns).pay(batch, {}, 0);
}

function shaped(batch: Batch, gamma: number, end: 'zero' | 'keep'): Got {
  const params = { ...defaultsOf(pbrs.params), gamma, end, w: 1 };
  const after = paid(batch, pbrs, params);
  const shaping = new Float32Array(batch.B * batch.T);
  pbrs.run(batch, params, shaping, {});
  return { shaping, reward: after.reward, returns: returnsToGo(after, gamma), outcome: after.outcome };
}

function gated(batch: Batch, delta: number): Got {
  const of = (gate: 'outcome' | 'open'): Batch =>
    paid(batch, gra, { ...defaultsOf(gra.params), gate, delta, accumulate: 'sum', grounded: 1, novel: 0 });
  const [own, direct] = [of('outcome'), of('open')];
  const credit = (seen: Batch): Float32Array => grpo.run(seen, defaultsOf(grpo.params)).A;
  return {
    gate: Array.from(batch.outcomeScore!, (o) => (o >= Math.fround(delta) ? 1 : 0)),
    ...{ reward: own.reward, outcome: own.outcome, directOutcome: direct.outcome },
    ...{ adv: credit(own), directAdv: credit(direct) },
  };
}

/** Checks every expected key that a reward module of the lab computes, by what pays in a run; the others are not built. */
export function checkRewardCase(golden: RewardCase, tolerance: Tolerance): CheckEntry[] {
  const issue = caseIssue(golden);
  if (issue !== null) return [failure('case', issue)];
  const { params, expected } = golden;
  const batch = rewardBatch(golden.inputs);
  const of = (name: string): number => params[name]!;
  const computed: { readonly [key: string]: () => Got } = {
    ...learnedKeys(golden, batch),
    ...plainKeys(golden, batch, paid),
    ...unitKeys(golden, batch),
    ...hierarchyKeys(golden, batch),
    pbrs: () => shaped(batch, of('phiGamma'), 'zero'),
    pbrsKeep: () => shaped(batch, of('phiGamma'), 'keep'),
    pbrsUndiscounted: () => shaped(batch, 1, 'zero'),
    gra: () => gated(batch, of('graDelta')),
  };
  const computeOf = (key: string) => (Object.hasOwn(computed, key) ? computed[key] : undefined);
  const issueOf = (key: string): string | null => {
    const fields = Object.fromEntries((NEEDED[key] ?? []).map((name) => [name, number]));
    return shapeIssue(params, fields, 'params') ?? shapeIssue(golden.inputs, inputsOf(key), 'inputs');
  };
  return checkKeys(expected, tolerance, computeOf, issueOf);
}
