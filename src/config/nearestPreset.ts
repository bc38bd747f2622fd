import { changedFields } from './changedFields.ts';
import { presetConfig, presets } from './presets.ts';
import type { Field } from './schema.ts';
import type { Config } from './slots.ts';

/** A setting of the task makes it another experiment sooner than any number of others. */
const FAR = 1000;
const farness = ({ slot }: Field): number => (slot.id === 'task' ? FAR : 1);

/** The experiment of ours that the changes of a config are told against: of those in the same world, the one most like it. */
export function nearestPreset(config: Config): { readonly base: Config; readonly baseTitle: string } {
  const all = presets.map((preset) => ({ base: presetConfig(preset), baseTitle: preset.title }));
  const far = all
    .filter(({ base }) => base.task.method === config.task.method)
    .map((near) => ({ near, far: changedFields(near.base, config).reduce((sum, f) => sum + farness(f), 0) }));
  return far.reduce((best, other) => (other.far < best.far ? other : best)).near;
}

/** True where two configs set the same task. */
export const isSameTask = (before: Config, after: Config): boolean =>
  before.task === after.task || !changedFields(before, after).some(({ slot }) => slot.id === 'task');
