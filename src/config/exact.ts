import type { AnyValues } from '../core/settings.ts';
import { remembers, type Policy } from '../networks/policy.ts';
import type { wrappersOf } from '../slots/wrapper/registry.ts';

/** States of a level up to which exact values are computed (spec metrics §10). */
export const STATE_LIMIT = 4_000;

/** What decides whether what a policy does, and what it is paid, are functions of the state alone. */
type Facts = {
  /** of the world */
  readonly rewards: AnyValues | undefined;
  readonly acting: Readonly<ReturnType<typeof wrappersOf>>;
  readonly flickers: boolean;
  readonly policy: Policy;
};

/** Why there can be no exact values, as one sentence; null if there can. The size of a level is another matter. */
export function whyInexact({ rewards, acting, flickers, policy }: Facts): string | null {
  if (rewards?.['timed'] === true) return 'The reward depends on the clock, which the table of states does not hold.';
  for (const { module, params } of acting) {
    const why = module.inexact?.(params);
    if (why) return why;
  }
  if (flickers) return 'What the policy sees depends on chance, not on the state alone.';
  if (remembers(policy))
    return 'The policy remembers what it saw, so what it does is not a function of the state alone.';
  if (policy.reads > 0)
    return 'The policy also reads its own last commands, so what it does is not a function of the state alone.';
  if (policy.words?.masked === false) return 'The policy may write words that are not a command.';
  return null;
}
