import { expect, test } from 'vitest';
import { Stretches } from './stretches.ts';

test('a run of one path is of that path; of two, of both, until what the second trained is forgotten', () => {
  const stretches = new Stretches();
  expect(stretches.all).toBeNull();
  for (const u of [0, 1, 2]) stretches.note(u, 'cpu');
  expect(stretches.all).toBe('cpu');
  stretches.note(3, 'webgpu');
  expect(stretches.all).toBe('both');
  const fork = new Stretches();
  stretches.goOnIn(fork, 3);
  expect([fork.all, stretches.all]).toEqual(['cpu', 'both']);
  stretches.cut(4);
  expect(stretches.all).toBe('both');
  stretches.cut(0);
  expect(stretches.all).toBeNull();
});
