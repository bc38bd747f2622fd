import type { RunCurves } from './record.ts';

/** Whole curves of a run as a file, which the browser need not hold in the memory of the page: first the steps, then the values. */
export type Aside = Pick<RunCurves, 'id' | 'columns'> & {
  readonly from: number;
  readonly count: number;
  readonly file: Blob;
};

export const setAside = ({ id, columns, part }: RunCurves): Aside => ({
  ...{ id, columns, from: part.from, count: part.steps.length },
  file: new Blob([part.steps, part.values] as BlobPart[]),
});

/** They come back; null where the file cannot be read any more. */
export async function broughtBack({ id, columns, from, count, file }: Aside): Promise<RunCurves | null> {
  const at = Float64Array.BYTES_PER_ELEMENT * count;
  try {
    const [steps, values] = await Promise.all([file.slice(0, at).arrayBuffer(), file.slice(at).arrayBuffer()]);
    return { id, columns, part: { from, steps: new Float64Array(steps), values: new Float32Array(values) } };
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
