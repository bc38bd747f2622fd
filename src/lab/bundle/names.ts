import type { ZipLimits } from './zip.ts';

const MIB = 2 ** 20;
const FIGURE = /^figures\/[A-Za-z0-9-]{1,60}\.svg$/;
const CELL = /^cells\/[a-z2-7]{10}(?:-\d{1,12})?\/(.+)$/;

const RUN = [
  ...['manifest.json', 'config.json', 'metrics.csv', 'metrics.parquet', 'summary.json', 'trajectories.jsonl'],
  ...['weights.safetensors', 'optimizer.safetensors', 'measured.csv', 'CITATION.cff', 'README.txt'],
];
const SWEEP = [
  ...['sweep.json', 'cells.csv', 'comparison.csv', 'comparison.md', 'report.html'],
  ...['CITATION.cff', 'README.txt'],
];

export const isOfRun = (name: string): boolean => RUN.includes(name) || FIGURE.test(name);
const isOfSweep = (name: string): boolean => {
  if (SWEEP.includes(name) || FIGURE.test(name)) return true;
  const inner = CELL.exec(name)?.[1];
  return inner !== undefined && isOfRun(inner);
};

/** At most 64 files of 256 MiB together. */
export const RUN_LIMITS: ZipLimits = { entries: 64, inflated: 256 * MIB, isAllowed: isOfRun };
/** A thousand cells with up to sixteen files each, 512 MiB together. */
export const SWEEP_LIMITS: ZipLimits = { entries: 16_384, inflated: 512 * MIB, isAllowed: isOfSweep };

/** The limits of a bundle by what it holds. */
export const limitsOf = (names: readonly string[]): ZipLimits =>
  names.includes('sweep.json') ? SWEEP_LIMITS : RUN_LIMITS;
