import { fail } from '../core/problem.ts';
import type { AnyValues } from '../core/settings.ts';
import type { Environment } from './types.ts';

/** What forms, links and lists ask of an environment: known before its rules are loaded. */
export type WorldRecord = Pick<
  Environment,
  'id' | 'title' | 'family' | 'words' | 'settings' | 'rewards' | 'published' | 'editor' | 'stages'
>;

/**
 * An environment whose rules come when a task needs them: `prepare` loads them, and until then no level is made. The site
 * uses it for worlds that a first visit does not play; everywhere else they are there from the start.
 */
export function laterWorld<L>(record: WorldRecord, load: () => Promise<Environment<L>>): Environment<L> {
  const path = `task.${record.id}.level`;
  const world = {
    ...record,
    level: () => fail({ kind: 'configRejected', issues: [{ path, message: 'is still being loaded' }] }),
    async prepare(settings: AnyValues): Promise<void> {
      const whole = await load();
      Object.assign(world, { prepare: undefined }, whole);
      await whole.prepare?.(settings);
    },
  } as unknown as Environment<L>;
  return world;
}
