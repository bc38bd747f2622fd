import { CURVES } from '../slots/metrics/metrics.ts';
import type { Series, SeriesPart } from '../engine/series.ts';
import type { Stored } from '../store/curveParts.ts';
import { partsIn } from '../lab/runs/heldFile.ts';
import type { HeldPart } from './protocol.ts';

/** The first updates of a kept run, where they are stored in parts, and what the numbers of these are. */
export type StoredPast = Stored & { readonly run: string; readonly columns: readonly string[] };

/** Updates that cannot be read any more: not measured, and without steps. */
const missing = (series: Series, from: number, count: number): SeriesPart => ({
  from,
  values: new Float32Array(count * series.S * CURVES).fill(NaN),
  steps: new Float64Array(count).fill(from > 0 ? series.envSteps(from - 1) : 0),
});

/** A history takes in what a page or the storage held of it; false where some of that cannot be read any more. */
export async function joinAll(series: Series, held: readonly HeldPart[], stored?: StoredPast): Promise<boolean> {
  let isWhole = stored && stored.until > 0 ? await joinStored(series, stored) : true;
  for (const part of held) {
    if (!('file' in part)) {
      series.join(part);
      continue;
    }
    for await (const [{ from, count }, found] of partsIn(part, series.S * CURVES)) {
      series.join(found ?? missing(series, from, count));
      isWhole &&= found !== null;
    }
  }
  return isWhole;
}

async function joinStored(series: Series, { run, columns, ...stored }: StoredPast): Promise<boolean> {
  const { PART, partsOf } = await import('../store/curveParts.ts');
  const { inColumns } = await import('../lab/runs/soFar.ts');
  let isWhole = true;
  for await (const found of partsOf(run, stored)) {
    series.join(found ? inColumns(found, columns, series.S) : missing(series, series.length, PART));
    isWhole &&= found !== null;
  }
  return isWhole;
}
