import { expect, test } from 'vitest';
import type { Snapshot } from '../../worker/protocol.ts';
import { creditedWords, creditSentence, laneNames, largestOf } from './wordCredit.ts';

const commands = [
  { words: ['take', 'red', 'key', '<stop>'], decided: [true, true, false, false] },
  { words: ['look', '<stop>'], decided: [true, false] },
];
const A = Float32Array.of(0.5, -0.25, 1, 0, 0, 0, 0, 0);
const snapshot = {
  ...{ T: 2, length: Uint32Array.of(2, 1) },
  written: { decisions: 2, commands, command: Uint32Array.of(0, 1, 1, 0), A },
} as unknown as Snapshot;

test('each word that was a decision stands with its credit; certain words have none, and padding is not there', () => {
  expect(creditedWords(snapshot, 0)).toEqual([
    [
      { word: 'take', A: 0.5 },
      { word: 'red', A: -0.25 },
    ],
    [{ word: 'look', A: 1 }],
  ]);
  expect(creditedWords(snapshot, 1)).toEqual([[{ word: 'look', A: 0 }]]);
  const plain = { ...snapshot, written: { ...snapshot.written!, A: undefined } } as unknown as Snapshot;
  expect(creditedWords(plain, 0)).toEqual([]);
});

test('the sentence of a step names its words, and the strongest color is the largest credit of the batch', () => {
  expect(creditSentence(0, creditedWords(snapshot, 0)[0]!)).toBe('Step 1: take +0.5, red −0.25');
  expect(largestOf(A)).toBe(1);
  expect(largestOf(new Float32Array(3))).toBe(1);
});

test('where commands begin with a tag, the first lane is that of the tag', () => {
  expect(laneNames(3, true)).toEqual(['tag', 'word 1', 'word 2']);
  expect(laneNames(2, false)).toEqual(['word 1', 'word 2']);
});
