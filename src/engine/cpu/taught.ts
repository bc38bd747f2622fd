import { part } from '../../contract/columns.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan, Tasks } from '../plan.ts';

/** Writes which share of its teacher's subgoals each row of replica s had reached in each state. */
export function fillTaught({ S, B, T, env }: Plan, arrays: Arrays, tasks: Tasks, s: number): void {
  const taught = part(arrays.taught, S, s).fill(0);
  for (let i = 0; i < B; i++) {
    const row = s * B + i;
    const level = tasks.levels[tasks.levelOf[row]!];
    for (let t = 0; t <= arrays.length[row]!; t++)
      taught[i * (T + 1) + t] = env.teaches?.reached(level, arrays.state, (row * (T + 1) + t) * env.words) ?? 0;
  }
}
