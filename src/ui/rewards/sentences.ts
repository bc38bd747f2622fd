import { mean } from '../../core/stats.ts';
import type { PaidBatch, Snapshot } from '../../worker/protocol.ts';
import { credit } from '../credit/sentences.ts';
import { isShaped } from './rows.ts';

/** What the episodes of a batch were paid on average, and what the modules made of it. */
export function paidSentence(snapshot: Pick<Snapshot, 'outcome' | 'judged'>): string {
  const world = credit(mean(snapshot.outcome));
  if (!isShaped(snapshot))
    return `An episode was paid ${world} on average, and nothing is done to it: what the estimator sees is what the world pays. Modules under Reward in the setup change that.`;
  const { outcome, shapedBy } = snapshot.judged!;
  return `The world paid ${world} for an episode on average; ${shapedBy.join(', ')} made ${credit(mean(outcome))} of it. Only the world’s reward says whether the task was done.`;
}

/** Whether what is best to do is the same by r and by r′, over all states of the levels. */
export function optimumSentence({ states, others, gamma, isLimited }: PaidBatch): string {
  const how = isLimited ? 'within the step limit' : `without a step limit, γ = ${gamma}`;
  return others === 0
    ? `In all ${states} states of the levels in this batch, the actions that are best by r′ are those that are best by r (exact, ${how}): what is paid changes how fast the best policy is found, not which one it is.`
    : `In ${others} of ${states} states of the levels in this batch, other actions are best by r′ than by r (exact, ${how}): who learns from r′ learns something else than the task.`;
}

/** Why exact credit differs although the best actions do not; null where it hardly does. `limit`: of the color scale. */
export function cutSentence({ others, world, paid }: PaidBatch, limit: number): string | null {
  const differs = world.some((x, k) => Math.abs(x - paid[k]!) > 0.05 * limit);
  return others === 0 && differs
    ? 'Where both differ, the step limit is why: an episode that is cut keeps the potential of its last state, and the more so the closer the limit is.'
    : null;
}
