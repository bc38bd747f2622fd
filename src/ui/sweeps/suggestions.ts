import { fieldAt, getValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import type { Compare } from './compareStore.ts';

/** A comparison that many people want: what of the dialog it fills in. */
export type Suggestion = { readonly label: string; readonly of: (config: Config) => Partial<Compare> };

/** Enough for the small tasks to be solved, and for eight seeds of four methods on two cores within two minutes. */
const UPDATES = 100;
const FACTORS = [0.1, 0.3, 1, 3, 10];

const brief = (config: Config): number => Math.min(UPDATES, getValue(config, 'run.updates') as number);
const RATE = 'optimizer.learningRate';

export const SUGGESTIONS: readonly Suggestion[] = [
  {
    label: 'Four estimators',
    of: (config) => ({
      ...{ title: 'Four estimators', kind: 'grid', seeds: 8, updates: brief(config), match: null },
      isSizeMatched: false,
      varied: [{ path: 'advantage.method', values: ['grpo', 'rloo', 'reinforcePP', 'gigpo'] }],
    }),
  },
  {
    label: 'GRPO and GiGPO, update sizes matched or not',
    of: (config) => ({
      ...{ title: 'GRPO and GiGPO', kind: 'grid', seeds: 8, updates: brief(config), match: null },
      isSizeMatched: false,
      varied: [
        { path: 'advantage.method', values: ['grpo', 'gigpo'] },
        { path: 'revise.matchSize.on', values: [false, true] },
      ],
    }),
  },
  {
    label: 'Four trust regions, four epochs',
    of: (config) => ({
      ...{ title: 'Four trust regions', kind: 'grid', seeds: 8, updates: brief(config), match: null },
      isSizeMatched: false,
      varied: [
        { path: 'objective.epochs', values: [4] },
        { path: 'objective.method', values: ['ppoClip', 'gmpo', 'dppo', 'dro'] },
      ],
    }),
  },
  {
    label: 'Four ways to learn from old data',
    of: (config) => ({
      ...{ title: 'Old data', kind: 'grid', seeds: 4, updates: brief(config), match: null },
      isSizeMatched: false,
      varied: [
        { path: 'objective.method', values: ['ppoClip', 'decoupled', 'rolloutCorrection', 'rejection'] },
        { path: 'rollout.staleness', values: [0, 16] },
      ],
    }),
  },
  {
    label: 'Four ways to spend environment steps',
    of: () => ({
      ...{ title: 'Ways to spend steps', kind: 'grid', seeds: 5, match: 'environmentSteps', steps: 100_000 },
      isSizeMatched: false,
      varied: [{ path: 'rollout.method', values: ['sampled', 'dynamicSampling', 'valueResampling', 'contrast'] }],
    }),
  },
  {
    label: 'Forked episodes, compared with relatives or not',
    of: (config) => ({
      ...{ title: 'Families in the baseline', kind: 'grid', seeds: 5, updates: brief(config), match: null },
      isSizeMatched: false,
      varied: [
        { path: 'rollout.method', values: ['arpo'] },
        { path: 'advantage.method', values: ['rloo'] },
        { path: 'advantage.rloo.leaveFamilyOut', values: [false, true] },
      ],
    }),
  },
  {
    label: 'Learning rates',
    of: (config) => ({
      ...{ title: 'Learning rates', kind: 'grid', seeds: 5, updates: brief(config), match: null },
      isSizeMatched: false,
      varied: [{ path: RATE, values: ratesAround(getValue(config, RATE) as number) }],
    }),
  },
];

/** Rates a factor of about three apart, around the one that is set; those that the setting does not take are left out. */
function ratesAround(rate: number): number[] {
  const { setting } = fieldAt(RATE)!;
  if (setting?.kind !== 'number') return [rate];
  const { min, max } = setting;
  return FACTORS.map((factor) => Number((rate * factor).toPrecision(2))).filter((x) => x >= min && x <= max && x > 0);
}
