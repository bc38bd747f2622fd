import { decidedByFirst, decidedByLast } from './chosen/decidedBy.ts';
import { mergedShare } from './chosen/mergedShare.ts';
import { rewardModelError } from './chosen/rewardModelError.ts';
import { defineMetrics } from './types.ts';

/** Metrics that are measured only where a config switches them on, in the order of the form and of their columns. */
export const chosenMetrics = defineMetrics([mergedShare, rewardModelError, decidedByFirst, decidedByLast]);
