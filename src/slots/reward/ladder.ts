import type { Batch } from '../../contract/columns.ts';
import { settings } from '../../core/settings.ts';
import type { Column } from '../types.ts';
import { batchCount, countBatch, uncountBatch } from './batchCount.ts';
import { defineReward, type RewardOps } from './types.ts';

/** What a rung may look at, one number for each episode. */
const STREAMS = ['outcome', 'success', 'attempt', 'milestones', 'grounded', 'novel', 'time', 'format', 'none'] as const;
export type Stream = (typeof STREAMS)[number];

/** A rung: what it looks at, what it counts, and from where on the rungs after it count. */
export type Rung = { readonly of: Stream; readonly weight: number; readonly least: number };

/** Share of possible actions from which an episode counts as well-formed. Ours: the papers ask for every call. */
const WELL_FORMED = 0.8;
/** What a well-formed failure earns of its milestones in HierSearch. */
const CONSOLATION = 0.1;

const rung = (of: Stream, weight: number, least: number): Rung => ({ of, weight, least });

/** What released ladders put on their rungs, in the signals of the lab. */
export const LADDERS = {
  prs: [rung('grounded', 0.5, 0.8), rung('outcome', 1, 0.25), rung('time', 0.25, 0)],
  hrm: [rung('success', 1, 1), rung('grounded', 0.5, 0.8), rung('time', 0.25, 0)],
  hierSearch: [rung('grounded', 0, WELL_FORMED), rung('attempt', 1, 0), rung('none', 0, 0)],
  shopR1: [rung('grounded', 0.5, WELL_FORMED), rung('milestones', 0.5, 0.3), rung('success', 3, 0)],
  thor: [rung('grounded', 0, WELL_FORMED), rung('success', 1, 0), rung('none', 0, 0)],
  toolStar: [rung('format', 1, 0), rung('success', 1, 1), rung('milestones', 0.1, 0)],
} as const satisfies Readonly<Record<string, readonly Rung[]>>;

const streamWords = {
  outcome: 'outcome score',
  success: 'success',
  attempt: 'success, or a tenth of the milestones',
  milestones: 'milestones reached',
  grounded: 'possible actions',
  novel: 'new states',
  time: 'time left',
  format: '−1 where badly formed',
  none: 'nothing',
} as const satisfies Readonly<Record<Stream, string>>;

const when = { setting: 'rungs', is: ['own'] } as const;
const of = <const D extends Stream>(nth: string, first: D) =>
  ({
    ...({ kind: 'choice', label: `${nth} rung`, default: first, options: STREAMS, when } as const),
    optionLabels: Object.values(streamWords),
    doc: 'What is looked at. Rungs after one that fails do not count.',
  }) as const;
const weight = (nth: string, value: number) =>
  ({
    ...({ kind: 'number', label: `${nth} weight`, default: value, min: 0, max: 10, formula: 'w', when } as const),
    doc: 'How much this rung adds to the total.',
  }) as const;
const least = (nth: string, value: number) =>
  ({
    ...({ kind: 'number', label: `${nth} threshold`, default: value, min: 0, max: 1, formula: 'τ', when } as const),
    doc: 'What this rung must reach, so that those after it count.',
  }) as const;

const params = settings({
  rungs: {
    kind: 'choice',
    label: 'Rungs',
    default: 'own',
    options: ['own', 'prs', 'hrm', 'hierSearch', 'shopR1', 'thor', 'toolStar'],
    optionLabels: [
      'as set below',
      'PRS: form, then outcome',
      'ChatShopBuddy: success, then form and time',
      'HierSearch: form, then success or a consolation',
      'Shop-R1: form, milestones, success',
      'THOR: success only where well formed',
      'Tool-Star: −1 for bad form, then success',
    ],
    doc: 'What is looked at, in falling priority.',
  },
  first: of('First', 'outcome'),
  w1: weight('First', 1),
  tau1: least('First', 0.25),
  second: of('Second', 'grounded'),
  w2: weight('Second', 0.5),
  tau2: least('Second', 0.8),
  third: of('Third', 'time'),
  w3: weight('Third', 0.25),
  gated: {
    kind: 'switch',
    label: 'Stop at a rung that fails',
    default: true,
    doc: 'Off, it is a weighted sum: what is easy counts whether or not what matters was reached.',
  },
  count: {
    kind: 'choice',
    label: 'Steps count as',
    default: 'share',
    options: ['share', 'number'],
    optionLabels: ['a share of the episode', 'their number'],
    doc: 'A number pays for long episodes; a share does not.',
  },
  rise: {
    kind: 'integer',
    label: 'Thresholds rise for',
    default: 0,
    min: 0,
    max: 10_000,
    unit: 'updates',
    doc: 'PRS: updates in which thresholds grow from 0 to their value; 0 = they hold from the start.',
  },
});
type Params = {
  readonly rungs: 'own' | keyof typeof LADDERS;
  readonly first: Stream;
  readonly second: Stream;
  readonly third: Stream;
  readonly [number: string]: unknown;
};

/** False where every episode passes. */
const isGate = ({ of: name, least: tau }: Pick<Rung, 'of' | 'least'>): boolean => tau > 0 || name === 'format';

/** What counts steps. */
const isCounted = ({ of: name }: Pick<Rung, 'of'>): boolean => name === 'grounded' || name === 'novel';

/** The rungs of a config. */
export function rungsOf(p: Params): readonly Rung[] {
  if (p.rungs !== 'own') return LADDERS[p.rungs];
  const number = (name: string): number => p[name] as number;
  return [
    rung(p.first, number('w1'), number('tau1')),
    rung(p.second, number('w2'), number('tau2')),
    rung(p.third, number('w3'), 0),
  ];
}

/**
 * total = Σ_j w[j]·S[j] over the rungs up to and including the first with S[j] < τ[j]
 * @param S one number for each rung
 * @returns the total, and how many rungs counted
 */
export function climb(
  S: readonly number[],
  rungs: readonly Pick<Rung, 'weight' | 'least'>[],
  gated = true,
): { readonly total: number; readonly opened: number } {
  let [total, opened] = [0, 0];
  for (const [j, { weight, least }] of rungs.entries()) {
    total += weight * S[j]!;
    opened++;
    if (gated && Math.fround(S[j]!) < Math.fround(least)) break;
  }
  return { total, opened };
}

function streamOf(batch: Batch, i: number, name: Stream, count: 'share' | 'number'): number {
  const { T, length, success, outcomeScore, grounded, novel, progress } = batch;
  const n = length[i]!;
  const sum = (x: Float32Array): number => x.subarray(i * T, i * T + n).reduce((a, b) => a + b, 0);
  const counted = (x: Float32Array): number => (count === 'share' ? sum(x) / n : sum(x));
  const reached = progress![i * (T + 1) + n]!;
  switch (name) {
    case 'outcome':
      return outcomeScore![i]!;
    case 'success':
      return success[i]!;
    case 'attempt':
      return success[i] === 1 ? 1 : CONSOLATION * reached;
    case 'milestones':
      return reached;
    case 'grounded':
      return counted(grounded!);
    case 'novel':
      return counted(novel!);
    case 'time':
      return 1 - n / T;
    case 'format':
      return Math.fround(sum(grounded!) / n) >= Math.fround(WELL_FORMED) ? 0 : -1;
    case 'none':
      return 0;
  }
}

/**
 * One operator for ladders: what counts more must be good enough, or what counts less does not count. A rung that fails
 * still counts itself. The total is paid at the last step.
 *
 *   total = Σ_j w[j]·S[j] over j up to and including the first j with S[j] < τ[j]
 *
 * PRS (2512.07478), ChatShopBuddy (2603.06065), HierSearch (2508.08088), Shop-R1 (2507.17842), THOR (2509.13761) and
 * Tool-Star (2505.16410) are ladders with other rungs. "Well formed" is here: actions that were possible.
 */
export const ladder = defineReward({
  id: 'ladder',
  title: 'Ladder',
  rev: 1,
  kind: 'replacing',
  source: { title: 'PRS: progressive reward shaping', arxiv: '2512.07478', level: 'abstract' },
  needs: ['outcomeScore', 'grounded', 'novel', 'progress', 'length', 'success'],
  formula: 'r ← 1[last]·Σ w·S over the rungs up to the first with S < τ',
  look: 'First the rung on top is climbed, then the next; put form first and form comes first.',
  also: 'HRM, format reward, hierarchical reward, tool calls, reward hacking',
  params,
  state: ({ rise }) => (rise > 0 ? batchCount : {}),
  mostPerStep({ count, ...rest }) {
    const paid = rungsOf(rest as Params).filter(isCounted);
    return count === 'number' ? paid.reduce((sum, { weight: w }) => sum + w, 0) : 0;
  },
  run(batch, params, out, memory) {
    const share = params.rise === 0 ? 1 : Math.min(1, countBatch(memory) / params.rise);
    const rungs = rungsOf(params).map((own) => ({ ...own, least: own.least * share }));
    for (let i = 0; i < batch.B; i++) {
      const S = rungs.map((own) => streamOf(batch, i, own.of, params.count));
      out[i * batch.T + batch.length[i]! - 1] = climb(S, rungs, params.gated).total;
    }
  },
  forget: uncountBatch,
  // a threshold on the device is one on a column of rows
  onGpu: ({ rise, count, gated, ...rest }) =>
    rise === 0 &&
    rungsOf(rest as Params).every((r) =>
      // nor is a number that was rounded held against a threshold
      r.of === 'attempt' ? r.least === 0 : count === 'share' || !isCounted(r) || !gated || !isGate(r),
    ),
  scratch(params) {
    const rungs = rungsOf(params).filter(({ of: name }) => name !== 'none');
    const gates = rungs.filter((own) => params.gated && isGate(own)).length;
    const made = rungs.filter(({ of: name }) => name === 'attempt' || name === 'format').length;
    const counted = params.count === 'number' ? rungs.filter(isCounted).length : 0;
    return made + counted + Math.max(0, 2 * rungs.length - 1) + Math.max(0, gates - 1) + 2;
  },
  gpu(ops, params) {
    let [total, open] = [null as Column | null, null as Column | null];
    for (const { of: name, weight: w, least: tau } of rungsOf(params)) {
      if (name === 'none') continue;
      const S = streamOnGpu(ops, name, params.count);
      const paid = open ? ops.combine(0, S, 0, open, w) : ops.combine(w, S, 0, S);
      total = total ? ops.combine(1, total, 1, paid) : paid;
      if (!params.gated || !isGate({ of: name, least: tau })) continue;
      const passes = ops.threshold(
        name === 'format' ? streamOnGpu(ops, 'grounded') : S,
        name === 'format' ? WELL_FORMED : tau,
      );
      open = open ? ops.combine(0, open, 0, passes, 1) : passes;
    }
    const last = ops.atEnd(ops.threshold(ops.ended('terminated'), 0));
    return ops.combine(0, total ?? last, 0, last, total ? 1 : 0);
  },
});

/** `count`: of what is counted; a number is the mean times L·(1 − time left) steps. */
function streamOnGpu(ops: RewardOps, name: Exclude<Stream, 'none'>, count: 'share' | 'number' = 'share'): Column {
  const share = (of: 'grounded' | 'novel'): Column => ops.meanOfRow(ops.signal(of));
  switch (name) {
    case 'outcome':
      return ops.signal('outcomeScore');
    case 'success':
      return ops.ended('success');
    case 'milestones':
      return ops.final('progress');
    case 'attempt': {
      const [won, reached] = [ops.ended('success'), ops.final('progress')];
      return ops.combine(1, won, CONSOLATION, reached, -CONSOLATION);
    }
    case 'grounded':
    case 'novel': {
      const mean = share(name);
      return count === 'share' ? mean : ops.combine(ops.limit, mean, 0, ops.ended('timeLeft'), -ops.limit);
    }
    case 'time':
      return ops.ended('timeLeft');
    case 'format': {
      const formed = ops.threshold(share('grounded'), WELL_FORMED);
      const all = ops.threshold(formed, 0);
      return ops.combine(1, formed, -1, all);
    }
  }
}
