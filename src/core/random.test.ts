import { expect, test } from 'vitest';
import { below, LevelStream, PURPOSE, random, randomPair, threefry, uniform } from './random.ts';

test('the known answers of Random123 hold', () => {
  expect(threefry(0, 0, 0, 0)).toEqual([0x6b200159, 0x99ba4efe]);
  expect(threefry(0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff)).toEqual([0x1cb996fc, 0xbb002be7]);
  expect(threefry(0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3)).toEqual([0xc4923a9c, 0x483df7a0]);
});

test('random is the nested block T(T((seed, purpose), (a, b)), (c, 0))', () => {
  const [k0, k1] = threefry(7, 18, 3, 4);
  expect(randomPair(7, 18, 3, 4, 5)).toEqual(threefry(k0, k1, 5, 0));
  expect(random(7, 18, 3, 4, 5)).toBe(threefry(k0, k1, 5, 0)[0]);
});

test('two uses never share a purpose', () => {
  const purposes = Object.values(PURPOSE);
  expect(new Set(purposes).size).toBe(purposes.length);
});

test('below is the floor of x·n / 2^32 for every tested word', () => {
  for (const n of [1, 2, 3, 7, 100, 65_535, 65_536, 65_537, 524_288, 2 ** 21 - 1]) {
    for (const x of [0, 1, 0x7fffffff, 0x80000000, 0xffff0000, 0xffffffff, 0x12345678]) {
      expect(below(x, n)).toBe(Number((BigInt(x) * BigInt(n)) >> 32n));
    }
  }
});

test('uniform draws fill [0, 1) evenly and never reach 1', () => {
  expect(uniform(0xffffffff)).toBeLessThan(1);
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 10_000; i++) counts[Math.floor(uniform(random(1, 2, 3, 4, i)) * 10)]!++;
  // 1,000 expected per bin, sd 30: five sd either way
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test('a level stream shuffles reproducibly and keeps every member', () => {
  const list = [...'abcdefgh'];
  const once = new LevelStream(9, 1).shuffle([...list]);
  expect(new LevelStream(9, 1).shuffle([...list])).toEqual(once);
  expect([...once].sort()).toEqual(list);
});
