import type { Gpu } from '../../gpu/device.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { densePasses } from './densePasses.ts';
import type { GpuPast } from './past.ts';
import type { Passes } from './passes.ts';
import type { ScoreNorms } from './scoreNorms.ts';

/** The passes of a run's network, and where the objective weighs by lengths of scores what measures them. */
export type ScoredPasses = { readonly passes: Passes; readonly scores: ScoreNorms | null };

export async function passesOf(gpu: Gpu, plan: Plan, b: RunBuffers, past: GpuPast): Promise<ScoredPasses> {
  const scored = plan.objective.readsScores?.(plan.objectiveParams as never) ?? null;
  if (b.tokens) {
    const { TokenScoreNorms } = await import('./tokenScoreNorms.ts');
    const { tokenPasses } = await import('./tokenPasses.ts');
    const scores = scored && (await TokenScoreNorms.make(gpu, plan, b, past, scored));
    return { passes: await tokenPasses(gpu, plan, b, past, scores), scores };
  }
  const scores = scored && (await (await import('./scoreNorms.ts')).DenseScoreNorms.make(gpu, plan, b, scored));
  return { passes: densePasses(plan, b, past, scores), scores };
}
