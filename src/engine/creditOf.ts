import type { Batch } from '../contract/columns.ts';
import { selectGroups } from '../contract/creditSubset.ts';
import { groupsOf } from '../core/batch.ts';
import type { Credit } from '../slots/types.ts';
import type { Plan } from './plan.ts';

/** Rows that a scheme has dropped: they neither train nor are measured. */
const isDropped = ({ trains, measured }: Batch, i: number): boolean => trains?.[i] === 0 && measured?.[i] === 0;

/** The credit of a batch by the estimator of a plan. Rows that were dropped are in none of its statistics; their A is 0. */
export function creditOf(
  { estimator, estimatorParams }: Pick<Plan, 'estimator' | 'estimatorParams'>,
  batch: Batch,
): Credit {
  const isPart = Array.from({ length: batch.B }, (_, i) => isDropped(batch, i)).some(Boolean);
  if (!isPart) return estimator.run(batch, estimatorParams);
  const groups = groupsOf(batch).map((rows) => rows.filter((i) => !isDropped(batch, i)));
  const { batch: own, rows } = selectGroups(
    batch,
    groups.filter((group) => group.length > 0),
  );
  const { A, parts = {}, target, keep } = estimator.run(own, estimatorParams);
  const spread = <V extends Float32Array | Uint8Array>(values: V, into: V): V => {
    const width = values.length / rows.length;
    rows.forEach((i, k) => into.set(values.subarray(k * width, (k + 1) * width), i * width));
    return into;
  };
  const floats = (values: Float32Array): Float32Array =>
    spread(values, new Float32Array((values.length / rows.length) * batch.B));
  return {
    A: floats(A),
    parts: Object.fromEntries(Object.entries(parts).map(([name, values]) => [name, floats(values)])),
    ...(target ? { target: floats(target) } : {}),
    ...(keep ? { keep: spread(keep, new Uint8Array(batch.B)) } : {}),
  };
}
