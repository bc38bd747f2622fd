import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Checkpoint } from './run.ts';
import { Timeline } from './timeline.ts';

/** A checkpoint of `bytes` bytes in all. */
function at(update: number, bytes = 40): Checkpoint {
  const array = new Float32Array(bytes / 16);
  return { state: { update, steps: 0, tensors: { theta: array, m: array, v: array, reference: array } }, chain: [] };
}

const words = (timeline: Timeline): string[] =>
  timeline.marks().map(({ update, reasons }) => `${update} ${reasons.map((r) => r.words).join(', ')}`);

/** Takes all that is due until an update; `scores` by update. */
function live(timeline: Timeline, to: number, scores: Record<number, number> = {}, bytes = 32): void {
  for (let u = 0; u <= to; u++) {
    const evaluates = u in scores;
    if (Timeline.isDue(u, evaluates)) timeline.take(at(u, bytes), evaluates);
    if (evaluates) timeline.judge(u, scores[u]!);
  }
}

test('start, powers of two and regular ones are kept, each with its words', () => {
  const timeline = new Timeline();
  live(timeline, 41);
  expect(words(timeline)).toEqual([
    '0 start',
    '1 power of two',
    '2 power of two',
    '4 power of two',
    '8 power of two',
    '16 power of two',
    '20 every 20 updates',
    '32 power of two',
    '40 every 20 updates',
  ]);
});

test('the best evaluation so far is kept, the one it beats is not; equal ones change nothing', () => {
  const timeline = new Timeline();
  live(timeline, 17, { 3: 0.2, 5: 0.9, 11: 0.9, 13: 0.4 });
  expect(timeline.best).toBe(5);
  expect(words(timeline)).toContain('5 best evaluation 0.9');
  expect(timeline.at(3)).toBeUndefined();
  expect(timeline.at(11)).toBeUndefined();
  expect(timeline.at(5)!.state.update).toBe(5);
});

test('a candidate that is not judged yet is not listed, and the best of what is left is named after going back', () => {
  const timeline = new Timeline();
  live(timeline, 20, { 4: 0.5, 10: 0.7 });
  timeline.take(at(15), true);
  expect(timeline.marks().some((m) => m.update === 15)).toBe(false);
  timeline.truncate(8);
  expect(timeline.best).toBe(4);
  expect(timeline.marks().at(-1)!.update).toBe(8);
});

test('alarms and forks are kept under their own words, beside other reasons', () => {
  const timeline = new Timeline();
  live(timeline, 16);
  timeline.keep(at(16), 'alarm', 'alarm: entropy collapse');
  timeline.keep(at(11), 'fork', 'fork: advantage grpo → gigpo');
  expect(words(timeline).slice(-2)).toEqual([
    '11 fork: advantage grpo → gigpo',
    '16 power of two, alarm: entropy collapse',
  ]);
});

test('above the budget regular ones go first; start, best and newest stay, and distances stay bounded', () => {
  const budget = 20 * 32;
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 900 }), fc.integer({ min: 1, max: 90 }), (to, best) => {
      const timeline = new Timeline(budget);
      live(timeline, to, { [best]: 0.8 });
      expect(timeline.bytes).toBeLessThanOrEqual(budget);
      const updates = timeline.marks().map((m) => m.update);
      expect(updates).toContain(0);
      expect(updates).toContain(best);
      expect(updates.at(-1)!).toBeGreaterThan(to - 20);
      const room = 20 - Math.floor(Math.log2(to)) - 4;
      const gaps = updates.slice(1).map((u, k) => u - updates[k]!);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(20 * 2 ** Math.ceil(Math.log2(to / 20 / room) + 1));
      for (let power = 1; power <= to; power *= 2) expect(updates).toContain(power);
    }),
    { numRuns: 40 },
  );
});

test('one checkpoint larger than the budget leaves start, best and newest only', () => {
  const timeline = new Timeline(10);
  live(timeline, 64, { 12: 1 });
  expect(timeline.marks().map((m) => m.update)).toEqual([0, 12, 64]);
});

test('what a timeline leaves behind gives the same timeline again; candidates and the start are not part of it', () => {
  const scores: Record<number, number> = { 3: 0.2, 5: 0.9, 10: 0.7 };
  const timeline = new Timeline();
  live(timeline, 41, scores);
  timeline.take(at(15), true);
  expect(timeline.points().map(({ checkpoint }) => checkpoint.state.update)).toEqual([1, 2, 4, 5, 8, 16, 20, 32, 40]);
  const again = new Timeline();
  again.take(at(0), false);
  again.recall(timeline.points(), (u) => scores[u] ?? null);
  expect(again.marks()).toEqual(timeline.marks());
  again.judge(40, 0.95);
  expect(again.best).toBe(40);
});
