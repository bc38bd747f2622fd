import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import { mean } from '../../core/stats.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { createRun } from '../../engine/run.ts';
import { mayGoOn } from '../interrupt.ts';
import { kept, type Row } from './rows.ts';
import type { Size } from './creditFidelity.ts';

type Changes = Readonly<Record<string, unknown>>;

/** Key and door, GiGPO with matched size, Adam. */
const SETTING: Changes = {
  'revise.matchSize.on': true,
  'run.backend': 'cpu',
  // batches are played by old weights: what the policy can do now is measured on episodes of their own
  'analysis.evalEvery': 8,
};

export type Way = { readonly id: string; readonly title: string; readonly changes: Changes };
const seqMean = { 'objective.aggregate': 'seqMeanUnitMean' };
const PPO: Way = { id: 'ppoClip', title: 'PPO clip', changes: { 'objective.method': 'ppoClip' } };
const NONE: Way = { id: 'none', title: 'no correction', changes: { 'objective.method': 'reinforce' } };
/** What the others are compared with. */
export const BASE = PPO.id;
const WAYS: readonly Way[] = [
  NONE,
  PPO,
  { id: 'decoupled', title: 'decoupled PPO', changes: { 'objective.method': 'decoupled' } },
  { id: 'cispo', title: 'CISPO', changes: { 'objective.method': 'cispo' } },
  { id: 'gspo', title: 'GSPO', changes: { 'objective.method': 'gspo', ...seqMean } },
  { id: 'vcpo', title: 'VCPO', changes: { 'objective.method': 'vcpo', ...seqMean } },
  {
    id: 'vcpoStep',
    title: 'VCPO, step only',
    changes: { 'objective.method': 'vcpo', 'objective.vcpo.credit': 'advantage', ...seqMean },
  },
];
/** Rounded on request while training, too. */
const UNIFIED = 'unified';
const ROUNDED: readonly Way[] = [
  NONE,
  PPO,
  { id: 'hispo', title: 'HisPO', changes: { 'objective.method': 'hispo', 'objective.aggregate': 'constant' } },
  { id: UNIFIED, title: 'PPO clip, rounded in training too', changes: PPO.changes },
];

const precision = (bits: string, way: string): Changes => ({
  'rollout.rolloutPrecision': bits,
  'rollout.unifiedPrecision': way === UNIFIED && bits !== 'f32',
});

/** One part of the study: a way of learning in every row, an age or a precision of the data in every column. */
export type Setting = {
  readonly id: string;
  readonly title: string;
  readonly ways: readonly Way[];
  readonly levels: readonly string[];
  readonly changes: (level: string, way: string) => Changes;
  /** share of the updates of the study */
  readonly share: number;
};

const net = (rate: number, epochs: number): Changes => ({
  'policy.mlp.hidden': [32],
  'optimizer.learningRate': rate,
  'objective.epochs': epochs,
});

export const SETTINGS: readonly Setting[] = [
  {
    id: 'table',
    title: 'On a table of logits',
    ways: WAYS,
    levels: ['0', '1', '2', '4', '8', '16', '32', '64', '128'],
    // two epochs, so that every clip has something to do
    changes: (age) => ({
      ...{ 'policy.method': 'tabular', 'optimizer.learningRate': 0.05, 'objective.epochs': 2 },
      'rollout.staleness': Number(age),
    }),
    share: 1,
  },
  {
    id: 'stress',
    title: 'A network under stress: five times the usual rate, four epochs on every batch',
    ways: WAYS,
    levels: ['0', '4', '16', '64'],
    changes: (age) => ({ ...net(0.015, 4), 'rollout.staleness': Number(age) }),
    share: 0.5,
  },
  {
    id: 'rounded',
    title: 'Rounded rollouts of a network on fresh data',
    ways: ROUNDED,
    levels: ['f32', 'f16', 'int8', 'int4'],
    changes: (bits, way) => ({ ...net(0.003, 2), ...precision(bits, way) }),
    share: 0.5,
  },
];

/**
 * Columns of the data. success: evaluation success at the end; area: averaged over the run; ess: mean effective sample size of
 * trajectories before the first step of an update; lowest: the least of them; collapsed: 1 = success fell, see below.
 */
export const COLUMNS = ['setting', 'way', 'level', 'seed', 'success', 'area', 'ess', 'lowest', 'collapsed'];
export const KEYS = ['setting', 'way', 'level', 'seed'];

/** Evaluations that a success is averaged over. */
const WINDOW = 4;
/** A seed collapsed if its success, so averaged, fell below half of a level of at least this that it had reached. */
const REACHED = 0.2;

/** The whole change to the default experiment of a way of learning at a level. */
export const changesOf = (setting: Setting, way: Way, level: string): Changes => ({
  ...SETTING,
  ...setting.changes(level, way.id),
  ...way.changes,
});

export const updatesOf = (setting: Setting, size: Size): number => Math.floor(size.updates * setting.share);

/** Evaluation success and effective sample size of one seed, one number for each time that they were measured. */
export type Measured = { readonly success: readonly number[]; readonly ess: readonly number[] };

/** The row of one seed. */
export function rowOf(what: Pick<Row, 'setting' | 'way' | 'level' | 'seed'>, { success, ess }: Measured): Row {
  return {
    ...what,
    ...{ success: kept(mean(success.slice(-WINDOW))), area: kept(mean(success)) },
    ...{ ess: kept(mean(ess)), lowest: kept(Math.min(...ess)), collapsed: hasCollapsed(success) ? 1 : 0 },
  };
}

/** All seeds of one way of learning at one level, side by side. */
export async function measureCell(setting: Setting, way: Way, level: string, size: Size): Promise<Row[]> {
  const updates = updatesOf(setting, size);
  const changes = changesOf(setting, way, level);
  const run = must(await createRun(configWith({ ...changes, 'run.seeds': size.seeds, 'run.updates': updates })));
  while (run.update < updates) {
    await run.submit();
    await mayGoOn();
  }
  const rows = Array.from({ length: size.seeds }, (_, s): Row => {
    const of = (id: 'evalSuccess' | 'essStart'): number[] =>
      Array.from({ length: updates }, (__, u) => run.series.at(u, s, metricIndex[id])).filter(Number.isFinite);
    const what = { setting: setting.id, way: way.id, level, seed: s + 1 };
    return rowOf(what, { success: of('evalSuccess'), ess: of('essStart') });
  });
  run.dispose();
  return rows;
}

function hasCollapsed(success: readonly number[]): boolean {
  let best = 0;
  for (let u = WINDOW; u <= success.length; u++) {
    const level = mean(success.slice(u - WINDOW, u));
    best = Math.max(best, level);
    if (best >= REACHED && level < best / 2) return true;
  }
  return false;
}
