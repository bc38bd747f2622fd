import type { Batch } from '../contract/columns.ts';
import { defaultsOf, type AnyValues } from '../core/settings.ts';
import type { Gpu } from '../gpu/device.ts';
import { batchOfCase } from './conformance/advantage.ts';
import { compare, type CheckEntry, type Got, type Tolerance } from './conformance/check.ts';
import { aloneAs, batchOfStack } from './conformance/stacks.ts';
import { advantageCaseIssue, stackCaseIssue, type AdvantageCase, type StackCase } from './conformance.ts';
import { estimators } from '../slots/methods.ts';
import type { ScoreForm } from '../slots/advantage/types.ts';
import type { Credit } from '../slots/types.ts';
import { creditOnGpu } from '../engine/gpu/creditOnGpu.ts';
import { preferenceOnGpu } from './preferenceOnGpu.ts';

type Params = { readonly [name: string]: number };
type Form = {
  readonly id: string;
  /** the golden key, where two forms share one */
  readonly key?: string;
  params(p: Params, batch: Batch): AnyValues;
  parts(credit: Credit, p: Params): Got;
};

const plain = (id: string, params: (p: Params) => AnyValues = () => ({})): Form => ({
  id,
  params,
  parts: ({ A }) => A,
});
const gae = (cut: string): Form => ({
  id: 'gae',
  params: ({ gaeGamma, gaeLambda }) => ({ gamma: gaeGamma!, lambda: gaeLambda!, cut }),
  // the GPU form keeps the whitened advantage and the target
  parts: ({ A, target }) => ({ whitened: A, target: target! }),
});
const gigpo = (mode: string, episodeRows: string): Form => ({
  id: 'gigpo',
  params: ({ omega, stepGamma }) => ({ omega: omega!, gamma: stepGamma!, mode, episodeRows }),
  parts: ({ A, parts }, { omega }) => ({
    episode: parts!['episode']!,
    // the golden step part is before its weight
    step: omega === 0 ? [] : parts!['step']!.map((x) => x / omega!),
    total: A,
  }),
});
const gigpoSimilar: Form = {
  ...gigpo('std', 'trajectories'),
  id: 'gigpoSimilar',
  params: ({ omega, stepGamma, similarityThreshold: threshold }) => ({ omega: omega!, gamma: stepGamma!, threshold }),
};

const hgpo = (mode: string, weights: string): Form =>
  plain('hgpo', ({ hgpoK, hgpoAlpha, stepGamma }) => ({
    K: hgpoK!,
    alpha: hgpoAlpha!,
    gamma: stepGamma!,
    mode,
    weights,
  }));
const salt = (base: string, count: string, withHistory: boolean): Form => ({
  id: 'salt',
  params: ({ saltHistory }) => ({ base, count, history: withHistory ? saltHistory! : 0 }),
  parts: ({ A }) => ({ adv: A }),
});
const mapo = (scope: string): Form => ({
  id: 'mapo',
  params: ({ mapoAlpha, mapoBeta, stepGamma }) => ({ alpha: mapoAlpha!, beta: mapoBeta!, gamma: stepGamma!, scope }),
  parts: ({ A, parts }, { mapoAlpha, mapoBeta }) => ({
    // the golden parts are before their weights
    ...(mapoAlpha === 0 ? {} : { turn: parts!['turn']!.map((x) => x / mapoAlpha!) }),
    ...(mapoBeta === 0 ? {} : { immediate: parts!['immediate']!.map((x) => x / mapoBeta!) }),
    total: A,
  }),
});
const mars = (whitened: boolean): Form => ({
  id: 'mars',
  key: 'mars',
  params: () => ({ whitened }),
  parts: ({ A }) => (whitened ? { whitened: A } : { adv: A }),
});
const oprl = (base: string, maxAbs: boolean): Form => ({
  id: 'oprl',
  params: ({ oprlAlpha, oprlBeta }) => ({ base, maxAbs, alpha: oprlAlpha!, beta: oprlBeta! }),
  parts: ({ A, parts }, { oprlAlpha }) => ({
    episode: parts!['episode']!,
    // the golden step part is before its weight
    ...(oprlAlpha === 0 ? {} : { step: parts!['step']!.map((x) => x / oprlAlpha!) }),
    total: A,
  }),
});

/** Golden keys that have a GPU form. */
const forms: Readonly<Record<string, Form>> = {
  grpo: plain('grpo'),
  drGrpo: plain('drGrpo'),
  rloo: plain('rloo'),
  reinforcePP: plain('reinforcePP', ({ reinforceGamma }) => ({ gamma: reinforceGamma! })),
  reinforcePPBaseline: plain('reinforcePPBaseline'),
  gaeZero: gae('zero'),
  gaeBootstrap: gae('bootstrap'),
  egae: gae('egae'),
  gigpoStd: gigpo('std', 'trajectories'),
  gigpoMean: gigpo('mean', 'trajectories'),
  gigpoStepRowsStd: gigpo('std', 'steps'),
  gigpoSimilarStd: gigpoSimilar,
  hgpoStd: hgpo('std', 'paper'),
  hgpoMean: hgpo('mean', 'paper'),
  hgpoRecipe: hgpo('std', 'recipe'),
  saltGrpo: salt('grpo', 'visit', false),
  saltRloo: salt('rloo', 'visit', false),
  saltGrpoTrajectoryCount: salt('grpo', 'trajectory', false),
  saltGrpoHistory: salt('grpo', 'visit', true),
  oprlGrpo: oprl('grpo', false),
  oprlRloo: oprl('rloo', false),
  oprlRlooMaxAbs: oprl('rloo', true),
  loop: { id: 'loop', params: () => ({}), parts: ({ A, keep }) => ({ adv: A, keep: keep! }) },
  remax: plain('remax', () => ({ form: 'outcome' })),
  remaxToGo: plain('remax', () => ({ form: 'toGo' })),
  litePpo: plain('litePpo'),
  mars: mars(false),
  'mars, whitened': mars(true),
  hicra: plain('hicra', ({ hicraAlpha }) => ({ alpha: hicraAlpha! })),
  aepo: plain('aepo', ({ aepoA }) => ({ a: aepoA! })),
  empg: plain('empg', ({ empgK, empgKFuture, empgZeta }) => ({ k: empgK!, kFuture: empgKFuture!, zeta: empgZeta! })),
  copo: {
    id: 'copo',
    // golden ρ is in nats, the setting a share of ln G
    params: ({ copoGain, copoRho }, { G }) => ({ gain: copoGain!, threshold: copoRho! / Math.log(G) }),
    parts: ({ A }) => ({ total: A }),
  },
  mapoGroup: mapo('task'),
  mapoBatch: mapo('batch'),
};

const byStep = (id: string): Form => plain(id, (p) => ({ rows: 'steps', ...aloneAs(p) }));

/** Golden keys of released stacks that have a GPU form. */
const stackForms: Readonly<Record<string, Form>> = {
  opo: plain('opo', aloneAs),
  grpoPassK: plain('grpoPassK'),
  grpoPassKMean: plain('grpoPassK', () => ({ divide: false })),
  gpg: plain('gpg', (p) => ({ norm: p['gpgNorm']!, ...aloneAs(p) })),
  grpoRowsSteps: byStep('grpo'),
  rlooRowsSteps: byStep('rloo'),
  reinforcePPBaselineRowsSteps: byStep('reinforcePPBaseline'),
};

const preferences: Readonly<Record<string, ScoreForm>> = { oprlDpoSum: 'sum', oprlDpoMean: 'mean' };

/** Checks the WGSL forms of every key of an advantage case that has one; keys end in "(WGSL)". */
export async function checkAdvantageOnGpu(
  gpu: Gpu,
  golden: AdvantageCase,
  tolerance: Tolerance,
): Promise<CheckEntry[]> {
  // what is wrong with a case is for the check of the definitions to say
  if (advantageCaseIssue(golden) !== null) return [];
  const found = batchOfCase(golden.inputs);
  // COPO's setting is a share of ln G, and nothing else reads the nominal size: groups are what taskIndex says
  const batch = { ...found, G: Math.max(2, found.G) };
  const entries: CheckEntry[] = [];
  for (const [key, form] of Object.entries(forms)) {
    const entry = await checkForm(gpu, { key, form, batch, golden }, tolerance);
    if (entry) entries.push(entry);
  }
  for (const [key, score] of Object.entries(preferences)) {
    const expected = golden.expected[key];
    if (expected === undefined || expected === null) continue;
    const got = { ...(await preferenceOnGpu(gpu, batch, golden.params['oprlBeta']!, score)) };
    entries.push({ key: `${key} (WGSL)`, built: true, ...compare(got, expected, tolerance) });
  }
  return entries;
}

/** Checks the WGSL forms of every key of a case of released stacks that has one. */
export async function checkStackOnGpu(gpu: Gpu, golden: StackCase, tolerance: Tolerance): Promise<CheckEntry[]> {
  if (stackCaseIssue(golden) !== null || golden.kind !== 'stackCredit') return [];
  const batch = batchOfStack(golden.inputs);
  const { rewardWeight } = golden.inputs;
  const weights = Object.fromEntries(['world', 'first', 'second', 'third'].map((w, k) => [w, rewardWeight[k] ?? 0]));
  const ofParts = {
    gdpo: plain('gdpo', (p) => ({ ...weights, ...aloneAs(p) })),
    gdpoEqual: plain('gdpo', aloneAs),
  };
  const entries: CheckEntry[] = [];
  for (const [key, form] of Object.entries({ ...stackForms, ...ofParts })) {
    const entry = await checkForm(gpu, { key, form, batch, golden }, tolerance);
    if (entry) entries.push(entry);
  }
  return entries;
}

/** One key: null where the case does not hold it. */
async function checkForm(
  gpu: Gpu,
  at: { key: string; form: Form; batch: Batch; golden: Pick<AdvantageCase, 'expected' | 'params'> },
  tolerance: Tolerance,
): Promise<CheckEntry | null> {
  const { key, form, batch, golden } = at;
  const expected = golden.expected[form.key ?? key];
  if (expected === undefined || expected === null) return null;
  const estimator = estimators.find((e) => e.id === form.id)!;
  const params = { ...defaultsOf(estimator.params), ...form.params(golden.params, batch) };
  const got = form.parts(await creditOnGpu(gpu, batch, estimator, params), golden.params);
  const isParts = typeof expected === 'object' && !Array.isArray(expected);
  const wanted = isParts
    ? Object.fromEntries(Object.entries(expected).filter(([part]) => Object.hasOwn(got as object, part)))
    : expected;
  return { key: `${key} (WGSL)`, built: true, ...compare(got, wanted, tolerance) };
}
