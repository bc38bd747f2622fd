import type { Board } from '../types.ts';
import { TAPS } from './shape.ts';

/**
 * What lies around every cell, side by side: out[r, c, d, :] = X[r, N(c)_d, :], directions d = 0 … 8 row by row from the upper
 * left; 0 outside the board.   X [rows, cells, C]   out [rows, cells, 9, C]
 *
 * Three directions in a row are three cells in a row, so they are copied at once.
 */
export function gatherAround(
  { height, width }: Board,
  C: number,
  rows: number,
  X: Float32Array,
  out: Float32Array,
): void {
  let to = 0;
  for (let r = 0; r < rows; r++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const first = x > 0 ? 0 : C;
        const end = x + 1 < width ? 3 * C : 2 * C;
        for (let dy = y - 1; dy <= y + 1; dy++) {
          const from = ((r * height + dy) * width + x - 1) * C;
          if (dy < 0 || dy >= height) for (let k = 0; k < 3 * C; k++) out[to + k] = 0;
          else {
            for (let k = 0; k < first; k++) out[to + k] = 0;
            for (let k = first; k < end; k++) out[to + k] = X[from + k]!;
            for (let k = end; k < 3 * C; k++) out[to + k] = 0;
          }
          to += 3 * C;
        }
      }
}

/** The way back: dX[r, c, :] += Σ_d dOut[r, c′, d, :] over the cells c′ whose N(c′)_d is c, in the order of d. */
export function spreadBack(
  { height, width }: Board,
  C: number,
  rows: number,
  dOut: Float32Array,
  dX: Float32Array,
): void {
  for (let r = 0; r < rows; r++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const to = ((r * height + y) * width + x) * C;
        for (let d = 0; d < TAPS; d++) {
          const cy = y + 1 - Math.floor(d / 3);
          const cx = x + 1 - (d % 3);
          if (cy < 0 || cy >= height || cx < 0 || cx >= width) continue;
          const from = (((r * height + cy) * width + cx) * TAPS + d) * C;
          for (let j = 0; j < C; j++) dX[to + j]! += dOut[from + j]!;
        }
      }
}
