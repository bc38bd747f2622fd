import { columnNames, columnOf, shapeOf, sizeOf, type ColumnName } from './columns.ts';
import type { ColumnSizes, DeviceBuffer } from './columnTable.ts';

/** Sections begin at multiples of this many words: what a binding may start at. */
const ALIGN = 64;
const up = (words: number): number => Math.ceil(words / ALIGN) * ALIGN;

/** Where a column is on the device. */
export type Section = {
  /** one of the large ones, or by the name of a column that has one alone */
  readonly buffer: string;
  /** words before it, and its own for all replicas */
  readonly at: number;
  readonly words: number;
  /** words from one plane to the next, where each number of an entry has one */
  readonly plane: number;
};

export type Sections = {
  /** words of one [S, B, T] section: the distance between columns of one number a step */
  readonly section: number;
  readonly of: ReadonlyMap<ColumnName, Section>;
  /** words of each buffer */
  readonly buffers: Readonly<Record<DeviceBuffer, number>> & Readonly<Record<string, number>>;
};

/** Words that the columns of one replica take on the device, without what is lost between sections. */
export function deviceWords(present: ReadonlySet<ColumnName>, sizes: ColumnSizes, buffer?: DeviceBuffer): number {
  let words = 0;
  for (const name of present) {
    const { device } = columnOf(name);
    if (device && (!buffer || device === buffer)) words += sizeOf(name, sizes);
  }
  return words;
}

/**
 * The columns of S replicas as sections of a few large buffers, in the order of the table. A number of every step takes a
 * section of its own length, so that kernels which know one distance find all columns of a buffer.
 */
export function sectionsOf(present: ReadonlySet<ColumnName>, sizes: ColumnSizes, S: number): Sections {
  const section = up(S * sizes.B * sizes.T);
  const none: Record<DeviceBuffer, number> = { state: 0, obs: 0, choice: 0, result: 0, reals: 0, draws: 0, credit: 0 };
  const ends: Record<string, number> = {};
  const used: Record<DeviceBuffer, number> & Record<string, number> = { ...none };
  const of = new Map<ColumnName, Section>();
  for (const name of columnNames) {
    const { device, per, planes } = columnOf(name);
    if (!device || !present.has(name)) continue;
    const { entries, width } = shapeOf(name, sizes);
    const words = S * entries * width;
    const isAlone = device === 'own';
    const isOfSteps = !isAlone && (per === 'step' || per === 'unit' || per === 'decision');
    const buffer = isAlone ? name : device;
    const at = ends[buffer] ?? 0;
    const room = isOfSteps ? section * (entries / (sizes.B * sizes.T)) * width : up(words);
    of.set(name, { buffer, at, words: planes ? room : words, plane: section });
    ends[buffer] = at + room;
    used[buffer] = at + (isOfSteps ? room : words);
  }
  return { section, of, buffers: used };
}
