import type { AnyValues } from '../../core/settings.ts';
import type { WorldRecord } from '../laterWorld.ts';
import { editor } from './editor.ts';
import { LMRL, rewardSettings, taskSettings } from './settings.ts';

/** Thirds of the rooms, the ones to be trusted most first. */
export const THIRDS = 3;

/** One stage per locked door or per third of the rooms, where the task grows. */
export function stagesOf(s: AnyValues): number {
  const grows = s['level'] === 'tree' && (s['growEvery'] as number) > 0;
  if (grows && s['growBy'] === 'trust') return THIRDS;
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
