import { describe, expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { trainingContext } from '../../contract/taskContext.ts';
import type { TaskOutcome } from '../../contract/tasks.ts';
import { h1 } from './h1.ts';
import type { SourceState } from './types.ts';

const sizes = { P: 16, G: 4, levels: 0, stages: 4, growEvery: 10 };
const rule = { ...defaultsOf(h1.params), rows: 32 };
const context = (update: number) => trainingContext(sizes, 1, update);

function stateOf(): SourceState {
  return Object.fromEntries(
    Object.entries(h1.state!(rule, 0, 1)).map(([name, { type, width }]) => [
      name,
      type === 'f64' ? new Float64Array(width as number) : new Uint32Array(width as number),
    ]),
  );
}

/** Plays an update whose groups succeed as often as `of` says; the stages of its tasks. */
function update(state: SourceState, u: number, of: (stage: number) => number, params: typeof rule = rule): number[] {
  const tasks = h1.next(state, context(u), params);
  const outcomes = tasks.map((task): TaskOutcome => {
    const success = of(task.levelSeed & 7);
    return { task, tries: 4, success, returnMean: 0, returnSpread: 0, creditSize: NaN, valueError: NaN };
  });
  h1.report!(state, outcomes, context(u), params);
  return tasks.map(({ levelSeed }) => levelSeed & 7);
}

describe('h1', () => {
  test('begins with one piece and adds another as soon as the latest 32 episodes succeed often enough', () => {
    const state = stateOf();
    expect(new Set(update(state, 0, () => 0.5))).toEqual(new Set([0]));
    expect(state['stage']![0]).toBe(0);
    update(state, 1, () => 0.75);
    expect(state['stage']![0]).toBe(1);
    expect(Math.max(...update(state, 2, () => 0))).toBe(1);
  });

  test('does not count rehearsals, nor fewer episodes than it measures over', () => {
    const state = stateOf();
    state['stage']![0] = 2;
    update(state, 0, (stage) => (stage < 2 ? 1 : 0.25));
    expect(state['stage']![0]).toBe(2);
    update(state, 1, () => 1, { ...rule, rows: 500 });
    expect(state['stage']![0]).toBe(2);
    expect(state['reached']![0]).toBeNaN();
  });

  test('rehearses a quarter of the tasks, all earlier stages alike', () => {
    const counts = [0, 0, 0, 0];
    const state = stateOf();
    state['stage']![0] = 3;
    for (let u = 0; u < 60; u++) for (const task of h1.next(state, context(u), rule)) counts[task.levelSeed & 7]!++;
    const all = 60 * sizes.P;
    expect(Math.abs(counts[3]! / all - 0.75)).toBeLessThan(0.05);
    for (const n of counts.slice(0, 3)) expect(Math.abs(n / all - 0.25 / 3)).toBeLessThan(0.03);
  });

  test('goes on after “Grow every” updates at the latest, and by these alone where it is told so', () => {
    for (const advance of ['success', 'updates'] as const) {
      const state = stateOf();
      const stages = Array.from({ length: 45 }, (_, u) => {
        update(state, u, () => 0, { ...rule, advance });
        return state['stage']![0]!;
      });
      expect([8, 9, 18, 19, 28, 29, 44].map((u) => stages[u])).toEqual([0, 1, 1, 2, 2, 3, 3]);
    }
    const eager = stateOf();
    for (let u = 0; u < 9; u++) update(eager, u, () => 1, { ...rule, advance: 'updates' });
    expect(eager['stage']![0]).toBe(0);
  });

  test('a task without stages is played as it is', () => {
    const whole = trainingContext({ ...sizes, stages: 1 }, 1, 0);
    expect(h1.next(stateOf(), whole, rule).map(({ levelSeed }) => levelSeed)).toEqual(
      Array.from({ length: 16 }, (_, p) => whole.fresh(p)),
    );
  });
});
