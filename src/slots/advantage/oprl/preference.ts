import type { Batch } from '../../../contract/columns.ts';
import { groupsOf } from '../../../core/batch.ts';
import { exp, log } from '../../../core/fmath.ts';
import { SPREAD, sum } from '../../../core/stats.ts';
import { given } from '../given.ts';
import type { Preference, ScoreForm } from '../types.ts';

type Scored = Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'success' | 'logp' | 'logpPhi'>;

/** q[i] = β·Σ_t (log π_φ − log π_old) over the steps of each trajectory, or their mean. */
export function trajectoryScores(batch: Scored, beta: number, form: ScoreForm): Float64Array {
  const phi = given(batch, 'logpPhi');
  return Float64Array.from({ length: batch.B }, (_, i) => {
    const [from, to] = [i * batch.T, i * batch.T + batch.length[i]!];
    const total = sum(phi.subarray(from, to)) - sum(batch.logp.subarray(from, to));
    return (beta * total) / (form === 'mean' ? batch.length[i]! : 1);
  });
}

/**
 * The preference loss of the process model on one batch (arXiv 2509.19199): all pairs of a success i⁺ and a failure i⁻
 * inside each task group.
 *
 *   loss = mean over pairs of −log σ(q[i⁺] − q[i⁻])      ∂loss/∂q[i⁺] = −σ(q[i⁻] − q[i⁺]) / pairs
 *
 * A group without both kinds forms no pair; a batch without pairs has loss 0 and no gradient.
 */
export function preferenceLoss(batch: Scored, beta: number, form: ScoreForm): Preference {
  const q = trajectoryScores(batch, beta, form);
  const gradPerStep = new Float64Array(batch.B);
  let pairs = 0;
  let loss = 0;
  let ranked = 0;
  for (const group of groupsOf(batch)) {
    const wins = group.filter((i) => batch.success[i] === 1);
    const losses = group.filter((i) => batch.success[i] !== 1);
    pairs += wins.length * losses.length;
    for (const i of wins) {
      for (const j of losses) {
        const margin = q[i]! - q[j]!;
        const doubt = 1 / (1 + exp(margin)); // σ(−margin)
        loss += softplus(-margin);
        if (margin > SPREAD * beta) ranked++;
        gradPerStep[i]! -= doubt;
        gradPerStep[j]! += doubt;
      }
    }
  }
  if (pairs === 0) return { pairs, loss: 0, accuracy: 0, gradPerStep };
  for (let i = 0; i < batch.B; i++) {
    const slope = form === 'mean' ? beta / batch.length[i]! : beta; // ∂q[i]/∂log π_φ of one step
    gradPerStep[i]! *= slope / pairs;
  }
  return { pairs, loss: loss / pairs, accuracy: ranked / pairs, gradPerStep };
}

/** ln(1 + e^x) without overflow. */
function softplus(x: number): number {
  return Math.max(x, 0) + log(1 + exp(-Math.abs(x)));
}
