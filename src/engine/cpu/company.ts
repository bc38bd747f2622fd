import type { Replay } from '../../slots/rollout/memory/types.ts';
import { makeArrays, type Arrays } from '../arrays.ts';
import type { Plan, Tasks } from '../plan.ts';
import { drive, type Waiting } from '../waiting.ts';
import { bytesIn } from './batches.ts';
import { APART, resetRow, type Play } from './lockstep.ts';
import { makeCpuPolicy, type CpuPolicy } from './policy.ts';
import type { CpuRestriction, Player } from './restricted.ts';
import { clearReplica, playPlaced } from './rollout.ts';
import { rowsBeside, type Site } from './sites.ts';
import type { Spread } from './update.ts';

const NOTHING = new Float32Array();

/** Who plays, and with which weights. */
type PlayedBy = {
  readonly player: Play['policy'];
  readonly update: number;
  readonly theta: Float32Array;
  readonly s: number;
};

/** Under what they are played, and by which policy and on which columns, where not on some of their own. */
type Hosted = {
  readonly restriction: CpuRestriction | null;
  readonly policy?: CpuPolicy;
  readonly site?: Site;
  readonly arrays?: Arrays | undefined;
};

/** Rows beside a batch, whose actions are given: they are played again in the world, so that what was seen is right. */
export class Company {
  readonly plan: Plan;
  readonly arrays: Arrays;
  readonly policy: CpuPolicy;
  private readonly site: Site | undefined;
  /** false if the network gave a number that is not finite, in the last rows */
  isFinite = true;
  private readonly player: Player;
  private readonly forced: Uint32Array;

  /** Of `rows` at most. */
  constructor(plan: Plan, rows: number, { policy, restriction, site, arrays }: Hosted) {
    this.plan = rowsBeside(plan, rows);
    this.arrays = arrays ?? makeArrays(this.plan);
    this.policy = policy ?? makeCpuPolicy(this.plan);
    this.site = site;
    this.player = restriction?.over(this.policy) ?? this.policy;
    this.forced = new Uint32Array(rows * plan.T);
  }

  /**
   * Plays episodes of replica s again, as rows 0, 1, …; those that came out as they were stored. Their log π_old are the
   * stored ones. On several cores where `spread` says so.
   */
  *play(
    replays: readonly Replay[],
    { update, theta, s }: { readonly update: number; readonly theta: Float32Array; readonly s: number },
    spread: Spread | null,
  ): Waiting<readonly Replay[]> {
    let rows = replays;
    for (;;) {
      yield* this.playAll(rows, { player: this.player, update, theta, s }, spread);
      const right = rows.filter((_, k) => this.isRight(rows[k]!, s * this.plan.B + k));
      if (right.length === rows.length) break;
      // seldom: a world that has changed, or a row that was sent by somebody who cheats
      rows = right;
    }
    const { B, T } = this.plan;
    const { unitLogp, logp } = this.arrays;
    const to = unitLogp.length > 0 ? unitLogp : logp;
    const K = unitLogp.length > 0 ? this.policy.unitsMax : 1;
    rows.forEach((row, k) => row.logp && to.set(row.logp, (s * B + k) * T * K));
    return rows;
  }

  /**
   * Which episodes are what they are said to be: their actions are legal, the episode ends with the last of them, and it earns
   * what it is said to have earned. Only the world is asked, not the network. At most as many as it has rows.
   */
  check(replays: readonly Replay[], s: number): readonly boolean[] {
    const { plan, arrays, forced } = this;
    const { B, T } = plan;
    const isIllegal = new Set<number>();
    const player: Play['policy'] = {
      chunk: this.player.chunk,
      decide(_, rows, from, n, t) {
        for (const row of rows.slice(from, from + n)) {
          const told = forced[(row - s * B) * T + t]!;
          const legal = arrays.legal[row * T + t]!;
          const isLegal = told > 0 && ((legal >>> (told - 1)) & 1) === 1;
          if (!isLegal) isIllegal.add(row);
          // it has to go on somehow until it ends
          arrays.action[row * T + t] = isLegal ? told - 1 : Math.max(0, 31 - Math.clz32(legal));
        }
        return true;
      },
      finalValues: () => undefined,
    };
    void drive(this.playAll(replays, { player, update: 0, theta: NOTHING, s }, null));
    return replays.map((replay, k) => !isIllegal.has(s * B + k) && this.isRight(replay, s * B + k));
  }

  private *playAll(rows: readonly Replay[], { player, update, theta, s }: PlayedBy, spread: Spread | null): Waiting {
    const { plan, arrays, forced, site } = this;
    const { B, T } = plan;
    clearReplica(plan, arrays, s);
    forced.fill(0);
    rows.forEach(({ actions }, k) => Array.from(actions, (action, t) => (forced[k * T + t] = action + 1)));
    const tasks = this.tasksOf(rows, update, s);
    const play: Play = {
      ...{ plan, arrays, policy: player, weightsOf: () => theta, tasks, mode: 'train', s, forced, came: null },
      ...{ round: APART, site },
    };
    rows.forEach((_, k) => resetRow(play, s * B + k));
    this.isFinite = yield* playPlaced(play, s * B, Array<number>(rows.length).fill(0), spread);
  }

  private tasksOf(rows: readonly Replay[], update: number, s: number): Tasks {
    const { plan } = this;
    const all = plan.S * plan.B;
    const saved = rows.flatMap(({ begins }) => (begins ? [Uint32Array.from(begins)] : []));
    const of = new Uint32Array(all);
    const tasks = {
      update,
      ...(saved.length > 0 && { begins: { of, states: saved } }),
      levelSeeds: Uint32Array.from(rows, ({ name }) => name.levelSeed),
      limits: Uint32Array.from(rows, ({ name }) => name.maxSteps),
      variants: Uint32Array.from(rows, ({ name }) => name.variant),
      levels: rows.map(({ name }) => plan.level(name.levelSeed, name.maxSteps, name.variant)),
      ...{ levelOf: new Uint32Array(all), taskIndex: new Uint32Array(all), episodeSeed: new Uint32Array(all) },
    };
    let place = 0;
    rows.forEach(({ episodeSeed, begins }, k) => {
      const at = s * plan.B + k;
      if (begins) of[at] = ++place;
      [tasks.levelOf[at], tasks.taskIndex[at], tasks.episodeSeed[at]] = [k, k, episodeSeed];
    });
    return tasks;
  }

  private isRight({ actions, outcome }: Replay, row: number): boolean {
    const { arrays } = this;
    if (arrays.length[row] !== actions.length || (outcome !== undefined && arrays.outcome[row] !== outcome))
      return false;
    // a restriction may leave nothing of what others did
    const { T } = this.plan;
    const isPlayed = (action: number, t: number): boolean =>
      arrays.action[row * T + t] === action && Number.isFinite(arrays.logp[row * T + t]);
    return Array.from(actions).every(isPlayed);
  }

  get bytes(): number {
    return bytesIn(Object.values(this.arrays)) + this.forced.byteLength;
  }
}
