import { expect, test } from 'vitest';
import { completionWords, potentialName, potentialWords, toldWords } from './signals.ts';

const plain: Parameters<typeof toldWords>[0] = {
  ...{ isRefused: false, tag: 0, isNew: false, isRepeated: false, isHard: false, reached: [] },
  ...{ completion: [0, 0.5], potential: { of: 'distance', phi: [-1, -0.5] } },
};

test('what a step told is a list of words, and a step that told nothing says so', () => {
  expect(toldWords(plain)).toBe('nothing new, nothing refused');
  expect(toldWords({ ...plain, isRefused: true, isRepeated: true })).toBe(
    'action refused; same action in the same state as before',
  );
  expect(toldWords({ ...plain, tag: 2, isNew: true })).toBe('thought: explore; new state');
  expect(toldWords({ ...plain, tag: 3, isRefused: true })).toBe(
    'thought: reflect, which a refusal takes away; action refused',
  );
  expect(toldWords({ ...plain, isNew: true, isHard: true, reached: [1, 2] })).toBe(
    'new state; cannot be undone; milestone 1, 2 reached',
  );
});

test('potential and completion stand before and after the step, and the potential is named', () => {
  expect(potentialName(plain)).toBe('Potential Φ (distance to the goal)');
  expect(potentialWords(plain)).toBe('−1 before, −0.5 after');
  expect(completionWords(plain)).toBe('0\u00a0% before, 50\u00a0% after');
});
