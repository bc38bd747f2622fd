import type { Origin } from '../../contract/rows.ts';
import { demonstrations } from './demonstrations/demonstrations.ts';
import type { RolloutScheme } from './types.ts';

/** Schemes that objectives ask for: they give rows of an origin, as many in every group as the objective says. */
export const schemes: Readonly<Partial<Record<Origin, (count: number) => RolloutScheme>>> = { demo: demonstrations };
