import { bytesOfColumns, columnOf, type ColumnName } from '../contract/columns.ts';
import type { ColumnSizes } from '../contract/columnTable.ts';
import { CHUNK, chunksKept, REGULAR, TIMELINE_BYTES } from '../contract/kept.ts';
import { bytesOfState, named, type StateSpec } from '../contract/state.ts';
import { MOST_CORES } from '../core/coresOfPage.ts';
import type { AnyValues } from '../core/settings.ts';
import { bytesOfLevel, levelsKept } from '../envs/facts.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { bytesOfKernels, ownFloats } from '../networks/kernelFloats.ts';
import { unitsOfStep, type Policy } from '../networks/policy.ts';
import { rollouts, sideEpisodes, sources } from '../slots/registry.ts';
import { CURVES } from '../slots/metrics/metrics.ts';
import { sideOf } from '../slots/rollout/types.ts';
import { estimateCost } from './cost.ts';
import { startsApart } from './fresh.ts';
import { columnsOfRun, sizesOfConfig, updateColumnsOfRun } from './runColumns.ts';
import { modulesOf, type RunModules } from './runModules.ts';
import { copiesOf, runState, stateFacts } from './runState.ts';
import { makeLevelOf, seenView, type LevelFacts } from './level.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

/**
 * Bytes that a run takes, told before anything of it is made: on the graphics device if it trains there, and in main
 * memory on either path.
 */
export type Memory = {
  readonly gpu: number;
  /** what it holds between two updates at its end, with one batch on view */
  readonly cpu: number;
  readonly besideGpu: number;
  /** most that it takes at any moment, with what comes and goes: work on a batch, messages, states between cores */
  readonly most: { readonly cpu: number; readonly besideGpu: number };
};

/** Checkpoints that always stay: start, best, tried and newest. */
const STAY = 4;
/** A state on its way between cores: where it comes from, as a message, where it arrives, joined. */
const ON_THE_WAY = 4;
/** Floats of a step of the replica whose credit is being worked out, with the objects of graphs and groups. */
const WORKING = 64;
/** Task, length, success, return and whether it counts, of a row of the first of several rounds. */
const BYTES_OF_FIRST = 4 * 4 + 1;
/** Copies of a batch on its way to the page: the snapshot, and it and the view once more as a message. */
const SENT = 3;

/** Null for a level that cannot be made. `cores`: those that its seeds are spread over, where it has so many. */
export function memoryOf(config: Config, cores: number = MOST_CORES): Memory | null {
  const level = makeLevelOf(config);
  const cost = estimateCost(config, null);
  const run = level.ok ? modulesOf(config, level.value.policy) : null;
  if (!level.ok || !cost || !run) return null;
  const number = (path: string): number => getValue(config, path) as number;
  const S = number('run.seeds');
  const P = number('rollout.tasksPerBatch');
  const B = P * number('rollout.groupSize');
  const { policy, maxSteps: T, features } = level.value;
  const { size } = policy.layout;
  const sizes = sizesOfConfig(config, level.value, B);
  const facts = stateFacts(config);
  const spec: StateSpec = { ...runState(facts), ...sourceState(config, sizes.words) };
  const ofState = {
    ...{ S, parameter: size, task: P, row: B, feature: 32 * Math.ceil(features / 32) },
    ...{ step: T, unit: T * unitsOfStep(policy), word: sizes.words, taskWord: P * sizes.words },
  };
  const state = S * bytesOfState(spec, ofState);
  const present = columnsOfRun(run);
  const columns = (rows: number): number => bytesOfColumns(present, sizesOfConfig(config, level.value, rows));
  const credit = 4 * B * T * floatsOfCredit(config);
  const kernels = policy.network.cpuFloats(policy);
  const answering = bytesOfKernels(kernels.arrays, kernels.scratch);
  const remembered = 4 * (policy.network.remembered?.(policy.shape) ?? 0) * B;
  // what each replica has: a batch and what an update makes of it, and what is played beside
  const made = bytesOfColumns(updateColumnsOfRun(run), sizes);
  const batch = columns(B) + made + credit + seenBytes(run, sizes);
  const beside = besideBytes(config, { sizes, columns });
  const side = sideOf(sideEpisodes, needsOf(config)) ? { rows: columns(P) + 4 * P * T, policy: answering } : NO_SIDE;
  const spread = Math.max(1, Math.min(S, cores));
  const { rolloutPrecision, unifiedPrecision } = config.rollout as AnyValues;
  const copies = copiesOf(runState(facts), facts.lag, rolloutPrecision !== 'f32' && unifiedPrecision === true);
  const backend =
    bytesOfBackend(config, policy, { S, copies }, spread) +
    // the weights of a state are in the memory of the kernels
    S * bytesOfState(spec, { ...ofState, parameter: 0 }) +
    S * (batch + beside + side.rows + remembered) +
    spread * side.policy;
  // the batch on view with its policy before and after, and a policy that answers questions about it
  const shown = bytesOfColumns(outerOf(present), sizes) + credit + 4 * B * T + 2 * 4 * size;
  const view = shown + answering;
  const ofLevel = bytesOfLevel(features, seenView(config));
  const mostLevels = levelsKept(features, seenView(config));
  const levels = Math.min(mostLevels + S * P, levelsPlayed(config, level.value)) * ofLevel;
  const always = view + levels + kept(config, state) + curvesKept(config);
  const cloned = number('policy.cloneEpisodes');
  // the whole batch is worked on in all cores; what is cloned goes before the first update
  const passing = {
    sent: SENT * (shown + made) + answering + remembered + (mostLevels + S * P) * ofLevel - levels,
    working: 4 * spread * B * T * WORKING + (spread > 1 ? ON_THE_WAY : 1) * state,
    cloning: columns(cloned) + 4 * cloned * (T + 1) * (floatsOfCredit(config) + 2),
  };
  const { sent, working, cloning } = passing;
  return {
    gpu: cost.bytes,
    cpu: always + backend,
    besideGpu: always + state,
    most: { cpu: always + backend + sent + working + cloning, besideGpu: always + 2 * state + sent + cloning },
  };
}

const NO_SIDE = { rows: 0, policy: 0 };

const needsOf = (config: Config): readonly string[] => estimatorIn(config.advantage)?.needs ?? [];

/** The policy that trains at the steps of a batch that another one played, where an update starts with a look by it. */
const seenBytes = (run: RunModules, { B, T, actions, K }: ColumnSizes): number =>
  startsApart(run) ? 4 * B * T * (1 + actions + K) : 0;

type Rows = { readonly sizes: ColumnSizes; readonly columns: (rows: number) => number };

/** What a rollout plays beside the batch of a replica. */
function besideBytes(config: Config, { sizes, columns }: Rows): number {
  const { P, B, T, K } = sizes;
  const rollout = rollouts.find((r) => r.id === config.rollout.method);
  // episodes that are played again, and those that a step imitates
  const of = rollout?.beside?.(config.rollout[rollout.id] as never, { P, G: B / P });
  const { again = 0, imitated = 0 } = of ?? {};
  // further rounds are played beside the batch; how the rows of its first round went is kept for the task source
  const rounds = rollout?.round ? columns(B) + B * BYTES_OF_FIRST : 0;
  return columns(again) + columns(imitated) + 4 * (2 * again + imitated) * T * (1 + K) + rounds;
}

/** What the view of a batch copies: a finished batch, with the states and the policy of its steps. */
const outerOf = (present: ReadonlySet<ColumnName>): ReadonlySet<ColumnName> =>
  new Set([...present].filter((name) => !columnOf(name).inner || name === 'state' || name === 'probs'));

/** Different levels of a whole run at most: parsed once, and kept as long as there is room. */
function levelsPlayed(config: Config, { isFixed }: LevelFacts): number {
  if (isFixed) return 1;
  const number = (path: string): number => getValue(config, path) as number;
  const all = number('run.seeds') * number('rollout.tasksPerBatch') * number('run.updates');
  return number('task.levels') === 0 ? all : Math.min(all, number('task.levels'));
}

/** What the kept checkpoints take at the end of a run. */
function kept(config: Config, state: number): number {
  const updates = getValue(config, 'run.updates') as number;
  const evalEvery = getValue(config, 'analysis.evalEvery') as number;
  // the first evaluation is of the start
  const evaluates = evalEvery > 0 && updates > evalEvery;
  const isDue = updates % REGULAR === 0 || Number.isInteger(Math.log2(updates));
  // start, powers of two, every twentieth, the end, the best evaluation
  const taken = 2 + Math.floor(Math.log2(updates)) + Math.floor(updates / REGULAR) + Number(!isDue) + Number(evaluates);
  return state * Math.min(taken, Math.max(STAY, Math.floor(TIMELINE_BYTES / state)));
}

/** The newest curves, in whole pieces. */
function curvesKept(config: Config): number {
  const row = (getValue(config, 'run.seeds') as number) * CURVES;
  const chunks = Math.ceil((getValue(config, 'run.updates') as number) / CHUNK);
  return 4 * CHUNK * row * Math.min(chunks, chunksKept(row));
}

/** Kernels of every core with the weights and all that belongs to them, and what weights were before. */
function bytesOfBackend(config: Config, policy: Policy, of: { S: number; copies: number }, cores: number): number {
  const { size } = policy.layout;
  const { arrays, scratch } = policy.network.cpuFloats(policy);
  const own = ownFloats(size, of.S / cores, of.copies) + arrays;
  // parameters and moments before a step, those of φ as well
  const before = needsOf(config).includes('logpPhi') ? 6 * size : 3 * size;
  return cores * (bytesOfKernels(own, scratch) + 4 * before);
}

/** Floats of a step that an estimator returns: A, its parts, a target where there is a critic. */
function floatsOfCredit(config: Config): number {
  const { parts = [], critic } = estimatorIn(config.advantage) ?? {};
  return 1 + parts.length + (critic ? 1 : 0);
}

/** What a task source remembers. */
function sourceState(config: Config, words: number): StateSpec {
  const source = sources.find((s) => s.id === config.source.method);
  if (!source?.state) return {};
  const levels = getValue(config, 'task.levels') as number;
  return named(source.id, source.state(config.source[source.id] as never, levels, words));
}
