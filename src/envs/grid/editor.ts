import { COLORS, FACING, type BoardKind, type Brush } from '../editor.ts';
import type { SceneCell } from '../types.ts';

const on = (item: string, color?: number): SceneCell => ({
  ground: 'floor',
  item,
  ...(color === undefined ? {} : { color }),
});
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

/** Grid-world levels are painted. */
export const editor: BoardKind = { form: 'board', brushes: gridBrushes };
