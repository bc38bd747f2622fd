import { describe, expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { readLessons } from './lessons.ts';
import { snapshotRl } from './snapshotRl.ts';

describe('episodes written as text', () => {
  test('are one a line, by names or numbers of actions; empty lines and spaces say nothing', () => {
    expect(readLessons(' 7: right,turn left , 2\n\r\n4294967295:0\n')).toEqual({
      lessons: [
        { levelSeed: 7, actions: ['right', 'turn left', '2'] },
        { levelSeed: 4294967295, actions: ['0'] },
      ],
      wrong: null,
    });
    expect(readLessons('')).toEqual({ lessons: [], wrong: null });
  });

  test.each(['right, right', '7:', '7: right,,left', '4294967296: right', '-1: right', '7: a: b', '7.5: right', '{}'])(
    '“%s” is none, and the number of its line is told',
    (line) => {
      expect(readLessons(`1: right\n\n${line}`).wrong).toBe(3);
    },
  );

  test('a teacher without episodes, or with a line that is none, is refused, and the solver takes its place', () => {
    const rule = { ...defaultsOf(snapshotRl.params), teacher: 'episodes' } as const;
    const refused = (episodes: string) => snapshotRl.refuses!({ ...rule, episodes });
    expect(refused('7: right')).toBeNull();
    expect(refused('')).toMatchObject({ setting: 'teacher', instead: 'solver' });
    expect(refused('7: right\nright')!.message).toContain('line 2');
    expect(snapshotRl.refuses!({ ...rule, teacher: 'solver', episodes: 'nonsense' })).toBeNull();
  });
});
