import { credit } from '../credit/sentences.ts';
import type { Aimed } from './aims.ts';

/** Roles in the order of their lanes. */
const ROLES = ['subgoal', 'plan', 'switch', 'action'] as const;

/** Lanes of the roles that an episode has, from the planner down to who acts. */
export const lanesOfRoles = (steps: readonly Pick<Aimed, 'decides'>[]): readonly string[] =>
  ROLES.filter((role) => steps.some(({ decides }) => decides === role));

/** The credit of one step in words. */
export const roleSentence = (t: number, role: string, A: number): string =>
  `Step ${t + 1}: the ${role} gets ${credit(A)}`;
