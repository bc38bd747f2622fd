import { expect, test } from 'vitest';
import { barsOf } from './ActionBars.tsx';

test('few actions all have a bar; of many the likeliest and the one taken, in their order', () => {
  expect(barsOf([0.1, 0.2, 0.7], 0)).toEqual([0, 1, 2]);
  const probs = [0, 0.3, 0.01, 0.2, 0.02, 0.1, 0.15, 0.12, 0.1];
  expect(barsOf(probs, 0)).toEqual([0, 1, 3, 5, 6, 7]);
  // the end of an episode has no probabilities and nothing taken
  expect(barsOf(new Array<number>(9).fill(0), -1)).toEqual([0, 1, 2, 3, 4, 5]);
});
