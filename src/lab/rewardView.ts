import type { BatchView } from '../engine/backend.ts';
import type { Grounds } from './creditGround.ts';
import { episodeSignals } from './episodeSignals.ts';
import { paidBatch } from './paidTruth.ts';
import type { RewardAnswer, RewardRequest } from './rewardTypes.ts';

/** What someone who looks at the rewards of a batch asks for; the code comes with the first question. */
export function rewardsOf(grounds: Grounds, view: BatchView, request: RewardRequest): Omit<RewardAnswer, 'isKept'> {
  const { update, replica } = request;
  return {
    ...{ update, replica },
    episode:
      request.of === 'episode'
        ? episodeSignals(grounds.plan, view, Math.max(0, Math.min(request.i, view.batch.B - 1)))
        : null,
    batch: request.of === 'batch' ? paidBatch(grounds, view) : null,
  };
}
