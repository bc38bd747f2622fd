import type { BoardKind, Brush } from '../editor.ts';

const sokobanBrushes: readonly Brush[] = [
  { char: ' ', name: 'floor', cell: { ground: 'floor' }, also: '-_' },
  { char: '#', name: 'wall', cell: { ground: 'wall' } },
  { char: '.', name: 'target', cell: { ground: 'target' }, on: { $: '*', '*': '*', '@': '+', '+': '+' } },
  { char: '$', name: 'box', cell: { ground: 'floor', item: 'box' }, also: 'b', on: { '.': '*', '*': '*', '+': '*' } },
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

/** Boards are painted. */
export const editor: BoardKind = { form: 'board', brushes: sokobanBrushes };
