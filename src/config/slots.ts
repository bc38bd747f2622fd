import { trainsOnCpuFor } from '../contract/columns.ts';
import { levelSettings } from './levelSettings.ts';
import { ON, runsOnGpu, type FinePrint, type ModuleForm, type Source } from '../contract/module.ts';
import { defaultsOf, settings, type AnyValues, type Setting, type Settings } from '../core/settings.ts';
import { environments } from '../envs/registry.ts';
import { creditSettings, estimators, objectives, optimizers } from '../slots/methods.ts';
import { isCpuOnly } from '../slots/rollout/types.ts';
import { countsWords } from '../slots/types.ts';
import { networks } from '../networks/registry.ts';
import { controllers, revisions, rewards, rollouts, sources, wrappers } from '../slots/registry.ts';
import { objectiveSettings } from './objectiveSettings.ts';
import { chosenMetrics } from '../slots/metrics/chosen.ts';
import { notYet } from './offered.ts';
import { rolloutSettings } from './rolloutSettings.ts';

/** Slots that only have a stack: no module of theirs is the chosen one. */
export type StackId = 'revise' | 'control';
export type SlotId =
  | 'task'
  | 'source'
  | 'policy'
  | 'rollout'
  | 'reward'
  | 'advantage'
  | 'objective'
  | 'optimizer'
  | 'analysis'
  | 'run'
  | StackId;

/** A choice inside a slot with the settings that only it uses. */
export type Module = {
  readonly id: string;
  readonly title: string;
  readonly doc: string;
  readonly params: Settings;
  readonly formula?: string;
  readonly source?: Source;
  readonly finePrint?: readonly FinePrint[];
  /** other words by which people look for it */
  readonly also?: string;
  /** why menus do not offer it: the sentence that a config with it is refused with */
  readonly withheld?: string;
  /** true where with these settings a run on the GPU reads every batch back for it */
  readonly readsBack?: (values: AnyValues, writes: boolean) => boolean;
  /** true where a run with it trains on the CPU, whatever device there is */
  readonly isCpuOnly?: boolean;
  /** ids of metrics that exist only while it acts */
  readonly metrics?: readonly string[];
};

export type Slot = {
  readonly id: SlotId;
  readonly title: string;
  readonly doc: string;
  /** settings that hold whatever the method */
  readonly common: Settings;
  /** one of these is chosen, by the setting `method`; none: there is nothing to choose */
  readonly modules: readonly Module[];
  /** any number of these act, in this order; each has a switch `on` before its own settings */
  readonly stack?: readonly Module[];
  /** the slot whose choice says which module is meant */
  readonly follows?: SlotId;
  /** what its modules make of a finished batch, in words: one without a GPU form is computed on the CPU after a read-back */
  readonly computes?: string;
};

/**
 * A full config: per slot the chosen method, the common settings, and one record of settings per module, e.g.
 * `config.advantage = { method: 'gigpo', grpo: {}, gigpo: { omega: 1, … }, … }`. Modules that are not chosen, or are off in
 * their stack, keep their values.
 */
export type SlotConfig = { readonly method: string; readonly [name: string]: AnyValues | AnyValues[string] };
export type StackConfig = { readonly [name: string]: AnyValues | AnyValues[string] };
export type Config = { readonly [S in SlotId]: S extends StackId ? StackConfig : SlotConfig };

type Form = Pick<ModuleForm, 'id' | 'title' | 'params'> &
  Partial<ModuleForm> & { readonly doc?: string; readonly onlyOnCpu?: boolean };

function moduleOf(m: Form): Module {
  const withheld = notYet(m);
  return {
    id: m.id,
    title: m.title,
    doc: m.doc ?? m.look ?? '',
    params: m.params,
    ...(m.formula ? { formula: m.formula } : {}),
    ...(m.source ? { source: m.source } : {}),
    ...(m.finePrint ? { finePrint: m.finePrint } : {}),
    ...(m.also ? { also: m.also } : {}),
    ...(withheld === null ? {} : { withheld }),
    ...(m.metrics ? { metrics: m.metrics } : {}),
    ...(m.onlyOnCpu || trainsOnCpuFor(m.needs) ? { isCpuOnly: true } : {}),
    readsBack: (values, writes) =>
      withheld === null && !trainsOnCpuFor(m.needs) && (!runsOnGpu(m, values) || countsWords(m, writes)),
  };
}

const switchOf = ({ title, look, formula }: ModuleForm): Setting => ({
  ...{ kind: 'switch', label: title, default: false, doc: look },
  ...(formula ? { formula } : {}),
});

/** Modules of a stack: the switch first, and a fold for each in the form. */
const stackOf = (registry: readonly ModuleForm[]): readonly Module[] =>
  registry.map((m) => ({ ...moduleOf(m), params: { [ON]: switchOf(m), ...m.params } }));

/** Settings of wrappers that have no switch, in the order of the form. */
const perturbations: Settings = Object.assign({}, ...wrappers.map((w) => (w.isOff ? w.params : {}))) as Settings;

/** All slots in pipeline order. Everything about a config (form, link, check, CLI, docs) is derived from this list. */
export const slots: readonly Slot[] = [
  {
    id: 'task',
    title: 'Task',
    doc: 'The world, its level and its step limit.',
    common: settings({
      ...levelSettings,
      ...perturbations,
    }),
    modules: environments.map((e) => ({ id: e.id, title: e.title, doc: '', params: e.settings })),
    stack: stackOf(wrappers.filter((w) => !w.isOff)),
  },
  {
    id: 'source',
    title: 'Task source',
    doc: 'Which levels a batch plays.',
    common: {},
    modules: sources.map(moduleOf),
  },
  {
    id: 'policy',
    title: 'Policy',
    doc: 'The network that chooses the actions.',
    common: settings({
      cloneEpisodes: {
        kind: 'integer',
        group: 'Start from solutions',
        label: 'Solutions to start from',
        default: 0,
        min: 0,
        max: 64,
        doc: 'Shortest solutions that the policy imitates before the first update; 0 = none.',
      },
      cloneSteps: {
        kind: 'integer',
        group: 'Start from solutions',
        label: 'Imitation steps',
        default: 60,
        min: 1,
        max: 1000,
        doc: 'Gradient steps on these solutions.',
      },
      cloneData: {
        kind: 'choice',
        group: 'Start from solutions',
        label: 'Collected by',
        default: 'solver',
        options: ['solver', 'conservative', 'mixture'],
        optionLabels: ['the solver', 'a policy at 65 % of the best (NeoRL-2)', 'two solvers (echo chamber)'],
        doc: 'Shortest solutions; or, in small levels, a policy that errs, or two solvers with habits.',
      },
      cloneShare: {
        kind: 'number',
        group: 'Start from solutions',
        label: 'Share of the second solver',
        default: 0.5,
        min: 0,
        max: 1,
        doc: 'The first prefers the first of equally good actions in the list, the second the last.',
        when: { setting: 'cloneData', is: ['mixture'] },
      },
      cloneErrs: {
        kind: 'number',
        group: 'Start from solutions',
        label: 'The second solver errs',
        default: 0,
        min: 0,
        max: 0.9,
        doc: 'Chance of each of its steps to be any action: it gets there later, so it is the worse one.',
        when: { setting: 'cloneData', is: ['mixture'] },
      },
      critics: {
        kind: 'choice',
        label: 'Values of the critic',
        default: 'one',
        options: ['one', 'double'],
        optionLabels: ['one', 'two: soft minimum (SAFE)'],
        doc: 'Two values start out different and learn the same target; credit uses a soft minimum of them.',
        formula: 'V = −α log ½(e^(−V₁/α) + e^(−V₂/α)), α = 0.3',
      },
    }),
    modules: networks.map((n) => ({ ...moduleOf(n), ...(n.gpu ? {} : { isCpuOnly: true }) })),
  },
  {
    id: 'rollout',
    title: 'Rollout',
    doc: 'How many episodes a batch holds and how they are sampled.',
    common: rolloutSettings,
    modules: rollouts.map((r) => {
      const isOnCpu = isCpuOnly(r) || r.memory || r.onGpu?.(defaultsOf(r.params) as never) === false;
      return { ...moduleOf(r), ...(isOnCpu ? { isCpuOnly: true } : {}) };
    }),
  },
  {
    id: 'reward',
    title: 'Reward',
    doc: 'What the world pays.',
    common: settings({
      normalize: {
        kind: 'switch',
        label: 'Running normalization',
        default: false,
        doc: 'Credit sees each return normalized by the run so far, paid at the last step (PPO-max).',
        formula: 'R ← clamp((R − μ)/σ, ±c)',
      },
      normalizeClip: {
        kind: 'number',
        label: 'Clip of the return',
        default: 0.8,
        min: 0,
        max: 10,
        doc: 'Largest normalized return; 0 = no clip.',
        formula: 'c',
        when: { setting: 'normalize', is: [true] },
      },
    }),
    modules: environments.map((e) => ({ id: e.id, title: `${e.title} reward`, doc: '', params: e.rewards })),
    follows: 'task',
    stack: stackOf(rewards),
    computes: 'its reward',
  },
  {
    id: 'advantage',
    title: 'Advantage',
    doc: 'How credit for the outcome is assigned to single steps.',
    common: creditSettings,
    modules: estimators.map(moduleOf),
    computes: 'its credit',
  },
  {
    id: 'revise',
    title: 'Revision',
    doc: 'What changes the credit before the objective uses it.',
    common: {},
    modules: [],
    stack: stackOf(revisions),
    computes: 'its change of the credit',
  },
  {
    id: 'objective',
    title: 'Objective',
    doc: 'How credit moves the policy.',
    common: objectiveSettings,
    modules: objectives.map(moduleOf),
  },
  {
    id: 'control',
    title: 'Control',
    doc: 'What reacts to measurements: coefficients, stops, and resets of the reference.',
    common: {},
    modules: [],
    stack: stackOf(controllers),
  },
  {
    id: 'optimizer',
    title: 'Optimizer',
    doc: 'How the gradient becomes a step.',
    common: settings({
      learningRate: {
        kind: 'number',
        label: 'Learning rate',
        default: 0.003,
        min: 1e-6,
        max: 10,
        scale: 'log',
        live: true,
        doc: 'Size of an optimizer step.',
        formula: 'η',
      },
      schedule: {
        kind: 'choice',
        label: 'Schedule',
        default: 'constant',
        options: ['constant', 'linear', 'cosine'],
        doc: 'How the learning rate changes over the run: down to 0 at the end, or constant.',
      },
      clipNorm: {
        kind: 'number',
        label: 'Gradient clip',
        default: 1,
        min: 0,
        max: 1000,
        scale: 'log',
        doc: 'Longer gradients are scaled down to this norm; 0 = off.',
      },
    }),
    modules: optimizers.map(moduleOf),
  },
  {
    id: 'analysis',
    title: 'Analysis',
    doc: 'What is measured. It never changes training.',
    common: settings({
      evalEvery: {
        kind: 'integer',
        label: 'Evaluate every',
        default: 5,
        min: 0,
        max: 1000,
        unit: 'updates',
        doc: 'Updates between evaluations on separate episodes; 0 = never.',
      },
      heldOut: {
        kind: 'switch',
        label: 'Held-out levels',
        default: false,
        doc: 'Also evaluate on levels that are never trained on, the same ones each time; an alarm compares both.',
      },
    }),
    modules: [{ id: 'standard', title: 'Standard metrics', doc: 'The live metrics of the lab.', params: {} }],
    stack: stackOf(chosenMetrics.map((m) => ({ ...m, params: {}, metrics: [m.id] }))),
    computes: 'its number',
  },
  {
    id: 'run',
    title: 'Run',
    doc: 'How long, how often, on what.',
    common: settings({
      seed: {
        kind: 'integer',
        label: 'Seed',
        default: 1,
        min: 0,
        max: 4294967295,
        doc: 'First seed; the others count up from it. It decides weights, levels and samples.',
      },
      seeds: {
        kind: 'integer',
        label: 'Seeds',
        default: 3,
        min: 1,
        max: 64,
        doc: 'S: how many runs of the same experiment train side by side.',
        formula: 'S',
      },
      updates: {
        kind: 'integer',
        label: 'Updates',
        default: 200,
        min: 1,
        max: 20000,
        doc: 'Policy updates until the run ends.',
      },
      backend: {
        kind: 'choice',
        label: 'Runs on',
        default: 'auto',
        options: ['auto', 'webgpu', 'cpu'],
        optionLabels: ['best available', 'GPU (WebGPU)', 'CPU'],
        doc: 'CPU results are the same on every machine; GPU results on the same kind of device.',
      },
      events: {
        kind: 'text',
        group: 'History',
        label: 'Changes during the run',
        default: '',
        maxLength: 2000,
        doc: 'One per line: update, setting, value; or update, “reference reset”. A replay repeats them.',
      },
      fork: {
        kind: 'text',
        group: 'History',
        label: 'Forked from',
        default: '',
        // names of settings have grown since the first version, and a fork of before must still fit
        maxLength: 4000,
        doc: 'Settings that were different before a fork; a replay starts with them.',
      },
    }),
    modules: [{ id: 'standard', title: 'Single experiment', doc: 'All seeds side by side.', params: {} }],
  },
];
