import { expect, test } from 'vitest';
import { beliefOf, beliefWords, learnsAt } from './belief.ts';

test('the belief of an episode ends with its last state; a step that gains lights up, the last one never', () => {
  const answerProb = Float32Array.of(0.25, 0.5, 0.5, 1, 0, 0.25, 0, 0, 0, 0);
  const of = (i: number): Float32Array => beliefOf({ answerProb, T: 4, length: Uint32Array.of(3, 1) }, i);
  expect([...of(0)]).toEqual([0.25, 0.5, 0.5, 1]);
  expect([...of(1)]).toEqual([0.25, 0]);
  expect([0, 1, 2].map((t) => learnsAt(of(0), t))).toEqual([true, false, false]);
  expect(beliefWords(of(0), [0.5, 1, 1], 0)).toBe(
    'Step 1: the true answer has 25\u00a0%, by the signs 50\u00a0%; 50\u00a0% after the step',
  );
  expect(beliefWords(of(0), [0.5, 1, 1], 2)).toBe('Step 3: the true answer has 50\u00a0%, by the signs 100\u00a0%');
});
