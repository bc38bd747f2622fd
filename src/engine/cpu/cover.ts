import { part } from '../../contract/columns.ts';
import { coverage } from '../../contract/coverage.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan, Tasks } from '../plan.ts';

/** How far a state covers, as the module says that needs it. */
export function coverRadiusOf({ rewards }: Pick<Plan, 'rewards'>): number {
  const asked = rewards.find(({ module }) => module.coverRadius);
  return asked?.module.coverRadius?.(asked.params as never) ?? 0;
}

/** Writes what the rows of replica s covered; every thing weighs 1. */
export function fillCover(plan: Plan, arrays: Arrays, tasks: Tasks, s: number): void {
  const { S, B, T, env } = plan;
  const radius = coverRadiusOf(plan);
  const [covered, cover] = [part(arrays.covered, S, s).fill(0), part(arrays.cover, S, s).fill(0)];
  for (let i = 0; i < B; i++) {
    const row = s * B + i;
    const level = tasks.levels[tasks.levelOf[row]!];
    const { covered: all, own } = coverage(arrays.length[row]!, (t, add) =>
      env.signals?.cover?.(level, arrays.state, (row * (T + 1) + t) * env.words, radius, add),
    );
    covered.set(all, i * (T + 1));
    cover.set(own, i * (T + 1));
  }
}
