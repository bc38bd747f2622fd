import { ok } from '../../core/problem.ts';
import { below, PURPOSE, random } from '../../core/random.ts';
import type { AnyValues } from '../../core/settings.ts';
import { FLAG, type Environment, type Scene, type StepResult } from '../types.ts';
import { waitingReward } from './delayed.ts';
import { withBit, withWord } from './withWord.ts';

/** `budget`: visits that success allows; `share`: of the places, in thousandths; `shown`: the agent sees whether it stands on one. */
export type BudgetSettings = { readonly budget: number; readonly share: number; readonly shown: boolean };

const WHOLE = 1000;
/** Places that may be forbidden; a level is packed with a bit for each. */
export const PLACES = 1024;

const SEED = Symbol('seed');
type Seeded = { readonly [SEED]?: number };

const isIn = (set: Uint32Array, place: number): boolean =>
  place < PLACES && ((set[place >>> 5]! >>> (place & 31)) & 1) === 1;

/** Places along a shortest path of a level, the first one too; by the likeliest result of each action. */
function wayOf<L>(env: Environment<L>, level: L): number[] {
  let state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  const way = [env.cell(state, 0)];
  for (const action of env.shortestPath(level) ?? []) {
    const outcomes = env.outcomes(level, state, action);
    const chance = ({ numerator, denominator }: (typeof outcomes)[number]): number => numerator / denominator;
    state = outcomes.reduce((best, o) => (chance(o) > chance(best) ? o : best)).state.slice();
    way.push(env.cell(state, 0));
  }
  return way;
}

/**
 * The forbidden places of a level, a bit each: every place with the same chance, but neither the first nor the last of a
 * shortest path, and none where that path would come once more than the budget allows. So a shortest path is a solution.
 */
export function forbiddenIn<L>(
  env: Environment<L>,
  level: L,
  seed: number,
  { budget, share }: BudgetSettings,
): Uint32Array {
  const set = new Uint32Array(PLACES / 32);
  for (let place = 0; place < PLACES; place++)
    if (below(random(seed, PURPOSE.visitBudget, place, 0, 0), WHOLE) < share) set[place >>> 5]! |= 1 << (place & 31);
  const allow = (place: number): void => {
    if (place < PLACES) set[place >>> 5]! &= ~(1 << (place & 31));
  };
  const way = wayOf(env, level);
  allow(way[0]!);
  allow(way.at(-1)!);
  let visits = 0;
  way.forEach((place, k) => {
    if (k === 0 || place === way[k - 1] || !isIn(set, place)) return;
    if (visits < budget) visits++;
    else allow(place);
  });
  return set;
}

/**
 * The world with places that should be left alone (NeoRL-2, arXiv 2503.19267: a constraint on the whole episode). Each
 * arrival at one counts; who reaches the goal after more than `budget` of them has not succeeded: the episode ends, and its
 * last step pays what a step costs. How many there were is never seen.
 *
 *   state: visits, at most budget + 1, then the words of the world       seen, where it is shown: that of the world, one bit: here
 *
 * `src/slots/wrapper/visitBudget.wgsl` is the twin.
 */
export function budgeted<L>(env: Environment<L>, settings: BudgetSettings, rewards: AnyValues): Environment<L> {
  const inFront = withWord(env);
  const { words } = inFront;
  const { gpu, stride } = env;
  const { budget, shown } = settings;
  const waiting = waitingReward(rewards);
  const sets = new WeakMap<object, Uint32Array>();

  function setOf(level: L): Uint32Array {
    const key = level as object;
    let set = sets.get(key);
    if (!set) sets.set(key, (set = forbiddenIn(env, level, (level as Seeded)[SEED] ?? 0, settings)));
    return set;
  }

  /** After a step of the world that began at a place: counts an arrival, and takes back a success that came too dear. */
  function settle(level: L, state: Uint32Array, from: number, result: StepResult, at: number): void {
    const place = env.cell(state, at + 1);
    if (place !== from && isIn(setOf(level), place)) state[at] = Math.min(budget + 1, state[at]! + 1);
    if ((result.flags & FLAG.success) === 0 || state[at]! <= budget) return;
    result.flags &= ~FLAG.success;
    result.reward = waiting;
    state[at + words - 1]! &= ~(FLAG.success << 16);
  }

  return {
    ...inFront,
    level(given, rewards, seed) {
      const made = env.level(given, rewards, seed);
      return made.ok ? ok({ ...made.value, [SEED]: seed }) : made;
    },
    step(level, state, at, move, result) {
      const isOver = state[at + words - 1]! >>> 16 !== 0;
      const from = env.cell(state, at + 1);
      env.step(level, state, at + 1, move, result);
      if (!isOver) settle(level, state, from, result, at);
    },
    outcomes: (level, from, action) =>
      env.outcomes(level, from.slice(1, words), action).map((outcome) => {
        const state = Uint32Array.of(from[0]!, ...outcome.state);
        const result = { reward: outcome.reward, flags: outcome.flags };
        settle(level, state, env.cell(from, 1), result, 0);
        return { ...outcome, ...result, state };
      }),
    ...(shown && withBit(env, (level, state, at) => isIn(setOf(level), env.cell(state, at + 1)))),
    scene(level, state, at) {
      const scene = env.scene(level, state, at + 1);
      const holding = [...scene.holding, countWords(state[at]!, budget)];
      return { ...scene, holding, ...(stride && { cells: marked(scene, setOf(level), stride(level)) }) };
    },
    text: (level, state, at) => `; ${countWords(state[at]!, budget)}\n${env.text(level, state, at + 1)}`,
    ...(gpu && {
      gpu: { ...gpu, packLevel: (level) => Uint32Array.of(...gpu.packLevel(level), ...setOf(level)) },
    }),
  };
}

/** What an agent has with it: nobody counts where nothing is allowed. */
function countWords(visits: number, budget: number): string {
  if (budget === 0) return visits > 0 ? 'a forbidden visit' : 'no forbidden visit';
  return visits > budget ? `more than ${budget} forbidden visits` : `${visits} of ${budget} forbidden visits`;
}

/** The cells of a scene with a sign on every forbidden floor that is otherwise empty. */
function marked({ cells, width }: Scene, set: Uint32Array, stride: number): Scene['cells'] {
  return cells.map((cell, k) => {
    const place = Math.floor(k / width) * stride + (k % width);
    return cell.ground === 'floor' && !cell.item && isIn(set, place) ? { ...cell, item: 'forbidden' } : cell;
  });
}
