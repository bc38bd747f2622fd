import type { ColumnSpec } from './columnTable.ts';

const own = { inner: true, device: 'own' } as const;
const deviceOnly = { ...own, deviceOnly: true } as const;
const step = { per: 'step', type: 'f32' } as const;
const row = { per: 'row', type: 'f32' } as const;

/** What of a run decides which columns of an update it has: see config/runModules.ts. */
export type UpdateFact =
  /** a survey of the objective; another policy than the one that plays; advantages of units */
  | 'surveys'
  | 'startsApart'
  | 'creditsUnits'
  /** values before units, with targets of their own */
  | 'valuesUnits'
  /** reward modules; returns in units of the run; a KL term in the reward */
  | 'shapes'
  | 'normalizes'
  | 'paysKl'
  /** rows that are not the policy's own */
  | 'hasOrigins';

/** Those that put other numbers in the place of the reward of the world. */
export const PAYS: readonly UpdateFact[] = ['shapes', 'normalizes', 'paysKl'];

/** What an update makes of a finished batch, beside what networks hold: part of the one table of columns. */
export const updateColumns = {
  credit: { ...step, inner: true, device: 'credit', doc: 'A of each step as the objective sees it' },
  target: { ...step, inner: true, device: 'credit', doc: 'value target of each step' },
  mark: {
    ...{ per: 'decision', type: 'f64', inner: true, device: 'credit' },
    when: 'surveys',
    doc: 'what the survey of an objective wrote down for each decision',
  },
  unitCredit: {
    per: 'unit',
    type: 'f32',
    inner: true,
    device: 'credit',
    when: 'creditsUnits',
    doc: 'A of each unit that has its own',
  },
  unitTarget: {
    ...{ per: 'unit', type: 'f32', inner: true },
    when: 'valuesUnits',
    doc: 'value target of each unit that has its own',
  },
  delta: { ...step, inner: true, doc: 'log π_θ − log π_old of each step at the end of the update' },
  logpNow: {
    per: 'decision',
    type: 'f64',
    inner: true,
    when: 'surveys',
    doc: 'log π_θ of each decision, as a survey sees it',
  },
  logpStart: {
    ...{ per: 'decision', type: 'f64', inner: true },
    when: 'startsApart',
    doc: 'log π_prox of each decision: by the policy that the update starts with',
  },
  logpReference: { ...step, inner: true, when: 'paysKl', doc: 'log π_ref of each step, where the reward pays for it' },
  shapedReward: { ...step, ...own, when: 'shapes', doc: 'reward as reward modules make it' },
  shapedOutcome: { ...row, ...own, when: 'shapes', doc: 'sums of that reward' },
  runningReward: { ...step, ...own, when: 'normalizes', doc: 'reward of returns in units of the run' },
  runningOutcome: { ...row, ...own, when: 'normalizes', doc: 'returns in units of the run' },
  paidReward: { ...step, ...own, when: 'paysKl', doc: 'reward after the KL term was paid' },
  paidOutcome: { ...row, ...own, when: 'paysKl', doc: 'sums of that reward' },
  terms: {
    ...{ ...step, ...deviceOnly, width: ({ K }) => (K > 0 ? 14 + K : 6) },
    doc: 'six numbers of each step in a look; for words then eight over its units, and Δ of every unit',
  },
  matchHead: { per: 'step', type: 'u32', ...deviceOnly, doc: 'first step with the state of each step' },
  matchNext: { per: 'step', type: 'u32', ...deviceOnly, doc: 'next step with the state of each step' },
  matchTable: { per: 'step', type: 'u32', ...deviceOnly, width: () => 2, doc: 'slots in which states find each other' },
  lossWeight: { ...row, ...deviceOnly, width: () => 2, doc: 'weight in the minibatch at hand, and length' },
  member: { ...row, ...deviceOnly, width: ({ passes }) => passes, doc: 'minibatch of each epoch, and all at once' },
  ownLength: {
    per: 'row',
    type: 'u32',
    ...deviceOnly,
    when: 'hasOrigins',
    doc: 'length where the row is measured, else 0',
  },
  rowSums: { ...row, ...deviceOnly, doc: 'steps of a row with credit' },
  rowDelta: { ...row, ...deviceOnly, doc: 'sum of Δ over a row' },
  rowHash: { per: 'row', type: 'u32', ...deviceOnly, width: () => 2, doc: 'hash of what happened in a row' },
  groupStats: { per: 'task', type: 'f32', ...deviceOnly, width: () => 4, doc: 'returns of a task group' },
} as const satisfies Readonly<Record<string, ColumnSpec>>;
