import { columnOf, part } from '../../contract/columns.ts';
import type { SignalName } from '../../contract/signals.ts';
import { backwardInduction, type Values } from '../../core/dp.ts';
import { PURPOSE, random } from '../../core/random.ts';
import type { Enumeration } from '../../envs/enumerate.ts';
import { FLAG } from '../../envs/types.ts';
import type { StepScore } from '../../slots/advantage/types.ts';
import type { Arrays } from '../arrays.ts';
import { policyTable } from '../exactValues.ts';
import { ListedStates } from '../listedStates.ts';
import type { Plan, Tasks } from '../plan.ts';
import { scoreOf } from '../stepScores.ts';
import { makeCpuPolicy } from './policy.ts';
import type { Player } from './restricted.ts';

/** Fills the column ψ of finished batches: [B, T] of one replica at a time, 0 on padding. */
export class CpuStepScores {
  private readonly plan: Plan;
  private readonly score: StepScore;
  private readonly player: Pick<Player, 'probsOf'>;
  private readonly listed: ListedStates;
  private readonly simulated: Float64Array;

  /** Null where no estimator asks for a score. `player`: what tells π; made where there is none. */
  static of(plan: Plan, player?: Pick<Player, 'probsOf'>): CpuStepScores | null {
    const score = scoreOf(plan);
    return score && new CpuStepScores(plan, score, player ?? makeCpuPolicy(plan));
  }

  private constructor(plan: Plan, score: StepScore, player: Pick<Player, 'probsOf'>) {
    this.plan = plan;
    this.score = score;
    this.player = player;
    this.listed = new ListedStates(plan);
    this.simulated = new Float64Array(plan.S);
  }

  /** Steps that were simulated for the last batch of a replica: they count as environment steps. */
  steps(s: number): number {
    return this.simulated[s]!;
  }

  /** ψ of replica s under the weights `theta` of that replica. */
  fill(arrays: Arrays, tasks: Tasks, theta: Float32Array, s: number): void {
    const { plan, score } = this;
    if (score.of === 'answers') return fillAnswers(plan, arrays, tasks, s);
    const out = part(arrays.processScore, plan.S, s).fill(0);
    if (score.of === 'signal') this.fromSignal(arrays, score.signal, out, s);
    else if (score.of === 'exact') this.exact(arrays, { tasks, theta, gamma: score.gamma }, out, s);
    else this.restored(arrays, { tasks, theta, ...score }, out, s);
  }

  private fromSignal(arrays: Arrays, signal: SignalName, out: Float32Array, s: number): void {
    const { S, B, T } = this.plan;
    const x = part(arrays[signal], S, s);
    const isOfStates = columnOf(signal).per === 'stepAndEnd';
    for (let i = 0; i < B; i++)
      for (let t = 0; t < arrays.length[s * B + i]!; t++) {
        const at = i * (T + 1) + t;
        out[i * T + t] = isOfStates ? x[at + 1]! - x[at]! : x[i * T + t]!;
      }
  }

  /** ψ = Q_t(s, a) − V_t(s) of the policy that trains; 0 in levels with too many states. */
  private exact(
    arrays: Arrays,
    { tasks, theta, gamma }: { readonly tasks: Tasks; readonly theta: Float32Array; readonly gamma: number },
    out: Float32Array,
    s: number,
  ): void {
    const { plan } = this;
    const { B, T, actions, env } = plan;
    const values = new Map<number, { readonly all: Enumeration; readonly of: Values } | null>();
    const valuesOf = (k: number): { readonly all: Enumeration; readonly of: Values } | null => {
      const found = values.get(k);
      if (found !== undefined) return found;
      const level = tasks.levels[k]!;
      const all = this.listed.of(level);
      const probs = all && policyTable(plan, this.player, tasks.levelSeeds[k]!, all, theta);
      const entry = all && { all, of: backwardInduction(all.model, probs, env.maxSteps(level), gamma) };
      values.set(k, entry);
      return entry;
    };
    for (let i = 0; i < B; i++) {
      const known = valuesOf(tasks.levelOf[s * B + i]!);
      if (!known) continue;
      const { all, of } = known;
      const n = all.model.states;
      const used = arrays.state[((s * B + i) * (T + 1) + 1) * env.words - 1]! & 0xffff;
      for (let t = 0; t < arrays.length[s * B + i]!; t++) {
        const row = all.rowOf(arrays.state, ((s * B + i) * (T + 1) + t) * env.words);
        const action = arrays.action[(s * B + i) * T + t]!;
        if (row < 0 || action >= actions) continue;
        const at = (used + t) * n + row;
        out[i * T + t] = of.Q[at * actions + action]! - of.V[at]!;
      }
    }
  }

  /**
   * ψ = r + γ·V̂(s′) − V̂(s), V̂ the mean return of `tries` episodes that are played on from the state as it was first met, by
   * the policy that trains, until they end or are cut. After the end of an episode V̂ is 0.
   */
  private restored(
    arrays: Arrays,
    of: { readonly tasks: Tasks; readonly theta: Float32Array; readonly gamma: number; readonly tries: number },
    out: Float32Array,
    s: number,
  ): void {
    const { B, T, env } = this.plan;
    const { words } = env;
    const states: { readonly at: number; readonly level: number }[] = [];
    const places = new Map<string, number>();
    const place = Int32Array.from({ length: B * T }, (_, k) => {
      const [i, t] = [Math.floor(k / T), k % T];
      if (t >= arrays.length[s * B + i]!) return -1;
      const at = ((s * B + i) * (T + 1) + t) * words;
      const level = of.tasks.levelOf[s * B + i]!;
      const name = `${level}:${arrays.state.subarray(at, at + words - 1).join()}`;
      if (!places.has(name)) places.set(name, states.push({ at, level }) - 1);
      return places.get(name)!;
    });
    const V = this.playOn(arrays.state, states, of, s);
    for (let i = 0; i < B; i++) {
      const length = arrays.length[s * B + i]!;
      for (let t = 0; t < length; t++) {
        const k = i * T + t;
        const next = t + 1 < length ? V[place[k + 1]!]! : 0;
        out[k] = arrays.reward[s * B * T + k]! + of.gamma * next - V[place[k]!]!;
      }
    }
  }

  /** Mean discounted return of episodes that go on from these states, all of them in lockstep. */
  private playOn(
    state: Uint32Array,
    from: readonly { readonly at: number; readonly level: number }[],
    { tasks, theta, gamma, tries }: { tasks: Tasks; theta: Float32Array; gamma: number; tries: number },
    s: number,
  ): Float64Array {
    const { env, obsWords, actions, seeds } = this.plan;
    const { words } = env;
    const rows = from.length * tries;
    const here = new Uint32Array(rows * words);
    for (let k = 0; k < rows; k++) {
      const { at } = from[Math.floor(k / tries)]!;
      here.set(state.subarray(at, at + words), k * words);
    }
    const seed = seeds[s]!;
    const V = new Float64Array(from.length);
    const obs = new Uint32Array(rows * obsWords);
    const legal = new Uint32Array(rows);
    const probs = new Float32Array(rows * actions);
    const result = { reward: 0, flags: 0 };
    const move = { action: 0, seed: 0 };
    let active = Array.from({ length: rows }, (_, k) => k);
    this.simulated[s] = 0;
    for (let t = 0, discount = 1; active.length > 0; t++, discount *= gamma) {
      const n = active.length;
      const levelOf = (k: number): unknown => tasks.levels[from[Math.floor(k / tries)]!.level]!;
      obs.fill(0, 0, n * obsWords);
      active.forEach((k, j) => {
        env.observe(levelOf(k), here, k * words, obs, j * obsWords);
        legal[j] = env.legal(levelOf(k), here, k * words);
      });
      this.player.probsOf(theta, obs, legal, n, probs);
      active = active.filter((k, j) => {
        move.action = drawn(probs, j * actions, actions, random(seed, PURPOSE.scoreAction, tasks.update, k, t));
        move.seed = random(seed, PURPOSE.scoreEpisode, tasks.update, k, 0);
        env.step(levelOf(k), here, k * words, move, result);
        V[Math.floor(k / tries)]! += (discount * result.reward) / 1000 / tries;
        return (result.flags & (FLAG.terminated | FLAG.truncated)) === 0;
      });
      this.simulated[s]! += n;
    }
    return V;
  }
}

/** The action at which the sum of the probabilities passes a number drawn from 32 bits; the last possible one if rounding leaves none. */
function drawn(probs: Float32Array, at: number, actions: number, bits: number): number {
  const u = bits / 2 ** 32;
  let [sum, last] = [0, 0];
  for (let a = 0; a < actions; a++) {
    if (probs[at + a]! <= 0) continue;
    sum += probs[at + a]!;
    last = a;
    if (u < sum) return a;
  }
  return last;
}

/**
 * p[i, t] = π(true answer | o_t) / Σ π(answers | o_t), t < length: what the policy that played would answer if it had to. The
 * answers are actions, so the branch in which one of them is forced is known from π of the step. After an answer 1 or 0,
 * whether it was right; after an episode that was cut, as before its last step.
 */
function fillAnswers(
  { env, B, T, S, actions, level, firstLevelSeed }: Plan,
  arrays: Arrays,
  tasks: Tasks,
  s: number,
): void {
  const { asks, notebook } = env;
  if (!asks) return;
  const first = asks.first(level(firstLevelSeed));
  const p = part(arrays.answerProb, S, s).fill(0);
  for (let i = 0; i < B; i++) {
    const row = s * B + i;
    const truth = asks.truth(tasks.episodeSeed[row]!);
    const length = arrays.length[row]!;
    for (let t = 0; t < length; t++) {
      const at = (row * T + t) * actions + first;
      let all = 0;
      for (let m = 0; m < asks.answers; m++) all += arrays.probs[at + m]!;
      p[i * (T + 1) + t] = all > 0 ? arrays.probs[at + truth]! / all : 0;
    }
    const last = i * (T + 1) + length;
    // where a note is due nobody can answer: what it would be there is told by the next step of the world
    const writes = (t: number): boolean => notebook?.isDue(arrays.state, (row * (T + 1) + t) * env.words) === true;
    let known = length - 1;
    while (known > 0 && writes(known)) known--;
    p[last] = arrays.terminated[row] === 1 ? arrays.success[row]! : p[i * (T + 1) + known]!;
    for (let t = length - 1; t >= 0; t--) if (writes(t)) p[i * (T + 1) + t] = p[i * (T + 1) + t + 1]!;
  }
}
