import { at, first, highest, last, lowest, over, updates, updatesTo } from './curves.ts';
import { statistics } from './statistics.ts';
import type { Measure } from './types.ts';

/** Everything that an expression of a lesson may call. */
export const measures: readonly Measure[] = [last, first, at, over, highest, lowest, updatesTo, updates, ...statistics];

const byId = new Map(measures.map((m) => [m.id, m]));

export const measureNamed = (id: string): Measure | undefined => byId.get(id);
