import { describe, expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { rowOf } from '../envs/perturb/serial.ts';
import { FLAG } from '../envs/types.ts';
import { makePlan, type Plan } from './plan.ts';
import { bySheerLuck, expectAmongOutcomes, played } from './samplePlay.ts';

const CORRIDOR = { 'task.grid.level': 'corridor', 'task.grid.n': 4 };
const row = (changes: Readonly<Record<string, unknown>>): Plan =>
  must(makePlan(configWith({ ...CORRIDOR, 'task.levelRow.on': true, ...changes })));

/** What happens when these actions are played from the start: cell, word in front, flags, reward of each step. */
const walked = (plan: Plan, actions: readonly number[], seed?: number) =>
  played(plan, actions, seed).map(({ state, flags, reward }) => ({
    ...{ cell: plan.env.cell(state, 0), word: state[0]!, flags, reward },
  }));

describe('levels in a row', () => {
  test('the end of one is the start of the next, and only the end of the last one pays and ends', () => {
    const went = walked(row({ 'task.levelRow.pieces': 2 }), [0, 0, 0, 0, 0, 0, 0, 0]);
    expect(went.map(({ cell }) => cell)).toEqual([1, 2, 3, 0, 1, 2, 3, 4]);
    expect(went.map(({ word }) => word)).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
    expect(went.map(({ reward }) => reward)).toEqual([0, 0, 0, 0, 0, 0, 0, 1000]);
    expect(went.at(-1)!.flags).toBe(FLAG.terminated | FLAG.success);
    expect(went.slice(0, -1).every(({ flags }) => flags === 0)).toBe(true);
  });

  test('have the step limit of all of them together, and solutions one after the other', () => {
    const plan = row({ 'task.levelRow.pieces': 3 });
    expect(plan.T).toBe(3 * 12);
    expect(plan.env.shortestPath(plan.level(plan.firstLevelSeed))).toEqual(Array(12).fill(0));
    expect(row({ 'task.levelRow.pieces': 3, 'task.grid.maxSteps': 20 }).T).toBe(20);
  });

  test('h of them succeed about as often as one to the power of h, and no more: time is shared', () => {
    const one = bySheerLuck(must(makePlan(configWith({ ...CORRIDOR, 'task.grid.maxSteps': 200 }))));
    const two = bySheerLuck(row({ 'task.levelRow.pieces': 2, 'task.grid.maxSteps': 200 }));
    expect(two).toBeCloseTo(one * one, 2);
  });

  test('grow one by one where they grow, with the same first levels, and their share of the step limit', () => {
    const plan = row({
      ...{
        'task.levelRow.pieces': 3,
        'task.levelRow.growEvery': 10,
        'task.grid.level': 'fourRooms',
        'task.grid.n': 7,
        'task.levels': 0,
      },
    });
    expect([plan.stages, plan.growEvery]).toEqual([3, 10]);
    const stages = [0, 1, 2].map((stage) => plan.level(64 + stage));
    expect(stages.map((level) => rowOf(level).pieces)).toEqual([1, 2, 3]);
    expect(stages.map((level) => plan.env.maxSteps(level))).toEqual([100, 200, 300]);
    const texts = stages.map((level) => {
      const state = new Uint32Array(plan.env.words);
      plan.env.reset(level, state, 0);
      return plan.env.text(level, state, 0).split('\n').slice(1).join('\n');
    });
    expect(new Set(texts).size).toBe(1);
  });

  test('differ from each other where levels are drawn', () => {
    const plan = row({ 'task.levelRow.pieces': 2, 'task.grid.level': 'fourRooms', 'task.grid.n': 7, 'task.levels': 0 });
    const { rooms } = rowOf(plan.level(64));
    expect(JSON.stringify(rooms[0])).not.toBe(JSON.stringify(rooms[1]));
  });
});

describe('levels that ask for what was found', () => {
  const CARRY = { 'task.levelRow.pieces': 2, 'task.levelRow.carries': true };
  const door = (plan: Plan, m: number): number => plan.actions - 2 + m;

  test('a color is found on the way in; at the end its door is success, the other one the end', () => {
    const plan = row(CARRY);
    const there = walked(plan, Array<number>(8).fill(0));
    const symbol = (there[3]!.word >>> 4) & 7;
    expect([1, 2]).toContain(symbol);
    expect(there[3]!.word & 256).toBe(256);
    expect(there[4]!.word & 256).toBe(0);
    expect(there.at(-1)).toMatchObject({ flags: 0, reward: 0 });
    const last = (m: number) => walked(plan, [...Array<number>(8).fill(0), door(plan, m)]).at(-1)!;
    expect(last(symbol - 1)).toMatchObject({ flags: FLAG.terminated | FLAG.success, reward: 1000 });
    expect(last(2 - symbol)).toMatchObject({ flags: FLAG.terminated, reward: 0 });
  });

  test('doors elsewhere and moves at the doors do nothing but take time', () => {
    const plan = row(CARRY);
    expect(walked(plan, [door(plan, 0)])[0]).toMatchObject({ cell: 0, word: 0, flags: FLAG.noEffect });
    const went = walked(plan, Array<number>(9).fill(0));
    expect(went[8]).toMatchObject({ cell: went[7]!.cell, word: went[7]!.word, flags: FLAG.noEffect });
  });

  test('who guesses is right once in M: luck at the doors divides the chance of independent levels by M', () => {
    const wide = { 'task.grid.maxSteps': 400, 'task.levelRow.symbols': 4 };
    const free = bySheerLuck(row({ ...wide, 'task.levelRow.pieces': 2 }));
    const asked = bySheerLuck(row({ ...CARRY, ...wide }));
    expect(asked).toBeGreaterThan(free / 4 - 0.01);
    expect(asked).toBeLessThan(free / 4 + 0.01);
  });

  test('each color is found equally often', () => {
    const plan = row({ ...CARRY, 'task.levelRow.symbols': 3 });
    const counts = [0, 0, 0];
    for (let seed = 0; seed < 300; seed++) counts[((walked(plan, [0, 0, 0, 0], seed).at(-1)!.word >>> 4) & 7) - 1]!++;
    for (const n of counts) expect(Math.abs(n - 100)).toBeLessThan(30);
  });

  test('a color that is hidden is seen in one step only, and until it is used where it is not', () => {
    const seen = (shown: string): number[] => {
      const plan = row({ ...CARRY, 'task.levelRow.shown': shown });
      const { env, obsWords } = plan;
      const level = plan.level(plan.firstLevelSeed);
      const state = new Uint32Array(env.words);
      env.reset(level, state, 0);
      const bits = new Uint32Array(obsWords);
      const base = env.features(level) - 3;
      return Array.from({ length: 8 }, () => {
        env.step(level, state, 0, { action: 0, seed: 5 }, { reward: 0, flags: 0 });
        env.observe(level, state, 0, bits, 0);
        return [base, base + 1].filter((k) => ((bits[k >>> 5]! >>> (k & 31)) & 1) === 1).length;
      });
    };
    expect(seen('once')).toEqual([0, 0, 0, 1, 0, 0, 0, 0]);
    expect(seen('always')).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
  });
});

test.each([
  { 'task.levelRow.pieces': 3 },
  { 'task.levelRow.pieces': 3, 'task.levelRow.carries': true, 'task.levelRow.symbols': 3 },
  { 'task.grid.level': 'keyDoor', 'task.levelRow.carries': true, 'reward.grid.step': -7 },
  { 'task.grid.level': 'frozenLake4', 'task.levelRow.pieces': 2, 'task.levelRow.carries': true },
])('what a step does is among its outcomes, with keys that tell states apart: %o', (changes) => {
  const choose = ([even, right]: readonly number[], actions: number): number =>
    even! < 0.5 ? 0 : Math.floor(right! * actions);
  expectAmongOutcomes(row(changes), { episodes: 20, steps: 80, choose });
});
