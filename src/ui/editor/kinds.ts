import type { SceneCell } from '../../envs/types.ts';

/** One character of a level text: its name, its drawing, and how it goes together with others. */
export type Brush = {
  readonly char: string;
  readonly name: string;
  readonly cell: SceneCell;
  /** where the agent begins; a level has one, so the last one painted stays. Its heading, null for none */
  readonly agent?: { readonly direction: number | null };
  /** other characters that mean the same */
  readonly also?: string;
  /** what it becomes on top of other characters */
  readonly on?: Readonly<Record<string, string>>;
  /** what stays behind when the agent is put elsewhere; floor unless said */
  readonly leaves?: string;
  /** true: painted by its key or as a combination, not offered in the palette */
  readonly isRare?: boolean;
};

/** Levels painted cell by cell; the first brush is the floor. */
export type BoardKind = { readonly form: 'board'; readonly brushes: readonly Brush[] };

/** Levels that are rooms with ways between them. Directions in order east, south, west, north. */
export type RoomsKind = {
  readonly form: 'rooms';
  readonly names: readonly string[];
  readonly directions: readonly string[];
  readonly colors: readonly string[];
  readonly items: readonly string[];
};
export type LevelKind = BoardKind | RoomsKind;

const on = (item: string, color?: number): SceneCell => ({
  ground: 'floor',
  item,
  ...(color === undefined ? {} : { color }),
});
const COLORS = ['red', 'blue', 'green', 'yellow'];
const FACING = ['east', 'south', 'west', 'north'];

const gridBrushes: readonly Brush[] = [
  { char: '.', name: 'floor', cell: { ground: 'floor' }, also: ' ' },
  { char: '#', name: 'wall', cell: { ground: 'wall' } },
  { char: 'S', name: 'start', cell: { ground: 'floor' }, agent: { direction: null }, also: '@' },
  { char: 'G', name: 'goal', cell: on('goal') },
  { char: 'E', name: 'exit', cell: on('exit') },
  ...COLORS.map((color, k): Brush => ({ char: 'abcd'[k]!, name: `${color} key`, cell: on('key', k) })),
  ...COLORS.map((color, k): Brush => ({ char: 'ABCD'[k]!, name: `${color} door`, cell: on('door', k) })),
  { char: '+', name: 'door', cell: on('door') },
  { char: 'L', name: 'lava', cell: on('lava') },
  { char: 'O', name: 'hole', cell: on('hole') },
  { char: '~', name: 'ice', cell: { ground: 'ice' } },
  { char: '$', name: 'bonus', cell: on('bonus') },
  { char: 'o', name: 'moving obstacle', cell: on('obstacle') },
  ...Array.from({ length: 9 }, (_, k): Brush => ({
    char: String(k + 1),
    name: `stop ${k + 1}`,
    cell: on('subgoal', k + 1),
    isRare: k > 2,
  })),
  ...[...'tuwz'].map((char, k): Brush => ({ char, name: 'distractor', cell: on('distractor', k), isRare: k > 0 })),
  ...FACING.map((way, direction): Brush => ({
    char: '>v<^'[direction]!,
    name: `start facing ${way}`,
    cell: { ground: 'floor' },
    agent: { direction },
    isRare: true,
  })),
];

const sokobanBrushes: readonly Brush[] = [
  { char: ' ', name: 'floor', cell: { ground: 'floor' }, also: '-_' },
  { char: '#', name: 'wall', cell: { ground: 'wall' } },
  { char: '.', name: 'target', cell: { ground: 'target' }, on: { $: '*', '*': '*', '@': '+', '+': '+' } },
  { char: '$', name: 'box', cell: on('box'), also: 'b', on: { '.': '*', '*': '*', '+': '*' } },
  {
    char: '@',
    name: 'player',
    cell: { ground: 'floor' },
    agent: { direction: null },
    also: 'p',
    on: { '.': '+', '*': '+', '+': '+' },
  },
  { char: '*', name: 'box on target', cell: { ground: 'target', item: 'box' }, also: 'B', isRare: true },
  {
    char: '+',
    name: 'player on target',
    cell: { ground: 'target' },
    agent: { direction: null },
    also: 'P',
    leaves: '.',
    isRare: true,
  },
];

/**
 * How the levels of each environment are edited; data only. An environment without a line here is edited as text.
 * The names of rooms, colors and things are those of the level text.
 */
const KINDS: Readonly<Record<string, LevelKind>> = {
  grid: { form: 'board', brushes: gridBrushes },
  sokoban: { form: 'board', brushes: sokobanBrushes },
  textmaze: {
    form: 'rooms',
    names:
      'kitchen hall attic cellar garden library studio tower bedroom bathroom garage office vault porch pantry workshop'.split(
        ' ',
      ),
    directions: FACING,
    colors: COLORS,
    items: ['lamp', 'coin', 'cup'],
  },
};

export function kindOf(envId: string): LevelKind | null {
  return Object.hasOwn(KINDS, envId) ? KINDS[envId]! : null;
}
