import { CLAIM_WORDS, countTable } from '../contract/countTable.ts';
import { chosenOf, scratchOf, stateOf, type ModuleForm } from '../contract/module.ts';
import { signalColumns, stateColumns } from '../contract/signals.ts';
import { TOLD_WORDS } from '../contract/signalSteps.ts';
import { REPORT_RING, REPORT_SECTIONS, REPORT_WORDS } from '../core/report.ts';
import type { AnyValues } from '../core/settings.ts';
import { listedAtOnce, partsOf, slicesOf, wordsOfRows } from '../core/slices.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { outputsOf, type Policy, wordsOf } from '../networks/policy.ts';
import type { ColumnSizes } from '../contract/columnTable.ts';
import { lengthOf } from '../contract/state.ts';
import { deviceWords } from '../contract/sections.ts';
import { columnsOfRun, sizesOfConfig, updateColumnsOfRun } from './runColumns.ts';
import { modulesOf, type RunModules } from './runModules.ts';
import { controllers, rewards, rollouts, sideEpisodes, sources } from '../slots/registry.ts';
import { sideOf } from '../slots/rollout/types.ts';
import type { Estimator } from '../slots/types.ts';
import { runState, stateFacts, withMemory } from './runState.ts';
import { startsApart } from './fresh.ts';
import { makeLevelOf } from './level.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

/** What a run will take. Seconds are null until this device has been measured. */
export type Cost = {
  readonly parameters: number;
  readonly bytes: number;
  /** every episode of a batch at its full length, and with all that a rollout may play beside it */
  readonly stepsPerUpdate: number;
  readonly mostSteps: number;
  readonly seconds: number | null;
};

/** Estimate from the sizes alone. Null for a broken level. */
export function estimateCost(config: Config, stepsPerSecond: number | null): Cost | null {
  const level = makeLevelOf(config);
  const run = level.ok ? modulesOf(config, level.value.policy) : null;
  if (!level.ok || !run) return null;
  const { maxSteps: T, policy } = level.value;
  const number = (path: string): number => getValue(config, path) as number;
  const S = number('run.seeds');
  const P = number('rollout.tasksPerBatch');
  const B = P * number('rollout.groupSize');
  const needs: readonly string[] = estimatorIn(config.advantage)?.needs ?? [];
  const hasSide = sideOf(sideEpisodes, needs) !== null;
  const hasProcess = needs.includes('logpPhi');
  const sizes = sizesOfConfig(config, level.value, B);
  const plays = rollouts.find(({ id }) => id === config.rollout.method);
  // side episodes are a small run of their own; a process model has a score per step; a further round is played beside the batch
  const floats =
    floatsOfRun(config, run, sizes) +
    (plays?.round ? deviceWords(columnsOfRun(run), sizes) : 0) +
    (hasSide ? floatsOfRun(config, run, sizesOfConfig(config, level.value, P)) : 0) +
    (hasProcess ? B * T : 0) +
    floatsOfState(config, policy, sizes);
  const steps = S * (B + (hasSide ? P : 0)) * T;
  const beyond = stepsPlayedAtMost(config, { P, G: B / P, T }) - B * T;
  return {
    parameters: policy.layout.parameters,
    bytes: 4 * S * floats,
    stepsPerUpdate: steps,
    mostSteps: steps + S * Math.ceil(beyond),
    seconds: stepsPerSecond ? (steps * number('run.updates')) / stepsPerSecond : null,
  };
}

/** Environment steps of an update of one seed at most, with what its rollout plays beside the batch. */
export function stepsPlayedAtMost({ rollout }: Config, sizes: Record<'P' | 'G' | 'T', number>): number {
  const module = rollouts.find(({ id }) => id === rollout.method);
  return module?.mostSteps?.(rollout[module.id] as never, sizes) ?? sizes.P * sizes.G * sizes.T;
}

/** Copies of the weights besides those of the state: gradient, what sampled, θ of the update before. */
const COPIES = 3;
/** What comes back of an update, where it is written and in the buffers that take turns on the way. */
const REPORT = (1 + REPORT_RING) * REPORT_SECTIONS * REPORT_WORDS;

/** Of a model of rewards those that have numbers for each feature: parameters, two moments, and what they were. */
const TENSORS_OF_MODEL = 4;

const startsIn = ({ source }: Config): boolean => sources.find(({ id }) => id === source.method)?.starts === true;

/** Lists of steps that are made at once, at most: a run with one minibatch, and one that reads its weights, makes them one by one. */
function listsOf(config: Config, B: number, T: number): number {
  const [epochs, minibatches] = ['epochs', 'minibatches'].map((of) => getValue(config, `objective.${of}`) as number);
  return minibatches === 1 ? 1 : listedAtOnce(epochs! * minibatches! + 1, B, T);
}

/** Floats that one replica holds on WebGPU, with B trajectories. The CPU path holds less. */
function floatsOfRun(config: Config, run: RunModules, sizes: ColumnSizes): number {
  const { B, T } = sizes;
  const { policy } = run;
  const columns = columnsOfRun(run);
  const ofUpdate = updateColumnsOfRun(run);
  // the policy that trains at the steps of a batch that another one played
  // with forks, how far each row was from what played it when the update began
  const apart = columns.has('branchParent') ? B : 0;
  const seen = !startsApart(run) ? 0 : deviceWords(columns, sizes, 'draws') + apart;
  // gradients of seeds that have stopped, weights before a step that may be cut
  const shaping = floatsOfRewards(config, run.estimator, sizes);
  const control = chosenOf(controllers, config.control).map(({ module }) => module);
  const held = Number(control.some((c) => c.stopsAt)) + Number(control.some((c) => c.cutsAt));
  const perStep = scratchOf(run.estimator, run.estimatorParams) + activations(config, policy, T) + shaping.perStep;
  return (
    policy.layout.size * (COPIES + held + slices(policy, B * T)) +
    deviceWords(columns, sizes) +
    deviceWords(ofUpdate, sizes) +
    seen +
    policy.network.gpuFloats(policy, T).once +
    // the live steps of a look, or of all looks of an update
    (policy.network.isListed ? listsOf(config, B, T) * wordsOfRows(B, T) : 0) +
    // hashes in the reports on their way
    B * (T * perStep + 2 * REPORT_RING) +
    shaping.perReplica +
    // saved states that episodes begin in, each with a mark
    (startsIn(config) ? B * (sizes.words + 1) : 0) +
    // sums over rows in two stages
    partsOf(1, B, policy.shape.actions) +
    REPORT
  );
}

/**
 * What reward modules hold beside r′, and credit that reads signals: columns on their way, what the world tells of each state
 * with its scratch, signals; where the keys of a batch find their places in tables of counts, and the gradients of models.
 */
function floatsOfRewards(
  config: Config,
  estimator: Estimator,
  { B, T, words, obsWords }: ColumnSizes,
): { readonly perStep: number; readonly perReplica: number } {
  const chosen = chosenOf(rewards, config.reward);
  // credit that is computed on the CPU has its signals in main memory
  const readers: readonly ModuleForm[] = [...chosen.map(({ module }) => module), ...(estimator.gpu ? [estimator] : [])];
  const needed = readers.flatMap(({ needs = [] }) => needs);
  const names = new Set(needed.filter((name) => Object.hasOwn(signalColumns, name)));
  const tensors = withMemory(chosen)
    .flatMap(({ module, params }) => Object.values(stateOf(module, params)))
    .filter(({ onDevice }) => onDevice);
  const scores = estimator.gpu && estimator.scores ? 1 : 0;
  const ofStates = stateColumns.filter((name) => needed.includes(name)).length;
  const told = scores + ofStates + (names.size > 0 ? TOLD_WORDS + words + names.size : 0);
  const perStep = chosen.reduce((sum, { module, params }) => sum + scratchOf(module, params), told);
  // what adds to a reward makes a new column of both; marks that a module makes are uploaded
  const added = chosen.filter(({ module }) => module.kind === 'additive').length;
  const marks = chosen.some(({ module }) => module.makes?.includes('planMask')) ? 1 : 0;
  const counts = tensors.filter(({ width }) => width === countTable.width);
  const models = tensors.filter(({ per }) => per === 'feature').length / TENSORS_OF_MODEL;
  const size = 32 * obsWords * (tensors.find(({ per }) => per === 'feature')?.width ?? 0);
  const gradients = models * slicesOf(B * (T + 1), size) * size;
  return { perStep: perStep + added + marks, perReplica: counts.length * CLAIM_WORDS + gradients };
}

/** Floats of a step that only learning needs: outputs and their gradient, and what the network keeps. */
function activations(config: Config, policy: Policy, T: number): number {
  const own = policy.network.gpuFloats(policy, T).perStep;
  if (wordsOf(policy)) return own;
  const looks = chosenOf(controllers, config.control).some(({ module }) => module.looksAtKl);
  const hasReference = looks || (config.objective['klCoef'] as number) > 0;
  return (hasReference ? 3 : 2) * outputsOf({ policy }) + own;
}

/** Slices in which a gradient is added up; a network that writes words counts its own. */
function slices(policy: Policy, rows: number): number {
  return wordsOf(policy) ? 0 : slicesOf(rows, policy.layout.size);
}

/** What is remembered between updates, and the rounding of the newest version. */
function floatsOfState(config: Config, { layout }: Policy, { P, B, obsWords }: ColumnSizes): number {
  const kept = Object.values(runState(stateFacts(config))).filter(({ onDevice }) => onDevice === true);
  const none = { step: 0, unit: 0, word: 0, taskWord: 0 };
  const sizes = { S: 1, parameter: layout.size, task: P, row: B, feature: 32 * obsWords, ...none };
  const isRounded = (config.rollout as AnyValues)['rolloutPrecision'] !== 'f32';
  return kept.reduce((sum, tensor) => sum + lengthOf(tensor, sizes), isRounded ? layout.size : 0);
}
