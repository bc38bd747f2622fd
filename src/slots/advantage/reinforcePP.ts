import { returnsToGo } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { returnAmongAll } from './explainSteps.ts';
import { whiten } from './segments.ts';

const params = settings({
  gamma: { ...common.gamma, default: 1, doc: 'Below 1, rewards far in the future count less.' },
});

/**
 * Whitened return-to-go: no groups at all, so it also works with one trajectory per task.
 *
 *   G[i,t] = Σ_{k≥t} γ^(k−t) r[i,k]        A = (G − mean G) / (std G + 1e-6)   over all real steps of the batch
 *
 * Long trajectories weigh more in mean and std. A batch in which every G agrees gives 0.
 */
export const reinforcePP = defineEstimator({
  id: 'reinforcePP',
  title: 'REINFORCE++',
  rev: 1,
  source: { title: 'REINFORCE++', arxiv: '2501.03262', level: 'code' },
  needs: ['reward', 'length'],
  formula: 'A = whiten(Σ_{k≥t} γ^(k−t) r[i,k]) over the batch',
  look: 'With step penalties, credit changes along the episode; easy tasks look good and hard ones bad.',
  params,
  alone: () => 'anyway',
  run: (batch, { gamma }) => ({ A: whiten(batch, returnsToGo(batch, gamma)) }),
  scratch: () => 2,
  gpu: (ops, { gamma }) => ({ A: ops.normalize(ops.returnsToGo(ops.reward, gamma), 'batch', 'std') }),
  explain: (batch, { gamma }, step) => ({
    terms: [returnAmongAll(batch, gamma, step)],
  }),
});
