import { expect, test } from 'vitest';
import { together } from './together.ts';

test('gives all results in order', async () => {
  const both: [number, string] = await together([Promise.resolve(3), Promise.resolve('x')] as const);
  expect(both).toEqual([3, 'x']);
});

test('a failure is passed on only when the others have ended', async () => {
  let end!: () => void;
  let hasFailed = false;
  const slow = new Promise<void>((resolve) => (end = resolve));
  const all = together([slow, Promise.reject(new Error('first')), Promise.reject(new Error('second'))]).catch(
    (error: unknown) => {
      hasFailed = true;
      return error;
    },
  );
  await new Promise((resolve) => setTimeout(resolve));
  expect(hasFailed).toBe(false);
  end();
  expect(await all).toEqual(new Error('first'));
});
