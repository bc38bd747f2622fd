import { countsOrigin } from '../../contract/rows.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { paintSigned, symmetricLimit } from '../color.ts';
import type { Layout } from './layout.ts';

/** One array of credit to look at: the total, a part of it, or the exact advantage. */
export type Layer = { readonly id: string; readonly title: string; readonly values: Float32Array };

/** The estimate and, where it has them, its parts. */
export function layersOf(snapshot: Snapshot, method: string): Layer[] {
  const parts =
    snapshot.parts.length > 1
      ? snapshot.parts.map((p) => ({ id: p.name, title: `${method}: ${p.name} part`, values: p.values }))
      : [];
  return [{ id: 'total', title: method, values: snapshot.A }, ...parts];
}

type Steps = Pick<Snapshot, 'B' | 'T' | 'length'>;

/** Values on real steps only, one episode after the other; padding says nothing. */
export function realValues({ B, T, length }: Steps, values: Float32Array): Float32Array {
  const list = new Float32Array(length.reduce((sum, n) => sum + n, 0));
  let at = 0;
  for (let i = 0; i < B; i++) {
    list.set(values.subarray(i * T, i * T + length[i]!), at);
    at += length[i]!;
  }
  return list;
}

/** The same of the policy's own episodes alone. */
export function ownValues(steps: Steps & Pick<Snapshot, 'origin'>, values: Float32Array): Float32Array {
  const length = steps.length.map((n, i) => (countsOrigin(steps.origin[i]!) ? n : 0));
  return realValues({ ...steps, length }, values);
}

/** Symmetric limit of the color scale of one layer: the 98th percentile of |A| over the real steps. */
export function limitOf(steps: Steps, values: Float32Array): number {
  return symmetricLimit(realValues(steps, values));
}

/** Pixels [B, columns] of a strip, one per step in the order of the layout; transparent where there is no step. */
export function stripPixels(
  { B, T, length }: Steps,
  layout: Layout,
  values: Float32Array,
  limit: number,
  isDark: boolean,
): Uint8ClampedArray<ArrayBuffer> {
  const { columns, order, offset } = layout;
  const pixels = new Uint32Array(B * columns);
  for (let row = 0; row < B; row++) {
    const i = order[row]!;
    paintSigned(pixels, row * columns + offset[i]!, values, i * T, length[i]!, limit, isDark);
  }
  return new Uint8ClampedArray(pixels.buffer);
}
