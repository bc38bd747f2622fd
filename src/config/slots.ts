import { settings, type AnyValues, type Settings } from '../core/settings.ts';
import { environments } from '../envs/registry.ts';
import { estimators, objectives, optimizers } from '../methods/registry.ts';
import { policies } from '../policies/registry.ts';
import { objectiveSettings } from './objectiveSettings.ts';
import { rolloutSettings } from './rolloutSettings.ts';

export type SlotId =
  'task' | 'policy' | 'rollout' | 'reward' | 'advantage' | 'objective' | 'optimizer' | 'analysis' | 'run';

/** A choice inside a slot with the settings that only it uses. */
export type Module = {
  readonly id: string;
  readonly title: string;
  readonly doc: string;
  readonly params: Settings;
  readonly formula?: string;
  readonly source?: { readonly title: string; readonly arxiv?: string; readonly level?: string };
};

export type Slot = {
  readonly id: SlotId;
  readonly title: string;
  readonly doc: string;
  /** settings that hold whatever the method */
  readonly common: Settings;
  readonly modules: readonly Module[];
};

/**
 * A full config: per slot the chosen method, the common settings, and one record of settings per module, e.g.
 * `config.advantage = { method: 'gigpo', matched: false, grpo: {}, gigpo: { omega: 1, … }, … }`.
 * Modules that are not chosen keep their values.
 */
export type SlotConfig = { readonly method: string; readonly [name: string]: AnyValues | AnyValues[string] };
export type Config = { readonly [S in SlotId]: SlotConfig };

const moduleOf = (m: {
  id: string;
  title: string;
  look?: string;
  doc?: string;
  formula?: string;
  params: Settings;
  source?: Module['source'];
}): Module => ({
  id: m.id,
  title: m.title,
  doc: m.doc ?? m.look ?? '',
  params: m.params,
  ...(m.formula ? { formula: m.formula } : {}),
  ...(m.source ? { source: m.source } : {}),
});

/** All slots in pipeline order. Everything about a config (form, link, check, CLI, docs) is derived from this list. */
export const slots: readonly Slot[] = [
  {
    id: 'task',
    title: 'Task',
    doc: 'The world, its level and its step limit.',
    common: settings({
      levels: {
        kind: 'integer',
        label: 'Different levels',
        default: 1,
        min: 0,
        max: 4096,
        doc: 'How many generated levels training draws from; 0 = a new one for every task.',
      },
      actionDelay: {
        kind: 'integer',
        group: 'Perturbations',
        label: 'Action delay',
        default: 0,
        min: 0,
        max: 3,
        unit: 'steps',
        doc: 'An action acts so many steps after it was chosen; until then nothing happens.',
      },
      rewardDelay: {
        kind: 'integer',
        group: 'Perturbations',
        label: 'Reward delay',
        default: 0,
        min: 0,
        max: 8,
        unit: 'steps',
        doc: 'A reward is paid so many steps late, the rest at the end; the sum stays the same.',
      },
      obsNoise: {
        kind: 'integer',
        group: 'Perturbations',
        label: 'Blanked observation',
        default: 0,
        min: 0,
        max: 255,
        unit: '/ 256',
        doc: 'Chance that a cell, a word or a feature is not seen at a step; never the agent’s cell.',
      },
      rewardNoise: {
        kind: 'number',
        group: 'Perturbations',
        label: 'Reward noise',
        default: 0,
        min: 0,
        max: 2,
        doc: 'Largest random amount that is added to each reward; its mean is 0.',
        formula: 'r ← r + u, u uniform over −σ … σ',
      },
    }),
    modules: environments.map((e) => ({ id: e.id, title: e.title, doc: '', params: e.settings })),
  },
  {
    id: 'policy',
    title: 'Policy',
    doc: 'The network that chooses actions.',
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
      critics: {
        kind: 'choice',
        label: 'Values of the critic',
        default: 'one',
        options: ['one', 'double'],
        optionLabels: ['one', 'two: soft minimum (SAFE)'],
        doc: 'Two values start apart and see the same target; credit uses a number near the smaller.',
        formula: 'V = −α log ½(e^(−V₁/α) + e^(−V₂/α)), α = 0.3',
      },
    }),
    modules: policies.map(moduleOf),
  },
  {
    id: 'rollout',
    title: 'Rollout',
    doc: 'How many episodes a batch holds and how they are sampled.',
    common: rolloutSettings,
    modules: [
      { id: 'sampled', title: 'Sampled episodes', doc: 'Every episode starts at the start of its level.', params: {} },
    ],
  },
  {
    id: 'reward',
    title: 'Reward',
    doc: 'What the world pays, in thousandths.',
    common: settings({
      normalize: {
        kind: 'switch',
        label: 'Running normalization',
        default: false,
        doc: 'Credit sees each return in units of the run so far, paid at the last step (PPO-max).',
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
  },
  {
    id: 'advantage',
    title: 'Advantage',
    doc: 'How credit for the outcome is given to single steps.',
    common: settings({
      matched: {
        kind: 'switch',
        label: 'Match update size',
        default: false,
        doc: 'Divide credit by its RMS over the batch, so that methods take equal steps.',
        formula: 'A ← A / RMS(A)',
      },
    }),
    modules: estimators.map(moduleOf),
  },
  {
    id: 'objective',
    title: 'Objective',
    doc: 'How credit moves the policy.',
    common: objectiveSettings,
    modules: objectives.map(moduleOf),
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
        doc: 'How the learning rate changes over the run: to 0 at its end, or not at all.',
      },
      clipNorm: {
        kind: 'number',
        label: 'Gradient clip',
        default: 1,
        min: 0,
        max: 1000,
        scale: 'log',
        doc: 'Gradients longer than this are shortened to it; 0 = off.',
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
        doc: 'Evaluate also on levels that never train, the same ones each time; an alarm watches both.',
      },
    }),
    modules: [{ id: 'standard', title: 'Standard metrics', doc: 'The live metrics of the lab.', params: {} }],
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
        doc: 'First seed; the others follow it. Decides weights, levels and samples.',
      },
      seeds: {
        kind: 'integer',
        label: 'Seeds',
        default: 3,
        min: 1,
        max: 64,
        doc: 'S: runs of the same experiment that train side by side.',
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
        doc: 'CPU results are equal on every machine; GPU results on equal devices.',
      },
      events: {
        kind: 'text',
        group: 'History',
        label: 'Changes during the run',
        default: '',
        maxLength: 2000,
        doc: 'One a line: update, setting, value; or update, “reference reset”. A replay repeats them.',
      },
      fork: {
        kind: 'text',
        group: 'History',
        label: 'Forked from',
        default: '',
        maxLength: 2000,
        doc: 'Settings that were different before a fork; a replay begins with them.',
      },
    }),
    modules: [{ id: 'standard', title: 'Single experiment', doc: 'All seeds side by side.', params: {} }],
  },
];
