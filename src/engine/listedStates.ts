import { STATE_LIMIT } from '../config/exact.ts';
import { enumerate, type Enumeration } from '../envs/enumerate.ts';
import { PAIR_LIMIT } from './exactValues.ts';
import type { Plan } from './plan.ts';

/** Levels that are remembered. */
const MOST = 64;

/** The states of levels that exact scores are computed in. Levels repeat, their states do not change. */
export class ListedStates {
  private readonly plan: Plan;
  private readonly known = new Map<unknown, Enumeration | null>();

  constructor(plan: Plan) {
    this.plan = plan;
  }

  /** Null: too many of them, or of them times the steps of an episode. */
  of(level: unknown): Enumeration | null {
    const found = this.known.get(level);
    if (found !== undefined) return found;
    const { env } = this.plan;
    if (this.known.size > MOST) this.known.clear();
    const all = enumerate(env, level, STATE_LIMIT, 'policy');
    const listed = all && all.model.states * env.maxSteps(level) <= PAIR_LIMIT ? all : null;
    this.known.set(level, listed);
    return listed;
  }
}
