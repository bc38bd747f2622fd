import type { CurveColumn } from '../../worker/protocol.ts';
import { say } from '../notices/say.ts';
import type { Ghost } from './ghosts.ts';

/** Kept runs of which it was said that they cannot be read. */
const told = new Set<number>();

/** A metric of a kept run, read when it is drawn; null, which is told once, where it cannot be read any more. */
export async function columnOf({ id, name, S, curves }: Ghost, metric: number): Promise<CurveColumn | null> {
  const bytes = Float32Array.BYTES_PER_ELEMENT * curves.steps.length * S;
  try {
    const read = await curves.file.slice(metric * bytes, (metric + 1) * bytes).arrayBuffer();
    return { steps: curves.steps, values: new Float32Array(read) };
  } catch {
    if (!told.has(id)) say(`The gray curves of ${name} cannot be read any more: discard it, and keep the run again.`);
    told.add(id);
    return null;
  }
}
