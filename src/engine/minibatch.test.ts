import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { minibatchesOf } from './minibatch.ts';
import { makePlan } from './plan.ts';

test('524,288 episodes are each in one minibatch, and each is as likely in the first as in the last', () => {
  const plan = must(
    makePlan(configWith({ 'rollout.tasksPerBatch': 1024, 'rollout.groupSize': 512, 'objective.minibatches': 4 })),
  );
  const parts = minibatchesOf(plan, 0, 3, 0);
  expect(parts.map((part) => part.length)).toEqual([131_072, 131_072, 131_072, 131_072]);
  const seen = new Uint8Array(plan.B);
  for (const part of parts) for (const i of part) seen[i]!++;
  expect(seen.every((n) => n === 1)).toBe(true);
  for (const part of parts) {
    expect(part.every((i, k) => k === 0 || part[k - 1]! < i)).toBe(true);
    // of each eighth of the batch a quarter: 16,384 expected, sd 111, five sd either way
    for (let eighth = 0; eighth < 8; eighth++) {
      const own = part.reduce((n, i) => n + Number(i >> 16 === eighth), 0);
      expect(Math.abs(own - 16_384)).toBeLessThan(555);
    }
  }
});
