import type { Config } from '../../config/slots.ts';
import { chosenOf } from '../../contract/module.ts';
import type { AnyValues } from '../../core/settings.ts';
import { rewards } from '../../slots/registry.ts';

/** What an agent has to do on a map of the grid-world. */
const GRID: Readonly<Record<string, string>> = {
  keyDoor: 'Fetch the key, then open the door.',
  doorKey: 'Fetch the key, open the door in the wall, and reach the goal.',
  corridor: 'Walk to the far end of the corridor.',
  fourArms: 'Find the goal: it is behind one of four arms and cannot be seen.',
  tMaze: 'Remember where the start had its niche: the goal is on that side of the junction.',
  fourRooms: 'Find a path to the goal through the gaps between four rooms.',
  cliff: 'Walk along the cliff to the goal without falling off.',
  bonusRoom: 'Reach the goal, although a bonus tile pays on the way.',
  lavaGap: 'Pass the gap in the lava and reach the goal.',
  frozenLake: 'Cross the slippery ice without falling into a hole.',
  frozenLake4: 'Cross the slippery ice without falling into a hole.',
  frozenLake8: 'Cross the slippery ice without falling into a hole.',
  dynamicObstacles: 'Reach the goal without touching what moves.',
  orderedGoals: 'Visit all goals in their order.',
};

/** One sentence: what the agent of an experiment has to achieve. */
export function goalOf({ task, reward }: Config): string {
  const paid = chosenOf(rewards, reward).find(({ module }) => module.goal !== undefined);
  if (paid) return paid.module.goal!;
  if ((task['question'] as AnyValues | undefined)?.['on'] === true)
    return 'Find the signs that exclude colors, then answer behind which color the treasure is.';
  const level = (task[task.method] as AnyValues | undefined)?.['level'];
  if (task.method === 'sokoban') return 'Push every box onto a target; one push into a corner can lose the board.';
  if (task.method === 'textmaze')
    return 'Find the treasure with commands: take keys, unlock doors, walk from room to room.';
  return GRID[String(level)] ?? 'Reach the goal square.';
}
