import type { Decision } from '../../worker/protocol.ts';
import { percent, value, many } from '../format.ts';

const stepsAhead = (n: number): string => `${many(n, 'step')} ahead`;

/** What the agent sees from here, and how often that succeeds. */
export function decided({ depth, request, success, held, best, Q }: Decision): string {
  if (best < 0) return 'Nothing can be done here.';
  const short =
    depth < request.depth ? ` It looks ${stepsAhead(depth)}: more do not fit before the limit, or into memory.` : '';
  const chances = success
    ? ` From here the policy succeeds in ${percent(success.policy)}; looking ${stepsAhead(request.depth)} before it acts, in ${percent(success.ahead)}; at best, in ${percent(success.best)}. Exact.`
    : ` ${held} states were looked at; the level has too many to say how it ends.`;
  return `The plan is worth ${value(Q[best]!)}.${short}${chances}`;
}

/** The actions of the plan, equal ones in a row counted. */
export function planWords({ actions }: Decision, names: readonly string[]): string {
  const runs: { name: string; n: number }[] = [];
  for (const a of actions) {
    const last = runs.at(-1);
    if (last?.name === names[a]) last.n++;
    else runs.push({ name: names[a]!, n: 1 });
  }
  return runs.map(({ name, n }) => (n === 1 ? name : `${name} ×${n}`)).join(', ');
}
