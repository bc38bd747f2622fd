import { PURPOSE, random } from '../core/random.ts';
import { mean, std } from '../core/stats.ts';
import { FLAG, type StepResult } from '../envs/types.ts';
import { makeArrays, type Arrays } from '../engine/arrays.ts';
import type { BatchView } from '../engine/backend.ts';
import { restricted, type Player } from '../engine/cpu/restricted.ts';
import { makeCpuPolicy } from '../engine/cpu/policy.ts';
import type { Begins } from '../engine/begins.ts';
import type { Plan, Tasks } from '../engine/plan.ts';
import { phasesOf, weightsAt } from '../engine/versions.ts';
import { FORKS } from './creditLimits.ts';

/** Update numbers that no training and no evaluation reaches: forks and fresh batches draw on their own. */
const OWN_DRAWS = 0x60000000;

/** A with its standard error. */
export type Estimate = { readonly A: number; readonly error: number };

const result: StepResult = { reward: 0, flags: 0 };

/**
 * What a step was worth, estimated by continuing from its stored state: Q with the action that was taken, V with actions
 * of the policy, each with the same K seeds, so that most of the noise is in both and leaves the difference.
 *
 *   A ≈ mean_k (Q_k − V_k),   standard error = std_k (Q_k − V_k) / √K
 *
 * Each step of a fork is played by the version of the policy that plays this step of the trajectory it continues from.
 */
export class Forks {
  private readonly plan: Plan;
  private readonly view: BatchView;
  private readonly arrays: Arrays;
  private readonly policy: Player;
  private readonly fork: Plan;
  private readonly done = new Map<string, Float64Array>();
  /** rollouts played so far */
  played = 0;

  constructor(plan: Plan, view: BatchView) {
    const seeds = Uint32Array.of(plan.seeds[view.replica]!);
    this.plan = plan;
    this.view = view;
    this.fork = { ...plan, S: 1, P: 1, G: FORKS, B: FORKS, seeds };
    this.arrays = makeArrays(this.fork);
    this.policy = restricted(plan, makeCpuPolicy(this.fork), view.restriction);
  }

  /** Estimate for step t of trajectory i; null where the words written were no command. */
  at(i: number, t: number): Estimate | null {
    const action = this.view.batch.action[i * this.plan.T + t]!;
    if (action >= this.plan.actions || !this.hasPast(i, t)) return null;
    const Q = this.returns(i, t, action);
    const V = this.returns(i, t, -1);
    const difference = Q.map((q, k) => q - V[k]!);
    return { A: mean(difference), error: std(difference) / Math.sqrt(FORKS) };
  }

  /** Steps that a policy with memory reads again: all of them must have been commands. */
  private hasPast(i: number, t: number): boolean {
    for (let u = this.firstSeen(t); u < t; u++)
      if (this.view.batch.action[i * this.plan.T + u]! >= this.plan.actions) return false;
    return true;
  }

  private firstSeen(t: number): number {
    return Math.max(0, t - this.plan.policy.reads);
  }

  /** Sum of the rewards from step t on, once per seed; `action` −1: the policy chooses that too. Equal forks are played once. */
  private returns(i: number, t: number, action: number): Float64Array {
    const { plan, view } = this;
    const words = plan.env.words;
    const at = (i * (plan.T + 1) + t) * words;
    const past = this.firstSeen(1) < 1 ? `${i}` : '';
    const versions = phasesOf(view, i).map(({ from, version }) => `${version} from ${from}`);
    const name = `${view.levelSeeds[i]}:${view.limits[i]}:${versions.join('+')}:${t}:${past}:${action}:${view.state.subarray(at, at + words).join()}`;
    let found = this.done.get(name);
    if (!found) this.done.set(name, (found = this.play(i, t, action)));
    return found;
  }

  private play(i: number, from: number, action: number): Float64Array {
    const { plan, fork, arrays, policy, view } = this;
    const { env, T } = plan;
    const level = plan.level(view.levelSeeds[i]!, view.limits[i]!);
    const words = env.words;
    const begin = view.state.subarray((i * (T + 1) + from) * words, (i * (T + 1) + from + 1) * words);
    const tasks = forkTasks(fork, view.levelSeeds[i]!, level, begin);
    const returns = new Float64Array(FORKS);
    const first = this.firstSeen(from);
    const written = plan.policy.words?.commands;
    for (let k = 0; k < FORKS; k++)
      for (let u = first; u <= from; u++) {
        const at = (i * (T + 1) + u) * words;
        arrays.state.set(view.state.subarray(at, at + words), (k * (T + 1) + u) * words);
        this.see(level, k, u, tasks.episodeSeed[k]!);
        if (u < from && written) arrays.command[k * T + u] = written[view.batch.action[i * T + u]!]!;
      }
    let alive = Array.from({ length: FORKS }, (_, k) => k);
    for (let t = from; t < T && alive.length > 0; t++) {
      const acting = { arrays, theta: weightsAt(view, i, t), tasks, mode: 'eval' as const, s: 0 };
      for (let at = 0; at < alive.length; at += policy.chunk) {
        const n = Math.min(policy.chunk, alive.length - at);
        for (let k = at; k < at + n; k++) {
          const stateAt = (alive[k]! * (T + 1) + t) * words;
          this.see(level, alive[k]!, t, tasks.episodeSeed[alive[k]!]!);
          arrays.legal[alive[k]! * T + t] = env.legal(level, arrays.state, stateAt);
        }
        policy.decide(acting, alive, at, n, t);
      }
      alive = alive.filter((k) => {
        if (t === from && action >= 0) this.force(k * T + t, action);
        const stateAt = (k * (T + 1) + t) * words;
        arrays.state.copyWithin(stateAt + words, stateAt, stateAt + words);
        const move = { action: arrays.action[k * T + t]!, seed: tasks.episodeSeed[k]! };
        env.step(level, arrays.state, stateAt + words, move, result);
        returns[k]! += result.reward / 1000;
        return (result.flags & (FLAG.terminated | FLAG.truncated)) === 0;
      });
    }
    this.played += FORKS;
    return returns;
  }

  /** What fork k sees before step t, with the noise that the task has. */
  private see(level: unknown, k: number, t: number, episodeSeed: number): void {
    const { env, T, obsWords, sight, wrapping } = this.plan;
    const { state, obs } = this.arrays;
    const at = k * (T + 1) + t;
    env.observe(level, state, at * env.words, obs, at * obsWords);
    const look = { sight, episodeSeed, t, obs, obsAt: at * obsWords };
    env.flicker?.draw(level, state, at * env.words, look);
    for (const see of wrapping.see) see(look);
  }

  private force(step: number, action: number): void {
    this.arrays.action[step] = action;
    const { words } = this.plan.policy;
    if (words) this.arrays.command[step] = words.commands[action]!;
  }
}

/** Draws of fork k for which what its first state knows is true: those that the world could have had. */
function seedOf({ env: { asks }, seeds }: Plan, k: number, begin: Uint32Array): number {
  for (let n = 0; ; n++) {
    const seed = random(seeds[0]!, PURPOSE.evalEpisode, OWN_DRAWS, k, n);
    if (!asks || asks.fits(seed, begin, 0)) return seed;
  }
}

function forkTasks(fork: Plan, levelSeed: number, level: unknown, begin: Uint32Array): Tasks {
  const zeros = new Uint32Array(FORKS);
  return {
    update: OWN_DRAWS,
    levelSeeds: Uint32Array.of(levelSeed),
    levels: [level],
    levelOf: zeros,
    taskIndex: zeros,
    episodeSeed: zeros.map((_, k) => seedOf(fork, k, begin)),
  };
}

/** Tasks of fresh batch m of the same levels and groups as a stored batch, with separate draws. */
export function freshTasks(plan: Plan, view: BatchView, m: number): Tasks {
  const names = Array.from(view.levelSeeds, (levelSeed, i) => `${levelSeed} ${view.limits[i]}`);
  const first = [...new Set(names)].map((name) => names.indexOf(name));
  const places = new Map(first.map((i, k) => [names[i]!, k]));
  const seed = plan.seeds[view.replica]!;
  const update = OWN_DRAWS + 1 + m;
  return {
    update,
    levelSeeds: Uint32Array.from(first, (i) => view.levelSeeds[i]!),
    levels: first.map((i) => plan.level(view.levelSeeds[i]!, view.limits[i]!)),
    levelOf: Uint32Array.from(names, (name) => places.get(name)!),
    begins: firstStates(plan, view),
    taskIndex: view.batch.taskIndex,
    episodeSeed: Uint32Array.from({ length: plan.B }, (_, i) => random(seed, PURPOSE.evalEpisode, update, i, 0)),
  };
}

/** Where the trajectories of a stored batch began: their first states. */
function firstStates({ env: { words }, T, B }: Plan, { state }: BatchView): Begins {
  const first = (i: number): Uint32Array => state.subarray(i * (T + 1) * words, (i * (T + 1) + 1) * words);
  return {
    of: Uint32Array.from({ length: B }, (_, i) => i + 1),
    states: Array.from({ length: B }, (_, i) => first(i)),
  };
}
