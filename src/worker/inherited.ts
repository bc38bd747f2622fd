import { CURVES } from '../slots/metrics/metrics.ts';
import type { Series, SeriesPart } from '../engine/series.ts';
import type { Stored } from '../store/curveParts.ts';
import type { HeldFile, HeldPart } from './protocol.ts';

/** The first updates of a kept run, where they are stored in parts, and what the numbers of these are. */
export type StoredPast = Stored & { readonly run: string; readonly columns: readonly string[] };

/** The parts of a file one after the other. */
async function* partsIn({ parts, file }: HeldFile, S: number): AsyncGenerator<SeriesPart> {
  let at = 0;
  const next = async (bytes: number): Promise<ArrayBuffer> => file.slice(at, (at += bytes)).arrayBuffer();
  for (const { from, count } of parts) {
    const steps = new Float64Array(await next(8 * count));
    yield { from, steps, values: new Float32Array(await next(4 * count * S * CURVES)) };
  }
}

/** A history takes in what a page or the storage held of it; false where some of that cannot be read any more. */
export async function joinAll(series: Series, held: readonly HeldPart[], stored?: StoredPast): Promise<boolean> {
  const isWhole = stored && stored.until > 0 ? await joinStored(series, stored) : true;
  for (const part of held)
    if (!('file' in part)) series.join(part);
    else for await (const one of partsIn(part, series.S)) series.join(one);
  return isWhole;
}

async function joinStored(series: Series, { run, columns, ...stored }: StoredPast): Promise<boolean> {
  const { PART, partsOf } = await import('../store/curveParts.ts');
  const { inColumns } = await import('../lab/runs/soFar.ts');
  let isWhole = true;
  for await (const found of partsOf(run, stored)) {
    const { length, S } = series;
    const last = length > 0 ? series.envSteps(length - 1) : 0;
    // not measured, and without steps
    const missing = (): SeriesPart => ({
      from: length,
      values: new Float32Array(PART * S * CURVES).fill(NaN),
      steps: new Float64Array(PART).fill(last),
    });
    series.join(found ? inColumns(found, columns, S) : missing());
    isWhole &&= found !== null;
  }
  return isWhole;
}
