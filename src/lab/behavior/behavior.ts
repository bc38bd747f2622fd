import { PURPOSE } from '../../core/random.ts';
import type { AnyValues } from '../../core/settings.ts';
import { interval95 } from '../../core/seeds.ts';
import { mean } from '../../core/stats.ts';
import { images, type Images } from '../../envs/keys/images.ts';
import { swaps } from '../../envs/keys/swap.ts';
import { actionImage, symmetriesOf } from '../../envs/keys/symmetry.ts';
import { makeArrays, type Arrays } from '../../engine/arrays.ts';
import { playRows, resetRow, type Play } from '../../engine/cpu/lockstep.ts';
import { makeCpuPolicy } from '../../engine/cpu/policy.ts';
import { restricted } from '../../engine/cpu/restricted.ts';
import { rolloutReplica } from '../../engine/cpu/rollout.ts';
import { panelLevels, type Plan, type Tasks } from '../../engine/plan.ts';
import { panelTasks } from '../panel.ts';
import { drawsOf } from '../probes/fit.ts';
import type { Player } from '../probes/sample.ts';

export type Share = { readonly share: number; readonly low: number; readonly high: number };

/** What becomes of a policy on levels that were changed so that they should be as hard as before. */
export type Changed = {
  /** 1 … 7: quarter turns clockwise, after a left–right mirror from 4 on; 'swap': start and goal exchanged */
  readonly change: number | 'swap';
  readonly episodes: number;
  /** steps at which the likeliest action is the one that corresponds; none where states do not correspond */
  readonly same: Share | null;
  /** chance that both do what corresponds, if their draws agree as often as they can: Σ min(π, π′) */
  readonly overlap: number | null;
  /** success there, and of the same episodes on the levels as they were */
  readonly success: Share;
  readonly before: number;
  /** success weighted by how short the way was, there and before; none where shortest ways are not known */
  readonly spl: readonly [after: number, before: number] | null;
};

export type BehaviorResult = {
  readonly episodes: number;
  readonly levels: number;
  /** were these levels never trained on? */
  readonly isHeldOut: boolean;
  readonly success: Share;
  readonly changes: readonly Changed[];
  /** why start and goal were not exchanged */
  readonly noSwap: string | null;
};

const SIDE_BY_SIDE = 64;
const DRAWS = 400;
const WALKS = ['right', 'down', 'left', 'up'];

/** Of one episode: success and the share of the shortest way, and agreement where states correspond. */
type Went = { readonly level: number; readonly success: number; readonly spl: number };
type Pair = { readonly level: number; same: number; steps: number; overlap: number };

/** Why levels of a run cannot be turned; null: they can. */
function refusal({ env, config, policy }: Plan, level: unknown): string | null {
  if (!Object.hasOwn(images, env.id))
    return 'This world is told in words: turned, it is another text, and there is no map of it that could be mirrored.';
  if (!Object.hasOwn(level as object, 'rules'))
    return 'Levels that are made of several cannot be turned. Set the levels in a row to 1.';
  if (policy.network.view === 'index' || (config.task[env.id] as AnyValues)['view'] === 'index')
    return 'The policy sees the number of a state, which says nothing about a turned one. Choose another view.';
  const actions = env.actions(level);
  if (actions[0] === `${WALKS[0]} as seen`)
    return 'The policy sees the same image of a level and of a turned one, so it does the same by construction.';
  const why = images[env.id]!.refuses(level);
  if (why !== null) return `There are no turned levels where ${why}.`;
  if (env.chances(level) > 1) return 'Chance moves things here, and differently in a turned level.';
  return WALKS.every((name, a) => actions[a] === name) ? null : 'There are not four directions to walk in.';
}

/**
 * Plays the policy on levels, and on the same turned, mirrored and with start and goal exchanged. Turned levels are also gone
 * through with the turned actions, so that every state has its image: does the policy prefer the turned action there? Nothing
 * of the run moves. Yields the share that is done; a sentence where nothing can be turned.
 */
export function* measureBehavior(
  run: Plan,
  replica: number,
  player: Player,
  n: number,
): Generator<number, BehaviorResult | string> {
  const seeds = panelLevels(run, replica, n);
  const first = run.level(seeds[0]!);
  const why = refusal(run, first);
  if (why !== null) return why;
  const of = images[run.env.id]! as Images<unknown>;
  const B = Math.min(SIDE_BY_SIDE, n);
  const plan: Plan = { ...run, S: 1, P: B, G: 1, B, seeds: run.seeds.slice(replica, replica + 1) };
  const { height, width } = of.size(first);
  const transforms = symmetriesOf(height, width).slice(1);
  const policy = restricted(plan, makeCpuPolicy(plan), player.restriction);
  const ways = new Ways(plan);
  const plain: Went[] = [];
  const turned = transforms.map(() => ({ went: [] as Went[], pairs: [] as Pair[] }));
  const swapped = { after: [] as Went[], before: [] as Went[] };
  const pieces = Math.ceil(n / B);
  const all = pieces * (transforms.length + 2);
  let done = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const rows = Math.min(B, n - piece * B);
    const places = Array.from({ length: B }, (_, i) => (piece * B + i) % seeds.length);
    const tasks = panelTasks(
      plan,
      places.map((place) => seeds[place]!),
      piece,
    );
    const free = (levels: readonly unknown[]): Arrays => {
      const arrays = makeArrays(plan);
      rolloutReplica(plan, arrays, { policy, theta: player.theta, tasks: { ...tasks, levels }, mode: 'panel' }, 0);
      return arrays;
    };
    const wentOf = (arrays: Arrays, levels: readonly unknown[], i: number): Went => ({
      ...{ level: places[i]!, success: arrays.success[i]! },
      spl: ways.spl(levels[i], arrays.success[i] === 1, arrays.length[i]!),
    });
    const { levels } = tasks;
    const base = free(levels);
    for (let i = 0; i < rows; i++) plain.push(wentOf(base, levels, i));
    yield ++done / all;
    for (const [k, transform] of transforms.entries()) {
      const image = levels.map((level) => of.level(level, transform));
      const led = imageOf({ plan, policy, player, tasks: { ...tasks, levels: image }, base }, transform);
      const own = free(image);
      for (let i = 0; i < rows; i++) {
        // a turned level is as far from its goal
        const spl = ways.spl(levels[i], own.success[i] === 1, own.length[i]!);
        turned[k]!.went.push({ level: places[i]!, success: own.success[i]!, spl });
        turned[k]!.pairs.push({ level: places[i]!, ...agreement(plan, base, led, i, transform) });
      }
      yield ++done / all;
    }
    const exchanged = levels.map((level) => swaps[run.env.id]!(level));
    for (let i = 0; i < rows; i++) {
      if (exchanged[i] && !ways.isOpen(exchanged[i])) exchanged[i] = null;
      if (i % 8 === 7) yield (done + i / rows) / all;
    }
    if (exchanged.some((level) => level !== null)) {
      const own = free(exchanged.map((level, i) => level ?? levels[i]));
      for (let i = 0; i < rows; i++) {
        if (!exchanged[i]) continue;
        swapped.after.push(wentOf(own, exchanged, i));
        swapped.before.push(wentOf(base, levels, i));
      }
    }
    yield ++done / all;
  }
  const draw = drawsOf(plan.seeds[0]!, PURPOSE.behavior);
  const rate = (went: readonly Went[]): Share => shareOf(went, ({ success }) => [success, 1], draw);
  const splOf = (after: readonly Went[], before: readonly Went[]): Changed['spl'] =>
    ways.areKnown ? [mean(after.map(({ spl }) => spl)), mean(before.map(({ spl }) => spl))] : null;
  const before = mean(plain.map(({ success }) => success));
  const changes: Changed[] = turned.map(({ went, pairs }, k) => ({
    ...{ change: transforms[k]!, episodes: went.length, success: rate(went), before, spl: splOf(went, plain) },
    same: shareOf(pairs, ({ same, steps }) => [same, steps], draw),
    overlap: pairs.reduce((sum, pair) => sum + pair.overlap, 0) / pairs.reduce((sum, { steps }) => sum + steps, 0),
  }));
  const { after } = swapped;
  if (after.length > 0)
    changes.push({
      ...{ change: 'swap', episodes: after.length, same: null, overlap: null, success: rate(after) },
      ...{ before: mean(swapped.before.map(({ success }) => success)), spl: splOf(after, swapped.before) },
    });
  return {
    ...{ episodes: n, levels: seeds.length, isHeldOut: run.levels === 0, success: rate(plain), changes },
    noSwap:
      after.length > 0 ? null : 'No level has one start and one goal that can be exchanged so that a way is left.',
  };
}

type Leading = {
  readonly plan: Plan;
  readonly policy: Play['policy'];
  readonly player: Player;
  readonly tasks: Tasks;
  readonly base: Arrays;
};

/** The turned levels, gone through with the turned actions of the episodes on the levels as they were. */
function imageOf({ plan, policy, player, tasks, base }: Leading, transform: number): Arrays {
  const { B, T } = plan;
  const arrays = makeArrays(plan);
  const forced = new Uint32Array(B * T);
  for (let i = 0; i < B; i++)
    for (let t = 0; t < base.length[i]!; t++) forced[i * T + t] = 1 + turnedAction(base.action[i * T + t]!, transform);
  const weightsOf = (): Float32Array => player.theta;
  const play: Play = { plan, arrays, policy, weightsOf, tasks, mode: 'panel', s: 0, forced, came: null };
  const rows = Array.from({ length: B }, (_, i) => i);
  for (const row of rows) resetRow(play, row);
  playRows(play, rows);
  return arrays;
}

/** Whatever is no step on the map stays what it is. */
const turnedAction = (action: number, transform: number): number =>
  action > 3 ? action : actionImage(action, transform);

/** Of episode i: at how many steps the likeliest actions correspond, and how much of the choices does. */
function agreement({ T, actions }: Plan, base: Arrays, led: Arrays, i: number, transform: number): Omit<Pair, 'level'> {
  const steps = Math.min(base.length[i]!, led.length[i]!);
  let [same, overlap] = [0, 0];
  for (let t = 0; t < steps; t++) {
    const at = (i * T + t) * actions;
    let [best, image] = [0, 0];
    for (let a = 0; a < actions; a++) {
      if (base.probs[at + a]! > base.probs[at + best]!) best = a;
      if (led.probs[at + a]! > led.probs[at + image]!) image = a;
      overlap += Math.min(base.probs[at + a]!, led.probs[at + turnedAction(a, transform)]!);
    }
    same += Number(turnedAction(best, transform) === image);
  }
  return { same, steps, overlap };
}

/** Shortest ways of levels, looked up once. */
class Ways {
  private readonly plan: Plan;
  private readonly known = new Map<unknown, number | null>();

  constructor(plan: Plan) {
    this.plan = plan;
  }

  /** Where a search finds no shortest ways but some way, episodes are not held against it. */
  get areKnown(): boolean {
    return !this.plan.env.solve;
  }

  spl(level: unknown, isSuccess: boolean, length: number): number {
    if (!isSuccess || !this.areKnown) return 0;
    const shortest = this.of(level);
    return shortest === null ? 0 : shortest / Math.max(length, shortest);
  }

  isOpen(level: unknown): boolean {
    return this.of(level) !== null;
  }

  private of(level: unknown): number | null {
    let found = this.known.get(level);
    if (found === undefined) {
      const { env } = this.plan;
      found = (env.solve ? env.solve(level).path : env.shortestPath(level))?.length ?? null;
      this.known.set(level, found);
    }
    return found;
  }
}

/** Right ones over all that were counted, and 95 % of that on levels drawn again; on episodes where there is one level only. */
function shareOf<T extends { readonly level: number }>(
  all: readonly T[],
  count: (one: T) => readonly [right: number, of: number],
  draw: () => number,
): Share {
  const isOne = new Set(all.map(({ level }) => level)).size === 1;
  const groups = new Map<number, [number, number]>();
  all.forEach((one, k) => {
    const [right, of] = count(one);
    const sum = groups.get(isOne ? k : one.level) ?? [0, 0];
    groups.set(isOne ? k : one.level, [sum[0] + right, sum[1] + of]);
  });
  const own = [...groups.values()];
  const ratio = (some: readonly (readonly [number, number])[]): number =>
    some.reduce((sum, [right]) => sum + right, 0) / some.reduce((sum, [, of]) => sum + of, 0);
  const [low, high] = interval95(
    Array.from({ length: DRAWS }, () => ratio(own.map(() => own[Math.floor(draw() * own.length)]!))),
  );
  return { share: ratio(own), low, high };
}
