import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { normalizeHeads, taskHeads } from './segments.ts';

/**
 * Every step is a sample of its own: its reward, compared with the rewards of all steps of its task group.
 *
 *   A[i,t] = (r[i,t] − mean r) / (std r + 1e-6)   over all real steps of i's task group, sample std
 *
 * Nothing is added up over time, so it needs a reward that already says in each step what comes of it, such as the discounted
 * outcome of EAPO. Longer episodes weigh more in the statistics. A group in which all rewards agree gets 0.
 */
export const stepSamples = defineEstimator({
  id: 'stepSamples',
  title: 'Steps as samples',
  rev: 1,
  source: { title: 'IterResearch', arxiv: '2511.07327', level: 'digest' },
  needs: ['reward', 'taskIndex', 'length'],
  formula: 'A[i,t] = (r[i,t] − mean r) / std r over all steps of the task group',
  look: 'With a discounted outcome as reward, the last steps of short successes stand out.',
  params: settings({}),
  alone: () => 'anyway',
  run: (batch) => ({ A: normalizeHeads(batch.reward, taskHeads(batch), 'std') }),
  scratch: () => 1,
  gpu: (ops) => ({ A: ops.normalize(ops.reward, 'task', 'std') }),
});
