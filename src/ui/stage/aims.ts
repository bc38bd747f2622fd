import type { Snapshot } from '../../worker/protocol.ts';
import type { World } from './world.ts';

type Seen = Pick<Snapshot, 'state' | 'T' | 'words' | 'length' | 'action' | 'actions'>;

/** A step of an episode whose policy sets itself subgoals: what it decides, what it does, and what it follows, −1 for nothing. */
export type Aimed = {
  readonly decides: string;
  readonly does: string;
  readonly follows: number;
  readonly holds: boolean;
  readonly plan: readonly string[];
};

/** The steps of episode i; empty where nobody sets subgoals. */
export function aimsIn({ env, level }: World, seen: Seen, i: number): Aimed[] {
  const { aiming } = env;
  if (!aiming) return [];
  const { T, words, state, action, actions } = seen;
  return Array.from({ length: seen.length[i]! }, (_, t) => {
    const at = (i * (T + 1) + t) * words;
    const { aim } = env.scene(level, state, at);
    return {
      decides: aim?.decides ?? 'action',
      does: actions[action[i * T + t]!] ?? '',
      follows: aiming.chosen(state, at),
      holds: aiming.reached(level, state, at),
      plan: aim?.plan ?? [],
    };
  });
}

/** Subgoals that an episode followed, by number. */
export const followedIn = (steps: readonly Aimed[]): readonly number[] =>
  [...new Set(steps.map(({ follows }) => follows))].filter((g) => g >= 0).sort((a, b) => a - b);

const NAMES: Readonly<Record<string, string>> = {
  switch: 'keeps its subgoal or not',
  subgoal: 'sets a subgoal',
  plan: 'plans',
};

/** One step in words. */
export function aimSentence(t: number, steps: readonly Aimed[], names: readonly string[]): string {
  const { decides, does, follows, holds, plan } = steps[t]!;
  const what = does.replace('aim: ', '');
  const told = decides in NAMES ? `it ${NAMES[decides]}: “${what}”` : `it does “${what}”`;
  const aim = follows < 0 ? '' : `, its subgoal is “${names[follows]}”${holds ? ', which holds' : ''}`;
  const list = plan.length > 1 ? ` of the plan ${plan.join(', ')}` : '';
  return `Step ${t + 1}: ${told}${aim}${list}`;
}
