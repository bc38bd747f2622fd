import { CURVES } from '../slots/metrics/metrics.ts';
import type { Series, SeriesPart } from '../engine/series.ts';
import type { Stored } from '../store/curveParts.ts';
import type { HeldFile, HeldPart } from './protocol.ts';

/** The first updates of a kept run, where they are stored in parts, and what the numbers of these are. */
export type StoredPast = Stored & { readonly run: string; readonly columns: readonly string[] };

/** Updates that cannot be read any more: not measured, and without steps. */
const missing = (series: Series, from: number, count: number): SeriesPart => ({
  from,
  values: new Float32Array(count * series.S * CURVES).fill(NaN),
  steps: new Float64Array(count).fill(from > 0 ? series.envSteps(from - 1) : 0),
});

/** The parts of a file one after the other, each with how many updates it is of; null for one that cannot be read any more. */
async function* partsIn(
  { parts, file }: HeldFile,
  S: number,
): AsyncGenerator<[HeldFile['parts'][number], SeriesPart | null]> {
  let at = 0;
  const next = async (bytes: number): Promise<ArrayBuffer> => file.slice(at, (at += bytes)).arrayBuffer();
  for (const part of parts) {
    const { from, count } = part;
    const whole = 8 * count + 4 * count * S * CURVES;
    const bytes = await next(whole).catch(nullIfUnreadable);
    yield [
      part,
      bytes && { from, steps: new Float64Array(bytes, 0, count), values: new Float32Array(bytes, 8 * count) },
    ];
  }
}

/** The browser has let go of the file. */
function nullIfUnreadable(error: unknown): null {
  if (error instanceof DOMException) return null;
  throw error;
}

/** A history takes in what a page or the storage held of it; false where some of that cannot be read any more. */
export async function joinAll(series: Series, held: readonly HeldPart[], stored?: StoredPast): Promise<boolean> {
  let isWhole = stored && stored.until > 0 ? await joinStored(series, stored) : true;
  for (const part of held) {
    if (!('file' in part)) {
      series.join(part);
      continue;
    }
    for await (const [{ from, count }, found] of partsIn(part, series.S)) {
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
