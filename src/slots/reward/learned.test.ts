import { expect, test } from 'vitest';
import type { Batch } from '../../contract/columns.ts';
import { lengthOf, type Tensors } from '../../contract/state.ts';
import { zeros } from '../../contract/numbers.ts';
import { defaultsOf } from '../../core/settings.ts';
import { Seen } from './learned/inputs.ts';
import { HIDDEN, netState, RewardNet } from './learned/net.ts';
import { heron, netWins, rankedPairs, rankingLoss } from './heron.ts';
import { milestoneLabels, mira } from './mira.ts';
import { attributed, attributionLoss, spa } from './spa.ts';

/** A memory for models of observations of 32 bits. */
function fresh(): Tensors {
  const sizes = { S: 1, parameter: 1, task: 1, row: 1, step: 1, unit: 1, feature: 32, word: 1, taskWord: 1 };
  return Object.fromEntries(Object.entries(netState).map(([name, of]) => [name, zeros(of.type, lengthOf(of, sizes))]));
}

/** Rows of states, each the number of the one bit that is seen; one action; each row ends by itself. */
function walks(rows: readonly (readonly number[])[], more: object = {}): Batch {
  const B = rows.length;
  const T = Math.max(...rows.map((states) => states.length)) - 1;
  const features = new Uint32Array(B * (T + 1));
  rows.forEach((states, i) => states.forEach((bit, t) => (features[i * (T + 1) + t] = (1 << bit) >>> 0)));
  return {
    ...{ P: 1, G: B, B, T, features, length: Uint32Array.from(rows, (states) => states.length - 1) },
    ...{ taskIndex: new Uint32Array(B), terminated: new Uint32Array(B).fill(1), action: new Uint32Array(B * T) },
    ...more,
  } as unknown as Batch; // the other columns are not read
}

test('the gradient of a model is its slope', () => {
  const memory = fresh();
  const net = new RewardNet(memory);
  const rest = memory['rest'] as Float32Array;
  for (let k = 0; k < rest.length; k++) rest[k]! += Math.sin(k) / 4;
  const input = { index: Int32Array.of(1, 4, 9), value: Float64Array.of(1, 0.5, 0.25), n: 3 };
  const at = (name: string, k: number, h: number): number => {
    const tensor = memory[name] as Float32Array;
    const before = tensor[k]!;
    tensor[k] = before + h;
    const y = net.of(input, 2);
    tensor[k] = before;
    return y;
  };
  net.of(input, 2);
  net.addGradient(input, 1, 2);
  const own = (net as unknown as { gradient: { weights: Float64Array; rest: Float64Array } }).gradient;
  for (const [name, k] of [
    ...[0, 3].map((j) => ['weights', 4 * HIDDEN + j] as const),
    ...[2 * HIDDEN + 1, 32 * HIDDEN + 5, 33 * HIDDEN + 7, 34 * HIDDEN].map((k) => ['rest', k] as const),
  ]) {
    const h = 2 ** -7;
    const slope = (at(name, k, h) - at(name, k, -h)) / (2 * h);
    expect(Math.abs(own[name][k]! - slope), `${name} ${k}`).toBeLessThan(2e-4);
  }
});

test('what is seen is read bit by bit, the highest of a word too, and its mean counts every state', () => {
  const batch = walks([
    [3, 31, 3],
    [0, 1, 2],
  ]);
  const seen = new Seen(batch);
  const at = (i: number, t: number): number[] => {
    const { index, n } = seen.at(i, t);
    return [...index.subarray(0, n)];
  };
  expect([at(0, 0), at(0, 1), at(1, 2)]).toEqual([[3], [31], [2]]);
  const { index, value } = seen.meanOf(0);
  expect([...index]).toEqual([3, 31]);
  expect([...value!].map((x) => Math.round(3 * x))).toEqual([2, 1]);
});

test('labels by hand: half the way to the first of two milestones is a quarter', () => {
  // reached in steps 1 and 3: τ = 0, 2, 4
  expect([...milestoneLabels([1, 3], 2, 5)]).toEqual([0, 0.25, 0.5, 0.75, 1, 1]);
  expect([...milestoneLabels([1, -1], 2, 3)]).toEqual([0, 0.25, 0.5, 0.5]);
  expect([...milestoneLabels([-1, -1], 2, 2)]).toEqual([0, 0, 0]);
});

test('a model that never saw a milestone shapes nothing; then its potential learns the labels, and its error falls', () => {
  const row = { milestoneStep: Float32Array.of(1, 3), progress: Float32Array.of(0, 0, 0.5, 0.5, 1) };
  const batch = walks([[0, 1, 2, 3, 4]], { ...row, modelError: new Float32Array(1) });
  const params = { ...defaultsOf(mira.params), gamma: 1, looks: 64 };
  const memory = fresh();
  const paid = (): number[] => {
    const out = new Float32Array(batch.T);
    mira.run(batch, params, out, memory);
    return [...out];
  };
  expect(paid()).toEqual([0, 0, 0, 0]);
  expect(batch.modelError![0]).toBeCloseTo(Math.sqrt((0.25 ** 2 + 0.5 ** 2 + 0.75 ** 2 + 1) / 5), 6);
  for (let k = 0; k < 6; k++) paid();
  expect(batch.modelError![0]).toBeLessThan(0.05);
  const out = paid();
  // with γ = 1 the sum over an episode that ended is −P(s₀), which the model says is near 0
  expect(Math.abs(out.reduce((a, b) => a + b, 0))).toBeLessThan(0.06);
  expect(out[0]).toBeGreaterThan(0.15);
  // the view of a fresh batch is paid by the model as it was before this one
  const after = memory['weights']!.slice();
  mira.forget!(batch, memory);
  expect(memory['weights']).not.toEqual(after);
});

test('the oracle of MiRA is the share of the milestones, as potential-based shaping', () => {
  const row = { milestoneStep: Float32Array.of(1, -1), progress: Float32Array.of(0, 0, 0.5, 0.5) };
  const batch = walks([[0, 1, 2, 3]], { ...row, terminated: Uint32Array.of(0) });
  const out = new Float32Array(3);
  mira.run(batch, { ...defaultsOf(mira.params), potential: 'oracle', gamma: 0.5 }, out, fresh());
  expect([...out]).toEqual([0, 0.25, -0.25]);
});

test('contributions by hand; redistributed they add up to the outcome whatever the model says', () => {
  const how = { alpha: 1, beta: 0.5, redistribute: false };
  expect([...attributed([0.5, 0.25], 1, [1, 0], how)]).toEqual([1, 0.25]);
  const moved = attributed([0.5, 0.25], 1, [1, 0], { ...how, beta: 0, redistribute: true });
  expect([...moved]).toEqual([0.625, 0.375]);
  expect(attributionLoss([0.75, 0], [1, 1])).toEqual({
    loss: (0.0625 + 1) / 2,
    gradPerStep: Float64Array.of(-0.25, -1),
  });
});

test('the step that only winners take earns the outcome, once the model has learned', () => {
  // state 1 leads to success, state 2 does not; both begin in state 0
  const rows = [
    [0, 1, 5],
    [0, 2, 5],
  ];
  const seen = { outcomeScore: Float32Array.of(1, 0), grounded: new Float32Array(4).fill(1) };
  const batch = walks(rows, { ...seen, modelError: new Float32Array(1) });
  const memory = fresh();
  const out = new Float32Array(4);
  const params = { ...defaultsOf(spa.params), beta: 0, looks: 32 };
  for (let k = 0; k < 12; k++) spa.run(batch, params, out, memory);
  expect(batch.modelError![0]).toBeLessThan(0.05);
  expect(out[1]! - out[3]!).toBeGreaterThan(0.9);
  expect(Math.abs(out[0]! - out[2]!)).toBe(0);
});

test('wishes by hand: success decides, then speed; a pair that nothing decides is dropped', () => {
  // success, milestones, minus the effort
  const factor = Float32Array.from([1, 2, -4, 1, 2, -9, 0, 1, -2, 1, 2, -4]);
  const batch = walks(
    [[0], [0], [0], [0]].map(() => [0, 1]),
    { factor },
  );
  const pairs = rankedPairs(batch, 0.3, [0, 1, 2]);
  const told = pairs.map(({ i, j, winner, level }) => [i, j, winner, level]);
  expect(told).toEqual([
    [0, 1, 0, 2],
    [0, 2, 0, 0],
    [0, 3, -1, -1],
    [1, 2, 1, 0],
    [1, 3, 3, 2],
    [2, 3, 3, 0],
  ]);
  expect([...netWins(batch, pairs)].map((x) => Math.round(3 * x))).toEqual([2, -1, -3, 2]);
  expect(rankingLoss([0, 0, 0, 0], pairs).loss).toBeCloseTo(Math.log(2), 12);
});

test('net wins of a group add up to 0, and turn with the order of the wishes', () => {
  const factor = Float32Array.from([1, 2, -9, 0, 0, -1, 1, 2, -5]);
  const batch = walks(
    [
      [0, 1],
      [0, 1],
      [0, 1],
    ],
    { factor, decidedBy: new Float32Array(4) },
  );
  const paid = (order: string): number[] => {
    const out = new Float32Array(3);
    batch.decidedBy!.fill(0);
    heron.run(batch, { ...defaultsOf(heron.params), order, sigma: 0 } as never, out, fresh());
    return [...out];
  };
  expect(paid('sme')).toEqual([0, -1, 1]);
  expect([...batch.decidedBy!].map((x) => Math.round(3 * x))).toEqual([2, 0, 1, 0]);
  expect(paid('ems')).toEqual([-1, 1, 0]);
});

test('a model of the ranking learns to rank what it sees, and its error falls to 0', () => {
  const factor = Float32Array.from([1, 1, -2, 0, 0, -2, 1, 1, -1]);
  const batch = walks(
    [
      [0, 1],
      [0, 2],
      [0, 3],
    ],
    { factor, modelError: new Float32Array(1) },
  );
  const memory = fresh();
  const out = new Float32Array(3);
  const params = { ...defaultsOf(heron.params), by: 'model' } as never;
  for (let k = 0; k < 20; k++) heron.run(batch, params, out, memory);
  expect(batch.modelError![0]).toBe(0);
  expect(out[2]).toBeGreaterThan(out[0]!);
  expect(out[0]).toBeGreaterThan(out[1]!);
});
