import type { Batch } from '../../contract/columns.ts';
import { returnsToGo } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { headsBy, normalizeHeads, whiten } from './segments.ts';

const params = settings({
  whitened: {
    kind: 'switch',
    label: 'Whiten',
    default: false,
    doc: 'Divide by the spread over all steps of the batch at the end.',
  },
});

/**
 * Turn-level returns, centered twice among the turns of the same player.
 *
 *   r′ = r − mean r      B[i,t] = Σ_{k≥t} r′[i,k]      A = B − mean B       means over all turns of i's player
 *
 * A batch without players has one. Rewards are centered before they are summed, so the baseline grows with the steps that
 * remain: in batches of mixed lengths long episodes drift. The released self-play settings whiten more (not done here).
 */
export const mars = defineEstimator({
  id: 'mars',
  title: 'MARS',
  rev: 1,
  source: { title: 'MARS (later MARSHAL)', arxiv: '2510.15414', level: 'code' },
  needs: ['reward', 'length'],
  formula: 'A = center(Σ_{k≥t} (r[i,k] − mean r)) over the turns of the same player',
  look: 'Credit falls along episodes that earn less per step than the others, even before anything bad happens.',
  params,
  alone: () => 'anyway',
  run(batch, { whitened }) {
    const A = turnCredit(batch);
    return { A: whitened ? whiten(batch, A) : A };
  },
  scratch: ({ whitened }) => (whitened ? 4 : 3),
  gpu(ops, { whitened }) {
    const reward = ops.normalize(ops.reward, 'player', 'mean');
    const A = ops.normalize(ops.returnsToGo(reward, 1), 'player', 'mean');
    return { A: whitened ? ops.normalize(A, 'batch', 'std') : A };
  },
});

function turnCredit(batch: Batch): Float32Array {
  const samePlayer = headsBy(batch, (i) => batch.role?.[i] ?? 0);
  const reward = normalizeHeads(batch.reward, samePlayer, 'mean');
  const { B, T, length } = batch;
  return normalizeHeads(returnsToGo({ B, T, length, reward }, 1), samePlayer, 'mean');
}
