import type { Batch } from '../../contract/columns.ts';
import { unitCounts } from '../../contract/units.ts';
import type { Estimator } from '../../slots/types.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** True if an estimator must know how many units steps have. */
export const needsUnits = ({ perUnit, needs }: Estimator): boolean => perUnit === true || needs.includes('units');

/** The columns that are read for an estimator: units are counted on real steps. */
export const readFor = (estimator: Estimator): Estimator['needs'] =>
  needsUnits(estimator) ? [...estimator.needs, 'length'] : estimator.needs;

/** How many units the real steps of replica s have; nothing is read where every step is one, or nobody asks. */
export async function unitCountsOf(plan: Plan, b: RunBuffers, s: number): Promise<(step: number) => number> {
  if (!b.tokens || !needsUnits(plan.estimator)) return () => 1;
  const { buffer, offset } = b.columns.command;
  const bytes = 4 * plan.B * plan.T;
  const written = new Uint32Array(await b.reads.of({ buffer, offset: offset + s * bytes, size: bytes }));
  return unitCounts(b.tokens.shape.grammar, written);
}

/** A batch that was read back with its column `units`. */
export function withUnits(batch: Batch, countAt: (step: number) => number, { tokens }: RunBuffers): Batch {
  const { B, T, length } = batch;
  const isReal = (step: number): boolean => step % T < length[Math.floor(step / T)]!;
  const units = Uint8Array.from({ length: B * T }, (_, step) => (isReal(step) ? countAt(step) : 0));
  return { ...batch, ...(tokens ? { K: tokens.shape.grammar.decisions } : {}), units };
}
