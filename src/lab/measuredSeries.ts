import { updateNumber } from '../core/counting.ts';
import { measures, type Measured } from '../slots/metrics/measures.ts';
import type { MeasuredHistory } from './snapshotTypes.ts';

/** Rows kept for one replica; when there are more, every second one of them is forgotten. */
const MOST = 800;

type Row = { readonly update: number; readonly envSteps: number; readonly measured: Measured };

/** Measures of the batches that were shown, replica by replica. Going back in a run forgets what came after. */
export class MeasuredSeries {
  private readonly rows = new Map<number, Row[]>();

  put(replica: number, row: Row): void {
    let kept = (this.rows.get(replica) ?? []).filter((r) => r.update < row.update);
    if (kept.length >= MOST) kept = kept.filter((_, k) => k % 2 === 0);
    kept.push(row);
    this.rows.set(replica, kept);
  }

  /** For a run that continues from here, while this one is kept. */
  copy(): MeasuredSeries {
    const copy = new MeasuredSeries();
    for (const [replica, rows] of this.rows) copy.rows.set(replica, rows);
    return copy;
  }

  history(replica: number): MeasuredHistory {
    const rows = this.rows.get(replica) ?? [];
    const values = new Float32Array(measures.length * rows.length);
    measures.forEach(({ id }, m) =>
      rows.forEach(({ measured }, k) => (values[m * rows.length + k] = measured[id] ?? NaN)),
    );
    return {
      points: rows.length,
      update: Float32Array.from(rows, (r) => updateNumber(r.update)),
      envSteps: Float32Array.from(rows, (r) => r.envSteps),
      values,
    };
  }
}
