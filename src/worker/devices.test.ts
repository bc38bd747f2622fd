import { expect, test } from 'vitest';
import { isLeft } from './devices.ts';

const card = { webgpu: true, adapter: 'a card', software: false, why: null, cores: 8, differs: null };

test('a run that may choose trains on a graphics device, but not on one that was found to be wrong', () => {
  expect(isLeft(card)).toBe(false);
  expect(isLeft({ ...card, differs: 'gradNorm differs.' })).toBe(true);
  expect(isLeft({ ...card, software: true })).toBe(true);
  expect(isLeft({ ...card, webgpu: false })).toBe(true);
});
