import { againPresets } from './againPresets.ts';
import { clonePresets } from './clonePresets.ts';
import { difficultyPresets } from './difficultyPresets.ts';
import { budgetPresets } from './budgetPresets.ts';
import { forkPresets } from './forkPresets.ts';
import { sourcePresets } from './sourcePresets.ts';
import { gridPresets } from './gridPresets.ts';
import { hackPresets } from './hackPresets.ts';
import { healthPresets } from './healthPresets.ts';
import { lessonPresets } from './lessonPresets.ts';
import { memoryPresets } from './memoryPresets.ts';
import { notePresets } from './notePresets.ts';
import { objectivePresets } from './objectivePresets.ts';
import { rewardPresets } from './rewardPresets.ts';
import { configWith } from './schema.ts';
import { boxPresets, subgoalPresets } from './subgoalPresets.ts';
import type { Config } from './slots.ts';
import { worldPresets } from './worldPresets.ts';

/** An experiment someone should see: a difference to the defaults, and what to look for. */
export type Preset = {
  readonly id: string;
  readonly title: string;
  /** heading in the menu */
  readonly group?: string;
  readonly look: string;
  readonly changes: Readonly<Record<string, unknown>>;
  /** the experiment with a reward that is farmed, which this one, right after it in the menu, is the mended twin of */
  readonly mends?: string;
};

/** All experiments, in the order of the menu. */
export const presets: readonly Preset[] = [
  ...[...gridPresets, ...objectivePresets, ...clonePresets, ...againPresets, ...rewardPresets].map((p) => ({
    group: 'Grid-world',
    ...p,
  })),
  ...[...memoryPresets, ...notePresets, ...subgoalPresets].map((p) => ({ group: 'Grid-world', ...p })),
  ...budgetPresets.map((p) => ({ group: 'Budgets of episodes', ...p })),
  ...forkPresets.map((p) => ({ group: 'Grid-world', ...p })),
  ...sourcePresets,
  ...boxPresets.map((p) => ({ group: 'Sokoban', ...p })),
  ...worldPresets,
  ...difficultyPresets.map((p) => ({ group: 'Difficulty', ...p })),
  ...lessonPresets,
  ...hackPresets,
  ...healthPresets,
];

export function presetConfig(preset: Preset): Config {
  return configWith(preset.changes);
}

export function presetById(id: string): Preset | undefined {
  return presets.find((p) => p.id === id);
}

/** The experiment that mends this one, or the one that it mends. */
export function twinOf({ id, mends }: Preset): Preset | undefined {
  return presets.find((p) => (mends === undefined ? p.mends === id : p.id === mends));
}
