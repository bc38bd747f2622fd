import { parseEvents } from '../config/events.ts';
import { stagesOf } from '../config/fork.ts';
import type { Config, SlotConfig } from '../config/slots.ts';
import { fail, ok, type Problem, type Result } from '../core/problem.ts';
import { PURPOSE, random } from '../core/random.ts';
import type { AnyValues } from '../core/settings.ts';
import { environments } from '../envs/registry.ts';
import { taskFacts } from '../envs/facts.ts';
import { withDelay } from '../envs/perturb/delayed.ts';
import { perturbationOf, type Perturbation } from '../envs/perturb/perturbation.ts';
import { sightOf, type Sight } from '../envs/perturb/sight.ts';
import type { Environment } from '../envs/types.ts';
import type { ValueLoss } from '../core/value.ts';
import { estimators, objectives, optimizers } from '../methods/registry.ts';
import { objectiveWith, type Estimator, type Objective, type Optimizer } from '../methods/types.ts';
import type { Layout } from '../policies/network.ts';
import { criticsOf, policyFrom, viewOf, type Policy } from '../policies/policy.ts';
import { behaviourOf, type Behaviour } from './behaviour.ts';
import { revisionOf, type CreditRevision } from './creditRevision.ts';
import { controlOf, type ControlSettings } from './control.ts';

/** A checked config, compiled: all sizes known, all methods looked up. Immutable for the whole run. */
export type Plan = {
  readonly config: Config;
  /** of a forked run: the plans before it, oldest first, each in force before update `until` */
  readonly past: readonly { readonly until: number; readonly plan: Plan }[];
  /** the world as the agent meets it: with a delay of actions it is the delayed one */
  readonly env: Environment;
  readonly perturbation: Perturbation;
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
  readonly behaviour: Behaviour;
  readonly estimator: Estimator;
  readonly estimatorParams: AnyValues;
  readonly matched: boolean;
  readonly objective: Objective;
  readonly objectiveParams: AnyValues;
  readonly aggregate: Aggregate;
  /** what a ratio belongs to: one decision, or all words of an action */
  /** what has a ratio of its own: a word, a command by the product of its words, or by their geometric mean */
  readonly ratioLevel: 'unit' | 'step' | 'stepMean';
  readonly epochs: number;
  readonly minibatches: number;
  readonly control: ControlSettings;
  readonly revision: CreditRevision;
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
  readonly live: { readonly learningRate: number; readonly entropyCoef: number; readonly klCoef: number };
  readonly updates: number;
  readonly evalEvery: number;
  /** evaluations also play on levels that never train */
  readonly heldOut: boolean;
  /** [S] seed of each replica: config seed + r, so that replica r alone is the run with that seed */
  readonly seeds: Uint32Array;
  /** a level seed of the first replica, for sizes */
  readonly firstLevelSeed: number;
  /** stages that the task grows through, and updates spent in each but the last */
  readonly stages: number;
  readonly growEvery: number;
  /** solver solutions cloned before the first update, and gradient steps on them */
  readonly cloneEpisodes: number;
  readonly cloneSteps: number;
  /** parsed level of a level seed; parsed once */
  level(levelSeed: number): unknown;
};

export type Aggregate = 'unitMean' | 'seqMeanUnitMean' | 'seqMeanUnitSum' | 'constant';

/** Which level and which draws each trajectory gets in one rollout; same order on all backends. */
export type Tasks = {
  readonly update: number;
  /** distinct levels of this rollout */
  readonly levelSeeds: Uint32Array;
  /** the same levels, parsed */
  readonly levels: readonly unknown[];
  /** [S, B] index into levelSeeds and levels */
  readonly levelOf: Uint32Array;
  /** [S, B] task group inside the replica, 0 ≤ g < P */
  readonly taskIndex: Uint32Array;
  /** [S, B] */
  readonly episodeSeed: Uint32Array;
};

const LEVEL_CACHE = 4096;

/** The plan of a config, with those of its earlier stages if it is a fork. Bad settings come back as one Problem. */
export function makePlan(config: Config): Result<Plan> {
  const events = parseEvents(config.run['events'] as string);
  if (!events.ok) return fail({ kind: 'configRejected', issues: [{ path: 'run.events', message: events.message }] });
  const stages = stagesOf(config);
  if (!stages.ok) return fail({ kind: 'configRejected', issues: [{ path: 'run.fork', message: stages.message }] });
  const past: { until: number; plan: Plan }[] = [];
  for (const stage of stages.stages) {
    const plan = compile(stage.config);
    if (!plan.ok) return plan;
    past.push({ until: stage.until, plan: plan.value });
  }
  const plan = compile(config);
  return plan.ok && past.length > 0 ? ok({ ...plan.value, past }) : plan;
}

/** Looks up every method, parses the level and derives all sizes. */
function compile(config: Config): Result<Plan> {
  const perturbation = perturbationOf(config.task);
  const env = worldOf(config, perturbation);
  const estimator = find(estimators as readonly Estimator[], config.advantage.method, 'advantage');
  const objective = find(objectives as readonly Objective[], config.objective.method, 'objective');
  const optimizer = find(optimizers as readonly Optimizer[], config.optimizer.method, 'optimizer');
  for (const found of [env, estimator, objective, optimizer]) if (!found.ok) return found;
  if (!env.ok || !estimator.ok || !objective.ok || !optimizer.ok) throw new Error('unreachable');

  const view = viewOf(config.policy.method);
  const taskSettings = group(config.task, env.value.id);
  const envSettings = view ? { ...taskSettings, view } : taskSettings;
  const rewards = group(config.reward, env.value.id);
  const S = number(config.run, 'seeds');
  const seeds = Uint32Array.from({ length: S }, (_, r) => number(config.run, 'seed') + r);
  const stages = env.value.stages?.(taskSettings) ?? 1;
  // sizes are those of the last stage
  const firstOf = (seed: number): number =>
    withStage(levelSeedOf(seed, number(config.task, 'levels'), 0, 0), stages, stages - 1);
  const firstLevelSeed = firstOf(seeds[0]!);
  const first = env.value.level(envSettings, rewards, firstLevelSeed);
  if (!first.ok) return first;
  if (perturbation.obsNoise > 0 && envSettings['view'] === 'index') return fail(NOTHING_TO_BLANK);

  const levels = new Map<number, unknown>();
  const level = (levelSeed: number): unknown => {
    let found = levels.get(levelSeed);
    if (found === undefined) {
      const parsed = env.value.level(envSettings, rewards, levelSeed);
      if (!parsed.ok) throw new Error('A level that was checked before the run could not be made again.');
      if (levels.size >= LEVEL_CACHE) levels.delete(levels.keys().next().value!);
      found = parsed.value;
      levels.set(levelSeed, found);
    }
    return found;
  };

  const features = env.value.features(first.value);
  const actionNames = env.value.actions(first.value);
  const critic = estimator.value.critic === true;
  const { method } = config.policy;
  const facts = taskFacts(env.value, first.value);
  const policy = policyFrom(method, group(config.policy, method), facts, critic, criticsOf(config.policy));
  const obsWords = Math.ceil(features / 32);
  const P = number(config.rollout, 'tasksPerBatch');
  const G = number(config.rollout, 'groupSize');
  return ok({
    config,
    past: [],
    env: env.value,
    perturbation,
    sight: sightOf(env.value, first.value, String(envSettings['view'])),
    flickers: env.value.flicker?.isOn(first.value) ?? false,
    S,
    P,
    G,
    B: P * G,
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
    behaviour: behaviourOf(config.rollout),
    estimator: estimator.value,
    estimatorParams: group(config.advantage, estimator.value.id),
    matched: config.advantage['matched'] === true,
    objective: objectiveWith(objective.value, group(config.objective, objective.value.id)),
    objectiveParams: group(config.objective, objective.value.id),
    aggregate: config.objective['aggregate'] as Aggregate,
    ratioLevel: config.objective['ratioLevel'] as Plan['ratioLevel'],
    epochs: number(config.objective, 'epochs'),
    minibatches: number(config.objective, 'minibatches'),
    control: controlOf(config.objective, actionNames.length),
    revision: revisionOf(config.objective),
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
    stages,
    growEvery: Math.max(1, Number(taskSettings['growEvery'] ?? 1)),
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

/** Tasks of one rollout. Draws depend on (replica seed, update, task or trajectory) only. */
export function makeTasks(plan: Plan, update: number, mode: RolloutMode): Tasks {
  const { S, P, G, B } = plan;
  const count = number(plan.config.task, 'levels');
  // what is measured is always the whole task
  const stage = mode !== 'train' ? plan.stages - 1 : Math.min(plan.stages - 1, Math.floor(update / plan.growEvery));
  const known = new Map<number, number>();
  const levelOf = new Uint32Array(S * B);
  const taskIndex = new Uint32Array(S * B);
  const episodeSeed = new Uint32Array(S * B);
  for (let s = 0; s < S; s++) {
    const seed = plan.seeds[s]!;
    for (let p = 0; p < P; p++) {
      const drawn =
        mode === 'panel'
          ? random(seed, PURPOSE.panelTask, p, 0, 0)
          : levelSeedOf(seed, count, mode === 'train' ? update : update + 0x40000000, p);
      const levelSeed = withStage(drawn, plan.stages, stage);
      let at = known.get(levelSeed);
      if (at === undefined) {
        at = known.size;
        known.set(levelSeed, at);
      }
      for (let k = 0; k < G; k++) {
        const i = p * G + k;
        levelOf[s * B + i] = at;
        taskIndex[s * B + i] = p;
        episodeSeed[s * B + i] = random(seed, EPISODES[mode], update, plan.commonNoise ? p : i, 0);
      }
    }
  }
  const levelSeeds = Uint32Array.from(known.keys());
  return { update, levelSeeds, levels: Array.from(levelSeeds, plan.level), levelOf, taskIndex, episodeSeed };
}

/** Level seed of task p: one of `count` fixed levels of this replica, or a new one every time when count is 0. */
function levelSeedOf(seed: number, count: number, update: number, p: number): number {
  if (count === 0) return random(seed, PURPOSE.taskPick, update, p, 1);
  const which = count === 1 ? 0 : random(seed, PURPOSE.taskPick, update, p, 0) % count;
  return random(seed, PURPOSE.taskPick, 0xffffffff, which, 0);
}

/**
 * Level seeds of the panel of replica s, always of the whole task: the fixed levels of the replica where it has some, else
 * levels that no rollout of the run meets. At most `most`, each once.
 */
export function panelLevels(plan: Plan, s: number, most: number): number[] {
  const seed = plan.seeds[s]!;
  const count = number(plan.config.task, 'levels');
  const drawn = Array.from({ length: count === 0 ? most : Math.min(count, most) }, (_, k) =>
    count === 0 ? random(seed, PURPOSE.panelTask, k, 0, 0) : random(seed, PURPOSE.taskPick, 0xffffffff, k, 0),
  );
  return [...new Set(drawn.map((levelSeed) => withStage(levelSeed, plan.stages, plan.stages - 1)))];
}

function withStage(levelSeed: number, stages: number, stage: number): number {
  return stages > 1 ? ((levelSeed & ~7) | stage) >>> 0 : levelSeed;
}

const NOTHING_TO_BLANK: Problem = {
  kind: 'configRejected',
  issues: [{ path: 'task.obsNoise', message: 'has nothing to blank where the policy sees the number of the state' }],
};

/** The world of a config, behind its delay of actions. */
function worldOf(config: Config, { actionDelay }: Perturbation): Result<Environment> {
  const found = find(environments, config.task.method, 'task');
  return found.ok ? ok(withDelay(found.value, actionDelay, group(config.reward, config.task.method))) : found;
}

function find<T extends { readonly id: string }>(list: readonly T[], id: string, path: string): Result<T> {
  const found = list.find((m) => m.id === id);
  if (found) return ok(found);
  return fail({ kind: 'configRejected', issues: [{ path, message: `“${id}” is not known here` }] });
}

function group(slot: SlotConfig, name: string): AnyValues {
  return (slot[name] ?? {}) as AnyValues;
}

function number(slot: SlotConfig, name: string): number {
  return slot[name] as number;
}

function countActive(env: Environment, level: unknown, obsWords: number): number {
  const state = new Uint32Array(env.words);
  const bits = new Uint32Array(obsWords);
  env.reset(level, state, 0);
  env.observe(level, state, 0, bits, 0);
  let ones = 0;
  for (let word of bits) for (; word !== 0; word &= word - 1) ones++;
  return ones;
}
