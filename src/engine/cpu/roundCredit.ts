import { batchOf } from '../arrays.ts';
import { creditOf } from '../creditOf.ts';
import type { Play } from './lockstep.ts';

/**
 * The largest |A| of each of the first `count` rows of a replica, as the estimator of the run gives it to these rows alone for
 * what the world paid. Nothing is remembered of it.
 */
export function creditSizes({ plan, arrays, s }: Pick<Play, 'plan' | 'arrays' | 's'>, count: number): Float32Array {
  const batch = batchOf(plan, arrays, s);
  const stays = Uint8Array.from({ length: plan.B }, (_, i) => (i < count ? 1 : 0));
  const { A } = creditOf(plan, { ...batch, trains: stays, measured: stays });
  const width = A.length / plan.B;
  return Float32Array.from({ length: plan.B }, (_, i) => {
    let most = 0;
    for (let k = i * width; k < (i + 1) * width; k++) most = Math.max(most, Math.abs(A[k]!));
    return most;
  });
}
