import { ByteWriter, ParquetWriter, schemaFromColumnData, type BasicType, type ColumnSource } from 'hyparquet-writer';
import { updateNumber } from '../../core/counting.ts';
import { CURVES, metrics } from '../../slots/metrics/metrics.ts';
import type { SeriesPart } from '../../engine/series.ts';
import type { CurvesInParts, Overview } from '../runs/inParts.ts';
import type { Pieces } from './archive.ts';

/** Rows of the first group, and of each of the others: what is held at once. */
const [FIRST, GROUP] = [1000, 100_000];

/** Rows that are written together: [n, CURVES], and environment steps, update and seed of each. */
class Rows {
  readonly values: Float32Array;
  readonly steps: Float64Array;
  readonly first: number;
  count = 0;

  constructor(size: number, first: number) {
    this.values = new Float32Array(size * CURVES);
    this.steps = new Float64Array(size);
    this.first = first;
  }

  get isFull(): boolean {
    return this.count === this.steps.length;
  }

  /** Takes rows of a part from the k-th on, as many as there is room for; how many that were. */
  take({ values, steps }: SeriesPart, S: number, k: number): number {
    const taken = Math.min(steps.length * S - k, this.steps.length - this.count);
    this.values.set(values.subarray(k * CURVES, (k + taken) * CURVES), this.count * CURVES);
    for (let j = 0; j < taken; j++) this.steps[this.count + j] = steps[Math.floor((k + j) / S)]!;
    this.count += taken;
    return taken;
  }

  /** The columns, each of which is made when it is written. */
  columns(seeds: readonly number[], measured: readonly number[]): ColumnSource[] {
    const each =
      <X>(value: (k: number) => X) =>
      () =>
        Array.from({ length: this.count }, (_, k) => value(k));
    const S = seeds.length;
    const number = (m: number) => (k: number) => {
      const x = this.values[k * CURVES + m]!;
      return Number.isNaN(x) ? null : x;
    };
    return [
      column(
        'update',
        'INT32',
        each((k) => updateNumber(Math.floor((this.first + k) / S))),
      ),
      column(
        'seed',
        'INT64',
        each((k) => BigInt(seeds[(this.first + k) % S]!)),
      ),
      column(
        'envSteps',
        'DOUBLE',
        each((k) => this.steps[k]!),
      ),
      ...measured.map((m) => column(metrics[m]!.id, 'FLOAT', each(number(m)), true)),
    ];
  }
}

function column(name: string, type: BasicType, values: () => unknown[], nullable?: true): ColumnSource {
  return {
    ...{ name, type },
    ...(nullable && { nullable }),
    get data() {
      return values();
    },
  };
}

/**
 * All numbers as Parquet, in full f32: one row per update and seed in the record of that update. Unlike in the CSV, what
 * is measured on the policy before an update is in the row of that update. Missing: not measured.
 */
export function metricsParquet(curves: CurvesInParts, overview: Overview, seeds: readonly number[]): Pieces {
  const { S } = curves;
  const all = curves.updates * S;
  const measured = metrics.flatMap((_, m) => (overview.isMeasured(m) ? [m] : []));
  return async function* () {
    const writer = new ByteWriter();
    const columnData = new Rows(0, 0).columns(seeds, measured);
    const file = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData }) });
    let rows = new Rows(Math.min(FIRST, all), 0);
    /** What has been written is taken out; places in the file are counted on. */
    const written = (): Uint8Array<ArrayBuffer> => {
      const bytes = writer.getBytes().slice();
      writer.index = 0;
      return bytes;
    };
    for await (const part of curves.parts())
      for (let k = 0; k < part.steps.length * S;) {
        k += rows.take(part, S, k);
        if (!rows.isFull) continue;
        await file.write({ columnData: rows.columns(seeds, measured), rowGroupSize: rows.count });
        yield written();
        const next = rows.first + rows.count;
        rows = new Rows(Math.min(GROUP, all - next), next);
      }
    await file.finish();
    yield written();
  };
}
