import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import type { Gpu } from '../../gpu/device.ts';
import { batchOfCase } from '../../methods/conformance/advantage.ts';
import { compare, type CheckEntry, type Got, type Tolerance } from '../../methods/conformance/check.ts';
import { advantageCaseIssue, type AdvantageCase } from '../../methods/conformance.ts';
import { estimators } from '../../methods/registry.ts';
import type { ScoreForm } from '../../methods/advantage/oprl/preference.ts';
import type { Credit } from '../../methods/types.ts';
import { creditOnGpu } from './creditOnGpu.ts';
import { preferenceOnGpu } from './preferenceOnGpu.ts';

type Params = { readonly [name: string]: number };
type Form = { readonly id: string; params(p: Params): AnyValues; parts(credit: Credit, p: Params): Got };

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
  const batch = batchOfCase(golden.inputs);
  const entries: CheckEntry[] = [];
  for (const [key, form] of Object.entries(forms)) {
    const expected = golden.expected[key];
    if (expected === undefined || expected === null) continue;
    const estimator = estimators.find((e) => e.id === form.id)!;
    const params = { ...defaultsOf(estimator.params), ...form.params(golden.params) };
    const got = form.parts(await creditOnGpu(gpu, batch, estimator, params), golden.params);
    const isParts = typeof expected === 'object' && !Array.isArray(expected);
    const wanted = isParts
      ? Object.fromEntries(Object.entries(expected).filter(([part]) => Object.hasOwn(got as object, part)))
      : expected;
    entries.push({ key: `${key} (WGSL)`, built: true, ...compare(got, wanted, tolerance) });
  }
  for (const [key, score] of Object.entries(preferences)) {
    const expected = golden.expected[key];
    if (expected === undefined || expected === null) continue;
    const got = { ...(await preferenceOnGpu(gpu, batch, golden.params['oprlBeta']!, score)) };
    entries.push({ key: `${key} (WGSL)`, built: true, ...compare(got, expected, tolerance) });
  }
  return entries;
}
