import { scoreCheckpoints } from '../../core/math/checkpointTree.ts';
import { mixOf, movedTo, moveOf, pushed, retirement, runOf, slopeOf } from './frontier.ts';
import { proposerReward } from './proposerReward.ts';
import { horizonAt } from './scalingInter.ts';
import { allocate, budgetValue, silentChance, type BudgetRule } from '../../core/math/budget.ts';
import { mean } from '../../core/stats.ts';
import { successRate } from './knapsack/successRate.ts';
import { replayDistribution, replayProbability } from './replayDistribution.ts';

/** A case of a golden file with schema rollout-policy/1 that is about tasks. */
type TaskCase = {
  readonly kind: string;
  readonly params: Readonly<Record<string, number | string | readonly number[]>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, number | readonly number[]>>;
};
type Check = { readonly key: string; readonly built: boolean; readonly passed: boolean; readonly maxError: number };
type Values = Readonly<Record<string, ArrayLike<number>>>;
type Given = Pick<TaskCase, 'params' | 'inputs'>;

const numbers = (x: unknown): readonly number[] => x as readonly number[];

function replayed({ params, inputs }: Given): Values {
  const of = (name: string): number => Number(params[name]);
  const seen = numbers(inputs['seen']);
  const levels = { score: numbers(inputs['score']), seen, age: numbers(inputs['age']) };
  const schedule = params['schedule'] === 'proportionate' ? 'proportionate' : 'fixed';
  const rule = { schedule, warmFraction: of('warmFraction'), newProbability: of('newProbability') } as const;
  return {
    replayDistribution: replayDistribution(levels, { temperature: of('temperature'), staleness: of('staleness') }),
    replayProbability: [replayProbability(seen.filter((x) => x > 0).length, seen.length, rule)],
  };
}

/** One family under its controller; it keeps its place when its window is emptied. */
function traced({ params, inputs }: Given): Values {
  const of = (name: string): number => Number(params[name]);
  const rule = {
    ...{ dMin: of('dMin'), dMax: of('dMax'), target: of('target'), gain: of('gain'), stepCap: of('stepCap') },
    ...{ history: of('history'), zeroLimit: of('zeroLimit'), topLimit: of('topLimit') },
  };
  const names = ['used', 'low', 'high', 'highCount', 'delta', 'next', 'zeroRun', 'topRun', 'slope', 'retire'];
  const rows: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  let d = of('start');
  let window = { difficulty: [] as number[], accuracy: [] as number[] };
  for (const { tasks, meanAccuracy } of inputs['batches'] as readonly { tasks: number; meanAccuracy: number }[]) {
    window = {
      difficulty: pushed(window.difficulty, d, rule.history),
      accuracy: pushed(window.accuracy, meanAccuracy, rule.history),
    };
    const delta = moveOf(meanAccuracy, rule);
    const leaves = retirement(window, rule) !== null;
    const row = {
      ...{ used: d, ...mixOf(d, tasks), delta, next: movedTo(d, delta, rule), retire: Number(leaves) },
      zeroRun: runOf(window.accuracy, 0),
      topRun: runOf(window.difficulty, rule.dMax),
      slope: slopeOf(window.difficulty, rule.history),
    };
    for (const [name, value] of Object.entries(row)) rows[name]!.push(value);
    d = row.next;
    if (leaves) window = { difficulty: [], accuracy: [] };
  }
  return rows;
}

function proposed({ params, inputs }: Given): Values {
  const shape = params['shape'] === 'hard' ? 'hard' : 'frontier';
  const valid = numbers(inputs['valid']);
  const rule = { shape, invalidReward: Number(params['invalidReward']) } as const;
  return { reward: numbers(inputs['solverSuccess']).map((p, k) => proposerReward(p, valid[k] === 1, rule)) };
}

function scored({ params, inputs }: Given): Values {
  const tree = {
    parent: numbers(inputs['parent']),
    weight: numbers(inputs['weight']),
    leafPass: numbers(inputs['leafPass']),
  };
  return scoreCheckpoints(tree, Number(params['passAt']));
}

function limited({ params, inputs }: Given): Values {
  const [every, horizons] = [Number(params['every']), numbers(params['horizons'])];
  return { maxSteps: numbers(inputs['update']).map((u) => horizonAt(u, every, horizons)) };
}

/** How the values of each kind of case are computed. */
const COMPUTED: Readonly<Record<string, (given: Given) => Values>> = {
  levelReplay: replayed,
  scalerTrace: traced,
  proposerReward: proposed,
  checkpointTree: scored,
  scalingInter: limited,
};

export const isTaskCase = ({ kind }: { readonly kind: string }): boolean => Object.hasOwn(COMPUTED, kind);

/** Compares what task sources compute with a golden case. */
export function checkTaskCase(given: TaskCase, tolerance: { readonly abs: number; readonly rel: number }): Check[] {
  const got = COMPUTED[given.kind]!(given);
  return Object.entries(given.expected).map(([key, value]) => {
    const want = typeof value === 'number' ? [value] : value;
    const have = got[key];
    const errors = want.map((w, k) => Math.abs((have?.[k] ?? NaN) - w));
    const isNear = want.every((w, k) => errors[k]! <= tolerance.abs + tolerance.rel * Math.abs(w));
    const passed = have?.length === want.length && isNear;
    return { key: `${given.kind}.${key}`, built: have !== undefined, passed, maxError: Math.max(...errors) };
  });
}

/** A case of kind `knapsack` or `successRate` of a golden file with schema rollout-policy/1. */
export type BudgetCase = {
  readonly name: string;
  readonly kind: string;
  readonly params: Readonly<Record<string, number | string>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, number | readonly number[]>>;
};

/** Compares a budget, or the estimate that it rests on, with a golden case. */
export function checkBudgetCase(
  { kind, params, inputs, expected }: BudgetCase,
  tolerance: { readonly abs: number; readonly rel: number },
) {
  const got = kind === 'successRate' ? estimateOf(params, inputs) : budgetOf(params, inputs);
  return Object.entries(expected).map(([key, value]) => {
    const want = typeof value === 'number' ? [value] : value;
    const have = got[key];
    const errors = want.map((w, k) => Math.abs((have?.[k] ?? NaN) - w));
    const isNear = want.every((w, k) => errors[k]! <= tolerance.abs + tolerance.rel * Math.abs(w));
    const passed = have?.length === want.length && isNear;
    return { key: `${kind}.${key}`, built: have !== undefined, passed, maxError: Math.max(0, ...errors) };
  });
}

type Numbers = Readonly<Record<string, readonly number[]>>;

function estimateOf(params: BudgetCase['params'], inputs: BudgetCase['inputs']): Numbers {
  const rule = { window: Number(params['window']), minCount: Number(params['minCount']) };
  const { seen, rate, count } = successRate(inputs['visits'] as number[][], rule);
  return { seen: [Number(seen)], rate: [rate], count: [count] };
}

function budgetOf(params: BudgetCase['params'], inputs: BudgetCase['inputs']): Numbers {
  const of = (name: string): number => Number(params[name]);
  const [rates, seen] = [inputs['successRate'] as number[], inputs['seen'] as number[]];
  const rule: BudgetRule = {
    ...{ perTask: of('perTask'), minN: of('minN'), maxN: of('maxN'), negativeN: of('negativeN') },
    ...{ positiveN: of('positiveN'), confidence: of('confidence'), fallback: of('fallback') === 1 },
    weight: params['weight'] === 'mixed' ? 'mixed' : 'infoGain',
  };
  const budget = params['totalBudget'] === undefined ? rule.perTask * rates.length : of('totalBudget');
  const tasks = rates.map((rate, k) => ({ rate, seen: seen[k] === 1 }));
  const { n, fallback } = allocate(tasks, budget, rule);
  const known = tasks.flatMap((task, k) => (task.seen ? [{ p: task.rate, n: n[k]! }] : []));
  const value = (even?: number): number =>
    known.reduce((sum, task) => sum + budgetValue(even ?? task.n, task.p, rule.weight), 0);
  const effective = (even?: number): number => mean(known.map((task) => 1 - silentChance(task.p, even ?? task.n)));
  return {
    ...{ allocation: n, fallback: [Number(fallback)], value: [value()], valueUniform: [value(rule.perTask)] },
    ...{ effective: [effective()], effectiveUniform: [effective(rule.perTask)] },
  };
}
