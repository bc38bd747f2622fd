import { expect, test } from 'vitest';
import { below, random } from '../../core/random.ts';
import { partners } from './exchange.ts';
import { sharedBetween, sharedBits } from './information.ts';

const drawsOf = (seed: number) => {
  let k = 0;
  return (n: number): number => below(random(seed, 7777, k++, 0, 0), n);
};

test('by hand: of four cases, two letters that each name one color share one bit and what chance adds is taken off', () => {
  // H(X) = H(Y) = H(X, Y) = 1 bit; (2 + 2 − 2 − 1) / (2·4) nats are added
  const bits = sharedBits(Uint32Array.of(0, 0, 1, 1), Uint32Array.of(1, 1, 0, 0), [2, 2]);
  expect(bits).toBeCloseTo(1 + 1 / 8 / Math.LN2, 12);
  // all four pairs once: H(X, Y) = 2 bits; (2 + 2 − 4 − 1) / 8 nats
  const none = sharedBits(Uint32Array.of(0, 0, 1, 1), Uint32Array.of(0, 1, 0, 1), [2, 2]);
  expect(none).toBeCloseTo(-1 / 8 / Math.LN2, 12);
});

test('what knows nothing shares nothing on average, where plain counts would say a thirtieth of a bit', () => {
  const draw = drawsOf(3);
  let [corrected, plain] = [0, 0];
  const N = 200;
  for (let n = 0; n < 200; n++) {
    const [x, y] = [0, 1].map(() => Uint32Array.from({ length: N }, () => draw(4))) as [Uint32Array, Uint32Array];
    const bits = sharedBits(x, y, [4, 4]);
    const pairs = new Set(Array.from(x, (a, k) => 4 * a + y[k]!)).size;
    corrected += bits / 200;
    plain += (bits - (4 + 4 - pairs - 1) / (2 * N * Math.LN2)) / 200;
  }
  // (4 − 1)² / (2·200) nats from counts are 0.032 bits; the mean of 200 trials is within 0.0011
  expect(plain).toBeGreaterThan(0.028);
  expect(Math.abs(corrected)).toBeLessThan(0.004);
});

test('a note that tells a fact nine times in ten shares 1 − H(0.1) bits, one that tells nothing no more than shuffled ones', () => {
  const draw = drawsOf(5);
  const facts = Array.from({ length: 4000 }, () => (draw(2) === 0 ? 'red' : 'blue'));
  const said = facts.map((color) => ((color === 'red') === draw(10) > 0 ? 'a' : 'b'));
  const told = sharedBetween(said, facts, draw);
  const entropy = -(0.1 * Math.log2(0.1) + 0.9 * Math.log2(0.9));
  expect(told.bits).toBeGreaterThan(1 - entropy - 0.04);
  expect(told.bits).toBeLessThan(1 - entropy + 0.04);
  expect(told.entropy).toBeGreaterThan(0.999);
  expect(Math.abs(told.shuffled)).toBeLessThan(0.001);
  expect(told.chance).toBeLessThan(0.005);
  const idle = sharedBetween(
    facts.map(() => (draw(2) === 0 ? 'a' : 'b')),
    facts,
    draw,
  );
  expect(idle.bits).toBeLessThan(0.005);
});

test('names do not matter, and neither do the places of cases', () => {
  const draw = drawsOf(9);
  const [said, facts] = [3, 5].map((n) => Array.from({ length: 90 }, () => `${draw(n)}`)) as [string[], string[]];
  const one = sharedBetween(said, facts, drawsOf(1)).bits;
  const renamed = sharedBetween(
    said.map((name) => `note ${name}`).reverse(),
    facts.map((name) => `fact ${9 - Number(name)}`).reverse(),
    drawsOf(1),
  ).bits;
  expect(renamed).toBeCloseTo(one, 12);
});

test('everyone gets the notes of someone else, and of someone on the same level where that matters', () => {
  const levelOf = Uint32Array.of(0, 0, 0, 1, 1, 2);
  for (let seed = 0; seed < 20; seed++) {
    const any = partners({ levelOf }, 6, false, drawsOf(seed));
    expect([...any].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
    any.forEach((other, i) => expect(other).not.toBe(i));
    const own = partners({ levelOf }, 6, true, drawsOf(seed));
    expect(own[5]).toBe(-1);
    own.subarray(0, 5).forEach((other, i) => {
      expect(other).not.toBe(i);
      expect(levelOf[other]).toBe(levelOf[i]);
    });
  }
});
