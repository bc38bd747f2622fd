import type { Model } from '../../../core/dp.ts';
import { search } from './search.ts';
import { searchTable } from './table.ts';

/** A case of kind `lookahead` of a golden file with schema rollout-policy/1. */
export type LookaheadCase = {
  readonly kind: string;
  readonly params: Readonly<Record<string, number | string>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, number | readonly number[]>>;
};

/** Values of a state of a golden case, searched from it and read from the table of all states: [by search, by table]. */
export function lookaheadOf({ params, inputs }: LookaheadCase): readonly Record<string, readonly number[]>[] {
  const list = (name: string): readonly number[] => inputs[name] as readonly number[];
  const [nStates, A, state] = [Number(inputs['nStates']), Number(inputs['nActions']), Number(inputs['state'])];
  const [next, reward, terminal, leafValue] = [list('next'), list('reward'), list('terminal'), list('leafValue')];
  const [depth, gamma] = [Number(params['depth']), Number(params['gamma'])];
  const ends = (s: number): boolean => terminal[s] !== 0;
  const at = (d: number, leaf: readonly number[]) => {
    const world = {
      actions: A,
      nameOf: String,
      branches: (s: number, a: number) => {
        const to = next[s * A + a]!;
        return [{ probability: 1, reward: reward[s * A + a]!, next: ends(to) ? null : to }];
      },
    };
    const judges = { values: (states: readonly number[]) => states.map((s) => leaf[s]!) };
    return search(world, state, judges, { depth: d, width: 0, gamma }).layers[0]!;
  };
  const table = (d: number, leaf: readonly number[]) => {
    const model: Model = {
      states: nStates,
      actions: A,
      offset: Uint32Array.from({ length: nStates * A + 1 }, (_, k) => k),
      next: Int32Array.from(next, (to) => (ends(to) ? -1 : to)),
      probability: new Float64Array(nStates * A).fill(1),
      reward: Float64Array.from(reward),
      success: new Float64Array(nStates * A),
    };
    const legal = new Uint32Array(nStates).fill(0xffffffff);
    return searchTable(model, { values: leaf, probs: null, legal }, { depth: d, width: 0, gamma })[d - 1]!;
  };
  const none = leafValue.map(() => 0);
  const [searched, myopic] = [at(depth, leafValue), at(1, none)];
  const [read, near] = [table(depth, leafValue), table(1, none)];
  return [
    { q: [...searched.Q], action: [searched.best[0]!], myopicAction: [myopic.best[0]!] },
    {
      q: [...read.Q.subarray(state * A, (state + 1) * A)],
      action: [read.best[state]!],
      myopicAction: [near.best[state]!],
    },
  ];
}
