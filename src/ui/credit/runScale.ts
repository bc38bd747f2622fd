import { countsOrigin } from '../../contract/rows.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { ownValues, limitOf, realValues } from './strips.ts';

/** Share of the scale below which a value is not worth a color. */
export const FAINT = 0.02;

/** Batches of which the spread is remembered; beyond, every second one is forgotten. */
const MOST = 4000;

type Batch = Pick<Snapshot, 'B' | 'T' | 'length' | 'origin' | 'A' | 'exact' | 'update'>;

/**
 * What the batches of a run that were shown say about its credit: how large the exact credit was at most, so that one
 * color means one number from the first update to the last, and where credit differed most.
 */
export class RunScale {
  /** largest 98th percentile of |exact A| of any batch so far; 0 before the first */
  exact = 0;
  private spreads = new Map<number, number>();

  see(batch: Batch): void {
    // 1 stands for nowhere anything
    if (batch.exact) this.exact = Math.max(this.exact, largest(batch, batch.exact));
    this.spreads.set(batch.update, spreadOf(ownValues(batch, batch.exact ?? batch.A)));
    if (this.spreads.size > MOST) this.spreads = new Map([...this.spreads].filter((_, k) => k % 2 === 0));
  }

  /** True where no step of a batch was better than another: on the scale of the run there is nothing to see. */
  isBlank(batch: Batch): boolean {
    if (batch.exact) return this.exact > 0 && largest(batch, batch.exact) < FAINT * this.exact;
    return realValues(batch, batch.A).every((x) => x === 0);
  }

  /** Of these updates the one at which credit differed most between steps, by the nearest batch that was shown. */
  mostTelling(updates: readonly number[]): number | null {
    let best: number | null = null;
    let most = 0;
    for (const update of updates) {
      const spread = this.near(update);
      if (spread > most) [best, most] = [update, spread];
    }
    return best;
  }

  private near(update: number): number {
    let distance = Infinity;
    let found = 0;
    for (const [at, spread] of this.spreads) {
      if (Math.abs(at - update) >= distance) continue;
      distance = Math.abs(at - update);
      found = spread;
    }
    return found;
  }
}

/** The scale of the run on the screen. */
let scale = new RunScale();
export const runScale = (): RunScale => scale;
export const newRunScale = (): void => void (scale = new RunScale());

const largest = (batch: Batch, values: Float32Array): number =>
  values.every((x) => x === 0) ? 0 : limitOf(batch, values);

/** Standard deviation; 0 of nothing. */
function spreadOf(values: Float32Array): number {
  const n = Math.max(1, values.length);
  const mean = values.reduce((a, b) => a + b, 0) / n;
  return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n);
}

/** The step of a batch with the largest |credit|, as episode and step. */
export function loudestStep(batch: Batch): { i: number; t: number } {
  const values = batch.exact ?? batch.A;
  let best = { i: 0, t: 0 };
  let most = -1;
  for (let i = 0; i < batch.B; i++) {
    if (!countsOrigin(batch.origin[i]!)) continue;
    for (let t = 0; t < batch.length[i]!; t++) {
      const size = Math.abs(values[i * batch.T + t]!);
      if (size > most) [best, most] = [{ i, t }, size];
    }
  }
  return best;
}

/** Values with the faint ones taken out: below `least` there is no color and no sign. */
export const withoutFaint = (values: Float32Array, least: number): Float32Array =>
  least > 0 ? values.map((x) => (Math.abs(x) < least ? 0 : x)) : values;
