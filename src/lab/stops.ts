import { scoreCheckpoints } from '../core/math/checkpointTree.ts';
import { evenLevel, wholeContext, wholeTask } from '../contract/taskContext.ts';
import type { Task } from '../contract/tasks.ts';
import { makeArrays, type Arrays } from '../engine/arrays.ts';
import { makeCpuPolicy } from '../engine/cpu/policy.ts';
import { restricted } from '../engine/cpu/restricted.ts';
import { rolloutReplica } from '../engine/cpu/rollout.ts';
import { makeTasks, type Plan } from '../engine/plan.ts';
import { checkpointsOf, passedOf } from '../envs/checkpoints.ts';

/** One checkpoint: episodes whose level has it, those that passed it, and those that stopped at it, having passed all before. */
export type Stop = { readonly name: string; readonly of: number; readonly passed: number; readonly stopped: number };

/** Where episodes of a policy stop, in the whole task, and how often they succeed in each stage of it. */
export type StopsResult = {
  readonly episodes: number;
  /** in order; the last one is success */
  readonly stops: readonly Stop[];
  /** mean share of the checkpoints that an episode passed */
  readonly score: number;
  /** of each stage, where the task grows; else empty */
  readonly stages: readonly { readonly episodes: number; readonly successes: number }[];
};

/** Whose episodes are played. */
type Player = { readonly theta: Float32Array; readonly restriction?: Float32Array | undefined };
/** What an episode did: checkpoints of its level before success, those that it passed, and whether it succeeded. */
type Went = { readonly names: readonly string[]; readonly reached: number; readonly success: boolean };

const SUCCESS = 'success';

/** What the rows of a finished rollout did. */
function whatWent(plan: Plan, arrays: Arrays, levels: readonly unknown[]): Went[] {
  const { B, T, env } = plan;
  const { words } = env;
  return Array.from({ length: B }, (_, i) => {
    const checkpoints = checkpointsOf(env, levels[i] as object);
    const names = checkpoints.names.slice(0, -1);
    const success = arrays.success[i] === 1;
    const of = { at: i * (T + 1) * words, states: arrays.length[i]! + 1, words };
    return { names, reached: Math.min(names.length, passedOf(checkpoints, arrays.state, of, success)), success };
  });
}

/** Checkpoints of all episodes together: those before success by their place, then success. */
export function stopsOf(went: readonly Went[]): { stops: Stop[]; score: number } {
  const longest = went.reduce((a, b) => (b.names.length > a.names.length ? b : a), went[0]!).names;
  const stops = longest.map((name, k): Stop => {
    const have = went.filter(({ names }) => names.length > k);
    return {
      ...{ name, of: have.length, passed: have.filter(({ reached }) => reached > k).length },
      stopped: have.filter(({ reached }) => reached === k).length,
    };
  });
  const passed = went.filter(({ success }) => success).length;
  const stopped = went.filter(({ success, reached, names }) => !success && reached === names.length).length;
  const scores = went.map(({ names, reached, success }) => {
    const n = names.length + 1;
    const leafPass = [-1, ...names.map((_, k) => (reached > k ? 1 : 0)), success ? 1 : 0];
    const tree = { parent: [-1, ...Array<number>(n).fill(0)], weight: Array<number>(n + 1).fill(1), leafPass };
    return scoreCheckpoints(tree, 1).score[0]!;
  });
  return {
    stops: [...stops, { name: SUCCESS, of: went.length, passed, stopped }],
    score: scores.reduce((sum, s) => sum + s, 0) / went.length,
  };
}

/**
 * Plays about n episodes of the whole task as evaluations do, and as many of each stage where it grows, by the current policy
 * of a replica: which checkpoints they pass. Whoever drives it can stop after each piece; yields the share that is done.
 */
export function* measureStops(run: Plan, replica: number, player: Player, n: number): Generator<number, StopsResult> {
  const plan: Plan = { ...run, S: 1, seeds: run.seeds.slice(replica, replica + 1) };
  const policy = restricted(plan, makeCpuPolicy(plan), player.restriction);
  const pieces = Math.max(1, Math.ceil(n / plan.B));
  const grows = plan.stages > 1;
  const all = pieces * (grows ? plan.stages : 1);
  const stages: { episodes: number; successes: number }[] = [];
  let went: Went[] = [];
  let done = 0;
  for (let stage = grows ? 0 : plan.stages - 1; stage < plan.stages; stage++) {
    went = [];
    for (let piece = 0; piece < pieces; piece++) {
      const tasks = makeTasks(plan, piece, 'eval', [tasksAt(plan, piece, stage)]);
      const arrays = makeArrays(plan);
      rolloutReplica(plan, arrays, { policy, theta: player.theta, tasks, mode: 'eval' }, 0);
      const levels = Array.from(tasks.levelOf, (at) => tasks.levels[at]!);
      went.push(...whatWent(plan, arrays, levels));
      yield ++done / all;
    }
    if (grows) stages.push({ episodes: went.length, successes: went.filter(({ success }) => success).length });
  }
  return { episodes: went.length, ...stopsOf(went), stages };
}

/** Tasks of an evaluation at a stage. */
function tasksAt(plan: Plan, piece: number, stage: number): Task[] {
  const context = wholeContext(plan, plan.seeds[0]!, piece, true);
  return Array.from({ length: plan.P }, (_, p) => wholeTask(context.staged(evenLevel(context, p), stage), plan.G));
}
