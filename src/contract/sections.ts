import { columnNames, columnOf, shapeOf, sizeOf, type ColumnName } from './columns.ts';
import type { ColumnSizes, DeviceBuffer } from './columnTable.ts';

/** Sections begin at multiples of this many words: what a binding may start at. */
const ALIGN = 64;
const up = (words: number): number => Math.ceil(words / ALIGN) * ALIGN;

/** Where a column is on the device. */
export type Section = {
  readonly buffer: DeviceBuffer;
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
  readonly buffers: Readonly<Record<DeviceBuffer, number>>;
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
  const ends: Record<DeviceBuffer, number> = { state: 0, obs: 0, choice: 0, result: 0, reals: 0, draws: 0 };
  const used: Record<DeviceBuffer, number> = { ...ends };
  const of = new Map<ColumnName, Section>();
  for (const name of columnNames) {
    const { device, per, planes } = columnOf(name);
    if (!device || !present.has(name)) continue;
    const { entries, width } = shapeOf(name, sizes);
    const words = S * entries * width;
    const isOfSteps = per === 'step' || per === 'unit';
    const at = ends[device];
    const room = isOfSteps ? section * (per === 'unit' ? sizes.K : 1) * width : up(words);
    of.set(name, { buffer: device, at, words: planes ? room : words, plane: section });
    ends[device] = at + room;
    used[device] = at + words;
  }
  return { section, of, buffers: used };
}
