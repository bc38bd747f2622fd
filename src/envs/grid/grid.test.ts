import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backwardInduction } from '../../core/dp.ts';
import { must } from '../../core/problem.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { below, random } from '../../core/random.ts';
import { enumerate } from '../enumerate.ts';
import { FLAG } from '../types.ts';
import { GENERATORS } from './generate.ts';
import { grid, type GridLevel } from './grid.ts';
import { parseMap, writeRows, cellChar } from './level.ts';
import { rewardSettings, taskSettings } from './settings.ts';

function levelOf(changes: AnyValues, seed = 1, rewards: AnyValues = {}): GridLevel {
  return must(
    grid.level({ ...defaultsOf(taskSettings), ...changes }, { ...defaultsOf(rewardSettings), ...rewards }, seed),
  );
}

/** Chance of success of the policy that picks every action equally often. */
function uniformSuccess(level: GridLevel): number {
  const { model } = enumerate(grid, level, 100_000)!;
  const uniform = new Float64Array(model.states * model.actions).fill(1 / model.actions);
  return backwardInduction(model, uniform, grid.maxSteps(level), 1, 'success').V[0]!;
}

describe('exact values', () => {
  test('the uniform policy solves Key and door with probability 0.0303444, in 36 states', () => {
    const level = levelOf({ level: 'keyDoor' });
    expect(Math.abs(uniformSuccess(level) - 0.0303444)).toBeLessThan(5e-8);
    expect(enumerate(grid, level, 1000)!.model.states).toBe(36);
    expect(grid.shortestPath(level)).toHaveLength(8);
  });

  test.each([
    [4, 0.4128],
    [8, 0.1717],
    [12, 0.0759],
    [16, 0.0346],
    [24, 0.00757],
    [32, 0.00172],
  ])('the uniform policy walks a corridor of %i with probability %f', (n, expected) => {
    const success = uniformSuccess(levelOf({ level: 'corridor', n }));
    expect(Math.abs(success - expected)).toBeLessThan(Number(`5e${Math.floor(Math.log10(expected)) - 3}`) * 1.1);
  });

  test('a corridor grows from its goal: the start moves away, three steps a cell, and the table keeps its rows', () => {
    const growing = { level: 'corridor', n: 20, startDistance: 8, growEvery: 5, view: 'index' };
    expect(grid.stages!({ ...defaultsOf(grid.settings), ...growing })).toBe(3);
    const stages = [0, 1, 2].map((stage) => levelOf(growing, 64 + stage));
    expect(stages.map((level) => grid.maxSteps(level))).toEqual([24, 48, 60]);
    expect(stages.map((level) => grid.shortestPath(level)!.length)).toEqual([8, 16, 20]);
    expect(stages.map((level) => grid.features(level))).toEqual([20, 20, 20]);
    // cell 15 stands in the same row of the table, whatever the start was
    const rows = stages.map((level) => {
      const { states } = enumerate(grid, level, 100)!;
      const at = Array.from({ length: 20 }, (_, k) => k * grid.words).find((k) => grid.cell(states, k) === 15)!;
      const bits = new Uint32Array(1);
      grid.observe(level, states, at, bits, 0);
      return bits[0];
    });
    expect(new Set(rows).size).toBe(1);
    // the last stage is the whole corridor, and without growth there is but one
    expect(grid.text(stages[2]!, resetOf(stages[2]!), 0)).toBe(
      grid.text(levelOf({ level: 'corridor', n: 20 }), resetOf(stages[2]!), 0),
    );
    expect(grid.stages!({ ...defaultsOf(grid.settings), level: 'corridor', growEvery: 0 })).toBe(1);
    expect(
      grid.stages!({ ...defaultsOf(grid.settings), level: 'corridor', n: 63, startDistance: 1, growEvery: 1 }),
    ).toBe(8);
  });

  test('on the slippery 4×4 lake the best policy succeeds in 0.7442 of the episodes, the uniform one in 0.0139', () => {
    const level = levelOf({ level: 'frozenLake4' });
    const { model } = enumerate(grid, level, 1000)!;
    expect(backwardInduction(model, null, 100, 1, 'success').V[0]).toBeCloseTo(0.7442, 4);
    expect(uniformSuccess(level)).toBeCloseTo(0.0139, 4);
    expect(model.states).toBe(11);
  });
});

const resetOf = (level: GridLevel): Uint32Array => {
  const state = new Uint32Array(grid.words);
  grid.reset(level, state, 0);
  return state;
};

describe('levels', () => {
  test.each(GENERATORS)('every generated level can be solved: %s', (generator) => {
    for (let seed = 0; seed < 25; seed++) {
      const n = generator === 'fourRooms' ? 7 + 2 * (seed % 3) : 5 + (seed % 4);
      const level = levelOf(
        { level: generator, n, size: 2 + (seed % 2), count: 2, spread: seed % 2 === 0, distractors: seed % 3 },
        seed,
      );
      const state = new Uint32Array(7);
      grid.reset(level, state, 0);
      const path = grid.shortestPath(level);
      expect(path, grid.text(level, state, 0)).not.toBeNull();
      if (level.rules.map.obstacles.length > 0 || level.rules.map.slip[1] !== 1 || level.rules.map.slip[0] > 0)
        continue;
      const result = { reward: 0, flags: 0 };
      for (const action of path!) grid.step(level, state, 0, { action, seed: 1 }, result);
      expect(result.flags & FLAG.success, grid.text(level, state, 0)).toBe(FLAG.success);
    }
  });

  test('the goal lies behind four arms in 11, 5, 3 and 1 of 20 levels, and the number of the state does not tell', () => {
    const count = [0, 0, 0, 0];
    const n = 2000;
    for (let seed = 0; seed < n; seed++) {
      const level = levelOf({ level: 'fourArms', view: 'index' }, seed);
      expect(grid.features(level)).toBe(1);
      count[grid.shortestPath(level)![0]!]!++;
    }
    // three standard errors
    [11, 5, 3, 1].forEach((w, arm) => {
      const p = w / 20;
      expect(Math.abs(count[arm]! / n - p), `arm ${arm}`).toBeLessThan(3 * Math.sqrt((p * (1 - p)) / n));
    });
  });

  test('the same seed gives the same level and another seed another one', () => {
    const text = (seed: number): string => {
      const level = levelOf({ level: 'doorKey', n: 8 }, seed);
      const state = new Uint32Array(7);
      grid.reset(level, state, 0);
      return grid.text(level, state, 0);
    };
    expect(text(5)).toBe(text(5));
    expect(new Set([1, 2, 3, 4, 5, 6].map(text)).size).toBeGreaterThan(3);
  });

  test('writing a map and reading it again changes nothing', () => {
    const cell = fc.constantFrom(...'#.GELO~abcdABCD+$tuwz');
    const rows = fc
      .integer({ min: 2, max: 9 })
      .chain((W) => fc.array(fc.array(cell, { minLength: W, maxLength: W }), { minLength: 1, maxLength: 6 }));
    fc.assert(
      fc.property(rows, (cells) => {
        const body = [['S', 'G', ...cells[0]!.slice(2)], ...cells.slice(1)].map((row) => row.join('')).join('\n');
        const parsed = parseMap(`slip: 1 2 1\nmap:\n${body}`);
        if (!parsed.ok) return;
        const chars = Array.from({ length: parsed.map.W * parsed.map.H }, (_, k) =>
          k === parsed.map.start ? 'S' : cellChar(parsed.map, k),
        );
        const again = parseMap(writeRows(parsed.map, chars));
        expect(again.ok && again.map).toEqual(parsed.map);
      }),
    );
  });

  test('no text whatever makes the parser throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'#.SG1aA:o\n ;slipmap') }), (text) => void parseMap(text)),
    );
  });
});

describe('rules', () => {
  const walk = (
    level: GridLevel,
    steps: number,
    seed: number,
    visit: (state: Uint32Array, action: number, next: Uint32Array, reward: number) => void,
  ): void => {
    const n = grid.actions(level).length;
    const state = new Uint32Array(7);
    const result = { reward: 0, flags: 0 };
    grid.reset(level, state, 0);
    for (let t = 0; t < steps; t++) {
      const before = state.slice();
      const action = below(random(seed, 99, t, 0, 0), n);
      grid.step(level, state, 0, { action, seed }, result);
      visit(before, action, state, result.reward);
      if (state[6]! >>> 16 !== 0) grid.reset(level, state, 0);
    }
  };

  test('states with equal keys behave alike: same words but the clock, same outcomes of every action', () => {
    const level = levelOf({ level: 'keyChain', rooms: 3, maxSteps: 300 });
    const key = new Uint32Array(2);
    const seen = new Map<string, string>();
    walk(level, 2000, 3, (state) => {
      grid.key(level, state, 0, key, 0);
      const behavior = JSON.stringify(
        [0, 1, 2, 3].map((a) => grid.outcomes(level, state, a).map((o) => [...o.state.slice(0, 6), o.reward])),
      );
      const known = seen.get(`${key[0]},${key[1]}`);
      if (known !== undefined) expect(known).toBe(behavior);
      seen.set(`${key[0]},${key[1]}`, behavior);
    });
    expect(seen.size).toBeGreaterThan(10);
  });

  test('a step writes its own seven words only, and nothing changes after the end', () => {
    const level = levelOf({ level: 'cliff', w: 4, h: 3 });
    const states = new Uint32Array(21).fill(0xabcdef01);
    const result = { reward: 0, flags: 0 };
    grid.reset(level, states, 7);
    for (let t = 0; t < 60; t++)
      grid.step(level, states, 7, { action: below(random(4, 99, t, 0, 0), 4), seed: 1 }, result);
    expect([...states.subarray(0, 7), ...states.subarray(14)]).toEqual(Array(14).fill(0xabcdef01));
    const end = states.slice();
    grid.step(level, states, 7, { action: 0, seed: 1 }, result);
    expect(states).toEqual(end);
    expect(result.reward).toBe(0);
  });

  test('how often the ice turns the agent follows its weights', () => {
    const level = levelOf({ level: 'custom', text: 'slip: 1 6 3\nice: all\nmap:\n.....\n.....\nS...G' });
    const counts = { straight: 0, left: 0, right: 0 };
    const result = { reward: 0, flags: 0 };
    const n = 6000;
    for (let seed = 0; seed < n; seed++) {
      const state = new Uint32Array(7);
      grid.reset(level, state, 0);
      state[0] = 6; // the middle of the open part
      grid.step(level, state, 0, { action: 0, seed }, result);
      if (grid.cell(state, 0) === 7) counts.straight++;
      else if (grid.cell(state, 0) === 1) counts.left++;
      else counts.right++;
    }
    // 5 binomial standard deviations: 5·sqrt(6000·0.6·0.4) = 190
    expect(Math.abs(counts.straight - 0.6 * n)).toBeLessThan(190);
    expect(Math.abs(counts.left - 0.1 * n)).toBeLessThan(117);
    expect(Math.abs(counts.right - 0.3 * n)).toBeLessThan(178);
  });

  test('the probabilities of all outcomes sum to 1 and the sampled step is one of them', () => {
    const level = levelOf({ level: 'dynamicObstacles', n: 6, count: 2 });
    walk(level, 150, 8, (state, action, next) => {
      const from = state.slice();
      from[6] = 0;
      const outcomes = grid.outcomes(level, from, action);
      expect(outcomes.reduce((sum, o) => sum + o.numerator / o.denominator, 0)).toBeCloseTo(1, 12);
      expect(outcomes.some((o) => o.state.slice(0, 6).every((w, k) => w === next[k]))).toBe(true);
    });
  });
});
