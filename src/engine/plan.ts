import { parseEvents } from '../config/events.ts';
import { stagesOf } from '../config/fork.ts';
import { dealIn, poolIn } from '../config/dealIn.ts';
import { lacking } from '../config/needs.ts';
import type { Config, SlotConfig } from '../config/slots.ts';
import type { Aggregate } from '../core/aggregate.ts';
import { fail, ok, type Result } from '../core/problem.ts';
import { PURPOSE, random } from '../core/random.ts';
import { chosenOf, type Chosen as ChosenModule } from '../contract/module.ts';
import type { AnyValues } from '../core/settings.ts';
import { environments } from '../envs/registry.ts';
import { firstNote, growthOf, levelsKept, taskFacts } from '../envs/facts.ts';
import type { Dealing } from '../envs/levelDeal.ts';
import { sightOf, type Sight } from '../envs/perturb/sight.ts';
import type { Environment } from '../envs/types.ts';
import type { ValueLoss } from '../core/value.ts';
import { chosenIn, metricsReadBack, type ChosenMetric, type ReadMetric } from '../slots/metrics/metrics.ts';
import { unreadableIn } from '../slots/estimatorOf.ts';
import { estimatorAsSet, estimators, objectiveIn, objectives, optimizers } from '../slots/methods.ts';
import { asMade, type Estimator, type Objective, type Optimizer } from '../slots/types.ts';
import type { Layout } from '../networks/layout.ts';
import type { RewardModule } from '../slots/reward/types.ts';
import { criticsOf, policyFrom, viewOf, type Policy } from '../networks/policy.ts';
import type { Heard } from '../contract/peers.ts';
import { evenLevel, panelLevel, wholeContext, wholeTask } from '../contract/taskContext.ts';
import { rewards as rewardModules, rollouts, sources } from '../slots/registry.ts';
import type { RolloutScheme } from '../slots/rollout/types.ts';
import type { TaskSource } from '../slots/task/types.ts';
import type { Task } from '../contract/tasks.ts';
import { toldBy } from '../config/runModules.ts';
import { wrappedBy, wrappersOf } from '../slots/wrapper/registry.ts';
import { wrappingOf, type Wrapping } from './wrapping.ts';
import type { Live } from './backend.ts';
import { behaviorOf, type Behavior } from './behavior.ts';
import { levelsOf } from './levels.ts';
import { revisionsOf, type Revisions } from './creditRevision.ts';
import { controlOf, type ControlSettings } from './control.ts';
import { checkTries } from './groups.ts';
import { schemeOf, sourceContext, sourceRows } from './plannedRows.ts';
import { BeginsBook, type Begins } from './begins.ts';
import { countActive, refusedView } from './planParts.ts';

/** A checked config, compiled: all sizes known, all methods looked up. Immutable for the whole run. */
export type Plan = {
  readonly config: Config;
  /** of a forked run: the plans before it, oldest first, each in force before update `until` */
  readonly past: readonly { readonly until: number; readonly plan: Plan }[];
  /** the world as the agent meets it, behind its wrappers, and without them */
  readonly env: Environment;
  readonly bareEnv: Environment;
  /** what its wrappers do at every step */
  readonly wrapping: Wrapping;
  /** what noise blanks as a whole */
  readonly sight: Sight;
  /** does the world look different by chance? */
  readonly flickers: boolean;
  /** replicas, tasks per batch, group size, trajectories, step limit */
  readonly S: number;
  readonly P: number;
  readonly G: number;
  readonly B: number;
  readonly T: number;
  readonly actionNames: readonly string[];
  /** number of actions, and whether there is a critic */
  readonly actions: number;
  readonly critic: boolean;
  readonly policy: Policy;
  readonly layout: Layout;
  /** [S] usual number of ones in an observation, in the first level of each replica */
  readonly activeInputs: readonly number[];
  /** u32 words of one observation */
  readonly obsWords: number;
  readonly temperature: number;
  readonly commonNoise: boolean;
  /** which weights play, and how exactly */
  readonly behavior: Behavior;
  /** which rows a batch has besides fresh ones of the policy; null: none */
  readonly scheme: RolloutScheme | null;
  /** what makes of the reward of the world what the estimator sees, in this order */
  readonly rewards: readonly ChosenModule<RewardModule>[];
  readonly estimator: Estimator;
  readonly estimatorParams: AnyValues;
  readonly objective: Objective;
  readonly objectiveParams: AnyValues;
  readonly aggregate: Aggregate;
  /** do trajectories that the estimator leaves out divide the constant average, as if they were empty? */
  readonly countsMasked: boolean;
  /** what has a ratio of its own: a word, a command by the product of its words, or by their geometric mean */
  readonly ratioLevel: 'unit' | 'step' | 'stepMean';
  readonly epochs: number;
  readonly minibatches: number;
  readonly control: ControlSettings;
  readonly revisions: Revisions;
  /** metrics beyond those of every run */
  readonly chosenMetrics: readonly ChosenMetric[];
  /** metrics that a run on WebGPU reads its batches back for */
  readonly metricsReadBack: readonly ReadMetric[];
  readonly valueCoef: number;
  readonly valueLoss: ValueLoss;
  /** updates at the start in which only the critic learns */
  readonly criticWarmup: number;
  /** are returns normalized over the run, and how far may they go; 0: as far as they like */
  readonly normalizesReward: boolean;
  readonly rewardClip: number;
  readonly optimizer: Optimizer;
  readonly optimizerParams: AnyValues;
  readonly clipNorm: number;
  readonly schedule: 'constant' | 'linear' | 'cosine';
  readonly live: Live;
  readonly updates: number;
  readonly evalEvery: number;
  /** evaluations also play on levels that never train */
  readonly heldOut: boolean;
  /** [S] seed of each replica, config seed + r unless others are given: replica r alone is the run with that seed */
  readonly seeds: Uint32Array;
  /** a level seed of the first replica, for sizes */
  readonly firstLevelSeed: number;
  /** which tasks are played next */
  readonly source: TaskSource;
  readonly sourceParams: AnyValues;
  /** different levels that training draws from; 0: as many as there are seeds */
  readonly levels: number;
  /** stages that the task grows through, and updates spent in each but the last */
  readonly stages: number;
  readonly growEvery: number;
  /** rows of each family of levels, where there are such; else empty */
  readonly rungs: readonly number[];
  /** which levels are dealt where some count as one, or are held out; undefined: seeds alone decide */
  readonly deal: Dealing | undefined;
  /** levels with equal names are the same to the keys of states, where anchor groups span tasks; else undefined */
  readonly poolName: ((levelSeed: number) => string) | undefined;
  /** episodes cloned before the first update, and gradient steps on them */
  readonly cloneEpisodes: number;
  readonly cloneSteps: number;
  /** parsed level of a level seed, with a step limit of its own where that is not 0, in a variant of it; parsed once */
  level(levelSeed: number, maxSteps?: number, variant?: number): unknown;
};

/** Which level and which draws each trajectory gets in one rollout; same order on all backends. */
export type Tasks = {
  readonly update: number;
  /** distinct levels of this rollout */
  levelSeeds: Uint32Array;
  /** the same levels, parsed; further rounds of a batch add theirs */
  levels: readonly unknown[];
  /** step limits of these levels where they are below their own, else 0, and their variants; absent: all 0 */
  limits?: Uint32Array;
  variants?: Uint32Array;
  /** [S, B] index into levelSeeds and levels */
  readonly levelOf: Uint32Array;
  /** where episodes begin in saved states; absent: none does */
  begins?: Begins | undefined;
  /** [S, B] task group inside the replica, 0 ≤ g < P */
  readonly taskIndex: Uint32Array;
  /** [S, B] */
  readonly episodeSeed: Uint32Array;
  /** what they were made from, where a source has chosen them */
  readonly chosen?: Chosen | undefined;
} & Heard;

/** The plan of a config, with those of its earlier stages if it is a fork; `given`: seeds in place of its own. Bad settings come back as one Problem. */
export function makePlan(config: Config, given?: readonly number[]): Result<Plan> {
  const events = parseEvents(config.run['events'] as string);
  if (!events.ok) return fail({ kind: 'configRejected', issues: [{ path: 'run.events', message: events.message }] });
  const stages = stagesOf(config);
  if (!stages.ok) return fail({ kind: 'configRejected', issues: [{ path: 'run.fork', message: stages.message }] });
  const past: { until: number; plan: Plan }[] = [];
  for (const stage of stages.stages) {
    const plan = compile(stage.config, given);
    if (!plan.ok) return plan;
    past.push({ until: stage.until, plan: plan.value });
  }
  const plan = compile(config, given);
  return plan.ok && past.length > 0 ? ok({ ...plan.value, past }) : plan;
}

/** Looks up every method, parses the level and derives all sizes. */
function compile(config: Config, given?: readonly number[]): Result<Plan> {
  const acting = wrappersOf(config.task);
  const bare = find(environments, config.task.method, 'task');
  const env = bare.ok ? ok(wrappedBy(acting, bare.value, group(config.reward, bare.value.id))) : bare;
  const estimator = find(estimators as readonly Estimator[], config.advantage.method, 'advantage');
  const objective = find(objectives as readonly Objective[], config.objective.method, 'objective');
  const optimizer = find(optimizers as readonly Optimizer[], config.optimizer.method, 'optimizer');
  const source = find(sources, config.source.method, 'source');
  const rollout = find(rollouts, config.rollout.method, 'rollout');
  for (const found of [bare, env, estimator, objective, optimizer, source, rollout]) if (!found.ok) return found;
  if (!bare.ok || !env.ok || !estimator.ok || !objective.ok || !optimizer.ok || !source.ok || !rollout.ok)
    throw new Error('unreachable');
  const estimatorParams = group(config.advantage, estimator.value.id);
  const faulty = unreadableIn(config.advantage);
  if (faulty) return fail({ kind: 'configRejected', issues: [faulty] });

  const view = viewOf(config.policy.method);
  const taskSettings = group(config.task, env.value.id);
  const envSettings = view ? { ...taskSettings, view } : taskSettings;
  const rewards = group(config.reward, env.value.id);
  const S = given?.length ?? number(config.run, 'seeds');
  const seeds = Uint32Array.from({ length: S }, (_, r) => given?.[r] ?? number(config.run, 'seed') + r);
  const P = number(config.rollout, 'tasksPerBatch');
  const G = number(config.rollout, 'groupSize');
  const drawn = { P, G, levels: number(config.task, 'levels'), ...growthOf(env.value, taskSettings) };
  const deal = dealIn(config);
  const sizes = { ...drawn, deal };
  // sizes of the world are those of the last stage
  const firstOf = (seed: number): number => evenLevel(wholeContext(drawn, seed, 0, false), 0);
  const firstLevelSeed = firstOf(seeds[0]!);
  const first = env.value.level(envSettings, rewards, firstLevelSeed);
  if (!first.ok) return first;
  const refused = refusedView(acting, String(envSettings['view']));
  if (refused) return fail(refused);
  const features = env.value.features(first.value);
  const apartFrom = firstNote(env.value, first.value);
  const most = levelsKept(features, String(envSettings['view']));
  const level = levelsOf({ env: env.value, settings: envSettings, rewards, most });

  const actionNames = env.value.actions(first.value);
  const chosen = chosenOf(rewardModules, config.reward);
  const critic = asMade(estimator.value, estimatorParams).critic === true;
  const { method } = config.policy;
  const facts = taskFacts(env.value, first.value);
  const policy = policyFrom(method, group(config.policy, method), facts, critic, criticsOf(config.policy));
  const obsWords = Math.ceil(features / 32);
  return ok({
    config,
    past: [],
    env: env.value,
    bareEnv: bare.value,
    wrapping: wrappingOf(acting),
    sight: sightOf(env.value, first.value, String(envSettings['view'])),
    flickers: env.value.flicker?.isOn(first.value) ?? false,
    ...{ S, ...sizes, B: P * G },
    source: source.value,
    sourceParams: group(config.source, source.value.id),
    T: env.value.maxSteps(first.value),
    actionNames,
    actions: actionNames.length,
    critic,
    policy,
    layout: policy.layout,
    activeInputs: Array.from(seeds, (seed) => countActive(env.value, level(firstOf(seed)), obsWords)),
    obsWords,
    temperature: number(config.rollout, 'temperature'),
    commonNoise: config.rollout['commonNoise'] === true,
    behavior: behaviorOf(config.rollout),
    scheme: schemeOf(config, objective.value, rollout.value, sizes),
    ...{ rewards: chosen, tells: toldBy(config) },
    estimator: estimatorAsSet(config.advantage, estimator.value, policy.words !== null, {
      apartFrom,
      pools: config.task['poolLevels'] === true,
    }),
    poolName: poolIn(config),
    estimatorParams,
    objective: objectiveIn(config.objective, objective.value),
    objectiveParams: group(config.objective, objective.value.id),
    aggregate: config.objective['aggregate'] as Aggregate,
    countsMasked: config.objective['maskedRows'] === 'count' && config.objective['aggregate'] === 'constant',
    ratioLevel: config.objective['ratioLevel'] as Plan['ratioLevel'],
    epochs: number(config.objective, 'epochs'),
    minibatches: number(config.objective, 'minibatches'),
    control: controlOf(config, actionNames.length),
    revisions: revisionsOf(config),
    chosenMetrics: chosenIn(config.analysis),
    metricsReadBack: metricsReadBack(chosenIn(config.analysis)).filter((one) => lacking(config, one).length === 0),
    valueCoef: number(config.objective, 'valueCoef'),
    valueLoss: {
      clip: number(config.objective, 'valueClip'),
      mode: config.objective['valueLoss'] as ValueLoss['mode'],
      delta: number(config.objective, 'valueHuber'),
    },
    criticWarmup: critic ? number(config.objective, 'criticWarmup') : 0,
    normalizesReward: config.reward['normalize'] === true,
    rewardClip: number(config.reward, 'normalizeClip'),
    optimizer: optimizer.value,
    optimizerParams: group(config.optimizer, optimizer.value.id),
    clipNorm: number(config.optimizer, 'clipNorm'),
    schedule: config.optimizer['schedule'] as Plan['schedule'],
    live: {
      learningRate: number(config.optimizer, 'learningRate'),
      entropyCoef: number(config.objective, 'entropyCoef'),
      klCoef: number(config.objective, 'klCoef'),
    },
    updates: number(config.run, 'updates'),
    evalEvery: number(config.analysis, 'evalEvery'),
    heldOut: config.analysis['heldOut'] === true,
    seeds,
    firstLevelSeed,
    cloneEpisodes: number(config.policy, 'cloneEpisodes'),
    cloneSteps: number(config.policy, 'cloneSteps'),
    level,
  });
}

/** What is played: the batch that trains, the evaluation, or the panel of fixed levels that never train. */
export type RolloutMode = 'train' | 'eval' | 'panel';

const EPISODES: Readonly<Record<RolloutMode, number>> = {
  train: PURPOSE.episodeSeed,
  eval: PURPOSE.evalEpisode,
  panel: PURPOSE.panelEpisode,
};

/** Which tasks every replica plays in one rollout, [S]. */
export type Chosen = readonly (readonly Task[])[];

/**
 * Tasks of one rollout. Those of a batch that trains are `chosen` by the source of the plan (taskFeed.ts), which may be
 * left out for a source that decides by seed and update alone. What is measured is always the whole task, drawn evenly.
 */
export function makeTasks(plan: Plan, update: number, mode: RolloutMode, chosen?: Chosen): Tasks {
  const { S, B } = plan;
  const known = new Map<string, number>();
  const levelSeeds: number[] = [];
  const levels: unknown[] = [];
  const limits: number[] = [];
  const variants: number[] = [];
  const begins = new BeginsBook(plan);
  const levelOf = new Uint32Array(S * B);
  const taskIndex = new Uint32Array(S * B);
  const episodeSeed = new Uint32Array(S * B);
  for (let s = 0; s < S; s++) {
    const seed = plan.seeds[s]!;
    let i = 0;
    const given = chosen?.[s] ?? evenTasks(plan, seed, update, mode);
    if (mode === 'train') checkTries(plan, given);
    for (const [p, { levelSeed, start, maxSteps, tries }] of given.entries()) {
      for (let k = 0; k < tries; k++, i++) {
        const variant = plan.env.deal?.variant(k, mode === 'train') ?? 0;
        const name = `${levelSeed} ${maxSteps} ${variant}`;
        let at = known.get(name);
        if (at === undefined) {
          at = levels.length;
          known.set(name, at);
          levelSeeds.push(levelSeed);
          levels.push(plan.level(levelSeed, maxSteps, variant));
          limits.push(maxSteps);
          variants.push(variant);
        }
        if (start !== 'initial') begins.put(s * B + i, start, levels[at]);
        levelOf[s * B + i] = at;
        taskIndex[s * B + i] = p;
        episodeSeed[s * B + i] = random(seed, EPISODES[mode], update, plan.commonNoise ? p : i, 0);
      }
    }
    const count = mode === 'train' ? sourceRows(plan) : i;
    if (i !== count)
      throw new Error(`The task source “${plan.source.title}” gave ${i} episodes to a batch of ${count}.`);
    // what is measured has no scheme: where groups are no equal parts of a batch, the rest are further tries
    for (; mode !== 'train' && i < B; i++) {
      const at = s * B + (i % count);
      [levelOf[s * B + i], taskIndex[s * B + i]] = [levelOf[at]!, taskIndex[at]!];
      episodeSeed[s * B + i] = random(seed, EPISODES[mode], update, plan.commonNoise ? taskIndex[at]! : i, 0);
    }
  }
  const of = { levelSeeds: Uint32Array.from(levelSeeds), levels, levelOf };
  const made = { limits: Uint32Array.from(limits), variants: Uint32Array.from(variants) };
  return { update, ...of, ...made, begins: begins.all(), taskIndex, episodeSeed, chosen };
}

function evenTasks(plan: Plan, seed: number, update: number, mode: RolloutMode): readonly Task[] {
  if (mode === 'train') {
    if (plan.source.wantsOutcomes) throw new Error('The tasks of this source depend on its state.');
    return plan.source.next({}, sourceContext(plan, seed, update), plan.sourceParams);
  }
  const context = wholeContext(plan, seed, update, true);
  return Array.from({ length: plan.P }, (_, p) =>
    wholeTask(mode === 'eval' ? evenLevel(context, p) : heldOutLevel(plan, seed, p), plan.G),
  );
}

/** Level k that never trains: of the panel as it is dealt, and behind it as it is drawn. */
const heldOutLevel = (plan: Plan, seed: number, k: number): number =>
  plan.deal?.panel(seed)[k] ?? wholeContext({ ...plan, deal: undefined }, seed, 0, false).grown(panelLevel(seed, k));

/**
 * Level seeds of the panel of replica s, always of the whole task: the fixed levels of the replica where it has some, else
 * levels that no rollout of the run meets. At most `most`, each once.
 */
export function panelLevels(plan: Plan, s: number, most: number): number[] {
  const seed = plan.seeds[s]!;
  const { levels } = plan;
  const { level } = wholeContext(plan, seed, 0, false);
  const drawn = Array.from({ length: levels === 0 ? most : Math.min(levels, most) }, (_, k) =>
    levels === 0 ? heldOutLevel(plan, seed, k) : level(k),
  );
  return [...new Set(drawn)];
}

function find<T extends { readonly id: string }>(list: readonly T[], id: string, path: string): Result<T> {
  const found = list.find((m) => m.id === id);
  if (found) return ok(found);
  return fail({ kind: 'configRejected', issues: [{ path, message: `“${id}” is not known here` }] });
}

const group = (slot: SlotConfig, name: string): AnyValues => (slot[name] ?? {}) as AnyValues;
const number = (slot: SlotConfig, name: string): number => slot[name] as number;
