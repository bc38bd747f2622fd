import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mustSucceed } from '../../core/problem.ts';
import { boxobanCount, boxobanLevel, BOXOBAN, loadBoxoban } from './boxoban.ts';
import { readCollection } from './collection.ts';
import { generateReverse } from './generate.ts';
import { LEVEL_ERRORS, parseLevel, writeLevel } from './level.ts';

await Promise.all(BOXOBAN.map(async (set) => loadBoxoban(set)));

/** The written board, or the error as code line:column. */
function read(text: string): string {
  const parsed = parseLevel(text);
  return parsed.ok ? writeLevel(parsed.map) : `${parsed.code} ${parsed.line}:${parsed.column}`;
}

describe('reading a level', () => {
  test.each([
    ['', 'empty 1:1'],
    ['; only a comment\n\n', 'empty 1:1'],
    ['#####\n#@$.#\n###x#', 'unknownCell 3:4'],
    ['#####\n#@$.#\n##12', 'badRun 3:3'],
    ['3|#@$.#', 'badRun 1:1'],
    ['#####\n#@@.#\n#####', 'twoPlayers 2:3'],
    ['; title\n\n#####\n# $.#\n#####', 'noPlayer 3:1'],
    ['#####\n#@ .#\n#####', 'noBox 1:1'],
    ['#####\n#@$ #\n#####', 'countMismatch 1:1'],
    ['#####\n#@$.\n#####', 'notEnclosed 2:5'],
    ['  #####\n  #@$.\n  #####', 'notEnclosed 2:7'],
    ['5#|#@$.|5#', 'notEnclosed 1:8'],
    ['########\n#@$.#$.#\n########', 'boxOutside 2:6'],
    ['########\n#@ $#. #\n########', 'targetOutside 2:6'],
    ['17#|#@13 $.#|17#', 'tooLarge 1:3'],
    [`${'####\n'.repeat(16)}#@$.`, 'tooLarge 17:1'],
  ])('the first mistake has its place: %j', (text, want) => {
    expect(read(text)).toBe(want);
  });

  test('a million rows, or rows of a million cells, are too large and nothing else', () => {
    const board = '#####\n#@$.#\n#####';
    expect(read('####\n'.repeat(1_000_000))).toBe('tooLarge 17:1');
    expect(read('999#|'.repeat(1_000_000))).toBe('tooLarge 1:1');
    expect(read(`${board}${'\n'.repeat(1_000_000)}#####`)).toBe(`${board}\n#####`);
    expect(read(`${board}\n${'-|'.repeat(1_000_000)}`)).toBe(board);
    expect(read(`${board}\n${'-|'.repeat(1_000_000)}#`)).toBe('tooLarge 4:1');
    expect(read('#'.repeat(1_000_000))).toBe('tooLarge 1:17');
  });

  test('every error has a sentence of its own', () => {
    const sentences = Object.values(LEVEL_ERRORS);
    expect(new Set(sentences).size).toBe(11);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  test('run lengths, row separators, other letters, comments and line ends mean the same board', () => {
    const board = '#####\n#@$.#\n#####';
    for (const text of [
      '5#|#@$.#|5#',
      ';comment\n:: another\n#####\r\n#pb.#\r\n#####\r\n',
      '   #####\n   #@$.#\n   #####   ',
      '5#\n#@$.#\n5#|',
    ])
      expect(read(text)).toBe(board);
    expect(read('#####\n#P-B#\n#b__#\n#####')).toBe('#####\n#+ *#\n#$  #\n#####');
  });

  test('what the player cannot reach becomes wall, finished boxes there become scenery', () => {
    expect(read('  ####\n###  #\n#*#$@#\n### .#\n  ####')).toBe('######\n###  #\n###$@#\n### .#\n######');
  });

  test('no text whatever makes the parser or the collection reader throw', () => {
    const char = fc.constantFrom(...'# .$*@+bpBP-_|0123456789;:x\n\r\t');
    fc.assert(
      fc.property(fc.string({ unit: char, maxLength: 120 }), (text) => {
        const parsed = parseLevel(text);
        if (!parsed.ok) {
          expect(Object.hasOwn(LEVEL_ERRORS, parsed.code)).toBe(true);
          const lines = text.replace(/\r\n?/g, '\n').split('\n');
          expect(parsed.line).toBeLessThanOrEqual(lines.length);
          expect(parsed.column).toBeGreaterThan(0);
        }
        for (const { level } of readCollection(text)) expect(level).toContain('#');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('writing a level', () => {
  test('writing and reading again gives the same map', () => {
    for (let seed = 0; seed < 40; seed++) {
      const size = { w: 6 + (seed % 5), h: 6 + (seed % 3), boxes: 1 + (seed % 3), pulls: 8 };
      const { level } = mustSucceed(generateReverse(seed, size));
      expect(writeLevel(mustSucceed(parseLevel(level)).map)).toBe(level);
    }
  });

  test('any board that parses is written so that it reads the same', () => {
    const cell = fc.constantFrom(...'   ##.$*');
    const rows = fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 3, maxLength: 5 });
    let read = 0;
    fc.assert(
      fc.property(rows, (cells) => {
        cells[1]![1] = '@';
        const text = ['######', ...cells.map((row) => `#${row.join('')}#`), '######'].join('\n');
        const first = parseLevel(text);
        if (!first.ok) return;
        read++;
        const again = parseLevel(writeLevel(first.map));
        if (!again.ok) return expect(again.code).toBe('noBox'); // all boxes were scenery
        expect(again.map).toEqual(first.map);
      }),
      { numRuns: 2000, seed: 5 },
    );
    expect(read).toBeGreaterThan(50);
  });
});

describe('files', () => {
  test('a level ends where the board ends, and takes the nearest line before it as its title', () => {
    const text = 'A set\n\nby somebody\n\n; 7\n#####\n#@$.#\n#####\nAuthor: nobody\n\n\n###|#@#\n';
    expect(readCollection(text)).toEqual([
      { title: '7', line: 6, level: '#####\n#@$.#\n#####' },
      { title: 'Author: nobody', line: 12, level: '###|#@#' },
    ]);
  });

  test('the bundled Boxoban sample holds 500, 500 and 450 different levels of ten by ten that parse', () => {
    expect(BOXOBAN.map(boxobanCount)).toEqual([500, 500, 450]);
    const texts = BOXOBAN.flatMap((set) => Array.from({ length: boxobanCount(set) }, (_, n) => boxobanLevel(set, n)!));
    for (const text of texts) {
      const { W, H } = mustSucceed(parseLevel(text)).map;
      expect([W, H]).toEqual([10, 10]);
      expect(text.match(/[$.@]/g)).toHaveLength(9);
    }
    expect(new Set(texts).size).toBe(1450);
  });

  test('levels of the sample are those of the source', () => {
    expect(boxobanLevel('unfiltered', 1)).toBe(
      '##########\n###.#   .#\n# $ .. $ #\n#@$    $##\n######  ##\n##########\n##########\n##########\n##########\n##########',
    );
    expect(boxobanLevel('medium', 0)).toBe(
      '##########\n#       ##\n# $    ###\n#. ## . ##\n# ####  ##\n#   #   ##\n#$$ #. ###\n# # # $@##\n# .    ###\n##########',
    );
    expect(boxobanLevel('hard', 0)).toBe(
      '##########\n######## #\n#######  #\n#######$ #\n#######  #\n######. .#\n###### $.#\n#####  #$#\n#####. $@#\n##########',
    );
  });
});
