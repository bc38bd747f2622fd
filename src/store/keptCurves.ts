import type { SeriesPart } from '../engine/series.ts';
import type { CurvesInParts } from '../lab/runs/inParts.ts';
import type { RunCurves } from '../lab/runs/record.ts';
import { COLUMNS, inColumns } from '../lab/runs/soFar.ts';
import { PART, partsOf } from './curveParts.ts';
import { open } from './database.ts';

const lengthOf = ({ older, part }: RunCurves): number => (older?.stored.until ?? 0) + part.steps.length;

/** One of the seeds of stored updates. */
function ofOne({ from, values, steps }: SeriesPart, S: number, s: number, width: number): SeriesPart {
  const own = new Float32Array(steps.length * width);
  for (let k = 0; k < steps.length; k++) {
    const at = (k * S + s) * width;
    own.set(values.subarray(at, at + width), k * width);
  }
  return { from, values: own, steps };
}

/** The updates of kept curves that are stored in parts. What cannot be read of these is not measured, and takes no steps. */
async function* olderOf({ older, columns }: RunCurves): AsyncGenerator<SeriesPart> {
  if (!older) return;
  let last = 0;
  let from = 0;
  for await (const found of partsOf(older.run, older.stored)) {
    const part = found
      ? inColumns(ofOne(found, older.S, older.s, columns.length), columns)
      : { from, values: new Float32Array(PART * COLUMNS.length).fill(NaN), steps: new Float64Array(PART).fill(last) };
    yield part;
    last = part.steps.at(-1)!;
    from += PART;
  }
}

/** At most so many updates of a part. */
function cut({ from, values, steps }: SeriesPart, most: number): SeriesPart {
  if (steps.length <= most) return { from, values, steps };
  return { from, values: values.subarray(0, most * COLUMNS.length), steps: steps.subarray(0, most) };
}

/**
 * The curves that a kept run has now, which stay in the database; null where it has none. What it trains meanwhile is left
 * out, and a run that is deleted meanwhile is told as an error.
 * @param isHeld all but what is stored in parts is held, so that the run may also be deleted
 */
export async function keptCurves(id: string, isHeld = false): Promise<CurvesInParts | null> {
  const read = async (): Promise<RunCurves | undefined> => (await open()).get('curves', id);
  const first = await read();
  if (!first) return null;
  const updates = lengthOf(first);
  const held = isHeld ? first : null;
  return {
    ...{ S: 1, updates },
    async *parts() {
      const now = held ?? (await read());
      if (!now || lengthOf(now) < updates)
        throw new Error('one of the runs was deleted, or went back to an earlier update, while its curves were read');
      async function* all(found: RunCurves): AsyncGenerator<SeriesPart> {
        yield* olderOf(found);
        yield { ...inColumns(found.part, found.columns), from: found.older?.stored.until ?? 0 };
      }
      for await (const part of all(now)) {
        if (part.from >= updates) return;
        yield cut(part, updates - part.from);
      }
    },
  };
}
