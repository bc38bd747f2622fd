import { expect, test } from 'vitest';
import { progressSentence } from './progress.ts';

test('what is measured is said, what is not is left out, and NaN is never read aloud', () => {
  expect(progressSentence('Update 7', 0.5, 1.25)).toMatch(/^Update 7: training success 50\s?%, entropy 1\.25 nats\.$/);
  expect(progressSentence('Update 7', NaN, 1.25)).toMatch(/^Update 7: entropy 1\.25 nats\.$/);
  expect(progressSentence('Failed at update 3', NaN, NaN)).toBe('Failed at update 3.');
  expect(progressSentence('Update 7', Infinity, -Infinity)).toBe('Update 7.');
});
