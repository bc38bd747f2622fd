import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MILESTONES } from '../../contract/signals.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { carl } from './carl.ts';
import { eapo } from './eapo.ts';
import { gra } from './gra.ts';
import { climb, ladder, LADDERS } from './ladder.ts';
import { milestones } from './milestones.ts';
import { overlong } from './overlong.ts';
import { pbrs } from './pbrs.ts';
import { progress } from './progress.ts';
import { refusals } from './refusals.ts';
import { rlsp } from './rlsp.ts';
import type { RewardModule } from './types.ts';

type Rows = Readonly<Record<string, readonly number[] | number>>;

/** What a module pays over one row of at most T steps, rounded where it is read. */
function paidBy(module: RewardModule, rows: Rows, changes: AnyValues = {}, batches = 0): number[] {
  const { T = 4, B = 1, ...columns } = rows as { T?: number; B?: number };
  const whole = ['length', 'terminated', 'success'];
  const arrays = Object.entries(columns as Record<string, readonly number[]>).map(([name, x]) => [
    name,
    whole.includes(name) ? Uint32Array.from(x) : Float32Array.from(x),
  ]);
  const out = new Float32Array(B * T);
  const batch = { B, T, ...Object.fromEntries(arrays) } as never;
  const memory = { batches: Uint32Array.of(batches) };
  module.run(batch, { ...defaultsOf(module.params), ...changes }, out, memory);
  return Array.from(out, (x) => Math.round(x * 1e6) / 1e6);
}

test('CaRL: what is gained beyond the best so far, times what the step offended; a hard event costs and ends', () => {
  const row = { T: 5, length: [5], completion: [0, 0.5, 0.25, 0.5, 1, 1], hardEvent: [0, 0, 0, 0, 1] };
  // half the way; back; back again for nothing; the other half with a refusal's factor; the end
  const soft = { softPenalty: [1, 1, 1, 1, 1, 1, 0.7, 0.9, 1, 1] };
  expect(paidBy(carl, { ...row, ...soft })).toEqual([0.5, 0, 0, 0.315, -1]);
  const early = { ...row, ...soft, hardEvent: [0, 1, 0, 0, 0] };
  expect(paidBy(carl, early)).toEqual([0.5, -1, 0, 0, 0]);
  expect(paidBy(carl, early, { hardEnds: false, penalty: 2 })).toEqual([0.5, -2, 0, 0.315, 0]);
});

test('CaRL pays at most the completion that is left, however long the agent goes back and forth', () => {
  const states = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(states, (completion) => {
      const T = completion.length - 1;
      const none = { hardEvent: Array<number>(T).fill(0), softPenalty: Array<number>(2 * T).fill(1) };
      const total = paidBy(carl, { T, length: [T], completion, ...none }).reduce((a, b) => a + b, 0);
      expect(total).toBeCloseTo(Math.max(...completion) - completion[0]!, 4);
    }),
  );
});

test('EAPO: the outcome, less by γ for each step before the end; shorter is worth more in every step', () => {
  expect(paidBy(eapo, { length: [3], outcomeScore: [0.5] }, { gamma: 0.5 })).toEqual([0.125, 0.25, 0.5, 0]);
  expect(paidBy(eapo, { length: [2], outcomeScore: [0.5] }, { gamma: 0.5 })).toEqual([0.25, 0.5, 0, 0]);
  expect(paidBy(eapo, { length: [4], outcomeScore: [0] })).toEqual([0, 0, 0, 0]);
});

test('overlong shaping is continuous where the soft end begins, and −1 at the limit', () => {
  const paid = (length: number, terminated: number, cache = 0.4): number =>
    paidBy(overlong, { T: 5, length: [length], terminated: [terminated] }, { cache }).reduce((a, b) => a + b, 0);
  // C = 2 of 5 steps
  expect([1, 2, 3, 4, 5].map((length) => paid(length, 1))).toEqual([0, 0, 0, -0.5, -1]);
  expect(paid(5, 0)).toBe(-1);
  // without a soft end only who is cut pays
  expect([paid(5, 1, 0), paid(5, 0, 0)]).toEqual([0, -1]);
});

test('one-sided progress pays a step forward again after a step back; potential-based shaping does not', () => {
  const there = { length: [4], terminated: [0], phi: [-1, -0.5, -1, -0.5, -1] };
  expect(paidBy(progress, there)).toEqual([0.5, 0, 0.5, 0]);
  const sum = paidBy(pbrs, there, { gamma: 1 }).reduce((a, b) => a + b, 0);
  expect(sum).toBe(0);
  // whatever the way, it never charges, and it pays at least what was gained in the end
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 20 }), (phi) => {
      const T = phi.length - 1;
      const paid = paidBy(progress, { T, length: [T], phi });
      expect(Math.min(...paid)).toBeGreaterThanOrEqual(0);
      expect(paid.reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(phi.at(-1)! - phi[0]! - 1e-4);
    }),
  );
});

test('ERA: milestones are paid once, where they were reached; refused actions cost', () => {
  const never = Array<number>(MILESTONES - 2).fill(-1);
  expect(paidBy(milestones, { length: [4], milestoneStep: [1, 1, ...never] })).toEqual([0, 0.2, 0, 0]);
  expect(paidBy(refusals, { length: [3], invalid: [1, 0, 1, 0] })).toEqual([-0.01, 0, -0.01, 0]);
});

test('RLSP: new states over the step limit, whatever the outcome, and less from update to update', () => {
  const row = { length: [3], novel: [1, 0, 1, 0] };
  expect(paidBy(rlsp, row, { w: 1 })).toEqual([0.25, 0, 0.25, 0]);
  expect(paidBy(rlsp, row, { w: 1 }, 50)).toEqual([0.125, 0, 0.125, 0]);
  expect(paidBy(rlsp, row, { w: 1 }, 100)).toEqual([0, 0, 0, 0]);
  expect(paidBy(rlsp, row, { w: 1, fade: 0 }, 100)).toEqual([0.25, 0, 0.25, 0]);
  expect(paidBy(rlsp, row, { w: 1, pays: 'steps' })).toEqual([0.25, 0.25, 0.25, 0]);
});

test('G-RA of what the world pays on the way: with the outcome in the last step, and nothing of it in an episode that fails', () => {
  const row = (o: number) => ({ length: [3], reward: [0.1, 0, o, 0], outcomeScore: [o] });
  const world = { of: 'world', accumulate: 'sum' };
  expect(paidBy(gra, row(1), world)).toEqual([0.1, 0, 1, 0]);
  expect(paidBy(gra, row(0), world)).toEqual([0, 0, 0, 0]);
  expect(paidBy(gra, row(0), { ...world, gate: 'open' })).toEqual([0.1, 0, 0, 0]);
  expect(paidBy(gra, row(1), { of: 'world' })).toEqual([0, 0, 1.01, 0]);
});

test('a ladder counts the rung that fails and none after it', () => {
  const rungs = [
    { weight: 1, least: 0.5 },
    { weight: 10, least: 0.5 },
    { weight: 100, least: 0 },
  ];
  expect(climb([0.5, 0.25, 1], rungs)).toEqual({ total: 3, opened: 2 });
  expect(climb([0.25, 1, 1], rungs)).toEqual({ total: 0.25, opened: 1 });
  expect(climb([0.25, 1, 1], rungs, false)).toEqual({ total: 110.25, opened: 3 });
});

const episode = {
  ...{ length: [2], success: [1], outcomeScore: [1], grounded: [1, 1, 0, 0], novel: [1, 0, 0, 0] },
  ...{ progress: [0, 0.5, 1, 0, 0] },
};

test('the rungs of the lab, by hand: outcome, possible actions, time left', () => {
  // 1 + 0.5·1 + 0.25·(1 − 2/4), paid at the last step
  expect(paidBy(ladder, episode)).toEqual([0, 1.625, 0, 0]);
  const failed = { ...episode, success: [0], outcomeScore: [0.125] };
  expect(paidBy(ladder, failed)).toEqual([0, 0.125, 0, 0]);
  // PRS: halfway up its schedule the threshold 0.25 is one of 0.125
  expect(paidBy(ladder, failed, { rise: 10 }, 5)).toEqual([0, 0.75, 0, 0]);
  expect(paidBy(ladder, failed, { rise: 10 }, 10)).toEqual([0, 0.125, 0, 0]);
  // counted by their number, possible actions pay for long episodes
  expect(paidBy(ladder, failed, { count: 'number', gated: false })).toEqual([0, 1.25, 0, 0]);
});

test('released ladders: what a success, a well-formed failure and a badly formed success earn', () => {
  const total = (rungs: keyof typeof LADDERS, row: Rows): number =>
    paidBy(ladder, row, { rungs }).reduce((a, b) => a + b, 0);
  const failed = { ...episode, success: [0], outcomeScore: [0.25], progress: [0, 0.5, 0.5, 0, 0] };
  const clumsy = { ...episode, grounded: [1, 0, 0, 0] };
  const earned = (Object.keys(LADDERS) as (keyof typeof LADDERS)[]).map((rungs) => [
    rungs,
    ...[episode, failed, clumsy].map((row) => total(rungs, row)),
  ]);
  expect(earned).toEqual([
    ['prs', 1.625, 0.875, 0.25],
    ['hrm', 1.625, 0, 1.25],
    ['hierSearch', 1, 0.05, 0],
    ['shopR1', 4, 0.75, 0.25],
    ['thor', 1, 0, 0],
    ['toolStar', 1.1, 0, -1],
  ]);
});
