import type { CpuPolicy } from '../policy.ts';
import type { Play } from '../lockstep.ts';

/** Why a rollout is played on one core; null: its rows are spread. What looks at a batch always is. `own`: the policy of the run. */
export function playsOnOne({ policy, shows }: Pick<Play, 'policy' | 'shows'>, own: CpuPolicy): string | null {
  if (policy !== own) return 'What restricts the choice of actions counts what it removes, in the order of the rows.';
  return shows ? 'What is written into states is remembered by one core.' : null;
}
