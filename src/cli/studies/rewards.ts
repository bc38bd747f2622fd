import { table } from '../../config/lessonPresets.ts';
import { presets, twinOf } from '../../config/presets.ts';
import { prepareTask } from '../../config/level.ts';
import { problemLine } from '../../config/problems.ts';
import { configWith } from '../../config/schema.ts';
import { backwardInduction } from '../../core/dp.ts';
import type { Settings } from '../../core/settings.ts';
import { mean } from '../../core/stats.ts';
import { makePlan } from '../../engine/plan.ts';
import { createRun, type Run } from '../../engine/run.ts';
import { noExactReason, PAIR_LIMIT } from '../../engine/exactValues.ts';
import { Grounds } from '../../lab/creditGround.ts';
import { METRICS, metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import { creditSettings, estimators } from '../../slots/methods.ts';
import { rewards } from '../../slots/registry.ts';
import { mayGoOn } from '../interrupt.ts';
import { TASKS } from './creditFidelity.ts';
import { kept, type Row } from './rows.ts';

type Changes = Readonly<Record<string, unknown>>;
export type Task = (typeof TASKS)[number];

/** Environment steps of every seed, whatever the reward. */
export const BUDGET = 120_000;
/** Training success is averaged over these many batches. */
const WINDOW = 5;
/** Batches that first and last numbers of a run are averaged over. */
const ENDS = 10;
export const REACHED = 0.8;
/** Of the credit, and so of the shaping that asks for it: the default of both potentials. */
const GAMMA = 0.95;

/** A table of logits with discounted returns-to-go, so that rewards of single steps count where they are paid. */
const { 'run.updates': _, ...model } = table;
const SETTING: Changes = {
  ...model,
  'advantage.method': 'reinforcePP',
  'advantage.reinforcePP.gamma': GAMMA,
  'revise.matchSize.on': true,
  'run.backend': 'cpu',
  'analysis.evalEvery': 0,
  // a batch has 32 episodes: enough updates that the budget ends every run
  'run.updates': 20_000,
};

/** A small network where a table has no place for what the policy is shown; learning rates of tables are not its own. */
const NETWORK: Changes = {
  ...{ 'policy.method': 'mlp', 'policy.mlp.hidden': [32] },
  ...{ 'optimizer.method': 'adam', 'optimizer.learningRate': 0.005 },
};
const THINKING: Changes = { 'task.thoughts.on': true };
const BUDGETED: Changes = { ...NETWORK, 'task.stepBudget.on': true };
const TAUGHT: Changes = { ...NETWORK, 'task.teacher.on': true };
/** Members of a group meet the same question, so that their credit compares answers and not questions. */
const ASKED: Changes = { ...NETWORK, 'task.question.on': true, 'rollout.commonNoise': true };

/**
 * One row of the tables: the reward of the world, a module as it is, or the form of one that is known to be farmed.
 * against: the way without it that a row is compared with, where that is not the world alone.
 */
export type Way = {
  readonly id: string;
  readonly title: string;
  readonly rev: number;
  readonly changes: Changes;
  readonly against?: string;
};

/** What the others are compared with. */
export const WORLD: Way = { id: 'world', title: 'the world alone', rev: 1, changes: {} };
const base = (id: string, title: string, changes: Changes): Way => ({
  ...{ id: `world-${id}`, title: `${WORLD.title}, ${title}`, rev: 1, changes },
});
const thoughtful = base('thoughts', 'a thought before each action', THINKING);
const budgeted = base('budgets', 'a network that is shown a budget', BUDGETED);
const asked = base('question', 'a network that is asked a question', ASKED);
const taught = base('teacher', 'a network that is told subgoals', TAUGHT);
/** Worlds without any reward module that some rows are compared with. */
export const BASES: readonly Way[] = [WORLD, thoughtful, budgeted, taught, asked];

/** What else a module needs for what it is meant to be, and the world that has the same. */
const BESIDE: Readonly<Record<string, { readonly changes: Changes; readonly against?: string }>> = {
  // its reward already says in each step what comes of it
  eapo: { changes: { 'advantage.method': 'stepSamples' } },
  // there is nothing to pay without a thought before each action
  tagReward: { changes: THINKING, against: thoughtful.id },
  // success within a budget that the policy sees, with the credit that compares budgets
  hbpo: { changes: { ...BUDGETED, 'advantage.method': 'hbpo' }, against: budgeted.id },
  // pay for what a teacher tells needs a teacher
  beacons: { changes: TAUGHT, against: taught.id },
  // the credit of the paper
  subpo: { changes: { 'advantage.method': 'aboveStep' } },
};

const known = (id: string) => estimators.find((e) => e.id === id)!;
const [dual, rlvmr, igpo] = [known('dual'), known('rlvmr'), known('igpo')];
const DUAL = { 'advantage.method': dual.id };
const informed = (form: string, title: string): Way => ({
  ...{ id: `igpo-${form}`, title: `Information gain (IGPO), ${title}`, rev: igpo.rev, against: asked.id },
  changes: { ...ASKED, 'advantage.method': igpo.id, 'advantage.igpo.credit': form },
});
/** What is paid in the credit itself: no modules, but rows all the same. */
const CREDITS: readonly Way[] = [
  { id: 'dual', title: `${dual.title}, exact scores`, rev: dual.rev, changes: DUAL },
  {
    ...{ id: 'dual-possible', title: `${dual.title}, possible actions (THOR)`, rev: dual.rev },
    changes: { ...DUAL, 'advantage.dual.score': 'possible' },
  },
  { id: 'cutRows', title: creditSettings['cutRows']!.label, rev: 1, changes: { 'advantage.cutRows': 'filter' } },
  {
    ...{ id: 'rlvmr', title: 'Thoughts compared by tag (RLVMR)', rev: rlvmr.rev, against: thoughtful.id },
    changes: { ...THINKING, 'advantage.method': rlvmr.id },
  },
  ...[informed('joint', 'all rewards together (paper)'), informed('stepMean', 'by the step (released code)')],
];

/** Every module of the registry at its defaults, after it what released ladders and the experiments on reward hacking make of it. */
export const WAYS: readonly Way[] = [
  WORLD,
  ...rewards.flatMap(({ id, title, rev }): Way[] => {
    const beside = BESIDE[id];
    const like = { rev, ...(beside?.against && { against: beside.against }) };
    return [
      { id, title, ...like, changes: { [`reward.${id}.on`]: true, ...beside?.changes } },
      ...released(id, title, rev),
      ...presets
        .filter((p) => p.mends === undefined && twinOf(p) && p.changes[`reward.${id}.on`] === true)
        .map((p) => ({
          ...{ id: p.id, title: `${title}, open to farming`, ...like },
          changes: { ...rewardsOf(p.changes), ...beside?.changes },
        })),
    ];
  }),
  ...CREDITS,
  ...BASES.filter((way) => way !== WORLD),
];

/** The same module with the rungs of papers, where it is a ladder. */
function released(id: string, title: string, rev: number): Way[] {
  const rungs = (rewards.find((module) => module.id === id)!.params as Settings)['rungs'];
  if (rungs?.kind !== 'choice') return [];
  return rungs.options.flatMap((name, k) => {
    if (name === rungs.default) return [];
    const changes = { [`reward.${id}.on`]: true, [`reward.${id}.rungs`]: name };
    return [{ id: `${id}-${name}`, title: `${title}, ${rungs.optionLabels![k]!.split(':')[0]!}`, rev, changes }];
  });
}

/** True where a module pays, so that what is paid is not the return of the world. */
const isPaid = ({ changes }: Way): boolean => Object.keys(changes).some((name) => name.startsWith('reward.'));

/** Settings of the reward alone, and the wrappers that one may need. */
function rewardsOf(changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([name]) => name.startsWith('reward.')));
}

/**
 * Columns of the data. success: training success over the last ten batches; first, shaped: shaped return over the first and the
 * last ten; lost: share of the best value that the policy does not reach, exactly, in the reward of the world; steps:
 * environment steps until success, Infinity where it never came; updates: how many the budget was enough for.
 */
export const COLUMNS = [
  ...['task', 'way', 'rev', 'budget', 'seed'],
  ...['success', 'first', 'shaped', 'lost', 'steps', 'updates'],
];
export const KEYS = ['task', 'way', 'seed'];

export const changesOf = (task: Task, way: Way, seeds: number): Changes => ({
  ...SETTING,
  ...task.changes,
  ...way.changes,
  'run.seeds': seeds,
});

/** Why a task cannot be trained in this way, as one sentence; null if it can. */
export function whyNot(task: Task, way: Way): string | null {
  const plan = makePlan(configWith(changesOf(task, way, 1)));
  return plan.ok ? null : problemLine(plan.problem);
}

/** What is known of one seed while its run goes on: numbers of each batch, and the environment steps after it. */
type SoFar = { readonly success: number[]; readonly shaped: number[]; readonly steps: number[] };

/** All seeds of one task and reward, side by side, each until it has taken its environment steps. */
export async function measureRewards(task: Task, way: Way, seeds: number, budget = BUDGET): Promise<Row[]> {
  const config = configWith(changesOf(task, way, seeds));
  await prepareTask(config);
  const made = await createRun(config);
  if (!made.ok) return [];
  const run = made.value;
  const grounds = new Grounds(run.plan);
  const of = Array.from({ length: seeds }, (): SoFar => ({ success: [], shaped: [], steps: [] }));
  const rows = new Map<number, Row>();
  while (rows.size < seeds && run.update < run.updates) {
    const { metrics, stepsOf } = await run.submit();
    const metric = (s: number, id: MetricId): number => metrics[s * METRICS + metricIndex[id]]!;
    for (const [s, { success, shaped, steps }] of of.entries()) {
      if (rows.has(s)) continue;
      success.push(metric(s, 'success'));
      shaped.push(metric(s, isPaid(way) ? 'shapedReturn' : 'returnMean'));
      steps.push((steps.at(-1) ?? 0) + stepsOf[s]!);
      if (steps.at(-1)! < budget) continue;
      const what = { task: task.id, way: way.id, rev: way.rev, budget, seed: s + 1 };
      rows.set(s, { ...what, ...ended(of[s]!), lost: kept(await lostAt(run, grounds, s)) });
    }
    await mayGoOn();
  }
  run.dispose();
  return Array.from({ length: seeds }, (_unused, s) => rows.get(s)!);
}

/** The numbers of a seed when its environment steps are over. */
export function ended({ success, shaped, steps }: SoFar): Row {
  const reached = steps.find(
    (_unused, u) => u + 1 >= WINDOW && mean(success.slice(u + 1 - WINDOW, u + 1)) >= REACHED - 1e-9,
  );
  return {
    success: kept(mean(success.slice(-ENDS))),
    ...{ first: kept(mean(shaped.slice(0, ENDS))), shaped: kept(mean(shaped.slice(-ENDS))) },
    ...{ steps: reached ?? Infinity, updates: steps.length },
  };
}

/**
 * 1 − V^π(s₀)/V*(s₀) of the reward of the world within the step limit and with the discount of the credit, over the start
 * states of the last batch, π being the policy after it. 0: as good as can be; 1: worth nothing. NaN where nobody knows.
 */
async function lostAt(run: Run, grounds: Grounds, s: number): Promise<number> {
  const { plan } = run;
  if (noExactReason(plan) !== null) return NaN;
  const { levelSeeds, after } = await run.backend.view(s);
  let [own, best] = [0, 0];
  for (const seed of new Set(levelSeeds)) {
    const seen = grounds.of(seed)?.seen;
    if (!seen || seen.model.states * plan.T > PAIR_LIMIT) return NaN;
    const pi = grounds.policyOf(seed, seen, after, undefined);
    own += backwardInduction(seen.model, pi, plan.T, GAMMA).V[0]!;
    best += backwardInduction(seen.model, null, plan.T, GAMMA).V[0]!;
  }
  return 1 - own / best;
}
