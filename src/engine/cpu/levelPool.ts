import type { Arrays } from '../arrays.ts';
import type { Plan, Tasks } from '../plan.ts';

/** Writes for each row of replica s the first task of its batch that plays the same level to the same step limit. */
export function fillPools(
  { B, poolName }: Pick<Plan, 'B' | 'poolName'>,
  { levelPool }: Pick<Arrays, 'levelPool'>,
  { levelSeeds, limits, variants, levelOf, taskIndex }: Tasks,
  s: number,
): void {
  if (!poolName) throw new Error('Nothing says which levels of this run are the same.');
  const first = new Map<string, number>();
  for (let row = s * B; row < (s + 1) * B; row++) {
    const k = levelOf[row]!;
    const name = `${poolName(levelSeeds[k]!)} ${limits?.[k] ?? 0} ${variants?.[k] ?? 0}`;
    const task = taskIndex[row]!;
    levelPool[row] = first.get(name) ?? task;
    if (!first.has(name)) first.set(name, task);
  }
}
