import type { Board } from '../types.ts';

/**
 * What lies around every cell, side by side: out[r, c, d, :] = X[r, N(c)_d, :], directions d = 0 … 8 row by row from the upper
 * left; 0 outside the board.   X [rows, cells, C]   out [rows, cells, 9, C]
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
      for (let x = 0; x < width; x++)
        for (let dy = y - 1; dy <= y + 1; dy++)
          for (let dx = x - 1; dx <= x + 1; dx++) {
            if (dy < 0 || dy >= height || dx < 0 || dx >= width) for (let j = 0; j < C; j++) out[to++] = 0;
            else {
              const from = ((r * height + dy) * width + dx) * C;
              for (let j = 0; j < C; j++) out[to++] = X[from + j]!;
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
        for (let d = 0; d < 9; d++) {
          const cy = y + 1 - Math.floor(d / 3);
          const cx = x + 1 - (d % 3);
          if (cy < 0 || cy >= height || cx < 0 || cx >= width) continue;
          const from = (((r * height + cy) * width + cx) * 9 + d) * C;
          for (let j = 0; j < C; j++) dX[to + j]! += dOut[from + j]!;
        }
      }
}
