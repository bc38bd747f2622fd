import type { Problem } from '../core/problem.ts';
import type { Environment } from '../envs/types.ts';
import { pathOf } from '../slots/wrapper/registry.ts';
import type { Wrapping } from './wrapping.ts';

/** The first wrapper that cannot act on a view. */
export function refusedView(acting: Wrapping['acting'], view: string): Problem | null {
  for (const { module, params } of acting) {
    const message = module.refuses?.(params, view);
    if (message) return { kind: 'configRejected', issues: [{ path: pathOf(module), message }] };
  }
  return null;
}

/** Ones of the first observation of a level. */
export function countActive(env: Environment, level: unknown, obsWords: number): number {
  const state = new Uint32Array(env.words);
  const bits = new Uint32Array(obsWords);
  env.reset(level, state, 0);
  env.observe(level, state, 0, bits, 0);
  let ones = 0;
  for (let word of bits) for (; word !== 0; word &= word - 1) ones++;
  return ones;
}
