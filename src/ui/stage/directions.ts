import { splitName } from '../../contract/tags.ts';

/** Words for the four directions: 0 east, 1 south, 2 west, 3 north. */
const WORDS: Readonly<Record<string, number>> = {
  right: 0,
  east: 0,
  down: 1,
  south: 1,
  left: 2,
  west: 2,
  up: 3,
  north: 3,
};

/** Direction in which an action walks, by its name: `right`, `go east`, `plan: move left`, `4 right`; undefined for all others. */
export function directionOf(action: string): number | undefined {
  const [verb, word] = splitName(action).action.split(' ');
  if (word === undefined) return Object.hasOwn(WORDS, verb!) ? WORDS[verb!] : undefined;
  return (verb === 'go' || verb === 'move' || /^\d+$/.test(verb!)) && Object.hasOwn(WORDS, word)
    ? WORDS[word]
    : undefined;
}

/** How people say the four directions. */
export const WAYS = ['right', 'down', 'left', 'up'] as const;
export const WINDS = ['east', 'south', 'west', 'north'] as const;
