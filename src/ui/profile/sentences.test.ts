import { expect, test } from 'vitest';
import type { Profile } from '../../worker/protocol.ts';
import { provenance } from './sentences.ts';

const said = (clock: Profile['clock'], stampUs: number | null): string =>
  provenance({ clock, stampUs, updates: 3 } as Profile);

test('the profile says whose clock it has, and calls times by repetition estimates', () => {
  expect(said('timestamps', null)).toMatch(/own timestamps/);
  expect(said('timestamps', null)).not.toMatch(/estimates/);
  expect(said('repeats', null)).toMatch(/no timestamps: kernel times are estimates/);
  expect(said('repeats', 65.536)).toMatch(/rounds the device’s timestamps to 65\.536 µs.*: kernel times are estimates/);
  expect(said('wall', null)).toMatch(/worker’s clock/);
});
