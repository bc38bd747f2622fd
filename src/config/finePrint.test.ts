import { expect, test } from 'vitest';
import { slots } from './slots.ts';

const printed = slots.flatMap(({ modules, stack = [] }) => [...modules, ...stack]).filter((m) => m.finePrint);

test('where paper and released code disagree, the card says so, and whom the lab follows', () => {
  expect([...new Set(printed.map(({ id }) => id))].sort()).toEqual(
    [
      'spa',
      'igpo',
      'rlvmr',
      'tagReward',
      'subpo',
      'heron',
      'dual',
      'hbpo',
      'nodeValue',
      'poad',
      'hiper',
      'himac',
      'archer',
      'blueprints',
      'vscRl',
    ].sort(),
  );
});

test('each line of a fine print says all three, in whole sentences', () => {
  for (const { finePrint } of printed)
    for (const { on, ...says } of finePrint!) {
      expect(on).not.toBe('');
      for (const text of Object.values(says)) expect(text).toMatch(/^[A-Z0].*\.$/u);
    }
});
