import type { AnyValues } from '../../core/settings.ts';
import type { WorldRecord } from '../laterWorld.ts';
import { editor } from './editor.ts';
import { sokobanPresets } from './presets.ts';
import { rewardSettings, taskSettings } from './settings.ts';

/** Four stages, where the task grows. */
export function stagesOf(s: AnyValues): number {
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
