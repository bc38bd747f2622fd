import { expect, test } from 'vitest';
import { RUN_LIMITS } from './names.ts';
import { joined } from './metricsCsv.ts';

const MIB = 2 ** 20;

test('a table beyond what a bundle takes is refused with what to do, and the rest of it is not made', () => {
  const most = RUN_LIMITS.inflated / MIB;
  const piece = 'x'.repeat(MIB);
  let made = 0;
  function* table(): Generator<string> {
    for (; made < 2 * most; made++) yield piece;
  }
  expect(() => joined(table())).toThrow(/larger than the 256 MiB that a bundle takes; take metrics\.csv instead/);
  expect(made).toBe(most);
});

test('a table that fits is its pieces in their order', () => {
  expect(joined(['update,seed\n', '', '1,7\n'])).toBe('update,seed\n1,7\n');
});
