import { expect, test } from 'vitest';
import type { Snapshot } from '../../worker/protocol.ts';
import { nextShown } from './shown.ts';

const batch = (update: number, replica = 0): Snapshot => ({ update, replica }) as Snapshot;
const old = batch(3);
const fresh = batch(7);

test('a batch that a person looks at stays; followed ones give way to the newest', () => {
  expect(nextShown(old, fresh, 'held')).toBe(old);
  expect(nextShown(old, fresh, 'playing')).toBe(old);
  expect(nextShown(old, fresh, 'live')).toBe(fresh);
});

test('another seed, another run or no run replaces even a held batch', () => {
  expect(nextShown(old, batch(7, 1), 'held')?.replica).toBe(1);
  expect(nextShown(fresh, batch(0), 'held')?.update).toBe(0);
  expect(nextShown(old, null, 'held')).toBeNull();
  expect(nextShown(null, fresh, 'held')).toBe(fresh);
});
