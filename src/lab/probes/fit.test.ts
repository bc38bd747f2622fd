import { expect, test } from 'vitest';
import { drawsOf, type ProbeData } from './fit.ts';
import { fitLinear } from './linear.ts';
import { fitMlp } from './mlp.ts';

const N = 400;
const rows = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, k) => from + k);

/** Two heads: the sign of a sum of two inputs, and the largest of three inputs; all else is noise. */
function sample(isShuffled: boolean): ProbeData {
  const [D, draw] = [6, drawsOf(7)];
  const inputs = Float32Array.from({ length: N * D }, () => 2 * draw() - 1);
  const labels = new Int16Array(2 * N);
  for (let n = 0; n < N; n++) {
    const from = (isShuffled ? N - 1 - n : n) * D;
    labels[2 * n] = inputs[from]! + inputs[from + 1]! > 0 ? 1 : 0;
    labels[2 * n + 1] = [2, 3, 4].reduce((best, d) => (inputs[from + d]! > inputs[from + best]! ? d : best), 2) - 2;
  }
  return { N, D, inputs, heads: [2, 3], labels };
}

const small: typeof fitLinear = (data, fitting) =>
  fitMlp(data, [{ first: 0, end: data.heads.length, isOne: false }], fitting);

function accuracy(data: ProbeData, fit = fitLinear): number[] {
  const steps = fit(data, { train: rows(0, 240), stop: rows(240, 320), seed: 3 });
  let next = steps.next();
  while (!next.done) next = steps.next();
  const H = data.heads.length;
  const out = new Int16Array(H);
  const right = data.heads.map(() => 0);
  for (let n = 320; n < N; n++) {
    next.value.classes(data.inputs, n, out);
    for (let h = 0; h < H; h++) right[h]! += Number(out[h] === data.labels[H * n + h]) / (N - 320);
  }
  return right;
}

test('what is a linear function of the inputs is found on rows that were not learned from', () => {
  const [sign, largest] = accuracy(sample(false));
  expect(sign).toBeGreaterThan(0.93);
  expect(largest).toBeGreaterThan(0.85);
});

test('what has nothing to do with the inputs is not: near chance', () => {
  const [sign, largest] = accuracy(sample(true));
  expect(sign).toBeLessThan(0.66);
  expect(largest).toBeLessThan(0.52);
});

test('a row without a class of a head teaches the others as before', () => {
  const data = sample(false);
  const labels = data.labels.map((label, k) => (k % 2 === 1 ? -1 : label));
  expect(accuracy({ ...data, labels })[0]).toBe(accuracy(data)[0]);
});

/** Do two inputs have the same sign? No sum of inputs says so. */
function sameSign(): ProbeData {
  const data = sample(false);
  const labels = Int16Array.from({ length: N }, (_, n) =>
    Number(data.inputs[6 * n]! > 0 === data.inputs[6 * n + 1]! > 0),
  );
  return { ...data, heads: [2], labels };
}

test('what has to be computed from two inputs together only the small network tells', () => {
  expect(accuracy(sameSign())[0]).toBeLessThan(0.65);
  expect(accuracy(sameSign(), small)[0]).toBeGreaterThan(0.75);
});

test('heads that share their answers are told apart by what they ask, and ones without a class teach nothing', () => {
  const data = sample(false);
  // head 0 asks for the sign of input 0, head 1 for that of input 1, head 2 for nothing
  const labels = Int16Array.from({ length: 3 * N }, (_, k) =>
    k % 3 === 2 ? -1 : Number(data.inputs[6 * Math.floor(k / 3) + (k % 3)]! > 0),
  );
  const kinds = [{ first: 0, end: 3, isOne: true }];
  const [first, second] = accuracy({ ...data, heads: [2, 2, 2], labels }, (own, fitting) =>
    fitMlp(own, kinds, fitting),
  );
  expect(first).toBeGreaterThan(0.8);
  expect(second).toBeGreaterThan(0.8);
});
