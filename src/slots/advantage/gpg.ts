import type { Batch } from '../../contract/columns.ts';
import { settings, type ValuesOf } from '../../core/settings.ts';
import { defineEstimator, type Rows } from '../types.ts';
import { aloneAsGiven, common } from './common.ts';
import { after, outcomeTerm, show } from './explain.ts';
import { outcomeCredit, outcomeOnGpu, rowsOf } from './trajectoryCredit.ts';

const params = settings({
  norm: {
    kind: 'number',
    label: 'Divisor',
    default: 1,
    min: 0.1,
    max: 10,
    scale: 'log',
    doc: 'A fixed number in place of the spread of the group.',
    formula: 'F',
  },
  rows: common.rows,
  singleton: common.singleton,
});

/** α: members of the batch over those of them with a return other than 0. */
export function gpgScale(batch: Pick<Batch, 'length' | 'outcome'>, rows: Rows): number {
  const all = rowsOf(batch, [...batch.outcome.keys()], rows);
  return all.length / Math.max(1, all.filter((i) => batch.outcome[i] !== 0).length);
}

function credit(batch: Batch, { norm, rows, singleton }: ValuesOf<typeof params>): Float32Array {
  const scale = gpgScale(batch, rows) / norm;
  return outcomeCredit(batch, 'mean', rows, singleton).map((a) => scale * a);
}

/**
 * Group policy gradient: what the group mean leaves, enlarged by the share of the batch that says something.
 *
 *   A[i,t] = α·(R[i] − mean R) / F over i's task group      α = B / #{i in the batch: R[i] ≠ 0}
 *
 * The reason given is groups without a signal; the code counts episodes with a return other than 0. A group of successes
 * counts as useful, and a cost per step switches α off. A group that agrees gets 0; a group of one too, or with `singleton`
 * its return times α, as in verl.
 */
export const gpg = defineEstimator({
  id: 'gpg',
  title: 'GPG',
  rev: 1,
  source: {
    title: 'GPG: A Simple and Strong Reinforcement Learning Baseline for Model Reasoning',
    arxiv: '2504.02546',
    level: 'code',
  },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A[i,t] = α·(R[i] − mean R) / F, α = episodes / episodes with R ≠ 0',
  look: 'While successes are rare the colors are stronger than those of Dr. GRPO; later the two agree.',
  params,
  alone: aloneAsGiven,
  run: (batch, settings) => ({ A: credit(batch, settings) }),
  scratch: () => 4,
  gpu(ops, { norm, rows, singleton }) {
    const c = outcomeOnGpu(ops, 'mean', rows, singleton);
    const share = ops.broadcast(ops.normalize(ops.threshold(ops.outcome, LEAST), 'batch', 'average', rows));
    return { A: ops.zip('divide', ops.combine(1 / norm, c, 0, c), share) };
  },
  explain(batch, settings, step) {
    const { norm, rows, singleton } = settings;
    const value = credit(batch, settings)[step]!;
    const term = outcomeTerm('outcome', batch, step, { rule: 'mean', rows, singleton });
    const alpha = gpgScale(batch, rows);
    const scaled = `${show(alpha)} · ${after(term.value)} / ${show(norm)} = ${show(value)}`;
    return {
      terms: [
        {
          ...term,
          value,
          formula: `α · (${term.formula}) / F`,
          filled: `${term.filled}; ${scaled}`,
          quantities: [
            ...term.quantities,
            { symbol: 'α', value: alpha, what: 'all episodes over those with a return other than 0' },
            { symbol: 'F', value: norm, what: 'divisor' },
          ],
        },
      ],
    };
  },
});

/** The smallest number that f32 holds with all its digits: what is smaller may count as 0 on a device. */
const LEAST = 2 ** -126;
