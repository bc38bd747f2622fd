import { beforeEach, expect, test, vi } from 'vitest';
import { configWith } from '../config/schema.ts';
import type { Problem } from '../core/problem.ts';
import type { Point } from '../engine/timeline.ts';
import type { KeptMark } from '../store/database.ts';
import { CURVES } from '../slots/metrics/metrics.ts';
import { MarkKeeper } from './markKeeper.ts';

/** The database, with room for so many marks. */
const there = vi.hoisted(() => ({ marks: new Map<string, KeptMark>(), room: Infinity, wrote: [] as string[] }));
const keyOf = (run: string, update: number): string => `${run} ${update}`;

vi.mock('../store/marks.ts', async (original) => ({
  ...(await original<typeof import('../store/marks.ts')>()),
  allMarks: () => Promise.resolve([...there.marks.values()]),
  marksOf: (run: string) => Promise.resolve([...there.marks.values()].filter((mark) => mark.run === run)),
  keepMark: (mark: KeptMark, state?: Uint8Array) => {
    const key = keyOf(mark.run, mark.update);
    if (state && there.marks.size >= there.room) return Promise.reject(new DOMException('', 'QuotaExceededError'));
    if (state) there.wrote.push(key);
    there.marks.set(key, mark);
    return Promise.resolve();
  },
  deleteMarks: (run: string, updates?: number[]) => {
    for (const mark of there.marks.values())
      if (mark.run === run && (updates?.includes(mark.update) ?? true)) there.marks.delete(keyOf(run, mark.update));
    return Promise.resolve();
  },
}));

// a browser without locks: no other tab has a run open
vi.stubGlobal('navigator', {});
beforeEach(() => Object.assign(there, { marks: new Map(), room: Infinity, wrote: [] }));

const config = configWith({ 'run.seeds': 1 });
const rowOf = (from: number) => ({ from, values: new Float32Array(CURVES), steps: new Float64Array(1) });
const point = (update: number, words = 'regular'): Point => ({
  checkpoint: { state: { update, steps: 0, tensors: { theta: Float32Array.of(update) } }, chain: [new Uint8Array(32)] },
  reasons: [['regular', words]],
});
const past = (points: readonly Point[], to = 100) => ({ config, points: () => points, rowOf, to });
const kept = (run: string): number[] => [...there.marks.values()].flatMap((m) => (m.run === run ? [m.update] : []));

function keeper(id = 'run') {
  const told: Problem['kind'][] = [];
  return { told, marks: new MarkKeeper(id, ({ kind }) => told.push(kind)) };
}

test('what the timeline has is written once; other words cost no bytes; what it lets go of is deleted', async () => {
  const { marks, told } = keeper();
  const [a, b] = [point(1), point(20)];
  await marks.write(past([a, b]), Infinity);
  await marks.write(past([a, { ...b, reasons: [['best', 'best evaluation 0.9']] }]), Infinity);
  expect(there.wrote).toEqual(['run 1', 'run 20']);
  expect(there.marks.get('run 20')!.reasons).toEqual([['best', 'best evaluation 0.9']]);
  await marks.write(past([a]), Infinity);
  expect(kept('run')).toEqual([1]);
  expect(told).toEqual([]);
});

test('a state of the same update after going back replaces the one of before', async () => {
  const { marks } = keeper();
  await marks.write(past([point(1), point(20)]), Infinity);
  const again = point(20);
  await marks.write(past([again]), Infinity);
  expect(there.wrote).toEqual(['run 1', 'run 20', 'run 20']);
  expect(kept('run')).toEqual([20]);
});

test('without time one is written at each turn, the earliest first, and none that the newest checkpoint does not reach', async () => {
  const { marks } = keeper();
  const all = [point(1), point(2), point(20)];
  await marks.write(past(all, 2), -Infinity);
  expect(kept('run')).toEqual([1]);
  await marks.write(past(all, 2), -Infinity);
  await marks.write(past(all, 2), -Infinity);
  expect(kept('run')).toEqual([1, 2]);
});

test('what an earlier life has left and nobody has read is deleted', async () => {
  await keeper().marks.write(past([point(1), point(20)]), Infinity);
  await keeper().marks.write(past([]), Infinity);
  expect(kept('run')).toEqual([]);
});

test('without room the marks of the oldest other run go first, then the earliest of this one; each is said', async () => {
  await keeper('older').marks.write(past([point(1), point(2)]), Infinity);
  there.room = 2;
  const { marks, told } = keeper();
  const all = [point(1), point(2), point(20)];
  await marks.write(past(all), Infinity);
  expect(kept('older')).toEqual([]);
  expect(kept('run')).toEqual([2, 20]);
  expect(told).toEqual(['marksRemoved', 'marksNotKept']);
  // what was given up is not tried again
  await marks.write(past(all), Infinity);
  expect(kept('run')).toEqual([2, 20]);
  expect(told).toHaveLength(2);
});

test('where nothing can be written at all, that is said once and nothing throws', async () => {
  there.room = 0;
  const { marks, told } = keeper();
  await marks.write(past([point(1), point(2)]), Infinity);
  await marks.write(past([point(1), point(2), point(4)]), Infinity);
  expect(kept('run')).toEqual([]);
  expect(told).toEqual(['marksNotKept']);
});
