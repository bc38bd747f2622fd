import { prepareTask } from '../../config/level.ts';
import type { Expect } from '../../config/expect.ts';
import { problemLine } from '../../config/problems.ts';
import type { Config } from '../../config/slots.ts';
import type { MakeBackend } from '../../engine/backend.ts';
import { createRun } from '../../engine/run.ts';
import { columnIn, columnOfParts, type KnownCurves } from './filed.ts';
import { compared, neverEqual, reachedBy } from './foreign.ts';
import type { Curves } from './summary.ts';
import type { Verdict } from './verify.ts';

/** A result that somebody claims: with its numbers where these are known. */
export type Claim = {
  readonly name: string;
  readonly config: Config;
  readonly expect: Expect;
  readonly curves: KnownCurves | null;
};

/** Trains a claim again and compares. A text is the sentence of why it could not be trained, or not be compared. */
export async function verifyClaim(
  { config, expect, curves }: Claim,
  makeBackend: MakeBackend,
): Promise<Verdict | string> {
  const why = neverEqual(curves?.foreign ?? 0);
  if (why) return why;
  await prepareTask(config);
  const made = await createRun(config, makeBackend);
  if (!made.ok) return problemLine(made.problem);
  const run = made.value;
  try {
    const { updates } = expect.summary;
    while (run.update < updates) {
      const { bad } = await run.submit();
      if (bad.some((slot) => slot !== 0)) return `A number was no longer finite in update ${run.update}.`;
    }
    const found: Curves = { S: run.plan.S, part: run.series.part(0, updates) };
    const { all: digest } = await run.digest();
    const reached = reachedBy({ config, curves: found, digest, backend: run.trainedOn });
    const known = curves && {
      foreign: curves.foreign,
      both: async (metric: number) => [await columnOfParts(curves.parts, metric), columnIn(found, metric)] as const,
    };
    return await compared(expect, known, reached);
  } finally {
    run.dispose();
  }
}
