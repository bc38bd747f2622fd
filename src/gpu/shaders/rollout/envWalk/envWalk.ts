import { below, random, threefry } from '../../../../core/random.ts';
import { wholes, type Case } from '../../../conformance.ts';
import { envWalkWith } from '../../goldenKernels.ts';

/** Words in a row of what is told: reward, flags, key high, key low, legal bits. */
export const TOLD = 5;

/** What the walk needs to know of an environment whose level it holds. */
export type World = {
  readonly words: number;
  readonly obsWords: number;
  reset(state: Uint32Array, at: number): void;
  step(state: Uint32Array, at: number, action: number, seed: number): { reward: number; flags: number };
  observe(state: Uint32Array, at: number, obs: Uint32Array, obsAt: number): void;
  key(state: Uint32Array, at: number): readonly [high: number, low: number];
  legal(state: Uint32Array, at: number): number;
};

export type Walk = { readonly state: Uint32Array; readonly obs: Uint32Array; readonly told: Uint32Array };

/** The states of an episode with given actions and what the world says in each; row 0 is the first state. */
export function envWalk(world: World, actions: Uint32Array, seed: number): Walk {
  const rows = actions.length + 1;
  const { words, obsWords } = world;
  const state = new Uint32Array(rows * words);
  const obs = new Uint32Array(rows * obsWords);
  const told = new Uint32Array(rows * TOLD);
  world.reset(state, 0);
  for (let row = 0; row < rows; row++) {
    const at = row * words;
    if (row > 0) state.copyWithin(at, at - words, at);
    const { reward, flags } = row > 0 ? world.step(state, at, actions[row - 1]!, seed) : { reward: 0, flags: 0 };
    world.observe(state, at, obs, row * obsWords);
    told.set([reward, flags, ...world.key(state, at), world.legal(state, at)], row * TOLD);
  }
  return { state, obs, told };
}

/**
 * A small world to test the frame around any environment. Its level is (side, seven more words), its state (place,
 * clock): an action adds itself and a draw below 4, modulo the side; the eighth step ends the episode.
 */
const SNIPPET = `struct EnvResult { reward : i32, flags : u32 }
fn envReset(levelAt : u32, at : u32) { state[at] = levels[levelAt + 7u]; state[at + 1u] = 0u; }
fn envStep(levelAt : u32, at : u32, action : u32, seed : u32) -> EnvResult {
  let t = state[at + 1u];
  if (t == 8u) { return EnvResult(0, 1u); }
  state[at] = (state[at] + action + below(random(seed, 2u, t, 0u, 0u), 4u)) % levels[levelAt];
  state[at + 1u] = t + 1u;
  return EnvResult(i32(state[at]) - 5, select(0u, 1u, t == 7u));
}
fn envObserve(levelAt : u32, at : u32, obsAt : u32) { obs[obsAt] = state[at]; obs[obsAt + 1u] = ~state[at]; }
fn envKey(at : u32) -> vec2u { return threefry(vec2u(1u, 2u), vec2u(state[at], 0u)); }
fn envLegal(levelAt : u32, at : u32) -> u32 { return 1u << state[at]; }`;

const small = (level: Uint32Array): World => ({
  words: 2,
  obsWords: 2,
  reset: (state, at) => state.set([level[7]!, 0], at),
  step(state, at, action, seed) {
    const t = state[at + 1]!;
    if (t === 8) return { reward: 0, flags: 1 };
    const place = ((state[at]! + action + below(random(seed, 2, t, 0, 0), 4)) >>> 0) % level[0]!;
    state.set([place, t + 1], at);
    return { reward: place - 5, flags: t === 7 ? 1 : 0 };
  },
  observe: (state, at, obs, obsAt) => obs.set([state[at]!, ~state[at]!], obsAt),
  key: (state, at) => threefry(1, 2, state[at]!, 0),
  legal: (state, at) => (1 << state[at]!) >>> 0,
});

export const cases: readonly Case[] = [
  [0, 0],
  [1, 77],
  [7, 4_294_967_295],
  [12, 5],
].map(([steps, seed], k): Case => {
  const level = Uint32Array.from({ length: 8 }, (_, w) => (w === 0 ? 29 : w));
  // one more than the walk takes: a buffer is never empty, and the last one must not be read
  const actions = wholes(k, steps! + 1, 2 ** 32);
  const expected = envWalk(small(level), actions.subarray(0, steps), seed!);
  const wrong = (like: Uint32Array): Uint32Array => new Uint32Array(like.length).fill(777);
  return {
    name: `a walk of ${steps} steps, seed ${seed}`,
    kernel: envWalkWith(SNIPPET),
    dims: { steps: steps!, words: 2, obsWords: 2, seed: seed! },
    groups: [1],
    buffers: {
      levels: level,
      actions,
      state: wrong(expected.state),
      obs: wrong(expected.obs),
      told: wrong(expected.told),
    },
    expected,
  };
});
