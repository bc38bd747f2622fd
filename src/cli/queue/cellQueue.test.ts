import { afterEach, expect, test, vi } from 'vitest';
import { closed, Outage } from './cellQueue.ts';

afterEach(() => void vi.useRealTimers());

test('clients of a server that is known to be away are let go at once, and those of one that stays silent after 3.5 s', async () => {
  vi.useFakeTimers();
  let asked = 0;
  const silent = { close: () => (asked++, new Promise<void>(() => undefined)), disconnect: () => silent.close() };
  const outage = new Outage('redis://here:6379', () => undefined);
  let isOver = false;
  void closed([silent], outage).then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(3400);
  expect([isOver, asked]).toEqual([false, 2]);
  await vi.advanceTimersByTimeAsync(100);
  expect(isOver).toBe(true);

  outage.lost();
  void closed([silent], outage);
  expect(asked).toBe(2);
  outage.back();
  void closed([silent], outage);
  expect(asked).toBe(3);
});
