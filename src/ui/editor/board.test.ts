import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brushOf, cellAt, paint, parseBoard, resize, sceneOfBoard, writeBoard } from './board.ts';
import { environments } from '../../envs/registry.ts';
import type { BoardKind } from '../../envs/editor.ts';

const grid = environments.find((e) => e.id === 'grid')!.editor as BoardKind;
const sokoban = environments.find((e) => e.id === 'sokoban')!.editor as BoardKind;
const repaint = (text: string, cell: number, char: string, kind: BoardKind): string =>
  writeBoard(paint(parseBoard(text, kind), cell, char, kind));

test('reading and writing a rectangle changes nothing, whatever stands in it', () => {
  const row = (width: number) =>
    fc.string({ minLength: width, maxLength: width, unit: fc.constantFrom(...'#.SGaA?x~') });
  const rows = fc.integer({ min: 1, max: 6 }).chain((w) => fc.array(row(w), { minLength: 1, maxLength: 6 }));
  fc.assert(
    fc.property(rows, (lines) => {
      // a last line without anything in it would be a line that nobody sees
      const text = [...lines.slice(0, -1), `#${lines.at(-1)!.slice(1)}`].join('\n');
      expect(writeBoard(parseBoard(text, grid))).toBe(text);
    }),
  );
});

test('options before the map stay, short rows are filled, other spellings become the usual one', () => {
  const text = 'slip: 1 1 1\nmap:\n@..\n G';
  expect(writeBoard(parseBoard(text, grid))).toBe('slip: 1 1 1\nmap:\nS..\n.G.');
  expect(writeBoard(parseBoard('####\n#p_b.#', sokoban))).toBe('####  \n#@ $.#');
});

test('there is one start: the last one painted stays', () => {
  expect(repaint('S..G', 2, 'S', grid)).toBe('..SG');
  expect(repaint('S..G', 1, '>', grid)).toBe('.>.G');
});

test('player and box on a target are one cell, and the target stays behind', () => {
  expect(repaint('#@ .#', 3, '@', sokoban)).toBe('#  +#');
  expect(repaint('#  +#', 1, '@', sokoban)).toBe('#@ .#');
  expect(repaint('#@ .#', 3, '$', sokoban)).toBe('#@ *#');
  expect(repaint('#@ $#', 3, '.', sokoban)).toBe('#@ *#');
  expect(repaint('#@ *#', 3, ' ', sokoban)).toBe('#@  #');
});

test('a border of wall moves along when the size changes', () => {
  const room = '####\n#@ #\n####';
  const grown = resize(parseBoard(room, sokoban), 5, 4, sokoban);
  expect(writeBoard(grown)).toBe('#####\n#@  #\n#   #\n#####');
  expect(writeBoard(resize(grown, 4, 3, sokoban))).toBe(room);
  expect(writeBoard(resize(parseBoard('S.\n.G', grid), 3, 1, grid))).toBe('S..');
});

test('any size can be reached, and the board is always a rectangle', () => {
  const size = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(size, size, size, size, (w, h, w2, h2) => {
      const board = resize(resize(parseBoard('###\n#S#\n###', grid), w, h, grid), w2, h2, grid);
      expect([board.width, board.height, board.chars.length]).toEqual([w2, h2, w2 * h2]);
    }),
  );
});

test('a line and column of the text are a cell of the map, or nothing', () => {
  const board = parseBoard('ice: all\nmap:\nS..\n..G', grid);
  expect([cellAt(board, 4, 2), cellAt(board, 3, 1), cellAt(board, 1, 1), cellAt(board, 3, 4)]).toEqual([
    4,
    0,
    null,
    null,
  ]);
});

test('the drawing shows the agent where it starts, and no agent where there is none', () => {
  expect(sceneOfBoard(parseBoard('..<G', grid), grid)).toMatchObject({
    hasAgent: true,
    scene: { agent: { cell: 2, direction: 2 } },
  });
  expect(sceneOfBoard(parseBoard('...?', grid), grid).hasAgent).toBe(false);
});

test('every brush has a character of its own', () => {
  for (const kind of [grid, sokoban]) for (const brush of kind.brushes) expect(brushOf(kind, brush.char)).toBe(brush);
});
