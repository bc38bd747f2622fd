import { actionTree } from '../../../../contract/units.ts';
import { backwardInduction, type Model, type Values } from '../../../../core/dp.ts';
import { DIVISION, expShare, UNIT } from '../../../accuracy.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { levelTable, NONE, PLACE_WORDS, type Listed } from '../../../levelTable.ts';
import { actionsAt } from '../../commandWorld.ts';
import { induction, stepAdvantage } from '../../scoreKernels.ts';

const WORDS = 3;
/** What an action can lead to, at most. */
const OUTCOMES = 3;

/** A level of n states in which chance decides, episodes end, and not every action is legal. */
function levelOf(seed: number, n: number, A: number, limit: number): Listed {
  const outcomes = wholes(seed, n * A, OUTCOMES).map((k) => k + 1);
  const offset = new Uint32Array(n * A + 1);
  outcomes.forEach((k, pair) => (offset[pair + 1] = offset[pair]! + k));
  const [k, success] = [offset[n * A]!, new Float64Array(n * A)];
  // one outcome in four ends the episode
  const next = Int32Array.from(wholes(seed + 1, k, n), (to, at) => (wholes(seed + 2, k, 4)[at] === 0 ? -1 : to));
  const probability = new Float64Array(k);
  outcomes.forEach((share, pair) => probability.fill(1 / share, offset[pair], offset[pair + 1]));
  const reward = Float64Array.from(numbers(seed + 3, n * A));
  const model: Model = { states: n, actions: A, offset, next, probability, reward, success };
  // words that no two states share, in no order; the clock of a state is told by nothing
  const states = Uint32Array.from({ length: n * WORDS }, (_, at) => {
    const s = (7 * Math.floor(at / WORDS)) % 11;
    return at % WORDS === 0 ? s * 0x20000000 : at % WORDS === 1 ? Math.floor(at / WORDS) : 0;
  });
  // the first action is always legal
  const legal = wholes(seed + 4, n, 2 ** A).map((bits) => bits | 1);
  return { model, states, legal, limit };
}

type Lists = {
  readonly places: readonly { readonly level: Listed; readonly first: number; readonly begin: number }[];
  readonly tables: Uint32Array;
  readonly logits: Float32Array;
  readonly values: readonly Values[];
  readonly states: number;
};
type Sizes = { readonly A: number; readonly outputs: number; readonly inverse: number; readonly gamma: number };

/** Places of the levels behind one word for each row, their tables, and the values of a policy by logits. */
function listsOf(seed: number, levels: readonly Listed[], placeOf: readonly number[], sizes: Sizes): Lists {
  const { A, outputs, inverse, gamma } = sizes;
  const rows = placeOf.length;
  const words: number[] = [];
  const heads: number[] = [];
  let [first, begin] = [0, 0];
  const places = levels.map((level) => {
    const place = { level, first, begin };
    const n = level.model.states;
    heads.push(rows + PLACE_WORDS * (levels.length + 1) + words.length, first, begin, 1);
    words.push(...levelTable(level));
    // states of other replicas may lie in between
    first += n + 2;
    begin += n * level.limit;
    return place;
  });
  // a place that nobody uses
  heads.push(0, 0, 0, 0);
  const at = placeOf.map((p) => (p < 0 ? NONE : rows + PLACE_WORDS * p));
  const logits = numbers(seed, first * outputs, -2, 2);
  const values = places.map(({ level, first: from }) => {
    const { model, legal, limit } = level;
    const probs = Array.from({ length: model.states }, (_, s) => {
      const z = (c: number): number => logits[(from + s) * outputs + c]!;
      return [...actionsAt(actionTree(A), z, legal[s]!, inverse)];
    });
    return backwardInduction(model, probs.flat(), limit, gamma);
  });
  return { places, tables: Uint32Array.from([...at, ...heads, ...words]), logits, values, states: first };
}

// prettier-ignore
const SHAPES: readonly (readonly [A: number, levels: readonly (readonly [n: number, limit: number])[], rows: number])[] = [
  [1, [[1, 1]], 1],
  [4, [[1, 3], [64, 1]], 5],
  [5, [[65, 9], [3, 4], [130, 7]], 65],
];

/** What f32 may be off: in each step outcomes are added up and the mean of A numbers is taken by inexact shares. */
function tolerance(
  values: readonly Values[],
  A: number,
  range: number,
): { readonly abs: number; readonly rel: number } {
  const most = Math.max(...values.flatMap(({ V, Q }) => [...V, ...Q].map(Math.abs)));
  const ofShares = 2 * (2 * expShare(range) + DIVISION + A * UNIT);
  const perStep = UNIT * (3 * OUTCOMES + 10 * A) + ofShares;
  return { abs: Math.max(...values.map(({ T }) => T)) * perStep * most, rel: UNIT };
}

const made = SHAPES.map(([A, of, rows], seed) => {
  const sizes = { A, outputs: A + 1, inverse: 1.4, gamma: 0.9 };
  const levels = of.map(([n, limit], k) => levelOf(100 * seed + 10 * k, n, A, limit));
  // rows of all places, and where there are several one without any
  const placeOf = Array.from({ length: rows }, (_, row) => (row === 3 ? -1 : row % levels.length));
  const lists = listsOf(seed + 5, levels, placeOf, sizes);
  return { seed, rows, sizes, placeOf, lists, within: tolerance(lists.values, A, 4 * sizes.inverse) };
});

const induced = made.map(({ rows, sizes, lists, within }): Case => {
  const { A, outputs, inverse, gamma } = sizes;
  const { places, tables, logits, values, states } = lists;
  const length = places.reduce((n, { level }) => n + level.model.states * level.limit, 0);
  const expected = Float32Array.from(values.flatMap(({ V }) => [...V]));
  return {
    name: `induction over ${places.map(({ level }) => `${level.model.states}×${level.limit}`).join()}, ${A} actions`,
    kernel: induction,
    dims: { rows, actions: A, outputs, words: WORDS, gamma, inverse },
    groups: [places.length + 1],
    buffers: { tables, logits, probs: untouched(states * A), values: untouched(length) },
    expected: { values: expected },
    tolerance: within,
  };
});

/** ψ of steps whose states and actions are those of some policy; the values that it is made of are exact. */
const advantages = made.map(({ seed, rows, sizes, placeOf, lists, within }): Case => {
  const { A, gamma } = sizes;
  const { places, tables, values } = lists;
  const T = Math.max(...values.map((v) => v.T)) + 1;
  const [drawn, length] = [wholes(seed + 6, rows * T, 1000), new Uint32Array(rows)];
  // an action that is none, once in a while
  const action = wholes(seed + 7, rows * T, A + 1);
  const played = new Uint32Array(rows * (T + 1) * WORDS).fill(0x9999);
  const y = new Float32Array(rows * T);
  for (let row = 0; row < rows; row++) {
    const used = row % 2;
    const p = Math.max(0, placeOf[row]!);
    const { model, states, limit } = places[p]!.level;
    const { Q, V } = values[p]!;
    const n = model.states;
    length[row] = Math.max(0, limit - used - (row % 3 === 2 ? 1 : 0));
    for (let t = 0; t <= length[row]!; t++) {
      // one that is not listed, once in a while
      const s = drawn[row * T + Math.min(t, T - 1)]! % (n + 1);
      const at = (row * (T + 1) + t) * WORDS;
      played.set(s < n ? states.subarray(s * WORDS, (s + 1) * WORDS) : [5, 5, 5], at);
      played[at + WORDS - 1] = (used + t) | 0x50000;
      const a = action[row * T + t]!;
      if (t === length[row] || placeOf[row]! < 0 || s === n || a === A) continue;
      const here = (used + t) * n + s;
      y[row * T + t] = Q[here * A + a]! - V[here]!;
    }
  }
  return {
    name: `stepAdvantage of ${rows}×${T} steps in ${places.length} levels`,
    kernel: stepAdvantage,
    dims: { rows, T, actions: A, words: WORDS, gamma },
    groups: [Math.ceil((rows * T) / 64)],
    buffers: {
      ...{ tables, played, action, length, y: untouched(rows * T) },
      values: Float32Array.from(values.flatMap(({ V }) => [...V])),
    },
    expected: { y },
    tolerance: within,
  };
});

export const cases: readonly Case[] = [...induced, ...advantages];
