import { columnOfFile } from '../../lab/runs/filed.ts';
import type { CurveColumn } from '../../worker/protocol.ts';
import { say } from '../notices/say.ts';
import type { Ghost } from './ghosts.ts';

/** Kept runs of which it was said that they cannot be read. */
const told = new Set<number>();

/** A metric of a kept run, read when it is drawn; null, which is told once, where it cannot be read any more. */
export async function columnOf({ id, name, S, curves }: Ghost, metric: number): Promise<CurveColumn | null> {
  const { steps, file } = curves;
  try {
    const { values } = await columnOfFile({ S, updates: steps.length, file }, metric);
    return { steps, values };
  } catch {
    if (!told.has(id)) say(`The gray curves of ${name} cannot be read any more: discard it, and keep the run again.`);
    told.add(id);
    return null;
  }
}
