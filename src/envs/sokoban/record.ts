import type { AnyValues } from '../../core/settings.ts';
import type { WorldRecord } from '../laterWorld.ts';
import { editor } from './editor.ts';
import { sokobanPresets } from './presets.ts';
import { rewardSettings, taskSettings } from './settings.ts';

/** True where training plays boards of its own and evaluations those of the set. */
export const practises = (s: AnyValues): boolean => s['level'] === 'boxoban' && s['practice'] === 'drawn';

/** Four stages, where the task grows; two where evaluations play the second and training stays in the first. */
export function stagesOf(s: AnyValues): number {
  if (practises(s)) return 2;
  return s['level'] === 'reverse' && (s['growEvery'] as number) > 0 ? 4 : 1;
}

/** What is known of Sokoban before its rules are loaded. */
export const record: WorldRecord = {
  id: 'sokoban',
  title: 'Sokoban',
  family: 2,
  words: 10,
  published: sokobanPresets,
  editor,
  settings: taskSettings,
  rewards: rewardSettings,
  stages: stagesOf,
};
