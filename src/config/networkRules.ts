import { GRU_STEPS } from '../networks/gru/shape.ts';
import type { AnyValues } from '../core/settings.ts';
import { objectives } from '../slots/methods.ts';
import type { Objective } from '../slots/types.ts';
import { makeLevelOf } from './level.ts';
import type { Issue } from './rules.ts';
import type { Config } from './slots.ts';

/** What does not go together with a network that remembers a whole episode. */
export function memoryIssues(config: Config): Issue[] {
  if (config.policy.method !== 'gru') return [];
  const found: Issue[] = [];
  const say = (path: string, message: string, label: string, value: unknown): void =>
    void found.push({ severity: 'error', path, message, repair: { label, set: [{ path, value }] } });
  const objective = (objectives as readonly Objective[]).find((o) => o.id === config.objective.method);
  const values = objective ? (config.objective[objective.id] as AnyValues) : {};
  if (objective?.restricts)
    say(
      'objective.method',
      'asks a second network about every step, which would need a memory too',
      'use PPO clip',
      'ppoClip',
    );
  if (objective?.readsScores?.(values as never))
    say(
      'objective.method',
      'measures the gradient of single episodes, not through a memory',
      'use PPO clip',
      'ppoClip',
    );
  if (config.rollout['ages'] !== 'fixed')
    say('rollout.ages', 'lets versions take turns, and a memory belongs to one of them', 'one age', 'fixed');
  const level = makeLevelOf(config);
  if (level.ok && level.value.maxSteps > GRU_STEPS)
    say(
      'policy.method',
      `remembers at most ${GRU_STEPS} steps; an episode here has ${level.value.maxSteps}`,
      'use an MLP',
      'mlp',
    );
  return found;
}
