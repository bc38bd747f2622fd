import { settings } from '../../../core/settings.ts';
import { TASK } from '../again/storedTask.ts';
import { IMITATION, imitationRate } from '../memory/types.ts';
import { defineRollout } from '../types.ts';

export const expertSettings = settings({
  every: {
    kind: 'integer',
    label: 'Searches every',
    default: 4,
    min: 1,
    max: 1000,
    scale: 'log',
    unit: 'updates',
    doc: 'After this many updates the tasks of the batch are searched, and what is found is imitated.',
  },
  nodes: {
    kind: 'integer',
    label: 'Steps per search',
    default: 400,
    min: 1,
    max: 20_000,
    scale: 'log',
    doc: 'Steps of the world that the search for one task may take; they are charged.',
  },
  kappa: {
    kind: 'number',
    label: 'Depth exponent',
    default: 0.5,
    min: 0,
    max: 2,
    doc: '0: the most likely path first. 1: the one whose steps are most likely on average.',
    formula: 'κ',
  },
  middle: {
    kind: 'number',
    label: 'Middle that is kept',
    default: 0.6,
    min: 0.01,
    max: 1,
    doc: 'Share of the steps that are imitated; the most and the least likely ones are left out.',
  },
  rate: imitationRate,
});

/**
 * A best-first search that the policy guides solves the tasks of the batch, and its solutions are imitated:
 *
 *   next to be expanded: the largest Σ log π(a|s) / depth^κ
 *   L = −mean log π(a|s) over the middle 60 % of the steps of the solutions by −log π(a|s)
 *
 * Steps of the search are steps of the world. (The paper searches all problems anew from the base model when progress stops,
 * and guides by a language model; neither is built here.)
 */
export const expertIteration = defineRollout({
  id: 'expertIteration',
  title: 'Search and imitate (expert iteration)',
  rev: 1,
  source: { title: 'BFS-Prover-V2', arxiv: '2509.06493', level: 'digest' },
  formula: 'Σ log π(a|s) / depth^κ, best first',
  look: 'Tasks that the policy fails are still solved by its search; success follows what the search finds.',
  params: expertSettings,
  metrics: ['imitatedRows'],
  state: { tasks: { type: 'f64', per: 'task', width: TASK, onFork: ['tasks'] }, ...IMITATION },
  mostSteps: ({ every, nodes }, { P, G, T }) => P * G * T + (P * nodes) / every,
  beside: () => ({ again: 0, imitated: 16 }),
  memory: async () => (await import('./expertMemory.ts')).expertMemory,
});
