import { settings } from '../../../core/settings.ts';
import { TASK } from '../again/storedTask.ts';
import { IMITATION, imitationRate } from '../memory/types.ts';
import { defineRollout } from '../types.ts';
import { explored } from './explored.ts';
import { STEP, TABLE_WORDS } from './table.ts';

export const sqirlSettings = settings({
  backups: {
    kind: 'integer',
    label: 'Backups',
    default: 1,
    min: 1,
    max: 8,
    doc: 'How many steps are planned before random play judges the rest; the task card tells k*.',
    formula: 'k',
  },
  batches: {
    kind: 'integer',
    label: 'Batches for each step',
    default: 2,
    min: 1,
    max: 32,
    doc: 'So many batches are played before what to do in the next step is settled.',
    formula: 'm / (P·G)',
  },
  rate: imitationRate,
});

/**
 * SQIRL with a table as its regression (Laidlaw et al., arXiv 2312.08369). For t = 0 … T − 1:
 *
 *   m episodes: π_0 … π_{t−1} as found, then uniform     explore
 *   Q̂¹_j(s,a) = mean of the returns to go of (j, s, a) in them, for j ≥ t     learn
 *   Q̂ⁱ⁺¹_j(s,a) = mean of r + max_{a′} Q̂ⁱ_{j+1}(s′,a′), k − 1 times     π_t greedy on Q̂ᵏ_t
 *
 * Here m is a number of batches, and after T·batches updates all that is played is what was found. The episodes count as the
 * policy's own and train nothing; the network imitates the steps that were found, so that evaluations and maps show them.
 * What is found is kept in a table of 16,384 entries; where it is full, what is met later stays uniform.
 */
export const sqirl = defineRollout({
  id: 'sqirl',
  title: 'Uniform play, then greed (SQIRL)',
  rev: 1,
  source: {
    title: 'The effective horizon explains deep RL performance in stochastic environments',
    arxiv: '2312.08369',
    level: 'abstract',
  },
  formula: 'π_t greedy on Q̂ᵏ_t of uniform play from t on',
  look: 'Success stays that of random play until the steps that matter are settled, from the first on; then it jumps.',
  params: sqirlSettings,
  metrics: ['imitatedRows'],
  state: ({ backups, batches }) => ({
    // the step that is learned, and batches played for it
    at: { type: 'u32', per: 'replica', width: 2, onFork: ['tasks'] },
    seen: { type: 'f64', per: 'row', width: batches * backups * STEP, onFork: ['tasks'] },
    found: { type: 'u32', per: 'replica', width: TABLE_WORDS, onFork: ['tasks'] },
    tasks: { type: 'f64', per: 'task', width: TASK, onFork: ['tasks'] },
    starts: { type: 'u32', per: 'taskWord', onFork: ['tasks'] },
    ...IMITATION,
  }),
  first: (context) => explored(context),
  beside: (_, { P }) => ({ again: 0, imitated: P }),
  memory: async () => (await import('./sqirlMemory.ts')).sqirlMemory,
});
