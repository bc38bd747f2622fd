import { crc32 } from '../config/crc.ts';
import type { SeriesPart } from '../engine/series.ts';
import type { RunCurves } from '../lab/runs/record.ts';
import { open } from './database.ts';

/** Updates of a part: what a long run has trained is written once, and not with every checkpoint again. */
export const PART = 512;

/** The first updates of a run, as they are stored in parts, and what shows that these are still the ones. */
export type Stored = { readonly until: number; readonly sums: readonly number[] };
export const NOTHING: Stored = { until: 0, sums: [] };

const ofRun = (run: string): IDBKeyRange => IDBKeyRange.bound([run], [run, []]);

function sumOf({ values, steps }: Pick<SeriesPart, 'values' | 'steps'>): number {
  const bytes = ({ buffer, byteOffset, byteLength }: Float32Array | Float64Array): Uint8Array =>
    new Uint8Array(buffer, byteOffset, byteLength);
  return (crc32(bytes(values)) ^ crc32(bytes(steps))) >>> 0;
}

/** Writes a part, in place of one of another past; what shows that it is this one. */
export async function keepPart(run: string, { from, values, steps }: SeriesPart): Promise<number> {
  await (await open()).put('curveParts', { values, steps }, [run, from]);
  return sumOf({ values, steps });
}

/** The parts of a run one after the other; null in place of one that is not there any more, or is another. */
export async function* partsOf(run: string, { sums }: Stored): AsyncGenerator<SeriesPart | null> {
  for (const [k, sum] of sums.entries()) {
    const found = await (await open()).get('curveParts', [run, k * PART]).catch(() => undefined);
    yield found && sumOf(found) === sum ? { from: k * PART, ...found } : null;
  }
}

export async function deleteParts(run: string): Promise<void> {
  await (await open()).delete('curveParts', ofRun(run));
}

/** Runs that have parts. */
export async function runsOfParts(): Promise<ReadonlySet<string>> {
  return new Set((await (await open()).getAllKeys('curveParts')).map(([run]) => run));
}

/** Kept curves with what of them is in parts. What cannot be read of these is not measured, and takes no steps. */
export async function wholeCurves({ older, part, ...rest }: RunCurves): Promise<RunCurves> {
  if (!older) return { ...rest, part };
  const { run, S, s, stored } = older;
  const width = rest.columns.length;
  const values = new Float32Array(stored.until * width + part.values.length).fill(NaN);
  const steps = new Float64Array(stored.until + part.steps.length);
  let at = 0;
  for await (const found of partsOf(run, stored)) {
    if (found) steps.set(found.steps, at);
    else steps.fill(steps[at - 1] ?? 0, at, at + PART);
    for (let k = 0; found && k < PART; k++) {
      const row = (k * S + s) * width;
      values.set(found.values.subarray(row, row + width), (at + k) * width);
    }
    at += PART;
  }
  values.set(part.values, stored.until * width);
  steps.set(part.steps, stored.until);
  return { ...rest, part: { from: 0, values, steps } };
}
