/** One small level of each family, and the keys that solve it without a pointer. */
export type Walkthrough = {
  readonly name: string;
  readonly changes: Readonly<Record<string, unknown>>;
  /** keys to press, or words to type */
  readonly keys: readonly string[];
  readonly steps: number;
};

const walk = (letters: string): string[] =>
  [...letters].map((c) => ({ r: 'ArrowRight', d: 'ArrowDown', l: 'ArrowLeft', u: 'ArrowUp' })[c]!);
/** A line of text and Enter. */
const say = (line: string): string[] => [...line, 'Enter'];

export const WORLDS: readonly Walkthrough[] = [
  { name: 'grid-world', changes: { 'task.method': 'grid' }, keys: walk('rrrrdddd'), steps: 8 },
  {
    name: 'Sokoban',
    changes: { 'task.method': 'sokoban', 'reward.method': 'sokoban', 'task.sokoban.level': 'firstPush' },
    keys: walk('uldldrr'),
    steps: 7,
  },
  {
    name: 'text-maze',
    changes: { 'task.method': 'textmaze', 'reward.method': 'textmaze', 'task.textmaze.level': 'twoRooms' },
    keys: [...say('take red key'), ...say('unl r'), 'ArrowDown', ...say('lamp')],
    steps: 4,
  },
];
