import type { SeriesPart } from '../../engine/series.ts';
import { CURVES } from '../../slots/metrics/metrics.ts';
import type { HeldCurves } from './heldFile.ts';
import { ofHeld } from './inParts.ts';

/** Every update of some neighboring seeds: replicas s … s + count − 1. */
export type SomeSeeds = { readonly s: number; readonly count: number; readonly part: SeriesPart };

/**
 * The curves of a file by seeds: of as many at a time as take no more than `most` bytes, and of one at least. The file is read
 * once for each of these.
 */
export async function* seedsOfHeld({ S, held }: HeldCurves, most: number): AsyncGenerator<SomeSeeds> {
  const curves = ofHeld(held, S);
  const { updates } = curves;
  const atOnce = Math.max(1, Math.floor(most / (Float32Array.BYTES_PER_ELEMENT * updates * CURVES)));
  for (let s = 0; s < S; s += atOnce) {
    const count = Math.min(atOnce, S - s);
    const row = count * CURVES;
    const values = new Float32Array(updates * row);
    const steps = new Float64Array(updates);
    for await (const part of curves.parts()) {
      steps.set(part.steps, part.from);
      for (let u = 0; u < part.steps.length; u++) {
        const at = (u * S + s) * CURVES;
        values.set(part.values.subarray(at, at + row), (part.from + u) * row);
      }
    }
    yield { s, count, part: { from: 0, values, steps } };
  }
}

/** Every number of all seeds at once: for tests, and for what is small. */
export async function allSeeds(curves: HeldCurves): Promise<SeriesPart> {
  const { value } = await seedsOfHeld(curves, Infinity).next();
  return (value as SomeSeeds).part;
}
