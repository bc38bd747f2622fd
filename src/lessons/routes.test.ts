import { expect, test } from 'vitest';
import { lessons } from './list.ts';
import { routes } from './routes.ts';

test('every route has lessons that are there, and each sitting is as long as it promises', () => {
  for (const { id, parts, minutes } of routes) {
    for (const numbers of parts) {
      const found = numbers.map((n) => lessons.find(({ number }) => number === n));
      expect(found, id).not.toContain(undefined);
      const total = found.reduce((sum, lesson) => sum + lesson!.minutes, 0);
      expect(total, `${id}: ${numbers.join(' ')}`).toBeLessThanOrEqual(minutes);
    }
  }
});

test('the first route and the week hold every lesson once', () => {
  const all = lessons.map(({ number }) => number);
  for (const id of ['all', 'week']) expect(routes.find((route) => route.id === id)!.parts.flat(), id).toEqual(all);
});
