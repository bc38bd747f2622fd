import { fail, type Result } from '../core/problem.ts';
import type { AnyValues } from '../core/settings.ts';
import type { Environment } from './types.ts';

/** What forms, links and lists ask of an environment: known before its rules are loaded. */
export type WorldRecord = Pick<
  Environment,
  'id' | 'title' | 'family' | 'words' | 'settings' | 'rewards' | 'published' | 'editor' | 'stages'
>;

const waiting = (id: string) => (): Result<never> =>
  fail({ kind: 'configRejected', issues: [{ path: `task.${id}.level`, message: 'is still being loaded' }] });

/**
 * An environment whose rules come when a task needs them: `prepare` loads them, and until then no level is made. The site
 * uses it for worlds that a first visit does not play; everywhere else they are there from the start.
 */
export function laterWorld<L>(record: WorldRecord, load: () => Promise<Environment<L>>): Environment<L> {
  const world = {
    ...record,
    level: waiting(record.id),
    async prepare(settings: AnyValues): Promise<void> {
      const whole = await load();
      Object.assign(world, { prepare: undefined }, whole);
      await whole.prepare?.(settings);
    },
  } as unknown as Environment<L>;
  return world;
}

type Around<A extends readonly unknown[]> = (env: Environment, ...rest: A) => Environment;

/** The same for what stands before a world: the world behind it waits until both are there. */
export function laterAround<A extends readonly unknown[]>(load: () => Promise<Around<A>>): Around<A> {
  let around: Around<A> | null = null;
  return (env, ...rest) =>
    around
      ? around(env, ...rest)
      : {
          ...env,
          level: waiting(env.id),
          async prepare(settings) {
            around = await load();
            await env.prepare?.(settings);
          },
        };
}
