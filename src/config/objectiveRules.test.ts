import { expect, test } from 'vitest';
import { defaultsOf } from '../core/settings.ts';
import { objectives } from '../slots/methods.ts';
import type { Coefficient, Objective, UnitSet } from '../slots/types.ts';
import { configWith, setValue } from './schema.ts';
import { checkRules } from './rules.ts';

/** Fields with a hint, and the hint of one of them. */
function hintsOf(changes: Record<string, unknown>) {
  const found = checkRules(configWith(changes)).filter((i) => i.severity === 'hint');
  return { paths: found.map((i) => i.path), at: (path: string) => found.find((i) => i.path === path) };
}

const FRESH = 'objective.epochs';
const restful = {
  ...{ ppoClip: 'clip', nlpo: 'clip', aepo: 'clip', gspo: 'clip', clipCov: 'clip', stableReinforce: 'clip' },
  ...{ rolloutCorrection: 'weight', luspo: 'clip', vespo: 'weight', m2po: 'clip' },
  ...{ decoupled: 'clip', hispo: 'clip', cispo: 'bound', sapo: 'gate', klCov: 'penalty', gmpo: 'clip' },
  ...{ dppo: 'trust region', dro: 'pull', mhpo: 'penalty' },
};

test.each(Object.entries(restful))('one step on fresh data: %s says that its %s has nothing to do', (method, part) => {
  const once = { 'objective.method': method };
  expect(hintsOf(once).at(FRESH)?.message).toContain(`so the ${part} of `);
  for (const more of [{ [FRESH]: 2 }, { 'objective.minibatches': 2 }, { 'rollout.staleness': 1 }])
    expect(hintsOf({ ...once, ...more }).paths).not.toContain(FRESH);
});

test('old failures are left out only where data has moved', () => {
  const path = 'objective.offPolicyKl';
  expect(hintsOf({ [path]: 0.5 }).at(path)?.message).toContain('leaves nothing out');
  for (const more of [{ [FRESH]: 2 }, { 'rollout.staleness': 1 }, { [path]: 0 }])
    expect(hintsOf({ [path]: 0.5, ...more }).paths).not.toContain(path);
});

test('what has no bound on ratios says nothing of it, nor does a mask that training does not know', () => {
  for (const method of ['reinforce', 'vcpo', 'dpo', 'cpl', 'alol', 'rlPlus', 'rover', 'capo'])
    expect(hintsOf({ 'objective.method': method }).paths, method).not.toContain(FRESH);
  expect(hintsOf({ 'objective.method': 'nlpo', 'objective.nlpo.inTraining': false }).paths).not.toContain(FRESH);
});

test.each([
  ['gspo', 'seqMeanUnitMean'],
  ['luspo', 'seqMeanUnitSum'],
  ['gmpo', 'seqMeanUnitMean'],
  ['sapo', 'seqMeanUnitMean'],
  ['stableReinforce', 'seqMeanUnitMean'],
  ['vcpo', 'seqMeanUnitMean'],
  ['hispo', 'constant'],
  ['rlPlus', 'constant'],
  ['dpo', 'seqMeanUnitSum'],
  ['cpl', 'seqMeanUnitSum'],
  ['alol', 'seqMeanUnitSum'],
])('%s is defined with the loss average %s, one click away', (method, average) => {
  const config = configWith({ 'objective.method': method });
  const path = 'objective.aggregate';
  const [repair] = checkRules(config).filter((i) => i.path === path);
  expect(repair!.repair!.set).toEqual([{ path, value: average }]);
  expect(checkRules(setValue(config, path, average)).map((i) => i.path)).not.toContain(path);
});

const revisions = {
  'revise.matchSize.on': true,
  'reward.normalize': true,
  'objective.klIn': 'reward',
  'revise.softerBlame.on': true,
  'revise.virtualTarget.on': true,
};

test.each(['vcpo', 'dpo', 'cpl', 'alol', 'rlPlus'])(
  '%s compares returns: settings that change rewards or credit are said to do nothing',
  (method) => {
    const { paths } = hintsOf({ ...revisions, 'objective.klCoef': 1, 'objective.method': method });
    expect(paths).toEqual(expect.arrayContaining(['advantage.method', ...Object.keys(revisions)]));
  },
);

test('where the credit counts nothing is said against what changes it', () => {
  for (const method of [
    { 'objective.method': 'ppoClip' },
    { 'objective.method': 'vcpo', 'objective.vcpo.credit': 'advantage' },
  ])
    for (const path of ['advantage.method', 'objective.klIn', 'revise.softerBlame.on', 'revise.virtualTarget.on'])
      expect(hintsOf({ ...revisions, 'objective.klCoef': 1, ...method }).paths).not.toContain(path);
});

const N = 4;
/** κ and clip of every unit of two episodes of one task on fresh data. */
function judged(objective: Objective, A: readonly number[]): Coefficient[] {
  const params = defaultsOf(objective.params);
  const logp = Float64Array.of(-0.1, -2, -1, -0.7);
  const mark = new Float64Array(N);
  const set: UnitSet = {
    ...{ A: Float64Array.from(A), delta: new Float64Array(N), logp, prox: new Float64Array(N) },
    ...{ meanChange: new Float64Array(N), trajectory: Uint32Array.of(0, 0, 1, 1), task: Uint32Array.of(0, 0) },
    ...{ outcome: Float32Array.of(1, 0), origin: new Uint8Array(2) },
    powers: { squares: logp.map((x) => Math.exp(2 * x)), cubes: logp.map((x) => Math.exp(3 * x)) },
    weight: new Float64Array(N).fill(1),
    scoreNorms: (of) => new Float64Array(of.length).fill(1),
    draw: () => 0.5,
  };
  objective.survey?.(set, params as never, mark);
  return A.map((a, u) => {
    const out = { loss: 0, kappa: 0, clip: 9 };
    objective.coefficient({ A: a, delta: 0, logp: logp[u]!, mark: mark[u]! }, params as never, out);
    return out;
  });
}

test('what the files of the objectives say of themselves holds at ratio 1', () => {
  const A = [1, -2, 0.5, 0.25];
  for (const objective of objectives as readonly Objective[]) {
    const params = defaultsOf(objective.params) as never;
    const found = judged(objective, A);
    if (objective.readsReturns?.(params)) expect(judged(objective, [-3, 1, 7, 2]), objective.id).toEqual(found);
    if (objective.restsAtOne)
      expect(
        found.map((c) => c.kappa),
        objective.id,
      ).toEqual(A.map((a) => -a));
    // 5: left out, whatever the ratio
    if (objective.clips?.(params))
      expect([0, 5], objective.id).toEqual(expect.arrayContaining(found.map((c) => c.clip)));
  }
});
