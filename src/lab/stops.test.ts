import { describe, expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { replicasOf, thetaOf } from '../contract/state.ts';
import { initialState } from '../engine/state.ts';
import { makePlan, type Plan } from '../engine/plan.ts';
import { measureStops, stopsOf, type StopsResult } from './stops.ts';

const went = (names: string[], reached: number, success = false) => ({ names, reached, success });

describe('where episodes stop', () => {
  test('by hand: of four episodes with two checkpoints, one stops at each place and one succeeds', () => {
    const ab = ['a', 'b'];
    const { stops, score } = stopsOf([went(ab, 0), went(ab, 1), went(ab, 2), went(ab, 2, true)]);
    expect(stops).toEqual([
      { name: 'a', of: 4, passed: 3, stopped: 1 },
      { name: 'b', of: 4, passed: 2, stopped: 1 },
      { name: 'success', of: 4, passed: 1, stopped: 1 },
    ]);
    // shares of three leaves: 0, ⅓, ⅔, 1
    expect(score).toBeCloseTo(0.5, 12);
  });

  test('a level with fewer checkpoints counts where it has them; every episode stops once or succeeds', () => {
    const { stops } = stopsOf([went(['a'], 1), went(['a', 'b', 'c'], 2), went([], 0), went([], 0, true)]);
    expect(stops.map(({ of }) => of)).toEqual([2, 1, 1, 4]);
    expect(stops.reduce((sum, { stopped }) => sum + stopped, 0) + stops.at(-1)!.passed).toBe(4);
  });
});

function measured(changes: Readonly<Record<string, unknown>>, n = 32): { plan: Plan; result: StopsResult } {
  const small = { 'policy.mlp.hidden': [8], 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 8, 'run.seeds': 2 };
  const plan = must(makePlan(configWith({ ...small, ...changes })));
  const own = replicasOf(initialState(plan), plan.S, 1, 1);
  const steps = measureStops(plan, 1, { theta: thetaOf(own) }, n);
  for (;;) {
    const next = steps.next();
    if (next.done) return { plan, result: next.value };
    expect(next.value).toBeGreaterThan(0);
  }
}

describe('measured on a policy that is not trained', () => {
  test('a key, a door and the exit are milestones of Key and door, and fewer episodes reach each later one', () => {
    const { result } = measured({ 'task.grid.level': 'keyDoor' }, 64);
    expect(result.episodes).toBe(64);
    expect(result.stages).toEqual([]);
    expect(result.stops.length).toBeGreaterThan(1);
    result.stops.forEach(({ passed }, k) => k > 0 && expect(passed).toBeLessThanOrEqual(result.stops[k - 1]!.passed));
    expect(result.stops[0]!.passed).toBeGreaterThan(0);
  });

  test('levels in a row have names, and each stage is played: one level succeeds more often than three', () => {
    const { result } = measured({
      ...{ 'task.grid.level': 'corridor', 'task.grid.n': 3, 'task.levelRow.on': true, 'task.levelRow.pieces': 3 },
      ...{ 'task.levelRow.growEvery': 10, 'source.method': 'h1' },
    });
    expect(result.stops.map(({ name }) => name)).toEqual(['level 1 done', 'level 2 done', 'success']);
    expect(result.stages.map(({ episodes }) => episodes)).toEqual([32, 32, 32]);
    expect(result.stages[0]!.successes).toBeGreaterThan(result.stages[2]!.successes);
    expect(result.stops.at(-1)!.passed).toBe(result.stages[2]!.successes);
  });

  test('where nothing is known on the way there is success alone', () => {
    const { result } = measured({ 'task.grid.level': 'empty', 'task.grid.n': 4 }, 16);
    expect(result.stops.at(-1)!.name).toBe('success');
    expect(result.score).toBeGreaterThanOrEqual(0);
    expect(result.score).toBeLessThanOrEqual(1);
  });
});
