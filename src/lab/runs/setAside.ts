import { heldOf, partsIn, type HeldFile } from './heldFile.ts';
import type { RunCurves } from './record.ts';

/** Whole curves of a run as a file. */
export type Aside = Pick<RunCurves, 'id' | 'columns'> & HeldFile;

export const setAside = ({ id, columns, part }: RunCurves): Aside => ({ id, columns, ...heldOf([part]) });

/** They come back; null where the file cannot be read any more. */
export async function broughtBack({ id, columns, ...held }: Aside): Promise<RunCurves | null> {
  let whole: RunCurves | null = null;
  for await (const [, part] of partsIn(held, columns.length)) whole = part && { id, columns, part };
  return whole;
}
