import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backwardInduction } from '../../core/dp.ts';
import { below, random } from '../../core/random.ts';
import type { AnyValues } from '../../core/settings.ts';
import { enumerate } from '../enumerate.ts';
import { FLAG } from '../types.ts';
import { COMMANDS, SYNTAX } from './commands.ts';
import { EVENT } from './rules.ts';
import { anySeed, anyTask, levelOf, MANY_DOORS, play, torus, wander } from './samples.ts';
import { LMRL } from './settings.ts';
import { textmaze, type TextmazeLevel } from './textmaze.ts';

describe('exact values', () => {
  const uniformSuccess = (level: TextmazeLevel): number => {
    const { model } = enumerate(textmaze, level, 100_000)!;
    const uniform = new Float64Array(model.states * model.actions).fill(1 / model.actions);
    return backwardInduction(model, uniform, textmaze.maxSteps(level), 1, 'success').V[0]!;
  };

  test.each([
    [2, 1, 'take', 0, 4, 4, '2.8e-2'],
    [3, 1, 'take', 0, 7, 5, '1.7e-2'],
    [6, 2, 'take', 0, 22, 11, '1.1e-4'],
    [8, 3, 'bring', 0, 41, 18, '5.3e-8'],
    [12, 4, 'take', 0, 74, 30, '2.9e-13'],
    [16, 4, 'bring', 1, 117, 30, '5.0e-12'],
  ])(
    '%i rooms, %i doors, %s: states, shortest way, success of the uniform policy',
    (rooms, chain, goal, loops, states, shortest, success) => {
      const level = levelOf({ level: 'tree', rooms, chain, goal, loops, metaActions: false }, 42);
      expect(enumerate(textmaze, level, 1000)!.model.states).toBe(states);
      expect(textmaze.maxSteps(level)).toBe(10 * rooms);
      expect(textmaze.shortestPath(level)).toHaveLength(shortest);
      expect(uniformSuccess(level).toExponential(1)).toBe(success);
    },
  );

  test('the lessons have 4 and 7 states and take 4 and 6 commands', () => {
    for (const [id, states, shortest] of [
      ['twoRooms', 4, 4],
      ['threeRooms', 7, 6],
    ] as const) {
      const level = levelOf({ level: id });
      expect(enumerate(textmaze, level, 100)!.model.states).toBe(states);
      expect(textmaze.shortestPath(level)).toHaveLength(shortest);
    }
  });

  test('every generated level can be solved by its shortest path', () => {
    fc.assert(
      fc.property(anyTask, anySeed, (task, seed) => {
        const level = levelOf({ ...task, distract: false }, seed);
        const path = textmaze.shortestPath(level);
        const names = textmaze.actions(level);
        expect(
          play(
            level,
            path!.map((a) => names[a]!),
          ).flags & FLAG.success,
        ).toBe(FLAG.success);
      }),
      { numRuns: 60 },
    );
  });

  test('with slip the outcomes sum to 1, and the step taken is one of them', () => {
    const level = levelOf({ level: 'custom', text: MANY_DOORS, slip: [2, 5, 1], maxSteps: 200 });
    wander(level, 1500, 4, (state, action, next, flags) => {
      if (action === SYNTAX) return;
      const outcomes = textmaze.outcomes(level, state, action);
      expect(outcomes.reduce((sum, o) => sum + o.numerator / o.denominator, 0)).toBeCloseTo(1, 12);
      const isSame = (o: (typeof outcomes)[number]): boolean =>
        o.state[0] === next[0] && o.state[1] === next[1] && (o.flags & FLAG.invalid) === (flags & FLAG.invalid);
      expect(outcomes.some(isSame)).toBe(true);
    });
  });

  test('states with equal keys behave alike, whatever was seen and said before', () => {
    const level = levelOf({ level: 'tree', rooms: 5, chain: 2, maxSteps: 500 }, 3);
    const key = new Uint32Array(2);
    const seen = new Map<string, string>();
    const words = new Set<string>();
    wander(level, 3000, 3, (state) => {
      textmaze.key(level, state, 0, key, 0);
      const name = `${key[0]},${key[1]}`;
      const behavior = JSON.stringify(
        COMMANDS.map((_, a) =>
          textmaze.outcomes(level, state, a).map((o) => {
            textmaze.canonical!(level, o.state, 0, 'world');
            return [...o.state, o.reward];
          }),
        ),
      );
      expect(seen.get(name) ?? behavior).toBe(behavior);
      seen.set(name, behavior);
      words.add(state.slice(0, 3).join());
    });
    expect(words.size).toBeGreaterThan(2 * seen.size);
  });
});

describe('rules', () => {
  test('a step writes its own four words only, and nothing changes after the end', () => {
    const level = levelOf({ level: 'twoRooms' });
    const states = new Uint32Array(12).fill(0xabcdef01);
    const result = { reward: 0, flags: 0 };
    textmaze.reset(level, states, 4);
    for (let t = 0; t < 30; t++)
      textmaze.step(level, states, 4, { action: below(random(4, 99, t, 0, 0), 18), seed: 1 }, result);
    expect([...states.subarray(0, 4), ...states.subarray(8)]).toEqual(Array(8).fill(0xabcdef01));
    const end = states.slice();
    textmaze.step(level, states, 4, { action: 15, seed: 1 }, result);
    expect(states).toEqual(end);
    expect(result).toEqual({ reward: 0, flags: FLAG.truncated });
  });

  test('unlocking opens every door of the color around, at one reward', () => {
    const level = levelOf({ level: 'custom', text: MANY_DOORS }, 1, { subgoal: 100 });
    const { state, reward, flags } = play(level, ['take red key', 'unlock red door']);
    expect([state[1], reward, flags]).toEqual([0b11, 100, EVENT.unlock]);
  });

  test('an item that nobody asked for is taken without a reward', () => {
    const level = levelOf({ level: 'custom', text: MANY_DOORS }, 1, { subgoal: 100 });
    expect(play(level, ['take cup'])).toMatchObject({ reward: 0, flags: EVENT.item });
  });

  test('all 32 ways have a bit of their own', () => {
    const level = levelOf({ level: 'custom', text: torus(), maxSteps: 500 });
    const keys = ['red', 'blue', 'green', 'yellow'].map((color) => `take ${color} key`);
    const unlock = ['red', 'blue', 'green', 'yellow'].map((color) => `unlock ${color} door`);
    const row = Array(4)
      .fill(['go east', ...unlock])
      .flat() as string[];
    const { state } = play(level, [
      ...keys,
      ...Array(4)
        .fill([...row, 'go south'])
        .flat(),
    ] as string[]);
    expect(state[1]).toBe(0xffffffff);
  });

  test('words that are no command cost their own reward instead of that of a refusal', () => {
    const level = levelOf({ level: 'twoRooms', metaActions: false }, 1, { invalid: -10, syntax: -50, step: -1 });
    const flags = FLAG.invalid | FLAG.noEffect | EVENT.syntax;
    for (const words of ['go up', '', 'plan', 'recall', 'take red key lamp', '<stop>'])
      expect(play(level, [words])).toMatchObject({ reward: -51, flags });
    expect(play(level, ['go east'])).toMatchObject({ reward: -11, flags: FLAG.invalid | FLAG.noEffect });
  });

  test('the goal is checked after every command, whatever it was', () => {
    const level = levelOf({ level: 'custom', text: 'rooms: hall\nstart: hall\ngoal: reach hall' });
    expect(play(level, ['jump']).flags & FLAG.success).toBe(FLAG.success);
  });

  test('how often the way turns follows the weights of slip', () => {
    const text =
      'rooms: hall attic vault tower\nstart: hall\nedge: hall east attic\nedge: hall north vault\nedge: hall south tower\ngoal: take cup\nitem: cup tower';
    const level = levelOf({ level: 'custom', text, slip: [1, 6, 3] });
    const counts = [0, 0, 0, 0];
    const n = 6000;
    for (let seed = 0; seed < n; seed++) counts[play(level, ['go east'], seed).state[0]! & 15]!++;
    // 5 binomial standard deviations: 5·sqrt(6000·p·(1 − p))
    expect(Math.abs(counts[1]! - 0.6 * n)).toBeLessThan(190);
    expect(Math.abs(counts[2]! - 0.1 * n)).toBeLessThan(117);
    expect(Math.abs(counts[3]! - 0.3 * n)).toBeLessThan(178);
    expect(play(level, ['take cup'], 1).state[0]).toBe(0);
  });

  test('a command is legal under the mask exactly if it is not refused', () => {
    const task = { level: 'custom', text: MANY_DOORS, maskActions: true, maxSteps: 300 };
    const level = levelOf(task);
    wander(level, 3000, 6, (state, action, _next, flags) => {
      if (action === SYNTAX) return;
      const isLegal = ((textmaze.legal(level, state, 0) >>> action) & 1) === 1;
      expect(isLegal).toBe((flags & FLAG.invalid) === 0);
    });
    expect(textmaze.legal(levelOf({ ...task, maskActions: false }), new Uint32Array(4), 0)).toBe(0xffffffff);
  });

  test('in the manner of LMRL-Gym there are no doors, a step costs 1 and words that are no command 4 more', () => {
    const level = levelOf(LMRL.settings, 9, LMRL.rewards);
    expect(level.rules.maze.ways.every(({ color }) => color < 0)).toBe(true);
    expect([play(level, ['look']).reward, play(level, ['jump']).reward]).toEqual([-1000, -5000]);
    const path = textmaze.shortestPath(level)!.map((a) => COMMANDS[a]!);
    const end = play(level, path);
    expect([end.reward, end.flags & FLAG.success]).toEqual([-1000, FLAG.success]);
  });

  test('settings that make no sense are refused in words', () => {
    const refuse = (changes: AnyValues): string => {
      try {
        levelOf(changes);
      } catch (error) {
        return (error as Error).message;
      }
      return 'accepted';
    };
    expect(refuse({ slip: [0, 0, 0] })).toContain('needs at least one weight above 0');
    expect(refuse({ level: 'custom', text: 'rooms: moon' })).toContain('"line":1,"column":8');
    expect(refuse({ level: 'custom', text: torus(), view: 'index' })).toContain('too many for a table');
  });
});
