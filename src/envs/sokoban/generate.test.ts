import { describe, expect, test } from 'vitest';
import { mustSucceed } from '../../core/problem.ts';
import { squaresOf } from './board.ts';
import { generateReverse, type ReverseParams } from './generate.ts';
import { parseLevel, type SokobanMap } from './level.ts';
import { countStates, fewestMoves } from './moves.ts';
import { replay, solve } from './solver.ts';

function made(seed: number, p: ReverseParams): { map: SokobanMap; pushes: number; level: string } {
  const { level, pushes } = mustSucceed(generateReverse(seed, p));
  return { map: mustSucceed(parseLevel(level)).map, pushes, level };
}

const median = (list: readonly number[]): number => {
  const sorted = [...list].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};

describe('reverse play', () => {
  test.each([
    { w: 5, h: 5, boxes: 1, pulls: 3 },
    { w: 6, h: 6, boxes: 1, pulls: 8 },
    { w: 6, h: 6, boxes: 2, pulls: 10 },
    { w: 6, h: 8, boxes: 3, pulls: 9 },
    { w: 7, h: 7, boxes: 2, pulls: 14 },
    { w: 8, h: 6, boxes: 2, pulls: 12 },
    { w: 9, h: 9, boxes: 1, pulls: 12 },
    { w: 16, h: 16, boxes: 2, pulls: 10 },
  ])('every level is solved by exactly the promised number of pushes: %j', (p) => {
    for (let seed = 0; seed < 25; seed++) {
      const { map, pushes, level } = made(seed, p);
      const solution = solve(map, 300_000);
      expect(solution.minPushes, level).toBe(pushes);
      expect(pushes).toBeGreaterThanOrEqual(Math.max(1, Math.floor(p.pulls / 2)));
      expect(pushes).toBeLessThanOrEqual(p.pulls);
      expect(squaresOf(map.boxes)).toHaveLength(p.boxes);
      expect([map.W, map.H]).toEqual([p.w, p.h]);
    }
  });

  test('the same seed gives the same level and other seeds other ones', () => {
    const p = { w: 7, h: 7, boxes: 2, pulls: 10 };
    expect(made(4, p).level).toBe(made(4, p).level);
    expect(new Set(Array.from({ length: 12 }, (_, seed) => made(seed, p).level)).size).toBe(12);
  });

  test('asking for more than a board can hold ends after 200 attempts with an answer', () => {
    expect(generateReverse(1, { w: 5, h: 5, boxes: 6, pulls: 5 })).toEqual({ ok: false });
    expect(generateReverse(1, { w: 6, h: 6, boxes: 1, pulls: 40 })).toEqual({ ok: false });
  });

  test('a seed without a board that is deep enough has its deepest one, and others are those that they were', () => {
    const p = { w: 6, h: 6, boxes: 2, pulls: 16 };
    const shallow = new Map([
      [6, 7],
      [50, 7],
    ]);
    for (let seed = 0; seed < 60; seed++) {
      const { map, pushes } = made(seed, p);
      if (shallow.has(seed)) expect(solve(map, 300_000).minPushes).toBe(pushes);
      expect(pushes >= 8 || pushes === shallow.get(seed), `seed ${seed}: ${pushes} pushes`).toBe(true);
    }
  });

  // Spec environments §3.7: 12 levels (8 with three boxes) from seed 1000; reachable states, solved ones included
  test.each([
    { w: 6, boxes: 1, pulls: 8, states: [100, 145, 227], pushes: [4, 5], moves: [10, 19] },
    { w: 6, boxes: 2, pulls: 10, states: [203, 491, 1666], pushes: [5, 8], moves: [15, 28] },
    { w: 6, boxes: 3, pulls: 12, states: [85, 1329, 7182], pushes: [7, 7], moves: [18, 22] },
    { w: 7, boxes: 1, pulls: 10, states: [76, 281, 442], pushes: [5, 6], moves: [13, 21] },
    { w: 7, boxes: 2, pulls: 14, states: [634, 2200, 3923], pushes: [8, 10], moves: [23, 33] },
    { w: 7, boxes: 3, pulls: 16, states: [271, 5887, 35254], pushes: [9, 13], moves: [25, 36] },
    { w: 8, boxes: 1, pulls: 12, states: [89, 422, 786], pushes: [7, 10], moves: [17, 27] },
    { w: 8, boxes: 2, pulls: 16, states: [528, 5164, 10894], pushes: [9, 16], moves: [25, 40] },
  ])('sizes are those of the specification: $w×$w, $boxes boxes', ({ w, boxes, pulls, states, pushes, moves }) => {
    const levels = Array.from({ length: boxes === 3 ? 8 : 12 }, (_, k) => made(1000 + k, { w, h: w, boxes, pulls }));
    const counts = levels.map(({ map }) => {
      const count = countStates(map, 1_000_000)!;
      return count.unfinished + count.finished;
    });
    const walks = levels.map(({ map }) => fewestMoves(map, 1_000_000).path!);
    levels.forEach(({ map }, k) => expect(replay(map, walks[k]!)).not.toBeNull());
    // the table prints medians as whole numbers
    const near = (value: number, want: number): void => expect(Math.abs(value - want)).toBeLessThanOrEqual(0.5);
    expect([Math.min(...counts), Math.max(...counts)]).toEqual([states[0], states[2]]);
    near(median(counts), states[1]!);
    near(median(levels.map((level) => level.pushes)), pushes[0]!);
    near(median(walks.map((walk) => walk.length)), moves[0]!);
    expect(Math.max(...levels.map((level) => level.pushes))).toBe(pushes[1]);
    expect(Math.max(...walks.map((walk) => walk.length))).toBe(moves[1]);
  });
});
