import { expect, test } from 'vitest';
import { nullIfGone, owedBy, WorkerGone } from './owed.ts';

const worker = {
  quick: (n: number): Promise<number> => Promise.resolve(n + 1),
  never: (): Promise<number> => new Promise(() => undefined),
  fails: (): Promise<number> => Promise.reject(new Error('no')),
};

test('a worker that lives answers and refuses as it does by itself', async () => {
  const { calls } = owedBy(worker);
  expect(await calls.quick(2)).toBe(3);
  await expect(calls.fails()).rejects.toThrow('no');
});

test('what a worker owes when it goes is refused, and so is what it is asked afterwards', async () => {
  const { calls, end } = owedBy(worker);
  const owed = calls.never();
  end();
  await expect(owed).rejects.toBeInstanceOf(WorkerGone);
  await expect(calls.quick(2)).rejects.toBeInstanceOf(WorkerGone);
});

test('only that the worker went is nothing to tell', () => {
  expect(nullIfGone(new WorkerGone())).toBeNull();
  expect(() => nullIfGone(new Error('no'))).toThrow('no');
});
