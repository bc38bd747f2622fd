import { bytesOfColumns } from '../contract/columns.ts';
import { bytesOfState, named, type StateSpec } from '../contract/state.ts';
import type { AnyValues } from '../core/settings.ts';
import { bytesOfLevel, levelsKept } from '../envs/facts.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { ownFloats } from '../networks/kernelFloats.ts';
import { unitsOfStep, type Policy } from '../networks/policy.ts';
import { rollouts, sideEpisodes, sources } from '../slots/registry.ts';
import { sideOf } from '../slots/rollout/types.ts';
import { estimateCost } from './cost.ts';
import { startsApart } from './fresh.ts';
import { columnsOfRun, sizesOfConfig, updateColumnsOfRun } from './runColumns.ts';
import { modulesOf } from './runModules.ts';
import { copiesOf, runState, stateFacts } from './runState.ts';
import { makeLevelOf, seenView } from './level.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

/**
 * Bytes that a run takes at most, told before anything of it is made: on the graphics device if it trains there, and in
 * main memory on either path.
 */
export type Memory = { readonly gpu: number; readonly cpu: number; readonly besideGpu: number };

/** Cores that the seeds of a run are spread over, at most. */
const MOST_CORES = 8;
/** Checkpoints of the timeline take this much, or as much as the few that always stay: start, best, tried and newest. */
const TIMELINE_BYTES = 64 * 1024 * 1024;
const STAY = 4;
/** A state on its way between cores: where it comes from, as a message, where it arrives, joined. */
const ON_THE_WAY = 4;
/** Floats of a step that an estimator returns beside its parts: A, target, and what is kept of them. */
const CREDIT = 3;
/** Floats of a step of the replica whose credit is being worked out, with the objects of graphs and groups. */
const WORKING = 64;
/** Task, length, success, return and whether it counts, of a row of the first of several rounds. */
const BYTES_OF_FIRST = 4 * 4 + 1;
/** Copies of the batch on view: the view, its snapshot, both once more as a message. */
const VIEWS = 4;
/** Policies of their own that look at the batch on view and go on from its states. */
const VIEWERS = 2;

/** Null for a level that cannot be made. */
export function memoryOf(config: Config): Memory | null {
  const level = makeLevelOf(config);
  const cost = estimateCost(config, null);
  const run = level.ok ? modulesOf(config, level.value.policy) : null;
  if (!level.ok || !cost || !run) return null;
  const number = (path: string): number => getValue(config, path) as number;
  const S = number('run.seeds');
  const P = number('rollout.tasksPerBatch');
  const B = P * number('rollout.groupSize');
  const { policy, maxSteps: T, features } = level.value;
  const facts = stateFacts(config);
  const spec = runState(facts);
  const { rolloutPrecision, unifiedPrecision } = config.rollout as AnyValues;
  const copies = copiesOf(spec, facts.lag, rolloutPrecision !== 'f32' && unifiedPrecision === true);
  const perStep = floatsOfCredit(config);
  const [ofBatch, ofUpdate] = [columnsOfRun(run), updateColumnsOfRun(run)];
  const columns = (rows: number): number => bytesOfColumns(ofBatch, sizesOfConfig(config, level.value, rows));
  const { size } = policy.layout;
  const { words } = sizesOfConfig(config, level.value, B);
  const state =
    S *
    bytesOfState(
      { ...spec, ...sourceState(config, words) },
      {
        ...{ S, parameter: size, task: P, row: B, feature: 32 * Math.ceil(features / 32) },
        ...{ step: T, unit: T * unitsOfStep(policy), word: words, taskWord: P * words },
      },
    );
  const kernels = policy.network.cpuFloats(policy);
  const remembered = 4 * (policy.network.remembered?.(policy.shape) ?? 0) * B;
  const sizes = sizesOfConfig(config, level.value, B);
  // an update starts with a look by the policy that trains, where another one plays
  const seen = !startsApart(run) ? 0 : 4 * B * T * (1 + sizes.actions + sizes.K);
  const batch = columns(B) + bytesOfColumns(ofUpdate, sizes) + seen + 4 * B * (T + 1) * perStep;
  const views = VIEWS * batch + VIEWERS * (remembered + 4 * (kernels.arrays + kernels.scratch + 6_000));
  const cores = Math.min(S, MOST_CORES);
  const side = sideOf(sideEpisodes, needsOf(config)) ? columns(P) + 4 * P * (T + 1) * perStep : 0;
  // episodes that are played again, and those that a step imitates
  const rollout = rollouts.find((r) => r.id === config.rollout.method);
  const ofRollout = rollout?.beside?.(config.rollout[rollout.id] as never, { P, G: B / P });
  const { again = 0, imitated = 0 } = ofRollout ?? {};
  // further rounds are played beside the batch; how the rows of its first round went is kept for the task source
  const rounds = rollout?.round ? columns(B) + B * BYTES_OF_FIRST : 0;
  const beside = columns(again) + columns(imitated) + 4 * (2 * again + imitated) * T * (1 + sizes.K) + rounds;
  const backend = bytesOfBackend(policy, { S, copies }, cores) + S * (batch + side + beside + remembered + 4 * 24 * B);
  const working = 4 * cores * B * T * WORKING;
  const view = seenView(config);
  const levels = (levelsKept(features, view) + S * P) * bytesOfLevel(features, view);
  // what is cloned before the first update
  const cloned = number('policy.cloneEpisodes');
  const shown = columns(cloned) + 4 * cloned * (T + 1) * (perStep + 2);
  const always = views + levels + shown + kept(config, state);
  return {
    gpu: cost.bytes,
    cpu: always + backend + working + (cores > 1 ? ON_THE_WAY : 1) * state,
    besideGpu: always + 2 * state,
  };
}

const needsOf = (config: Config): readonly string[] => estimatorIn(config.advantage)?.needs ?? [];

/** Most that the kept checkpoints take: no more than are taken in the whole run. */
function kept(config: Config, state: number): number {
  const updates = getValue(config, 'run.updates') as number;
  const evalEvery = getValue(config, 'analysis.evalEvery') as number;
  const evaluated = evalEvery > 0 ? 1 + updates / evalEvery : 0;
  const taken = 3 + Math.log2(updates) + updates / 20 + evaluated;
  return Math.min(state * taken, Math.max(TIMELINE_BYTES, STAY * state));
}

/** Weights with all that belongs to them, and the kernels of every core. */
function bytesOfBackend(policy: Policy, of: { S: number; copies: number }, cores: number): number {
  const { size } = policy.layout;
  const { arrays, scratch } = policy.network.cpuFloats(policy);
  // before a step: parameters and moments, those of φ as well; every array may lose a few bytes to its alignment
  const each = arrays + scratch + 6 * size + 6_000;
  // θ of the update before, for metrics
  const metrics = of.S * size;
  return 4 * (ownFloats(size, of.S, of.copies) + (cores - 1) * 3 * size + cores * each + metrics);
}

/** Floats of a step that an estimator returns: A of the step or of its units, its parts, a target. */
function floatsOfCredit(config: Config): number {
  const { parts = [] } = estimatorIn(config.advantage) ?? {};
  return CREDIT + parts.length;
}

/** What a task source remembers. */
function sourceState(config: Config, words: number): StateSpec {
  const source = sources.find((s) => s.id === config.source.method);
  if (!source?.state) return {};
  const levels = getValue(config, 'task.levels') as number;
  return named(source.id, source.state(config.source[source.id] as never, levels, words));
}
