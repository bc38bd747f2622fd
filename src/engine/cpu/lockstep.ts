import { NO_SIGHT } from '../../envs/perturb/sight.ts';
import { FLAG, type Move, type StepResult } from '../../envs/types.ts';
import type { Tensors } from '../../contract/state.ts';
import type { Shown } from '../../slots/rollout/memory/types.ts';
import type { Look } from '../../slots/wrapper/types.ts';
import type { Arrays } from '../arrays.ts';
import { beginOf } from '../begins.ts';
import { nameOf } from '../levelName.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { Player } from './restricted.ts';
import type { Mode } from './policy.ts';
import type { Site } from './sites.ts';

/** What the wrappers of a world are shown, and what is done in it; one object serves all rows. */
const seen: Look = { sight: NO_SIGHT, episodeSeed: 0, t: 0, obs: new Uint32Array(0), obsAt: 0 };
const done: Move = { action: 0, seed: 0 };
const result: StepResult = { reward: 0, flags: 0 };
const MILLI = Math.fround(0.001);

/** The weights that play step t of a row of these tasks: equal versions are the same object. */
export type WeightsOf = (row: number, t: number, tasks: Tasks) => Float32Array;

/** The rollout of one replica. */
export type Play = {
  readonly plan: Plan;
  readonly arrays: Arrays;
  readonly policy: Pick<Player, 'chunk' | 'decide' | 'finalValues'>;
  readonly weightsOf: WeightsOf;
  readonly tasks: Tasks;
  readonly mode: Mode;
  readonly s: number;
  /** [B, T] of the replica: action + 1 where it is not the policy that chooses */
  readonly forced: Uint32Array | null;
  /** [B] of the replica: bits of the actions that a row does not begin with */
  readonly without?: Uint32Array;
  /** [B] of the replica: bits of the actions of which a row takes the most likely one */
  readonly likely?: Uint32Array;
  /** [B, T] of the replica: rewards as they came, before a wrapper settles them; only where a later row goes on from them */
  readonly came: Int32Array | null;
  /** 0 for the batch itself */
  readonly round?: number | undefined;
  /** that of the batch if not said */
  readonly site?: Site | undefined;
  /** what a memory writes into states before they are observed */
  readonly shows?: ((step: Shown) => void) | null;
  /** what the module of the scheme remembers, of the replica */
  readonly memory?: Tensors | undefined;
};

/**
 * A round apart from all of a batch: of rows that are played again. What is drawn for them decides nothing, as their actions
 * are given, and nobody asks what comes after their ends.
 */
export const APART = 1000;

/** Puts a row where its task begins. */
export function resetRow({ plan, arrays, tasks }: Play, row: number): void {
  arrays.taskIndex[row] = tasks.taskIndex[row]!;
  const at = row * (plan.T + 1) * plan.env.words;
  const saved = beginOf(tasks, row);
  if (saved) arrays.state.set(saved, at);
  else plan.env.reset(levelOf(tasks, row), arrays.state, at);
}

/**
 * Plays rows one step at a time, so that the network sees many of them at once. `begins`: the step that each begins with,
 * where its state is stored. False if the network gave a number that is not finite.
 */
export function playRows(play: Play, rows: readonly number[], begins: (row: number) => number = () => 0): boolean {
  const { plan, arrays, policy, weightsOf, tasks, mode, s, forced, round, without, likely } = play;
  const { T, env, temperature } = plan;
  const { words } = env;
  const by = { arrays, tasks, mode, s, forced, likely, round, temperature };
  let finite = true;
  let left = rows.length;
  const alive: number[] = [];
  for (let t = 0; t < T && left > 0; t++) {
    for (const row of rows) if (begins(row) === t) alive.push(row);
    for (let from = 0, n = 0; from < alive.length; from += n) {
      const weights = weightsOf(alive[from]!, t, tasks);
      n = 1;
      while (n < policy.chunk && from + n < alive.length && weightsOf(alive[from + n]!, t, tasks) === weights) n++;
      for (let k = 0; k < n; k++) {
        const row = alive[from + k]!;
        const stateAt = (row * (T + 1) + t) * words;
        const level = levelOf(tasks, row);
        look(play, row, t);
        env.key(level, arrays.state, stateAt, arrays.stateKey, (row * T + t) * 2);
        const legal = env.legal(level, arrays.state, stateAt);
        const others = without && begins(row) === t ? legal & ~without[row - s * plan.B]! : legal;
        arrays.legal[row * T + t] = others === 0 ? legal : others;
      }
      const acting = { ...by, theta: weights };
      if (!policy.decide(acting, alive, from, n, t)) finite = false;
      for (let k = 0; k < n; k++) move(play, alive[from + k]!, t);
    }
    let kept = 0;
    for (const row of alive) if (arrays.length[row] === 0) alive[kept++] = row;
    left -= alive.length - kept;
    alive.length = kept;
  }
  return finite;
}

/** Shows a row that has been played as if it had had no hint; its states remember the hint. */
export function lookBare({ plan, arrays, tasks }: Play, row: number): void {
  const { T, env } = plan;
  const from = row * (T + 1) * env.words;
  const bare = { obs: arrays.obs, state: new Uint32Array(arrays.state) };
  for (let t = 0; t <= arrays.length[row]!; t++) {
    env.deal?.help?.forget(bare.state, from + t * env.words);
    look({ plan, tasks, arrays: bare, s: 0 }, row, t);
  }
}

type Looking = Pick<Play, 'plan' | 'tasks' | 's' | 'shows'> & { readonly arrays: Pick<Arrays, 'obs' | 'state'> };

/** What the agent of one row sees before step t. */
function look({ plan, arrays, tasks, s, shows }: Looking, row: number, t: number): void {
  const { T, env, sight, wrapping } = plan;
  const at = row * (T + 1) + t;
  const obsAt = at * plan.obsWords;
  const level = levelOf(tasks, row);
  const seed = tasks.episodeSeed[row]!;
  if (shows) {
    const step = { row: row - s * plan.B, name: nameOf(tasks, row), level: level as object };
    shows({ ...step, state: arrays.state, at: at * env.words });
  }
  env.observe(level, arrays.state, at * env.words, arrays.obs, obsAt);
  if (!env.flicker && wrapping.see.length === 0) return;
  seen.sight = sight;
  seen.episodeSeed = seed;
  seen.t = t;
  seen.obs = arrays.obs;
  seen.obsAt = obsAt;
  env.flicker?.draw(level, arrays.state, at * env.words, seen);
  for (const see of wrapping.see) see(seen);
}

/** Lets the world move for one row; books reward and end. */
function move(play: Play, row: number, t: number): void {
  const { plan, arrays, tasks, s, came } = play;
  const { B, T, env, wrapping } = plan;
  const step = row * T + t;
  const seed = tasks.episodeSeed[row]!;
  const words = env.words;
  const stateAt = (row * (T + 1) + t) * words;
  // `copyWithin` of a few words takes longer than the step itself
  for (let w = stateAt; w < stateAt + words; w++) arrays.state[w + words] = arrays.state[w]!;
  const level = levelOf(tasks, row);
  done.action = arrays.action[step]!;
  done.seed = seed;
  env.step(level, arrays.state, stateAt + words, done, result);
  let reward = result.reward;
  for (const pay of wrapping.pay) reward = pay(reward, seed, t);
  arrays.rewardMilli[step] = reward;
  if (came) came[step - s * B * T] = reward;
  const terminated = (result.flags & FLAG.terminated) !== 0;
  // a task may have a step limit of its own, below T
  if (!terminated && (result.flags & FLAG.truncated) === 0 && t + 1 < T) return;
  arrays.length[row] = t + 1;
  arrays.terminated[row] = terminated ? 1 : 0;
  arrays.success[row] = (result.flags & FLAG.success) !== 0 ? 1 : 0;
  for (const settle of wrapping.settle) settle(arrays.rewardMilli, row * T, t + 1);
  let milli = 0;
  for (let k = row * T; k <= step; k++) {
    milli += arrays.rewardMilli[k]!;
    arrays.reward[k] = Math.fround(arrays.rewardMilli[k]! * MILLI);
  }
  arrays.outcome[row] = Math.fround(milli * MILLI);
  env.key(level, arrays.state, stateAt + words, arrays.finalStateKey, row * 2);
  look(play, row, t + 1);
}

function levelOf(tasks: Tasks, row: number): unknown {
  return tasks.levels[tasks.levelOf[row]!];
}
