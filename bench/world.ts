import { thetaOf } from '../src/contract/state.ts';
import { enumerate } from '../src/envs/enumerate.ts';
import type { Run } from '../src/engine/run.ts';
import { denseOf } from '../src/networks/policy.ts';
import { initialState } from '../src/engine/state.ts';
import type { Step } from './problem.ts';

/** A level of the lab as tables, for peers that step all episodes at once. Row `states` is the end: it pays nothing. */
export type TableWorld = {
  readonly states: number;
  readonly actions: number;
  readonly features: number;
  readonly T: number;
  /** [states + 1, features] observations as 0 and 1 */
  readonly looks: Float32Array;
  /** [(states + 1) · actions] */
  readonly next: Int32Array;
  readonly reward: Float32Array;
  /** the initial parameters of the lab's policy; only layout and theta matter here */
  readonly start: Step;
};

/** Tables of the first level of a run, made from the lab's own rules; the level must be deterministic and small. */
export function tableWorld({ plan }: Run): TableWorld {
  const { env, actions, T, obsWords } = plan;
  const level = plan.level(plan.firstLevelSeed);
  const { shape, layout } = denseOf(plan);
  const found = enumerate(env, level, 10_000, 'policy');
  if (!found) throw new Error('This level has too many states for a table.');
  const { model } = found;
  const n = model.states;
  const { features, hidden } = shape;
  const looks = new Float32Array((n + 1) * features);
  const bits = new Uint32Array(obsWords);
  for (let s = 0; s < n; s++) {
    env.observe(level, found.states, s * env.words, bits, 0);
    for (let f = 0; f < features; f++) looks[s * features + f] = (bits[f >>> 5]! >>> (f & 31)) & 1;
  }
  const next = new Int32Array((n + 1) * actions).fill(n);
  const reward = new Float32Array((n + 1) * actions);
  for (let at = 0; at < n * actions; at++) {
    const from = model.offset[at]!;
    if (model.offset[at + 1]! !== from + 1) throw new Error('This level has chances.');
    if (model.next[from]! >= 0) next[at] = model.next[from]!;
    reward[at] = model.reward[at]!;
  }
  const theta = thetaOf(initialState(plan)).slice(0, layout.size);
  const none = { rows: 0, X: new Float32Array(), labels: new Uint32Array() };
  const start: Step = { ...none, inputs: features, hidden: hidden[0]!, classes: actions, layout, theta };
  return { states: n, actions, features, T, looks, next, reward, start };
}
