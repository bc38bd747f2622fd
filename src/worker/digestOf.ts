import { configDigest } from '../config/digest.ts';
import type { Run } from '../engine/run.ts';
import type { Digest } from './protocol.ts';

/** Names of an experiment and of what it has come to so far; empty without a run. */
export async function digestOf(run: Run | null): Promise<Digest> {
  if (!run) return { config: '', result: '', perSeed: [], update: 0 };
  const { all, perSeed } = await run.digest();
  return { config: await configDigest(run.config), result: all, perSeed, update: run.series.length };
}
