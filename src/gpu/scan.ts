import type { Kernel } from './kernel.ts';
import { kernels } from './shaders/kernels.ts';
import longScan from './shaders/credit/reverseScan/longScan.wgsl?raw';
import type { Call } from './products.ts';

const TILE = 64;
/** Rows of a replica up to which, and steps from which, rows are cut into tiles: neither device nor S changes a bit. */
const FEW = 256;
const LONG = 512;

const part = (entry: 'reduce' | 'carry' | 'apply'): Kernel => ({ id: `reverseScan.${entry}`, wgsl: longScan, entry });

const tilesOf = (rows: number, cols: number): number => rows * Math.ceil(cols / TILE);

const isLong = (B: number, T: number): boolean => B <= FEW && T >= LONG;

/** Floats that the scan of S replicas of B rows needs for its tiles; 0: rows are scanned whole. */
export const scanScratch = (S: number, B: number, T: number): number => (isLong(B, T) ? 2 * tilesOf(S * B, T) : 0);

/** The dispatches of a scan in tiles. Bindings b, length, tiles, x. */
export function longScanCalls(rows: number, cols: number, a: number): readonly Call[] {
  const dims = { rows, cols, a };
  const tiles = Math.ceil(tilesOf(rows, cols) / 64);
  return [
    { kernel: part('reduce'), dims, groups: [tiles, 1, 1] },
    { kernel: part('carry'), dims, groups: [Math.ceil(rows / 64), 1, 1] },
    { kernel: part('apply'), dims, groups: [tiles, 1, 1] },
  ];
}

/** x[t] = b[t] + a·x[t+1] along every row, in the form its size asks for. Bindings b, length, x, and tiles with scratch. */
export function scanCalls(S: number, B: number, T: number, a: number): readonly Call[] {
  if (isLong(B, T)) return longScanCalls(S * B, T, a);
  return [{ kernel: kernels.reverseScan, dims: { rows: S * B, cols: T, a }, groups: [Math.ceil((S * B) / 64), 1, 1] }];
}
