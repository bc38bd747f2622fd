import { chosenOf, stateOf, type ModuleForm } from '../contract/module.ts';
import { signalColumns } from '../contract/signals.ts';
import { TOLD_WORDS } from '../contract/signalSteps.ts';
import { REPORT_RING, REPORT_SECTIONS, REPORT_WORDS } from '../core/report.ts';
import type { AnyValues } from '../core/settings.ts';
import { slicesOf } from '../core/slices.ts';
import { estimators } from '../slots/methods.ts';
import { outputsOf, type Policy, wordsOf } from '../networks/policy.ts';
import { lengthOf } from '../contract/state.ts';
import { deviceWords } from '../contract/sections.ts';
import { columnsOfConfig, sizesOfConfig, updateColumnsOfConfig } from './runColumns.ts';
import { controllers, rewards, sideEpisodes } from '../slots/registry.ts';
import { sideOf } from '../slots/rollout/types.ts';
import { runState, stateFacts } from './runState.ts';
import { isFresh } from './fresh.ts';
import { makeLevelOf, type LevelFacts } from './level.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

/** What a run will take. Seconds are null until this device has been measured. */
export type Cost = {
  readonly parameters: number;
  readonly bytes: number;
  readonly stepsPerUpdate: number;
  readonly seconds: number | null;
};

/** Estimate from the sizes alone; environment steps count every episode at its full length. Null for a broken level. */
export function estimateCost(config: Config, stepsPerSecond: number | null): Cost | null {
  const level = makeLevelOf(config);
  if (!level.ok) return null;
  const { maxSteps: T, policy } = level.value;
  const number = (path: string): number => getValue(config, path) as number;
  const S = number('run.seeds');
  const P = number('rollout.tasksPerBatch');
  const B = P * number('rollout.groupSize');
  const needs: readonly string[] = estimators.find((e) => e.id === config.advantage.method)?.needs ?? [];
  const hasSide = sideOf(sideEpisodes, needs) !== null;
  const hasProcess = needs.includes('logpPhi');
  // side episodes are a small run of their own; a process model has a score per step
  const floats =
    floatsOfRun(config, level.value, B) +
    (hasSide ? floatsOfRun(config, level.value, P) : 0) +
    (hasProcess ? B * T : 0) +
    floatsOfState(config, policy, { P, B });
  const steps = S * (B + (hasSide ? P : 0)) * T;
  return {
    parameters: policy.layout.parameters,
    bytes: 4 * S * floats,
    stepsPerUpdate: steps,
    seconds: stepsPerSecond ? (steps * number('run.updates')) / stepsPerSecond : null,
  };
}

/** Copies of the weights besides those of the state: gradient, what sampled, θ of the update before. */
const COPIES = 3;
/** Columns that an estimator makes on its way, about. */
const COLUMNS = 4;
/** What comes back of an update, where it is written and in the buffers that take turns on the way. */
const REPORT = (1 + REPORT_RING) * REPORT_SECTIONS * REPORT_WORDS;

/** Floats that one replica holds on WebGPU, with B trajectories. The CPU path holds less. */
function floatsOfRun(config: Config, level: LevelFacts, B: number): number {
  const { maxSteps: T, policy } = level;
  const columns = columnsOfConfig(config, policy);
  const ofUpdate = updateColumnsOfConfig(config, policy);
  const sizes = sizesOfConfig(config, level, B);
  // the policy that trains at the steps of a batch that another one played
  const seen = isFresh(config) ? 0 : deviceWords(columns, sizes, 'draws');
  // gradients of seeds that have stopped, weights before a step that may be cut
  const shaping = floatsOfRewards(config, sizes.words);
  const control = chosenOf(controllers, config.control).map(({ module }) => module);
  const held = Number(control.some((c) => c.stopsAt)) + Number(control.some((c) => c.cutsAt));
  const perStep = COLUMNS + activations(config, policy) + shaping.perStep;
  return (
    policy.layout.size * (COPIES + held + slices(policy, B * T)) +
    deviceWords(columns, sizes) +
    deviceWords(ofUpdate, sizes) +
    seen +
    policy.network.gpuFloats(policy).once +
    // hashes in the reports on their way
    B * (T * perStep + 2 * REPORT_RING) +
    shaping.perReplica +
    REPORT
  );
}

/**
 * What reward modules hold beside r′: columns on their way, what the world tells of each state with its scratch, signals; and the
 * tensors they remember, once more where keys find their places.
 */
function floatsOfRewards(config: Config, words: number): { readonly perStep: number; readonly perReplica: number } {
  const chosen = chosenOf(rewards, config.reward);
  if (chosen.length === 0) return { perStep: 0, perReplica: 0 };
  const names = new Set(
    chosen
      .flatMap(({ module }) => (module as ModuleForm).needs ?? [])
      .filter((name) => Object.hasOwn(signalColumns, name)),
  );
  const tensors = chosen.flatMap(({ module, params }) => Object.values(stateOf(module, params)));
  const kept = tensors.reduce((sum, { width = 1 }) => sum + width, 0);
  const told = names.size > 0 ? TOLD_WORDS + words + names.size : 0;
  return { perStep: COLUMNS + told + (kept > 0 ? 3 : 0), perReplica: 2 * kept };
}

/** Floats of a step that only learning needs: outputs and their gradient, and what the network keeps. */
function activations(config: Config, policy: Policy): number {
  const own = policy.network.gpuFloats(policy).perStep;
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
function floatsOfState(config: Config, { layout }: Policy, { P, B }: { P: number; B: number }): number {
  const kept = Object.values(runState(stateFacts(config))).filter(({ onDevice }) => onDevice === true);
  const sizes = { S: 1, parameter: layout.size, task: P, row: B };
  const isRounded = (config.rollout as AnyValues)['rolloutPrecision'] !== 'f32';
  return kept.reduce((sum, tensor) => sum + lengthOf(tensor, sizes), isRounded ? layout.size : 0);
}
