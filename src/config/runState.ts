import { chosenOf, runsOnGpu, stateOf, type Chosen, type ModuleForm } from '../contract/module.ts';
import { named, type StateSpec, type TensorSpec } from '../contract/state.ts';
import type { AnyValues } from '../core/settings.ts';
import { versionRuleOf } from './rolloutSettings.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { estimators, objectives, optimizers } from '../slots/methods.ts';
import { controllers, revisions, rewards, rollouts, sources, wrappers } from '../slots/registry.ts';
import type { Restriction } from '../slots/rollout/types.ts';
import type { Config, SlotConfig } from './slots.ts';

/** What of an experiment decides which tensors its state has. */
export type StateFacts = {
  /** updates that the oldest version which still plays is old */
  readonly lag: number;
  /** what restricts the choice of actions; does a process model score the batch, are returns normalized over the run? */
  readonly restricts: Restriction | undefined;
  readonly hasProcess: boolean;
  readonly normalizes: boolean;
  /** numbers that the rule of versions remembers of a replica */
  readonly clock: number;
  /** modules of all slots: those with a memory declare it */
  readonly modules: readonly Chosen<Pick<ModuleForm, 'id' | 'state'>>[];
};

/**
 * Reward modules with their state as a run keeps it: where one of them is computed on the CPU all are, and their tensors
 * stay in main memory.
 */
export function withMemory<M extends ModuleForm>(rewards: readonly Chosen<M>[]): readonly Chosen<M>[] {
  if (rewards.every(({ module, params }) => runsOnGpu(module, params))) return rewards;
  return rewards.map(({ module, params }) => {
    const host = Object.entries(stateOf(module, params)).map(([name, tensor]): [string, TensorSpec] => {
      const { type, per, width, start, onFork, byHand } = tensor;
      const sizes = {
        ...(width === undefined ? {} : { width }),
        ...(start === undefined ? {} : { start }),
        ...(byHand ? { byHand } : {}),
      };
      return [name, { type, per, onFork, ...sizes }];
    });
    return { module: { ...module, state: Object.fromEntries(host) }, params };
  });
}

/** Every module there is that a config can choose. */
export const allModules: readonly ModuleForm[] = [
  ...[...wrappers, ...sources, ...rewards, ...estimators, ...revisions],
  ...[...objectives, ...controllers, ...optimizers, ...rollouts],
];

/** Every module that acts in a config, in the order of the slots. */
export function actingModules(config: Config, paid = chosenOf(rewards, config.reward)): readonly Chosen<ModuleForm>[] {
  const chosen = (registry: readonly ModuleForm[], slot: SlotConfig): readonly Chosen<ModuleForm>[] =>
    registry.filter(({ id }) => id === slot.method).map((m) => ({ module: m, params: slot[m.id] as AnyValues }));
  return [
    ...chosenOf(wrappers, config.task),
    ...chosen(sources, config.source),
    ...paid,
    ...chosen(estimators, config.advantage),
    ...chosenOf(revisions, config.revise),
    ...chosen(objectives, config.objective),
    ...chosenOf(controllers, config.control),
    ...chosen(optimizers, config.optimizer),
    ...chosen(rollouts, config.rollout),
  ];
}

/** The facts of a config. */
export function stateFacts(config: Config): StateFacts {
  const estimator = estimatorIn(config.advantage);
  const objective = objectives.find(({ id }) => id === config.objective.method);
  const needs: readonly string[] = estimator?.needs ?? [];
  return {
    lag: (config.rollout as AnyValues)['staleness'] as number,
    restricts: objective?.restricts,
    hasProcess: needs.includes('logpPhi'),
    normalizes: (config.reward as AnyValues)['normalize'] === true,
    clock: versionRuleOf(config.rollout as AnyValues).clockSize?.(config.rollout as AnyValues) ?? 0,
    modules: actingModules(config, withMemory(chosenOf(rewards, config.reward))),
  };
}

/**
 * Arrays as long as the weights that a backend on the CPU keeps for every replica: those of the state and of the update
 * before, the rounding that training sees, and the version that plays where only the newest does.
 */
export function copiesOf(spec: StateSpec, lag: number, isUnified: boolean): number {
  const kept = Object.values(spec).filter(({ per, type }) => per === 'parameter' && type === 'f32');
  return kept.reduce((sum, { width = 1 }) => sum + width, 1) + (isUnified ? 1 : 0) + (lag === 0 ? 1 : 0);
}

const WEIGHTS = { type: 'f32', per: 'parameter', onFork: 'keep', onDevice: true } as const satisfies TensorSpec;

/** Name of the tensor that holds version v of the weights. */
export const pastName = (v: number, lag: number): string => `past.${v % (lag + 1)}`;

/** Name of the tensor that holds the clock of the rule of versions. */
export const CLOCK = 'clock';

/** Numbers of one replica: returns so far, their mean, and the sum of squared distances to it. */
export const RUNNING = 3;

/** Every tensor that a run of these facts remembers, except the counts of what is controlled: see engine/control.ts. */
export function runState({ lag, restricts, hasProcess, normalizes, clock, modules }: StateFacts): StateSpec {
  const moment: TensorSpec = { ...WEIGHTS, onFork: ['optimizer', 'count'], onReset: 'anew' };
  const ofProcess: TensorSpec = { ...WEIGHTS, onFork: ['optimizer'] };
  const spec: Record<string, TensorSpec> = {
    theta: WEIGHTS,
    m: moment,
    v: moment,
    // frozen policy that a KL term compares with
    reference: { ...WEIGHTS, onReset: 'theta' },
    lastGradient: { ...WEIGHTS, optional: true },
  };
  // versions that still play, as they play: version v in slot v mod (lag + 1)
  for (let k = 0; lag > 0 && k <= lag; k++) spec[`past.${k}`] = { ...WEIGHTS, start: 'played', onFork: ['versions'] };
  // environment steps taken when each of them began: see engine/playedSteps.ts
  const played: TensorSpec = { type: 'f64', per: 'replica', width: lag + 1, start: 'unknown', onFork: ['versions'] };
  if (lag > 0) spec['played'] = { ...played, optional: true };
  if (clock > 0) spec[CLOCK] = { type: 'f64', per: 'replica', width: clock, onFork: ['versions'] };
  Object.assign(spec, restricts?.state);
  if (normalizes) spec['running'] = { type: 'f64', per: 'replica', width: RUNNING, onFork: 'keep', onDevice: true };
  if (hasProcess) {
    // before its first step φ is a copy of the policy (arXiv 2509.19199)
    spec['process.phi'] = { ...WEIGHTS, start: 'theta' };
    spec['process.m'] = ofProcess;
    spec['process.v'] = ofProcess;
    spec['process.steps'] = { type: 'u32', per: 'replica', onFork: ['optimizer'], onDevice: true };
  }
  return Object.assign(
    spec,
    ...modules.map(({ module, params }) => named(module.id, stateOf(module, params))),
  ) as StateSpec;
}
