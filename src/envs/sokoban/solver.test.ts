import { describe, expect, test } from 'vitest';
import { mustSucceed } from '../../core/problem.ts';
import { below, random } from '../../core/random.ts';
import { Assignment } from './assignment.ts';
import { has, insert, MASK_WORDS, squaresOf } from './board.ts';
import { BOXOBAN, boxobanLevel, loadBoxoban } from './boxoban.ts';
import { isFrozen } from './deadlocks.ts';
import { floorOf, parseLevel, writeLevel, type SokobanMap } from './level.ts';
import { fewestMoves } from './moves.ts';
import { fewestPushes } from './pushes.ts';
import { replay, shortestPath, solve } from './solver.ts';

await Promise.all(BOXOBAN.map(async (set) => loadBoxoban(set)));

const mapOf = (text: string): SokobanMap => mustSucceed(parseLevel(text)).map;

/** A small board drawn at random, solvable or not; null if it does not parse. */
function drawn(seed: number, W: number, H: number, boxes: number): SokobanMap | null {
  let n = 0;
  const draw = (max: number): number => below(random(seed, 99, 1, n++, 0), max);
  const cells: string[] = Array.from({ length: W * H }, (_, cell) => {
    const isBorder = cell < W || cell >= W * (H - 1) || cell % W === 0 || cell % W === W - 1;
    return isBorder || draw(5) === 0 ? '#' : ' ';
  });
  for (const char of `@${'$'.repeat(boxes)}${'.'.repeat(boxes)}`) {
    const free = cells.flatMap((c, k) => (c === ' ' ? [k] : []));
    if (free.length === 0) return null;
    cells[free[draw(free.length)]!] = char;
  }
  const parsed = parseLevel(Array.from({ length: H }, (_, y) => cells.slice(y * W, (y + 1) * W).join('')).join('\n'));
  return parsed.ok ? parsed.map : null;
}

const boards = Array.from({ length: 900 }, (_, seed) => drawn(seed, 6 + (seed % 2), 6, 1 + (seed % 3))).filter(
  (map) => map !== null,
);

/** Everything that can happen to the boxes, without any pruning: solvable from here? Slow and plain. */
function canBeSolved(map: SokobanMap, boxes: readonly number[], player: number): boolean {
  const name = (b: readonly number[], p: number): string => `${[...b].sort((x, y) => x - y).join()}|${p}`;
  const seen = new Set([name(boxes, player)]);
  const queue: [readonly number[], number][] = [[boxes, player]];
  for (let at = queue.pop(); at; at = queue.pop()) {
    const [b, p] = at;
    if (b.every((box) => has(map.targets, 0, box))) return true;
    for (const d of [1, 16, -1, -16]) {
      if (has(map.walls, 0, p + d)) continue;
      const pushed = b.indexOf(p + d);
      if (pushed >= 0 && (has(map.walls, 0, p + 2 * d) || b.includes(p + 2 * d))) continue;
      const next = b.map((box, k) => (k === pushed ? p + 2 * d : box));
      if (seen.has(name(next, p + d))) continue;
      seen.add(name(next, p + d));
      queue.push([next, p + d]);
    }
  }
  return false;
}

describe('solver', () => {
  test('on random boards, A* finds as few pushes as breadth first, and both solvers agree with a plain search', () => {
    let solvable = 0;
    for (const map of boards) {
      const text = writeLevel(map);
      const bounded = fewestPushes(map, 1_000_000);
      const plain = fewestPushes(map, 1_000_000, false);
      const moves = fewestMoves(map, 1_000_000);
      const can = canBeSolved(map, squaresOf(map.boxes), map.player);
      expect([bounded.status, plain.status, moves.status], text).toEqual(Array(3).fill(can ? 'solved' : 'unsolvable'));
      if (!can) continue;
      solvable++;
      expect(replay(map, bounded.path!), text).toBe(replay(map, plain.path!));
      expect(replay(map, moves.path!), text).toBeGreaterThanOrEqual(replay(map, bounded.path!)!);
      expect(moves.path!.length, text).toBeLessThanOrEqual(bounded.path!.length);
      expect(bounded.states).toBeLessThanOrEqual(plain.states);
    }
    expect(solvable).toBeGreaterThan(50);
    expect(boards.length - solvable).toBeGreaterThan(50);
  });

  test('a solution on paper: push right, walk above the box, push down', () => {
    // the box stands at (3,2), the target at (4,3): push it right, walk up and right, push it down
    const solution = solve(mapOf('######\n#    #\n# @$ #\n#   .#\n######'));
    expect(solution).toMatchObject({ status: 'solved', minMoves: 4, minPushes: 2 });
    expect(solution.moves).toEqual([0, 3, 0, 1]);
  });

  test('giving up is not the same as unsolvable', () => {
    const boxoban = mapOf(boxobanLevel('unfiltered', 0)!);
    expect(solve(boxoban, 50)).toMatchObject({ status: 'notSolvedHere', minMoves: null, minPushes: null });
    expect(solve(mapOf('#####\n#$ .#\n# @ #\n#####'))).toMatchObject({ status: 'unsolvable', minMoves: null });
  });

  test('a level that is solved from the start needs nothing', () => {
    expect(solve(mapOf('#####\n#@ *#\n#####'))).toMatchObject({ status: 'solved', minMoves: 0, minPushes: 0 });
  });

  test('replay refuses what does not solve the level with its last action', () => {
    const map = mapOf('######\n#    #\n# @$ #\n#   .#\n######');
    expect(replay(map, [0, 3, 0])).toBeNull();
    expect(replay(map, [0, 3, 0, 1])).toBe(2);
    expect(replay(map, [0, 3, 0, 1, 1])).toBeNull();
    expect(replay(map, [])).toBeNull();
  });

  test('levels of Boxoban have a path that solves them', () => {
    for (const number of [0, 1, 2, 3]) {
      const map = mapOf(boxobanLevel('unfiltered', number)!);
      const path = shortestPath(map);
      expect(path && replay(map, path), writeLevel(map)).toBeGreaterThan(0);
    }
  });

  test('the assignment is the cheapest of all permutations', () => {
    const permutations = (list: number[]): number[][] =>
      list.length === 0
        ? [[]]
        : list.flatMap((x, k) => permutations(list.filter((_, j) => j !== k)).map((p) => [x, ...p]));
    for (let seed = 0; seed < 60; seed++) {
      const n = 1 + (seed % 5);
      const solver = new Assignment(n);
      for (let k = 0; k < n * n; k++) solver.cost[k] = below(random(seed, 99, 2, k, 0), 12);
      const all = permutations(Array.from({ length: n }, (_, k) => k));
      const sums = all.map((p) => p.reduce((sum, column, row) => sum + solver.cost[row * n + column]!, 0));
      expect(solver.solve()).toBe(Math.min(...sums));
    }
  });
});

describe('deadlocks', () => {
  test('a square is dead exactly if no pushes lead to a target, wherever the player may jump between them', () => {
    let dead = 0;
    for (const map of boards.slice(0, 200)) {
      const isFloor = (square: number): boolean => !has(map.walls, 0, square);
      for (const square of floorOf(map)) {
        const seen = new Set([square]);
        for (const at of seen)
          for (const d of [1, 16, -1, -16]) if (isFloor(at - d) && isFloor(at + d)) seen.add(at + d);
        const can = [...seen].some((at) => has(map.targets, 0, at));
        expect(has(map.dead, 0, square), `${writeLevel(map)}\nsquare ${square}`).toBe(!can);
        if (!can) dead++;
      }
    }
    expect(dead).toBeGreaterThan(200);
  });

  test('from a dead square a lone box can never be brought home', () => {
    for (const map of boards.slice(0, 120)) {
      const floor = floorOf(map);
      for (const square of squaresOf(map.dead)) {
        const can = floor.some((player) => player !== square && canBeSolved(map, [square], player));
        expect(can, `${writeLevel(map)}\nsquare ${square}`).toBe(false);
      }
    }
  });

  test('a frozen box off its target means that nothing helps any more', () => {
    let frozen = 0;
    for (const map of boards) {
      const boxes = squaresOf(map.boxes);
      if (!boxes.some((box) => !has(map.targets, 0, box) && isFrozen(map, map.boxes, 0, box))) continue;
      frozen++;
      expect(canBeSolved(map, boxes, map.player), writeLevel(map)).toBe(false);
    }
    expect(frozen).toBeGreaterThan(30);
  });

  test('two boxes side by side at a wall hold each other; apart they do not', () => {
    const map = mapOf('#######\n# $$  #\n#     #\n# @.. #\n#######');
    const boxes = new Uint32Array(MASK_WORDS);
    for (const square of [16 + 2, 16 + 3]) insert(boxes, 0, square);
    expect(isFrozen(map, boxes, 0, 16 + 2)).toBe(true);
    const apart = new Uint32Array(MASK_WORDS);
    for (const square of [32 + 2, 32 + 4]) insert(apart, 0, square);
    expect(isFrozen(map, apart, 0, 32 + 2)).toBe(false);
  });
});
