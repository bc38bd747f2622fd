import { chosenOf, ON, type Chosen } from '../../contract/module.ts';
import type { AnyValues } from '../../core/settings.ts';
import type { Sight } from '../../envs/perturb/sight.ts';
import type { Environment } from '../../envs/types.ts';
import { wrappers } from '../registry.ts';
import type { Look, Wrapper, WrapperFacts } from './types.ts';

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

/** The parts of the wrappers of a run that act at every step, each list in their order. */
export type Wrapping = {
  readonly acting: readonly Chosen<Wrapper>[];
  readonly see: readonly ((look: Look) => void)[];
  readonly pay: readonly ((reward: number, episodeSeed: number, t: number) => number)[];
  readonly settle: readonly ((reward: Int32Array, at: number, length: number) => void)[];
};

export function wrappingOf(acting: readonly Chosen<Wrapper>[]): Wrapping {
  return {
    acting,
    see: acting.flatMap(({ module: m, params }) => (m.see ? [(look: Look) => m.see!(look, params)] : [])),
    pay: acting.flatMap(({ module: m, params }) =>
      m.pay ? [(reward: number, seed: number, t: number) => m.pay!(reward, seed, t, params)] : [],
    ),
    settle: acting.flatMap(({ module: m, params }) =>
      m.settle ? [(reward: Int32Array, at: number, length: number) => m.settle!(reward, at, length, params)] : [],
    ),
  };
}

/** What the linker needs of the wrappers of a run; `words`: of a state of the world itself. */
export function linkedWrappers(
  { acting }: Wrapping,
  env: Environment,
  facts: { readonly T: number; readonly sight: Sight; readonly rewards: AnyValues },
): { readonly wgsl: string; readonly constants: Readonly<Record<string, string>> }[] {
  let world = env;
  return acting.map(({ module, params }) => {
    world = module.world?.(world, params, facts.rewards) ?? world;
    const known: WrapperFacts = { ...facts, words: world.words };
    return { wgsl: module.wgsl, constants: module.constants?.(params, known) ?? {} };
  });
}
