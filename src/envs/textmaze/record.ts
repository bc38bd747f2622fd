import type { AnyValues } from '../../core/settings.ts';
import type { WorldRecord } from '../laterWorld.ts';
import { editor } from './editor.ts';
import { LMRL, rewardSettings, taskSettings } from './settings.ts';

/** One stage per locked door, where the task grows. */
export function stagesOf(s: AnyValues): number {
  const grows = s['level'] === 'tree' && (s['growEvery'] as number) > 0;
  return grows ? Math.max(1, Math.min(s['chain'] as number, (s['rooms'] as number) - 1)) : 1;
}

/** What is known of the text-maze before its rules are loaded. */
export const record: WorldRecord = {
  id: 'textmaze',
  title: 'Text-maze',
  family: 3,
  words: 4,
  published: [LMRL],
  editor,
  settings: taskSettings,
  rewards: rewardSettings,
  stages: stagesOf,
};
