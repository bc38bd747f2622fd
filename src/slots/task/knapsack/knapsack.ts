import { wholeTask } from '../../../contract/taskContext.ts';
import type { Task, TaskContext } from '../../../contract/tasks.ts';
import { settings, type ValuesOf } from '../../../core/settings.ts';
import { predictedSuccess, type KernelRule } from '../predicted/kernelAverage.ts';
import { addExpected, reliabilityState } from '../../../core/math/reliability.ts';
import { descriptorOf, lossesOf, remember, resultsOf, resultsState } from '../predicted/results.ts';
import { defineTaskSource, type SourceContext, type SourceState } from '../types.ts';
import { allocation, usefulShare } from './allocation.ts';
import { aheadState, keepAhead, successOf } from './startValue.ts';
import { successRate } from './successRate.ts';

const params = settings({
  weight: {
    kind: 'choice',
    label: 'A mixed group is worth',
    default: 'infoGain',
    options: ['infoGain', 'mixed'],
    optionLabels: ['the gain that it brings, p(1 − p)²', 'the same everywhere'],
    doc: 'The gain favors hard tasks: it is largest at a success of 1/3.',
    formula: 'p(1 − p)²',
  },
  minN: {
    kind: 'integer',
    label: 'Least of a mixed task',
    default: 2,
    min: 1,
    max: 64,
    unit: 'episodes',
    doc: 'What every task gets that sometimes succeeds; never more than the group size.',
  },
  negativeN: {
    kind: 'integer',
    label: 'Least of a hopeless task',
    default: 2,
    min: 1,
    max: 64,
    unit: 'episodes',
    doc: 'What a task gets that never succeeded lately.',
  },
  positiveN: {
    kind: 'integer',
    label: 'Least of a solved task',
    default: 2,
    min: 1,
    max: 64,
    unit: 'episodes',
    doc: 'What a task gets that always succeeded lately.',
  },
  most: {
    kind: 'integer',
    label: 'Most of a task',
    default: 4,
    min: 1,
    max: 32,
    unit: '× group size',
    doc: 'No task gets more than this many times the group size, unless nobody else can use it.',
  },
  fallback: {
    kind: 'switch',
    label: 'Surplus to hopeless tasks',
    default: true,
    doc: 'What mixed tasks do not need for a mixed group in 9 of 10 cases goes to those that never succeed.',
  },
  window: {
    kind: 'integer',
    label: 'Outcomes remembered',
    default: 16,
    min: 2,
    max: 64,
    unit: 'per level',
    doc: 'Success is estimated from this many of the newest outcomes of a level.',
  },
  minCount: {
    kind: 'integer',
    label: 'Seen after',
    default: 8,
    min: 1,
    max: 64,
    unit: 'outcomes',
    doc: 'Before that a level counts as unseen.',
  },
  estimate: {
    kind: 'choice',
    label: 'Success is estimated by',
    default: 'outcomes',
    options: ['outcomes', 'critic'],
    optionLabels: ['outcomes of the level', 'V(s₀) of the critic'],
    doc: 'V at the start of a level needs no visit, but returns between 0 and 1; γ is divided out.',
  },
  unseen: {
    kind: 'choice',
    label: 'Unseen levels',
    default: 'even',
    options: ['even', 'predicted'],
    optionLabels: ['get the group size', 'get what levels like them suggest (V₀)'],
    doc: 'Predicted: success is expected as on levels alike, before a level was ever played.',
  },
});

/** Results that a prediction rests on, and what they are worth: the defaults of “Predicted success”. */
const KEPT = 512;
const LOSSES = ['unseenLoss', 'unseenMeanLoss'] as const;
const V0: KernelRule = { decay: 0.97, prior: 2 };
const predicts = ({ unseen }: Pick<Params, 'unseen'>): boolean => unseen === 'predicted';
const asksCritic = ({ estimate }: Pick<Params, 'estimate'>): boolean => estimate === 'critic';

type Params = ValuesOf<typeof params>;

/** What is known of a level. Outcomes of one visit count alike: each is the share of the visit that succeeded. */
function knownOf({ recent, count }: SourceState, tag: number | undefined, { window, minCount }: Params) {
  if (tag === undefined || count![tag] === 0) return { seen: false, rate: 0 };
  const n = Math.min(window, count![tag]!);
  const newest = Array.from(recent!.subarray(tag * window, tag * window + n));
  return { ...successRate([newest], { window, minCount: 0 }), seen: count![tag]! >= minCount };
}

/** The same, where levels that are not known are expected to go as levels like them did. */
function expectedOf(state: SourceState, context: SourceContext, rule: Params) {
  const results = predicts(rule) ? resultsOf(state, context.update) : [];
  return ({ tag, levelSeed }: { readonly tag?: number; readonly levelSeed: number }, p: number) => {
    const V = asksCritic(rule) ? state.ahead![p]! : NaN;
    if (!Number.isNaN(V)) return { seen: true, rate: successOf(V, context, levelSeed) };
    const own = knownOf(state, tag, rule);
    if (own.seen || results.length === 0) return own;
    return { seen: true, rate: predictedSuccess(descriptorOf(context, levelSeed), results, V0) };
  };
}

/** The levels of a batch as an even draw gives them. */
const drawn = ({ P, levels, level, fresh, pick }: TaskContext): readonly { tag?: number; levelSeed: number }[] =>
  Array.from({ length: P }, (_, p) => {
    if (levels === 0) return { levelSeed: fresh(p) };
    const tag = pick(p);
    return { tag, levelSeed: level(tag) };
  });

/**
 * Levels are drawn evenly, and the episodes of a batch go where they are worth most:
 *
 *   maximize Σ f(N),  f(N) = (1 − p^N − (1 − p)^N) · p(1 − p)²,  Σ N = P·G
 *
 * p is the success of a level among its newest outcomes. Everyone gets a floor, an unseen level the group size (or what is
 * predicted from levels like it, see predicted/kernelAverage.ts), and each further episode goes where it adds most: gains fall
 * with N, so that greedy is the best there is. Or p is what the critic thinks of the start, see startValue.ts. (The released
 * code runs a dynamic program that is at most 0.4 % worse, gives surplus to solved tasks too, and counts unseen ones as hopeless.)
 */
export const knapsack = defineTaskSource({
  id: 'knapsack',
  title: 'Budgets by success (Knapsack RL)',
  rev: 1,
  source: {
    title: 'Knapsack RL: unlocking exploration of LLMs via optimizing budget allocation',
    arxiv: '2509.25849',
    level: 'code',
  },
  formula: 'max Σ (1 − p^N − (1 − p)^N)·p(1 − p)²,  Σ N = P·G',
  look: 'Hard levels get large groups, solved ones two episodes. See “Tasks by success” among the structure charts.',
  params,
  metrics: ['largestGroup', 'usefulPlanned', 'usefulEven', 'levelsKnown', ...LOSSES, 'startLoss'],
  wantsOutcomes: true,
  unequal: true,
  asks: (rule) => (asksCritic(rule) ? ['ahead'] : []),
  forgetsWith: ['window', 'unseen', 'estimate'],
  warns: ({ most, unseen, estimate }, groupSize, { levels }) =>
    groupSize < 3
      ? 'has nothing to give away: groups are as large as what every task gets at least'
      : levels === 0 && unseen === 'even' && estimate !== 'critic'
        ? 'plays every level once, so that all are unseen and all groups are equal'
        : most === 1
          ? 'gives no task more than the group size'
          : null,
  state(rule, levels) {
    const ofLevels = { per: 'replica', onFork: ['tasks'] } as const;
    const n = Math.max(1, levels);
    return {
      recent: { type: 'f64', ...ofLevels, width: n * rule.window },
      count: { type: 'u32', ...ofLevels, width: n },
      ...(predicts(rule) ? resultsState(KEPT) : {}),
      ...(asksCritic(rule) ? aheadState : {}),
      ...reliabilityState,
    };
  },
  next(state, context, rule) {
    const tasks = drawn(context);
    const known = tasks.map(expectedOf(state, context, rule));
    const budgets = allocation(known, context.G, rule);
    return tasks.map((task, p): Task => {
      const { seen, rate } = known[p]!;
      return { ...wholeTask(task.levelSeed, budgets[p]!), ...task, ...(seen ? { expected: rate } : {}) };
    });
  },
  ahead: (context) => drawn(context).map(({ levelSeed }) => levelSeed),
  report(state, outcomes, context, rule, ahead) {
    const { recent, count } = state;
    addExpected(state, outcomes);
    if (asksCritic(rule)) keepAhead(state, outcomes, ahead);
    if (predicts(rule)) remember(state, outcomes, context, V0);
    const { window } = rule;
    for (const { task, tries, success } of outcomes) {
      const { tag } = task;
      if (tag === undefined || tries === 0) continue;
      const own = recent!.subarray(tag * window, (tag + 1) * window);
      const n = Math.min(window, tries);
      // the newest come first
      own.copyWithin(n, 0);
      own.fill(success, 0, n);
      count![tag]! += tries;
    }
  },
  measure(state, { tasks }, rule) {
    const seen = tasks.flatMap(({ expected, tries }) => (expected === undefined ? [] : [{ rate: expected, n: tries }]));
    const known = tasks.filter(({ tag }) => knownOf(state, tag, rule).seen);
    const even = tasks.reduce((sum, { tries }) => sum + tries, 0) / tasks.length;
    return {
      largestGroup: Math.max(...tasks.map(({ tries }) => tries)),
      levelsKnown: known.length / tasks.length,
      ...(predicts(rule) ? lossesOf(state, LOSSES) : {}),
      ...(asksCritic(rule) && state.aheadLoss![0] === 1 ? { startLoss: state.aheadLoss![1]! } : {}),
      ...(seen.length > 0 ? { usefulPlanned: usefulShare(seen), usefulEven: usefulShare(seen, even) } : {}),
    };
  },
});
