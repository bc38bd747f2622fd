import type { AnyValues } from '../../core/settings.ts';
import type { TaskPreset } from '../types.ts';

/** gym-sokoban's numbers; most settings keep them. */
const GYM = { step: -100, boxOn: 1000, boxOff: -1000, goal: 10_000, invalid: 0 };
const ONLY_GOAL = { step: 0, boxOn: 0, boxOff: 0, invalid: 0 };
const board = (w: number, h: number, boxes: number, pulls: number): AnyValues => ({
  level: 'reverse',
  w,
  h,
  boxes,
  pulls,
});

/**
 * T 0 = the usual limit. Pulls are our choice: the published generators search by time and depth, ours by the number of pushes;
 * short limits get few.
 */
export const sokobanPresets: readonly TaskPreset[] = [
  preset('gym-small-v0', 'gym small', 120, board(7, 7, 2, 12), GYM, 'mpSchrader/gym-sokoban'),
  preset('gym-small-v1', 'gym small, three boxes', 120, board(7, 7, 3, 12), GYM, 'mpSchrader/gym-sokoban'),
  preset('gym-v0', 'gym', 120, board(10, 10, 3, 16), GYM, 'mpSchrader/gym-sokoban'),
  preset('gym-v1', 'gym, four boxes', 120, board(10, 10, 4, 16), GYM, 'mpSchrader/gym-sokoban'),
  preset('ragen-simple', 'RAGEN simple', 10, board(6, 6, 1, 5), GYM, 'RAGEN-AI/RAGEN'),
  preset('ragen-larger', 'RAGEN larger', 10, board(8, 8, 2, 4), GYM, 'RAGEN-AI/RAGEN'),
  preset('verl-agent', 'verl-agent', 15, board(6, 6, 1, 5), { ...GYM, invalid: -100 }, 'langfengQ/verl-agent'),
  preset('oprl', 'OPRL’s outcome only', 0, board(6, 6, 1, 5), { ...ONLY_GOAL, goal: 1000 }, '2509.19199'),
  preset('jumanji', 'Jumanji', 120, { level: 'boxoban' }, GYM, 'instadeepai/jumanji'),
  preset(
    'jumanji-sparse',
    'Jumanji sparse',
    120,
    { level: 'boxoban' },
    { ...ONLY_GOAL, goal: 10_000 },
    'instadeepai/jumanji',
  ),
  preset('boxoban', 'Boxoban', 120, { level: 'boxoban' }, GYM, 'google-deepmind/boxoban-levels'),
];

function preset(
  id: string,
  title: string,
  T: number,
  chosen: AnyValues,
  rewards: AnyValues,
  source: string,
): TaskPreset {
  return { id, title, settings: { ...chosen, maxSteps: T }, rewards: { ...rewards, dead: 0 }, source };
}
