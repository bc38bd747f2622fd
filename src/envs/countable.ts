import type { Potential } from '../contract/signals.ts';
import { enumerate } from './enumerate.ts';
import { INDEX_LIMIT } from './indexTable.ts';
import type { Environment } from './types.ts';

/** True if all states of a level can be looked through. */
export const isCountable = <L>(env: Environment<L>, level: L): boolean => enumerate(env, level, INDEX_LIMIT) !== null;

/** The same where Φ is V* of the level; any other Φ needs no values. */
export const hasValues = <L>(env: Environment<L>, level: L, { of }: Potential): boolean =>
  of !== 'value' || isCountable(env, level);
