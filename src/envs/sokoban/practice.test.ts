import { describe, expect, test } from 'vitest';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { must } from '../../core/problem.ts';
import { trainingContext, wholeContext } from '../../contract/taskContext.ts';
import { squaresOf } from './board.ts';
import { boxobanCount, boxobanLevel, loadBoxoban } from './boxoban.ts';
import { floorOf, writeLevel } from './level.ts';
import { practiceBoard } from './practice.ts';
import { solve } from './solver.ts';
import { sokoban } from './sokoban.ts';

await loadBoxoban('unfiltered');

const SEEDS = Array.from({ length: 200 }, (_, k) => 8 * k);
const boards = SEEDS.map((seed) => must(practiceBoard(seed)));

describe('boards to practise on', () => {
  test('they are as large as those of Boxoban, with as many boxes, and none is solved', () => {
    for (const map of boards) {
      expect([map.W, map.H]).toEqual([10, 10]);
      const [boxes, targets] = [squaresOf(map.boxes), squaresOf(map.targets)];
      expect([boxes.length, targets.length]).toEqual([4, 4]);
      expect(boxes.every((box) => targets.includes(box))).toBe(false);
      expect(boxes).not.toContain(map.player);
      expect(floorOf(map)).toEqual(expect.arrayContaining([...boxes, ...targets, map.player]));
    }
  });

  test('every one that the solver is through with has a solution, short ones and long ones', () => {
    const solved = boards.slice(0, 40).map((map) => solve(map, 20_000));
    expect(solved.filter(({ status }) => status === 'unsolvable')).toEqual([]);
    const pushes = solved.flatMap(({ minPushes }) => minPushes ?? []);
    expect(pushes.length).toBeGreaterThan(20);
    expect(Math.min(...pushes)).toBeLessThan(4);
    expect(Math.max(...pushes)).toBeGreaterThan(12);
  });

  test('a seed always gives the same board, and seeds give different ones', () => {
    expect(writeLevel(must(practiceBoard(8)))).toBe(writeLevel(boards[1]!));
    expect(new Set(boards.map(writeLevel)).size).toBe(boards.length);
  });
});

test('training never sees a board of the set that evaluations play', () => {
  const settings: AnyValues = { ...defaultsOf(sokoban.settings), level: 'boxoban', practice: 'drawn' };
  const [stages, growEvery] = [sokoban.stages!(settings), sokoban.growEvery!(settings)];
  const set = new Set(Array.from({ length: boxobanCount('unfiltered') }, (_, n) => boxobanLevel('unfiltered', n)!));
  const boardOf = (seed: number): string => {
    const level = must(sokoban.level(settings, defaultsOf(sokoban.rewards), seed));
    const state = new Uint32Array(sokoban.words);
    sokoban.reset(level, state, 0);
    return sokoban.text(level, state, 0);
  };
  const sizes = { P: 20, G: 1, levels: 0, stages, growEvery };
  for (const update of [0, 5, 20_000]) {
    const [training, evaluation] = [trainingContext(sizes, 3, update), wholeContext(sizes, 3, update, true)];
    for (let p = 0; p < sizes.P; p++) {
      expect(set.has(boardOf(training.fresh(p)))).toBe(false);
      expect(set.has(boardOf(evaluation.fresh(p)))).toBe(true);
    }
  }
});
