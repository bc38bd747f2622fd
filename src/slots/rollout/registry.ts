import type { Origin } from '../../contract/rows.ts';
import { demonstrations } from './demonstrations/demonstrations.ts';
import type { RolloutScheme } from './types.ts';

/** Schemes that give rows of an origin, so many in every group, to objectives that ask for them. */
export const schemes: Readonly<Partial<Record<Origin, (count: number) => RolloutScheme>>> = { demo: demonstrations };
