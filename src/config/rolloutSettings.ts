import { settings, type AnyValues, type Setting } from '../core/settings.ts';
import { versionRules } from '../slots/registry.ts';
import type { VersionRule } from '../slots/rollout/types.ts';

const GROUP = 'Old and coarse data';

/** The settings of the rules that say which versions play, each shown where its rule is chosen. */
const ofVersions = Object.fromEntries(
  versionRules.flatMap(({ id, params }) =>
    Object.entries(params).map(([name, setting]): [string, Setting] => {
      const { kind, ...rest } = setting;
      return [name, { kind, group: GROUP, ...rest, when: { setting: 'ages', is: [id] } } as Setting];
    }),
  ),
);

/** The rule that a rollout has chosen. */
export const versionRuleOf = (rollout: AnyValues): VersionRule =>
  versionRules.find(({ id }) => id === rollout['ages']) ?? versionRules[0];

/** Settings that every rollout has. */
export const rolloutSettings = settings({
  tasksPerBatch: {
    kind: 'integer',
    label: 'Tasks per batch',
    default: 4,
    min: 1,
    max: 1024,
    doc: 'P: different task instances in one batch.',
    formula: 'P',
  },
  groupSize: {
    kind: 'integer',
    label: 'Group size',
    default: 8,
    min: 1,
    max: 512,
    doc: 'G: episodes rolled out from the same task instance.',
    formula: 'G',
  },
  temperature: {
    kind: 'number',
    label: 'Temperature',
    default: 1,
    min: 0.1,
    max: 5,
    scale: 'log',
    live: true,
    doc: 'Sampling temperature: logits are divided by it.',
  },
  commonNoise: {
    kind: 'switch',
    label: 'Common noise',
    default: false,
    doc: 'All episodes of a group share the world’s random draws.',
  },
  staleness: {
    kind: 'integer',
    group: GROUP,
    label: 'Staleness',
    default: 0,
    min: 0,
    max: 128,
    unit: 'updates',
    doc: 'Episodes are played by the policy of k updates ago; in the other modes, at most k.',
    formula: 'k',
  },
  ages: {
    kind: 'choice',
    group: GROUP,
    label: 'Ages',
    default: versionRules[0].id,
    options: versionRules.map(({ id }) => id),
    optionLabels: versionRules.map(({ title }) => title),
    doc: 'Which versions of the policy play a batch; most choices need a staleness above 0.',
  },
  ...ofVersions,
  rolloutPrecision: {
    kind: 'choice',
    group: GROUP,
    label: 'Rollout precision',
    default: 'f32',
    options: ['f32', 'f16', 'int8', 'int4'],
    optionLabels: ['as in training (f32)', 'half floats', '8 bits per weight', '4 bits per weight'],
    doc: 'Rounds the weights used for rollouts, as fast inference engines do. Half floats change nothing visible.',
  },
  unifiedPrecision: {
    kind: 'switch',
    group: GROUP,
    label: 'Train with the same',
    default: false,
    doc: 'Training sees the rounded weights too; gradients pass straight through the rounding.',
    when: { setting: 'rolloutPrecision', is: ['f16', 'int8', 'int4'] },
  },
});
