import { creditFidelity } from './creditFidelity.ts';
import type { Measure } from './types.ts';

/** What can be measured beside the cells of a sweep. */
export const measures: readonly Measure[] = [creditFidelity];

export const measureById = (id: string): Measure | undefined => measures.find((measure) => measure.id === id);
