import type { Snapshot } from '../../worker/protocol.ts';
import { signedColor, symmetricLimit } from '../color.ts';

/** One array of credit to look at: the total, a part of it, or the exact advantage. */
export type Layer = { readonly id: string; readonly title: string; readonly values: Float32Array };

export function layersOf(snapshot: Snapshot, method: string): Layer[] {
  const parts =
    snapshot.parts.length > 1
      ? snapshot.parts.map((p) => ({ id: p.name, title: `${method}: ${p.name} part`, values: p.values }))
      : [];
  return [{ id: 'total', title: method, values: snapshot.A }, ...parts];
}

/** Values on real steps only; padding says nothing. */
export function realValues(snapshot: Snapshot, values: Float32Array): number[] {
  const list: number[] = [];
  for (let i = 0; i < snapshot.B; i++)
    for (let t = 0; t < snapshot.length[i]!; t++) list.push(values[i * snapshot.T + t]!);
  return list;
}

/** Symmetric limit of the color scale of one layer. */
export function limitOf(snapshot: Snapshot, values: Float32Array): number {
  return symmetricLimit(realValues(snapshot, values));
}

/** Pixels [B, T] of a strip: one pixel per step, transparent on padding; drawn large without smoothing. */
export function stripPixels(
  snapshot: Snapshot,
  values: Float32Array,
  limit: number,
  isDark: boolean,
): Uint8ClampedArray<ArrayBuffer> {
  const { B, T, length } = snapshot;
  const table = Array.from({ length: 257 }, (_, k) => signedColor((k - 128) / 128, isDark));
  const pixels = new Uint8ClampedArray(B * T * 4);
  for (let i = 0; i < B; i++) {
    for (let t = 0; t < length[i]!; t++) {
      const x = Math.max(-1, Math.min(1, values[i * T + t]! / limit));
      const color = table[Math.round(x * 128) + 128]!;
      const at = (i * T + t) * 4;
      pixels[at] = color[0];
      pixels[at + 1] = color[1];
      pixels[at + 2] = color[2];
      pixels[at + 3] = 255;
    }
  }
  return pixels;
}

/** Where an arrow key leads from a cell; stays inside real steps. */
export function moveCell(snapshot: Snapshot, i: number, t: number, key: string): { i: number; t: number } | null {
  const row = (to: number): { i: number; t: number } => {
    const at = Math.max(0, Math.min(snapshot.B - 1, to));
    return { i: at, t: Math.min(t, snapshot.length[at]! - 1) };
  };
  const column = (to: number): { i: number; t: number } => ({
    i,
    t: Math.max(0, Math.min(snapshot.length[i]! - 1, to)),
  });
  switch (key) {
    case 'ArrowLeft':
      return column(t - 1);
    case 'ArrowRight':
      return column(t + 1);
    case 'ArrowUp':
      return row(i - 1);
    case 'ArrowDown':
      return row(i + 1);
    case 'Home':
      return column(0);
    case 'End':
      return column(Infinity);
    default:
      return null;
  }
}

/** What one sees, in one sentence. */
export function creditSentence(snapshot: Snapshot, method: string): string {
  const values = realValues(snapshot, snapshot.A);
  const up = values.filter((x) => x > 0).length;
  const none = values.filter((x) => x === 0).length;
  const share = (n: number): string => `${Math.round((100 * n) / Math.max(1, values.length))} %`;
  const what = `${method} encourages ${share(up)} of the ${values.length} steps and says nothing about ${share(none)}.`;
  if (snapshot.creditSign === null) return what;
  const corr = snapshot.creditCorr === null ? '' : `, correlation ${snapshot.creditCorr.toFixed(2)}`;
  return `${what} Where it matters it agrees in sign with the exact advantage on ${Math.round(snapshot.creditSign * 100)} % of the steps${corr}.`;
}
