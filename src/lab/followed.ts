import type { BatchView } from '../engine/backend.ts';
import type { Plan } from '../engine/plan.ts';
import { solversOf, type Solvers } from '../engine/twoSolvers.ts';

/** Shares of episodes that go the way of each of the two solvers that the policy began as a mixture of; null without those. */
export type Shares = { readonly followsFirst: number | null; readonly followsSecond: number | null };

const NONE: Shares = { followsFirst: null, followsSecond: null };
/** Levels of one batch whose solvers are worked out. */
const LEVELS = 16;

/** Which solver an episode follows: the one whose action it takes more often where the two disagree; neither if as often. */
export class Followed {
  private readonly plan: Plan;
  private readonly solvers = new Map<number, Solvers | null>();

  constructor(plan: Plan) {
    this.plan = plan;
  }

  /** Shares among these rows of a batch; null where a level has no solvers, or there are too many levels. */
  of({ batch, state, levelSeeds }: Pick<BatchView, 'batch' | 'state' | 'levelSeeds'>, rows: readonly number[]): Shares {
    const { env, T, config, cloneEpisodes } = this.plan;
    if (cloneEpisodes === 0 || config.policy['cloneData'] !== 'mixture' || rows.length === 0) return NONE;
    if (new Set(levelSeeds).size > LEVELS) return NONE;
    const follow = [0, 0] as [number, number];
    for (const i of rows) {
      const solvers = this.solversOf(levelSeeds[i]!);
      if (!solvers) return NONE;
      let lead = 0;
      for (let t = 0; t < batch.length[i]!; t++) {
        const at = (i * (T + 1) + t) * env.words;
        const [first, second] = [solvers.choice(0, state, at), solvers.choice(1, state, at)];
        const action = batch.action[i * T + t]!;
        if (first !== second) lead += action === first ? 1 : action === second ? -1 : 0;
      }
      if (lead !== 0) follow[lead > 0 ? 0 : 1]++;
    }
    return { followsFirst: follow[0] / rows.length, followsSecond: follow[1] / rows.length };
  }

  private solversOf(levelSeed: number): Solvers | null {
    const { env, T, level } = this.plan;
    if (this.solvers.size > 4 * LEVELS) this.solvers.clear();
    let found = this.solvers.get(levelSeed);
    if (found === undefined) this.solvers.set(levelSeed, (found = solversOf({ env, T, level: level(levelSeed) })));
    return found;
  }
}
