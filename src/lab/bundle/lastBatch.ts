import type { Run } from '../../engine/run.ts';
import type { BatchToKeep } from './trajectories.ts';

/** The last batch of replica s of a run that waits. */
export async function lastBatch(run: Run, s: number): Promise<BatchToKeep> {
  const { batch, world, levelSeeds, A } = await run.backend.view(s);
  const { B, T, actionNames: actions, seeds } = run.plan;
  const { length, success, terminated, action, taskIndex, stateKey, finalStateKey, entropy } = batch;
  const reward = world?.reward ?? batch.reward;
  const seen = world ? batch.reward : null;
  return {
    ...{ seed: seeds[s]!, update: run.series.length, B, T, actions, levelSeeds, length, success, terminated },
    ...{ action, reward, seen, entropy, taskIndex, stateKey, finalStateKey, A },
  };
}
