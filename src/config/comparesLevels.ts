import type { Config } from './slots.ts';

/** True if a run has to know which of its levels are the same. */
export const comparesLevels = ({ task, analysis }: Pick<Config, 'task' | 'analysis'>): boolean =>
  task['sameLevels'] !== 'seed' || analysis['heldOut'] === true;
