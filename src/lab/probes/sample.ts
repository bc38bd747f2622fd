import { makeArrays } from '../../engine/arrays.ts';
import { restricted } from '../../engine/cpu/restricted.ts';
import { makeCpuPolicy } from '../../engine/cpu/policy.ts';
import { rolloutReplica } from '../../engine/cpu/rollout.ts';
import type { Plan } from '../../engine/plan.ts';
import { panelTasks } from '../panel.ts';
import { makeNetwork } from '../../networks/policy.ts';
import { checkpointsOf, passedOf } from '../../envs/checkpoints.ts';
import type { Scene } from '../../envs/types.ts';
import { drawsOf } from './fit.ts';

/** Actions after the step that a probe is asked for: a_t … a_{t+8}. */
export const AHEAD = 9;
const SIDE_BY_SIDE = 64;

/** One step of one episode on a level of its own. */
export type Moment = {
  readonly scene: Scene;
  /** [cells] 0: never seen so far, 1: seen earlier and not now, 2: seen now */
  readonly seen: Uint8Array;
  /** [AHEAD] action of this step and the next ones, −1 after the end */
  readonly actions: readonly number[];
  /** [AHEAD] cell of the agent at this step and the next ones, −1 after the end */
  readonly places: readonly number[];
  /** checkpoints of the level that are passed: the next one is what the agent is about */
  readonly passed: number;
  /** numbers of the hidden layer that is read, of the policy and of one of its kind that never learned; what was observed, as 0 and 1 */
  readonly hidden: Float32Array;
  readonly untrained: Float32Array;
  readonly observation: Float32Array;
};

export type Player = { readonly theta: Float32Array; readonly restriction?: Float32Array | undefined };

/** The numbers before the answers at step t of row i, with what was seen before it. */
type Reader = (theta: Float32Array, i: number, t: number) => Float32Array;

/** Which cells were seen up to step t of row i, and which are seen at it. Without a window everything always is. */
function seenUntil(plan: Plan, level: object, states: Uint32Array, from: number, t: number, cells: number): Uint8Array {
  const { env } = plan;
  const seen = new Uint8Array(cells);
  for (let u = 0; u <= t; u++) {
    const { shown } = env.scene(level, states, from + u * env.words);
    if (!shown) return seen.fill(2);
    for (const cell of shown) seen[cell] = u === t ? 2 : 1;
  }
  return seen;
}

/**
 * Plays one episode on each level by the policy, as the panel does, and takes one step of each by chance. Nothing of the run
 * moves. `back`: layers before the last one that is read. Yields the share that is done.
 */
export function* takeMoments(
  run: Plan,
  levelSeeds: readonly number[],
  replica: number,
  { player, untrained, back }: { readonly player: Player; readonly untrained: Float32Array; readonly back: number },
): Generator<number, Moment[]> {
  const B = Math.min(SIDE_BY_SIDE, levelSeeds.length);
  const plan: Plan = { ...run, S: 1, P: B, G: 1, B, seeds: run.seeds.slice(replica, replica + 1) };
  const arrays = makeArrays(plan);
  const policy = restricted(plan, makeCpuPolicy(plan), player.restriction);
  const { T, env, obsWords } = plan;
  const network = makeNetwork(plan.policy);
  const { hidden } = network;
  if (!hidden) throw new Error('This network shows nothing of its inside.');
  const history = { obs: arrays.obs, written: arrays.command ?? new Uint32Array(B * T), T, obsWords };
  const read: Reader = (theta, i, t) => {
    network.clear();
    network.read(history, i, t);
    network.forward(theta, 0);
    if (back > 0)
      return network.depths!()
        .at(-1 - back)!
        .slice();
    return hidden.out.slice(hidden.first, hidden.first + hidden.count);
  };
  const draw = drawsOf(plan.seeds[0]!);
  const moments: Moment[] = [];
  const columns = new Map<number, number>();
  for (let piece = 0; piece * B < levelSeeds.length; piece++) {
    // the last piece plays some levels of the first again, and their episodes are left out
    const seeds = Array.from({ length: B }, (_, i) => levelSeeds[(piece * B + i) % levelSeeds.length]!);
    const tasks = panelTasks(plan, seeds, piece);
    rolloutReplica(plan, arrays, { policy, theta: player.theta, tasks, mode: 'panel' }, 0);
    for (let i = 0; i < B && piece * B + i < levelSeeds.length; i++) {
      const length = arrays.length[i]!;
      const t = Math.min(length - 1, Math.floor(draw() * length));
      const [level, from] = [tasks.levels[i] as object, i * (T + 1) * env.words];
      const scene = env.scene(level, arrays.state, from + t * env.words);
      moments.push({
        ...{ scene, seen: seenUntil(plan, level, arrays.state, from, t, scene.cells.length) },
        actions: Array.from({ length: AHEAD }, (_, k) => (t + k < length ? arrays.action[i * T + t + k]! : -1)),
        places: Array.from({ length: AHEAD }, (_, k) =>
          t + k <= length ? env.scene(level, arrays.state, from + (t + k) * env.words).agent.cell : -1,
        ),
        passed: passedOf(checkpointsOf(env, level), arrays.state, { at: from, states: t + 1, words: env.words }, false),
        ...{ hidden: read(player.theta, i, t), untrained: read(untrained, i, t) },
        observation: env.language.speaks(level)
          ? wordsOf(arrays.obs, (i * (T + 1) + t) * obsWords, env.language.length(level), columns)
          : bitsOf(arrays.obs, (i * (T + 1) + t) * obsWords, env.features(level)),
      });
    }
    yield Math.min(1, ((piece + 1) * B) / levelSeeds.length);
  }
  return moments;
}

/** One column for each word at each place, in the order in which they are met; later moments may have more of them. */
function wordsOf(obs: Uint32Array, at: number, places: number, columns: Map<number, number>): Float32Array {
  const on = Array.from({ length: places }, (_, k) => {
    const key = k * 256 + ((obs[at + (k >>> 2)]! >>> (8 * (k & 3))) & 255);
    if (!columns.has(key)) columns.set(key, columns.size);
    return columns.get(key)!;
  });
  const row = new Float32Array(columns.size);
  for (const column of on) row[column] = 1;
  return row;
}

const bitsOf = (obs: Uint32Array, at: number, features: number): Float32Array =>
  Float32Array.from({ length: features }, (_, f) => (obs[at + (f >>> 5)]! >>> (f & 31)) & 1);
