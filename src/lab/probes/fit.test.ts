import { expect, test } from 'vitest';
import { drawsOf, fitProbe, type ProbeData } from './fit.ts';

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

function accuracy(data: ProbeData): number[] {
  const steps = fitProbe(data, { train: rows(0, 240), stop: rows(240, 320), seed: 3 });
  let next = steps.next();
  while (!next.done) next = steps.next();
  const out = new Int16Array(2);
  const right = [0, 0];
  for (let n = 320; n < N; n++) {
    next.value.classes(data.inputs, n, out);
    for (const h of [0, 1]) right[h]! += Number(out[h] === data.labels[2 * n + h]) / (N - 320);
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
