import type { SeriesPart } from '../../engine/series.ts';

/** Curves as a file, which the browser need not hold in the memory of the page: of each part first its steps, then its values. */
export type HeldFile = {
  readonly from: number;
  readonly parts: readonly { readonly from: number; readonly count: number }[];
  readonly file: Blob;
};

/** Parts that follow each other, one at least, in one file. */
export const heldOf = (parts: readonly SeriesPart[]): HeldFile => ({
  from: parts[0]!.from,
  parts: parts.map(({ from, steps }) => ({ from, count: steps.length })),
  file: new Blob(parts.flatMap(({ steps, values }) => [steps, values] as BlobPart[])),
});

/** The same of S seeds. */
export type HeldCurves = { readonly S: number; readonly held: HeldFile };

/** Parts that come one after the other on their way into one file: none of them stays in the memory of the page. */
export class Holding {
  private readonly parts: { readonly from: number; readonly count: number }[] = [];
  private readonly files: Blob[] = [];

  /** Takes a copy of the next part. */
  add(part: SeriesPart): void {
    const { parts, file } = heldOf([part]);
    this.parts.push(...parts);
    this.files.push(file);
  }

  end(): HeldFile {
    return { from: this.parts[0]?.from ?? 0, parts: this.parts, file: new Blob(this.files) };
  }
}

/**
 * The parts one after the other, each with how many updates it is of; null for one that cannot be read any more.
 * @param width numbers of an update
 */
export async function* partsIn(
  { parts, file }: HeldFile,
  width: number,
): AsyncGenerator<[HeldFile['parts'][number], SeriesPart | null]> {
  let at = 0;
  const next = (bytes: number): Promise<ArrayBuffer> => file.slice(at, (at += bytes)).arrayBuffer();
  for (const part of parts) {
    const { from, count } = part;
    const read = await Promise.all([next(8 * count), next(4 * count * width)]).catch(nullIfUnreadable);
    yield [part, read && { from, steps: new Float64Array(read[0]), values: new Float32Array(read[1]) }];
  }
}

/** The browser has let go of the file. */
function nullIfUnreadable(error: unknown): null {
  if (error instanceof DOMException) return null;
  throw error;
}
