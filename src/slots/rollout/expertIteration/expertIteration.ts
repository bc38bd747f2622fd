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
  plateau: {
    kind: 'choice',
    label: 'On a plateau',
    default: 'goOn',
    options: ['goOn', 'restart'],
    optionLabels: ['keep training', 'solve all again, retrain from the start'],
    doc: 'A restart forgets habits: the first weights imitate what the present ones can solve.',
  },
  window: {
    ...{ kind: 'integer', label: 'Plateau', default: 20, min: 2, max: 1000, scale: 'log', unit: 'updates' },
    doc: 'No plateau while mean success gains more than one point from one such span to the next.',
  },
  passes: {
    ...{ kind: 'integer', label: 'Passes of a restart', default: 100, min: 1, max: 500, scale: 'log' },
    doc: 'How often all solutions are imitated when the policy is retrained from the start.',
  },
});

/** Tasks that a restart solves again at most: the newest different ones. */
export const POOL = 64;

/**
 * A best-first search that the policy guides solves the tasks of the batch, and its solutions are imitated:
 *
 *   next to be expanded: the largest Σ log π(a|s) / depth^κ
 *   L = −mean log π(a|s) over the middle 60 % of the steps of the solutions by −log π(a|s)
 *
 * Steps of the search are steps of the world. The outer loop, where it is on: when success stops rising, all tasks that were
 * met (the newest 64) are solved again with the present policy, their middle is kept, and the weights that the run began with
 * are trained on it. (The paper is guided by a language model and plans with several; that is not built.)
 */
export const expertIteration = defineRollout({
  id: 'expertIteration',
  title: 'Search and imitate (expert iteration)',
  rev: 2,
  source: { title: 'BFS-Prover-V2', arxiv: '2509.06493', level: 'digest' },
  formula: 'Σ log π(a|s) / depth^κ, best first',
  look: 'Tasks that the policy fails are still solved by its search; success follows what the search finds.',
  params: expertSettings,
  metrics: ['imitatedRows'],
  state: ({ plateau, window }) => ({
    tasks: { type: 'f64', per: 'task', width: TASK, onFork: ['tasks'] },
    starts: { type: 'u32', per: 'taskWord', onFork: ['tasks'] },
    ...IMITATION,
    ...(plateau === 'restart'
      ? {
          base: { type: 'f32', per: 'parameter', start: 'theta', onFork: 'keep' },
          pool: { type: 'f64', per: 'replica', width: POOL * TASK, onFork: ['tasks'] },
          poolStarts: { type: 'u32', per: 'word', width: POOL, onFork: ['tasks'] },
          // 1 + success of the last updates, the newest first; 0: there was none
          recent: { type: 'f64', per: 'replica', width: 2 * window, onFork: ['tasks'] },
        }
      : {}),
  }),
  mostSteps: ({ every, nodes, plateau, window }, { P, G, T }) =>
    P * G * T + (P * nodes) / every + (plateau === 'restart' ? (POOL * nodes) / (2 * window) : 0),
  beside: () => ({ again: 0, imitated: 16 }),
  memory: async () => (await import('./expertMemory.ts')).expertMemory,
});
