import type { Chosen } from '../contract/module.ts';
import type { Environment } from '../envs/types.ts';
import type { Look, Wrapper, WrapperFacts } from '../slots/wrapper/types.ts';

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
export async function linkedWrappers(
  { acting }: Wrapping,
  env: Environment,
  facts: Pick<WrapperFacts, 'sight' | 'rewards'> & { readonly level: unknown },
): Promise<{ readonly wgsl: string; readonly constants: Readonly<Record<string, string>> }[]> {
  let world = env;
  const { level, ...rest } = facts;
  const linked = acting.map(async ({ module, params }) => {
    const inner = {
      innerWords: world.words,
      features: world.features(level),
      actions: world.actions(level).length,
      speaks: world.language.speaks(level),
      levelWords: world.gpu?.packLevel(level).length ?? 0,
      placeBits: env.placeBits ?? 32,
      placeAt: world.words - env.words,
      hasMap: env.stride !== undefined,
    };
    world = module.world?.(world, params, facts.rewards) ?? world;
    const known: WrapperFacts = { ...rest, ...inner, words: world.words };
    const constants = module.constants?.(params, known) ?? {};
    return { wgsl: await module.wgsl(params), constants };
  });
  return Promise.all(linked);
}
