import { NONE, type Maze } from './level.ts';
import type { TreeParams } from './generate.ts';

/** Tokens of the sentences that every observation has, full stops included. */
const ROOM_SENTENCE = 5;
const NOTHING_HELD = 4;

/** What a world can say at most; each number counts tokens. */
type Parts = { readonly rooms: number; readonly around: number; readonly things: number; readonly goal: number };

/** `exits …` with one way, or none, and the sentences of the locked doors: e open exits and l locked ones. */
const aroundTokens = (open: number, locked: number): number => 2 + Math.max(open, 1) + 5 * locked;

/** A multiple of 4, because four tokens share a word. */
function total({ rooms, around, things, goal }: Parts, metaActions: boolean, goalFirst: boolean): number {
  // the longest feedback is `door locked .`, or `seen …` with every room
  const feedback = metaActions ? Math.max(3, rooms + 2) : 3;
  // with goalFirst the goal is said only when there is no feedback
  const talk = goalFirst ? Math.max(feedback, goal) : feedback + goal;
  return 4 * Math.ceil((talk + ROOM_SENTENCE + around + things) / 4);
}

/** Longest observation of one level. */
export function lengthOfMaze(maze: Maze, metaActions: boolean, goalFirst: boolean): number {
  const wordsIn = (room: number): number =>
    2 * maze.keyRoom.filter((at) => at === room).length + maze.itemRoom.filter((at) => at === room).length;
  const all = maze.names.reduce((sum, _, room) => sum + wordsIn(room), 0);
  let most = 0;
  maze.names.forEach((_, room) => {
    const exits = maze.ways.filter(({ a, b }) => a === room || b === room);
    const locked = exits.filter(({ color }) => color !== NONE).length;
    const here = wordsIn(room);
    // everything of this room still lies here, everything else is held or nothing is
    const things = (here > 0 ? 2 + here : 0) + Math.max(NOTHING_HELD, 3 + all - here);
    most = Math.max(most, aroundTokens(exits.length - locked, locked) + things);
  });
  const goal = maze.goal.kind === 'bring' ? 5 : 4;
  return total({ rooms: maze.names.length, around: most, things: 0, goal }, metaActions, goalFirst);
}

/** Longest observation of any level that the generator draws with these parameters. */
export function lengthOfTree(p: TreeParams, metaActions: boolean, goalFirst: boolean): number {
  const doors = Math.min(p.chain, 4, p.rooms - 1);
  const degree = Math.min(4, p.rooms - 1);
  const locked = Math.min(doors, degree);
  const items = (p.goal === 'reach' ? 0 : 1) + (p.distract ? 2 : 0);
  const words = 2 * doors + items;
  const things = words > 0 ? 2 + words + NOTHING_HELD : NOTHING_HELD;
  const around = aroundTokens(degree - locked, locked);
  return total({ rooms: p.rooms, around, things, goal: p.goal === 'bring' ? 5 : 4 }, metaActions, goalFirst);
}
