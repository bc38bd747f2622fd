import type { LevelName } from '../contract/tasks.ts';
import type { Tasks } from './plan.ts';

/** What the level of a row was made from. */
export function nameOf({ levelSeeds, limits, variants, levelOf }: Tasks, row: number): LevelName {
  const k = levelOf[row]!;
  return { levelSeed: levelSeeds[k]!, maxSteps: limits?.[k] ?? 0, variant: variants?.[k] ?? 0 };
}
