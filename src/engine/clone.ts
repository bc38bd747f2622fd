import { policyOf, wordsOf } from '../networks/policy.ts';
import { defaultsOf } from '../core/settings.ts';
import { cloning as taught } from '../slots/methods.ts';
import type { StepResult } from '../envs/types.ts';
import { makeArrays } from './arrays.ts';
import { recorderOf } from './conservative.ts';
import { mixtureOf } from './twoSolvers.ts';
import { accumulate, Chunk } from './cpu/update.ts';
import { emptyTally, makeCpuPolicy } from './cpu/policy.ts';
import { makeTasks, type Plan } from './plan.ts';

/** Rate of the gradient steps. */
const RATE = 0.01;

/**
 * Behavior cloning before the first update: each replica takes `cloneSteps` full-batch steps on
 * −mean log π(a|o) over the steps of solver solutions for its own levels, or of episodes of a policy that errs (conservative
 * data, NeoRL-2), or of two solvers with different habits (echo chamber). Levels that the solver gives up on, or whose solution is longer than the step limit, are left out. A network may let a part of it alone imitate. Changes theta in place; moments start fresh afterwards. Stops
 * after every solution and every step, so that whoever has to answer meanwhile can.
 */
export function* cloning(plan: Plan, theta: Float32Array): Generator<void> {
  const { layout } = plan;
  if (plan.cloneEpisodes === 0) return;
  const part = plan.policy.network.imitates?.(plan.policy) ?? null;
  const demo: Plan = {
    ...plan,
    S: 1,
    P: plan.cloneEpisodes,
    G: 1,
    B: plan.cloneEpisodes,
    objective: taught.objective,
    objectiveParams: {},
    aggregate: 'unitMean',
    ratioLevel: 'unit',
    ...(part && { policy: policyOf(part.network, part.shape), layout: part.layout, critic: false }),
  };
  const arrays = makeArrays(demo);
  const policy = makeCpuPolicy(demo);
  const chunk = new Chunk(policy.chunk);
  const A = new Float32Array(demo.B * demo.T).fill(1);
  const delta = new Float32Array(demo.B * demo.T);
  const { size } = demo.layout;
  const gradient = new Float32Array(size);
  const live = { learningRate: RATE, entropyCoef: 0, klCoef: 0 };
  const recorders = new Map<number, Recorder | null>();
  const { optimizer } = taught;
  const params = defaultsOf(optimizer.params) as never;
  for (let s = 0; s < plan.S; s++) {
    const own: Plan = { ...demo, seeds: plan.seeds.slice(s, s + 1) };
    const tasks = makeTasks(own, 0, 'eval');
    for (const array of Object.values(arrays)) array.fill(0);
    const found: number[] = [];
    for (let i = 0; i < own.B; i++) {
      const levelSeed = tasks.levelSeeds[tasks.levelOf[i]!]!;
      const level = plan.level(levelSeed);
      if (!recorders.has(levelSeed)) {
        recorders.set(levelSeed, recorderIn(plan, level));
        yield;
      }
      const path = recorders.get(levelSeed)?.(tasks.episodeSeed[i]!, i);
      if (!path || path.length === 0 || path.length > plan.T) continue;
      play(own, arrays, i, { level, episodeSeed: tasks.episodeSeed[i]!, path });
      found.push(i);
    }
    if (found.length === 0) continue;
    const weights = theta.subarray(s * layout.size, s * layout.size + size);
    const m = new Float32Array(size);
    const v = new Float32Array(size);
    const which = Uint32Array.from(found);
    const job = { arrays, theta: weights, reference: weights, A, target: null, s: 0, live, delta };
    for (let step = 1; step <= plan.cloneSteps; step++) {
      gradient.fill(0);
      accumulate(own, policy, chunk, which, { ...job, gradient, tally: emptyTally() });
      optimizer.step({ theta: weights, gradient, m, v }, step, RATE, params);
      yield;
    }
  }
}

/** Actions of solution number `row`, of an episode with a seed. */
type Recorder = (episodeSeed: number, row: number) => readonly number[];

/** Whoever shows how to solve a level; null where nobody can. */
function recorderIn({ env, T, config: { policy } }: Plan, level: unknown): Recorder | null {
  const where = { env, level, T };
  if (policy['cloneData'] === 'conservative') return recorderOf(where);
  if (policy['cloneData'] === 'mixture')
    return mixtureOf(where, { share: policy['cloneShare'] as number, errs: policy['cloneErrs'] as number });
  return solutionOf(env, level);
}

function solutionOf(env: Plan['env'], level: unknown): Recorder | null {
  const path = env.shortestPath(level);
  return path && (() => path);
}

const result: StepResult = { reward: 0, flags: 0 };

/** An episode that the solver leads along a path. */
type Lesson = { readonly level: unknown; readonly episodeSeed: number; readonly path: readonly number[] };

/** Writes an episode into row i: observations, legal bits, actions and the words they are written with. */
function play(
  plan: Plan,
  arrays: ReturnType<typeof makeArrays>,
  i: number,
  { level, episodeSeed, path }: Lesson,
): void {
  const { env, T, obsWords } = plan;
  const words = wordsOf(plan.policy);
  const state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  let t = 0;
  for (const action of path) {
    const step = i * T + t;
    env.observe(level, state, 0, arrays.obs, (i * (T + 1) + t) * obsWords);
    arrays.legal[step] = env.legal(level, state, 0);
    arrays.action[step] = action;
    if (words) arrays.command[step] = words.commands[action]!;
    env.step(level, state, 0, { action, seed: episodeSeed }, result);
    t++;
    if ((result.flags & 1) !== 0) break;
  }
  arrays.length[i] = t;
}
