import { shownValue } from '../../config/diff.ts';
import { presetConfig, presets, type Preset } from '../../config/presets.ts';
import { fieldAt, getValue, methodOf } from '../../config/schema.ts';
import { slots, type Config, type SlotId } from '../../config/slots.ts';
import { networks } from '../../networks/registry.ts';
import pictures from './pictures.json';

/**
 * What a real run left of itself (scripts/gallery.mjs): the first level, `w` cells a row, a letter for what is in each;
 * how often the last batch was in each, and success over the run, as digits 0 … 9; rooms that are joined. `share`: of the
 * run that was trained for it; `seconds`: of all of it, on the CPU path of two slow cores.
 */
export type Picture = {
  readonly w: number;
  readonly ground: string;
  readonly visits: string;
  readonly ways?: readonly (readonly number[])[];
  readonly curve: string;
  readonly seconds: number;
  readonly share: number;
};

/** An experiment as the gallery shows it. */
export type Entry = {
  readonly preset: Preset;
  readonly world: string;
  readonly method: string;
  readonly picture: Picture | null;
  /** everything that a search looks at */
  readonly text: string;
};

const titleOf = (config: Config, slot: SlotId): string =>
  slots.find((s) => s.id === slot)!.modules.find((m) => m.id === methodOf(config, slot))!.title;

/** "Grid-world: key and door" */
export function worldName(config: Config): string {
  const task = titleOf(config, 'task');
  const field = fieldAt(`task.${config.task.method}.level`);
  if (!field) return task;
  const level = shownValue(field, getValue(config, field.path));
  return `${task}: ${level[0]!.toLowerCase()}${level.slice(1)}`;
}

/** "GiGPO", "PPO with a critic, VCPO": how credit is given, and the objective or the policy where it is not the usual one. */
export function methodName(config: Config): string {
  const objective = config.objective.method === 'ppoClip' ? [] : [titleOf(config, 'objective')];
  const policy = config.policy.method === networks[0]!.id ? [] : [titleOf(config, 'policy')];
  return [titleOf(config, 'advantage'), ...objective, ...policy].join(', ');
}

function entryOf(preset: Preset): Entry {
  const config = presetConfig(preset);
  const [world, method] = [worldName(config), methodName(config)];
  const text = [preset.title, preset.group, preset.look, world, method, preset.id].join(' ').toLowerCase();
  const picture = (pictures as Readonly<Record<string, Picture>>)[preset.id] ?? null;
  return { preset, world, method, picture, text };
}

let all: readonly Entry[] | null = null;

/** All experiments in the order of the list in which every word of the query occurs; all of them without one. */
export function entriesFor(query: string): readonly Entry[] {
  all ??= presets.map(entryOf);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(({ text }) => words.every((word) => text.includes(word)));
}
