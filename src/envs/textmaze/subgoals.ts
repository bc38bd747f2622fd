import { madeOnce, type Nearby, type Vocabulary } from '../subgoals.ts';
import { NONE } from './level.ts';
import { COLORS, ITEMS, ROOM_NAMES } from './names.ts';
import { hasItem, hasKey, isLocked, roomOf } from './rules.ts';
import { BAG_FEATURES, say, SENTENCE, writeBag } from './say.ts';
import type { TextmazeLevel } from './textmaze.ts';

const MOST = 12;

type Fact = { readonly name: string; holds(state: Uint32Array, at: number): boolean };

/** Keys and items to hold, doors to unlock, then rooms to be in, that of the goal first. */
const factsOf = madeOnce<TextmazeLevel, object, readonly Fact[]>(
  ({ rules }) => rules.maze,
  ({ rules: { maze } }) => {
    const keys = COLORS.flatMap((color, c): Fact[] =>
      maze.keyRoom[c] === NONE ? [] : [{ name: `${color} key`, holds: (state, at) => hasKey(state[at]!, c) }],
    );
    const items = ITEMS.flatMap((item, k): Fact[] =>
      (maze.itemRoom[k] ?? NONE) === NONE ? [] : [{ name: item, holds: (state, at) => hasItem(state[at]!, k) }],
    );
    const doors = maze.ways.flatMap(({ color }, k): Fact[] =>
      color === NONE
        ? []
        : [{ name: `${COLORS[color]} door`, holds: (state, at) => !isLocked(maze, state[at + 1]!, k) }],
    );
    const order = [...maze.names.keys()].sort((a, b) => Number(b === maze.goal.room) - Number(a === maze.goal.room));
    const rooms = order.map((room): Fact => ({
      name: `in the ${ROOM_NAMES[maze.names[room]!]}`,
      holds: (state, at) => roomOf(state[at]!) === room,
    }));
    return [...keys, ...items, ...doors, ...rooms].slice(0, MOST);
  },
);

export const textmazeSubgoals: readonly Vocabulary<TextmazeLevel>[] = [
  {
    id: 'facts',
    most: MOST,
    names: (level) => factsOf(level).map(({ name }) => name),
    reached: (level, { state, at }, g) => factsOf(level)[g]!.holds(state, at),
    marks: 0,
    mark: () => 0,
  },
];

/** What the last command led to, the room, its exits and what lies there; what is held and the goal stay unseen. */
export const textmazeNearby: Nearby<TextmazeLevel> = {
  bits: () => BAG_FEATURES,
  observe({ rules, goalFirst }, state, at, bits, bitsAt) {
    bits.fill(0, bitsAt, bitsAt + Math.ceil(BAG_FEATURES / 32));
    const { tokens, kinds } = say(rules, goalFirst, state, at);
    const isNear = (_: number, n: number): boolean => kinds[n]! < SENTENCE.have;
    writeBag({ tokens: tokens.filter(isNear), kinds: kinds.filter(isNear) }, bits, bitsAt);
  },
};
