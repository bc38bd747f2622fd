import { mergedShare } from './chosen/mergedShare.ts';
import { defineMetrics } from './types.ts';

/** Metrics that are measured only where a config switches them on, in the order of the form and of their columns. */
export const chosenMetrics = defineMetrics([mergedShare]);
