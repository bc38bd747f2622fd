import { groupsOf } from '../../core/batch.ts';
import { tanh } from '../../core/fmath.ts';
import { settings } from '../../core/settings.ts';
import { isDegenerate, mean, std } from '../../core/stats.ts';
import { defineEstimator } from '../types.ts';
import { nodeValues, ownerHeads, type Forked, type NodeValues } from './forkTree.ts';

const params = settings({
  temperature: {
    kind: 'number',
    label: 'Temperature',
    default: 1,
    min: 0.01,
    max: 100,
    scale: 'log',
    doc: 'Values of states on many paths are squeezed: the larger it is, the later they saturate.',
    formula: 'τ',
  },
  divide: {
    kind: 'switch',
    label: 'Divide by the spread',
    default: true,
    doc: 'Divide by the spread of the leaves, as the released code does; the paper only centers.',
  },
});

/** [T] scores of the steps of an episode that was backed up: the value of the state that each leads to. */
function scoresOf(
  batch: Forked,
  row: number,
  { value, wasSearched }: NodeValues,
  owner: ArrayLike<number>,
  temperature: number,
) {
  const n = batch.length[row]!;
  return Array.from({ length: n }, (_, t) => {
    if (t + 1 === n || !wasSearched) return batch.success[row] === 1 ? 1 : -1;
    return tanh(value.get(owner[row * batch.T + t]!)! / temperature);
  });
}

/**
 * The values that a search backed up, as credit:
 *
 *   x[i,t] = tanh(v(s[t+1])/τ) on the way,  ±1 at the end      A[i,t] = (x[i,t] − μ)/(σ + 1e-6)
 *
 * v of a state sums ±max(d/n, 0.1) over the episodes that were backed up through it; a success takes the place of failures,
 * and a failure never lowers what led to a success. μ and σ (over n) are those of the ends of the task. Of the episodes that
 * went on from one state only the one that was backed up trains. A task whose ends agree gets 0; one without forks was not
 * searched: each of its episodes gets ±1 at every step, compared in the same way.
 */
export const nodeValue = defineEstimator({
  id: 'nodeValue',
  title: 'Node values (DeepSearch)',
  rev: 1,
  source: { title: 'DeepSearch: overcome the bottleneck of RLVR via MCTS', arxiv: '2509.25454', level: 'code' },
  needs: ['taskIndex', 'length', 'success', 'entropy', 'branchParent', 'branchStep'],
  formula: 'A[i,t] = (tanh(v(s[t+1])/τ) − μ)/σ, v backed up from the leaves',
  finePrint: [
    {
      on: 'comparison within a task',
      paper: 'Values are centered: x − μ.',
      code: 'They are divided by the spread of the ends, too: (x − μ)/(σ + 1e-6), σ over n.',
      lab: 'As the code does; a switch leaves σ out. Ends that agree give 0.',
    },
  ],
  look: 'Only leaves that were backed up have color. Once most succeed, their early steps fall below the mean.',
  params,
  alone: () => 'nothing',
  run(batch, { temperature, divide }) {
    const A = new Float32Array(batch.B * batch.T);
    const keep = new Uint8Array(batch.B);
    const owner = ownerHeads(batch);
    for (const rows of groupsOf(batch)) {
      const values = nodeValues(batch, rows, owner);
      const ends = values.chosen.map((row) => (batch.success[row] === 1 ? 1 : -1));
      for (const row of values.chosen) keep[row] = 1;
      if (isDegenerate(ends)) continue;
      const [mu, sigma] = [mean(ends), divide ? std(ends, true) + 1e-6 : 1];
      for (const row of values.chosen)
        scoresOf(batch, row, values, owner, temperature).forEach((x, t) => {
          A[row * batch.T + t] = (x - mu) / sigma;
        });
    }
    return { A, keep };
  },
});
