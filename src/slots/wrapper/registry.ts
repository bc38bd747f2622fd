import { chosenOf, ON, type Chosen } from '../../contract/module.ts';
import type { AnyValues } from '../../core/settings.ts';
import type { Environment } from '../../envs/types.ts';
import { wrappers } from '../registry.ts';
import type { Wrapper } from './types.ts';

type TaskConfig = { readonly [name: string]: unknown };

/** The wrappers that act in a task, first one next to the world, with their settings. */
export function wrappersOf(task: TaskConfig): Chosen<Wrapper>[] {
  const switched = chosenOf(wrappers, task);
  return wrappers.flatMap((module) => {
    if (!module.isOff) return switched.filter((chosen) => chosen.module === module);
    const params = Object.fromEntries(Object.keys(module.params).map((name) => [name, task[name]])) as AnyValues;
    return module.isOff(params) ? [] : [{ module, params }];
  });
}

/** The setting that switches a wrapper on. */
export const pathOf = ({ id, isOff, params }: Wrapper): string =>
  isOff ? `task.${Object.keys(params)[0]}` : `task.${id}.${ON}`;

/** The world as the agent meets it. */
export function wrappedBy<L>(
  acting: readonly Chosen<Wrapper>[],
  env: Environment<L>,
  rewards: AnyValues,
): Environment<L> {
  return acting.reduce(
    (world, { module, params }) => (module.world?.(world, params, rewards) as Environment<L> | undefined) ?? world,
    env as unknown as Environment,
  ) as unknown as Environment<L>;
}
