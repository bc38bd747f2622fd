import { expect, test } from 'vitest';
import { must } from '../core/problem.ts';
import { defaultsOf, type AnyValues } from '../core/settings.ts';
import { enumerate, firstStates } from './enumerate.ts';
import { environments } from './registry.ts';

const small: Readonly<Record<string, AnyValues>> = { textmaze: { level: 'twoRooms', rooms: 2 } };

test.each(environments.map((env) => [env.id, env] as const))(
  '%s: the states without their table are those of the table, in its order, and the first of them where there are too many',
  (id, env) => {
    const level = must(env.level({ ...defaultsOf(env.settings), ...small[id] }, {}, 1));
    const all = enumerate(env, level, 100_000)!;
    const found = firstStates(env, level, 100_001)!;
    expect(found.flatMap((state) => [...state])).toEqual([...all.states]);
    const few = firstStates(env, level, 2)!;
    expect(few).toEqual(found.slice(0, few.length));
    expect(few.length).toBeLessThan(found.length);
  },
);
