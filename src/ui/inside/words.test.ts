import { expect, test } from 'vitest';
import type { DenseInside, WordInside } from '../../worker/protocol.ts';
import { spreadOf } from './Matrix.tsx';
import { chainWords, choiceWords, cueWords, loudestUnits, readingWords } from './words.ts';

test('units are told by their size, with their sign', () => {
  expect(loudestUnits([0.1, -0.9, 0.5, 0])).toBe('unit 2 −0.9, unit 3 +0.5, unit 1 +0.1');
});

test('the likeliest actions come first', () => {
  expect(choiceWords(['left', 'right'], [0.25, 0.75])).toMatch(/^right 75\s%, left 25\s%$/);
});

test('a chain says how much it sees, a table which row it reads', () => {
  const chain = { isTable: false, features: 9, on: Uint32Array.of(1, 4), layers: [[], []] } as unknown as DenseInside;
  expect(chainWords(chain)).toBe('2 of 9 inputs are on; 1 hidden layer.');
  expect(chainWords({ ...chain, isTable: true, on: Uint32Array.of(4) })).toBe(
    'The table has a row for each of 9 states; this step reads row 5.',
  );
});

test('a head is told by the words that it reads most', () => {
  const inside = {
    ...{ words: ['a', 'key', 'here'], layers: 1, heads: 2 },
    attention: Float32Array.of(1, 0, 0, 0.25, 0.5, 0.25),
  } as unknown as WordInside;
  expect(readingWords(inside, 0, 1)).toMatch(/^“key” 50\s%, “a” 25\s%, “here” 25\s%$/);
});

test('what the heads give to the cue is told, with the head that gives it most', () => {
  const inside = {
    ...{ words: ['step 3', 'step 4', 'step 5'], layers: 1, heads: 2, cues: [0, 1] },
    attention: Float32Array.of(0.125, 0.125, 0.75, 0.5, 0.25, 0.25),
  } as unknown as WordInside;
  expect(cueWords(inside, 0, 0)).toMatch(
    /^The cue was in view in steps 3, 4: this head gives that 25\s%; layer 1, head 2 gives most, 75\s%\.$/,
  );
  expect(cueWords(inside, 0, 1)).toMatch(/this head gives that 75\s%, more than any other\.$/);
  expect(cueWords({ ...inside, cues: [] }, 0, 0)).toContain('earlier than any step');
  expect(cueWords({ ...inside, cues: null }, 0, 0)).toBeNull();
});

test('a picture says its ends and its size', () => {
  expect(spreadOf([-3, 4])).toBe('from −3 to +4, root mean square 3.54');
  expect(spreadOf([])).toBe('nothing');
});
