import { describe, expect, test, vi } from 'vitest';
import { later } from './later.ts';
import { networks } from './registry.ts';
import { prepareNetwork } from './policy.ts';

describe('what a network computes may come later', () => {
  test('it is loaded once, and then called as if it had been there', async () => {
    const load = vi.fn<() => Promise<(a: number, b: number) => number>>(async () => (a, b) => a - b);
    const minus = later(load);
    expect(() => minus(5, 3)).toThrow('before it is loaded');
    await minus.prepare!();
    expect(minus(5, 3)).toBe(2);
    expect(minus.prepare!()).toBeNull();
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('what did not come is asked for again', async () => {
    let isThere = false;
    const three = later(async () => {
      if (!isThere) throw new Error('offline');
      return () => 3;
    });
    await expect(three.prepare!()).rejects.toThrow('offline');
    isThere = true;
    await three.prepare!();
    expect(three()).toBe(3);
  });

  test.each(networks)('$title waits for nothing once it is prepared', async (network) => {
    await prepareNetwork(network);
    expect(prepareNetwork(network)).toBeNull();
  });

  test('a record without what computes, as on the page, waits for nothing', () => {
    expect(prepareNetwork({})).toBeNull();
  });
});
