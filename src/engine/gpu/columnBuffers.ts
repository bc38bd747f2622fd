import { columnNames, type ColumnName } from '../../contract/columns.ts';
import type { ColumnSizes, DeviceBuffer } from '../../contract/columnTable.ts';
import type { NumberArray } from '../../contract/numbers.ts';
import { sectionsOf, type Sections } from '../../contract/sections.ts';
import type { Slice } from '../../gpu/recorder.ts';

/** Columns by name: [S, …] each. One that the run has not is an error in whoever asks. */
export type ColumnSlices = Readonly<Record<ColumnName, Slice>>;

/** The columns of a run on the device: sections of a few large buffers, and those that somebody keeps elsewhere. */
export class ColumnBuffers {
  readonly buffers: Readonly<Record<DeviceBuffer, GPUBuffer>>;
  private readonly all: Readonly<Record<string, GPUBuffer>>;
  readonly slices: ColumnSlices;
  readonly sections: Sections;
  private readonly found = new Map<ColumnName, Slice>();
  private readonly known = new Map<ColumnName, NumberArray>();

  /** `make`: a buffer of so many words, named as in the table or by the column that has it alone */
  constructor(
    make: (words: number, name: string) => GPUBuffer,
    present: ReadonlySet<ColumnName>,
    sizes: ColumnSizes,
    S: number,
  ) {
    this.sections = sectionsOf(present, sizes, S);
    const words = Object.entries(this.sections.buffers);
    const buffers = Object.fromEntries(words.map(([name, n]) => [name, make(n, name)])) as Record<
      DeviceBuffer,
      GPUBuffer
    >;
    this.buffers = buffers;
    this.all = buffers;
    for (const [name, { buffer, at, words: n }] of this.sections.of)
      this.found.set(name, { buffer: this.all[buffer]!, offset: at * 4, size: n * 4 });
    const get = (name: ColumnName) => ({ enumerable: true, get: () => this.of(name) });
    this.slices = Object.defineProperties(
      {},
      Object.fromEntries(columnNames.map((name) => [name, get(name)])),
    ) as ColumnSlices;
  }

  /** True where the run has a column on the device. */
  has(name: ColumnName): boolean {
    return this.found.has(name);
  }

  of(name: ColumnName): Slice {
    const slice = this.found.get(name);
    if (!slice) throw new Error(`This run has no column “${name}” on the device.`);
    return slice;
  }

  /** The buffer of a column that has one alone. */
  alone(name: ColumnName): GPUBuffer {
    return this.of(name).buffer;
  }

  /** Number k of every entry of a column whose numbers have sections of their own. */
  plane(name: ColumnName, k: number): Slice {
    const { buffer, offset } = this.of(name);
    const { section } = this.sections;
    return { buffer, offset: offset + 4 * k * section, size: 4 * section };
  }

  /** Words before a column in its buffer. */
  at(name: ColumnName): number {
    return this.of(name).offset / 4;
  }

  /** A column that is known in main memory, as it is right now. */
  host(name: ColumnName): NumberArray | undefined {
    return this.known.get(name);
  }

  /** A column [S, …] that somebody fills in main memory. */
  keepOnHost(name: ColumnName, values: NumberArray): void {
    this.known.set(name, values);
  }

  /** A column that somebody keeps in a buffer of its own. */
  keep(name: ColumnName, slice: Slice): void {
    this.found.set(name, slice);
  }
}
