import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { checkRules } from '../config/rules.ts';
import { backwardInduction } from '../core/dp.ts';
import { must } from '../core/problem.ts';
import { below, random } from '../core/random.ts';
import { enumerate } from '../envs/enumerate.ts';
import { FLAG } from '../envs/types.ts';
import { makePlan, type Plan } from './plan.ts';

const planOf = (changes: Record<string, unknown>): Plan =>
  must(makePlan(configWith({ 'task.question.on': true, ...changes })));
const corridor = { 'task.grid.level': 'corridor', 'task.grid.n': 6, 'task.grid.maxSteps': 12 };
const WORLDS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['grid-world', { 'task.grid.level': 'empty', 'task.grid.n': 4 }],
  ['grid-world with slip', { 'task.grid.level': 'keyDoor', 'task.grid.slip': [1, 5, 2] }],
  ['text-maze', { 'task.method': 'textmaze', 'task.textmaze.level': 'tree', 'task.textmaze.rooms': 5 }],
];

test('corridor by hand: each sign excludes one wrong answer, the goal of the world ends nothing, an answer ends all', () => {
  const plan = planOf({ ...corridor, 'task.question.answers': 3, 'task.question.signs': 2 });
  const { env, actionNames, firstLevelSeed } = plan;
  expect(actionNames).toEqual(['right', 'left', 'answer red', 'answer blue', 'answer green']);
  const level = plan.level(firstLevelSeed);
  for (const seed of [1, 2, 3, 4, 5]) {
    const truth = env.asks!.truth(seed);
    const state = new Uint32Array(env.words);
    const result = { reward: 0, flags: 0 };
    env.reset(level, state, 0);
    for (let t = 0; t < 7; t++) env.step(level, state, 0, { action: 0, seed }, result);
    // all that is left is the truth; the goal in cell 6 was passed
    expect(state[0]! & 15).toBe(7 & ~(1 << truth));
    expect(result.flags & 15).toBe(0);
    const right = state.slice();
    env.step(level, right, 0, { action: 2 + truth, seed }, result);
    expect(result).toEqual({ reward: 1000, flags: FLAG.terminated | FLAG.success });
    env.step(level, state, 0, { action: 2 + ((truth + 1) % 3), seed }, result);
    expect(result).toEqual({ reward: 0, flags: FLAG.terminated });
  }
});

test('exact values by hand: four answers and three signs can be known for sure, and at once one in four is right', () => {
  const plan = planOf(corridor);
  const { env, firstLevelSeed } = plan;
  const level = plan.level(firstLevelSeed);
  const { model } = enumerate(env, level, 10_000)!;
  expect(backwardInduction(model, null, 12).V[0]).toBeCloseTo(1, 9);
  expect(backwardInduction(model, null, 1).V[0]).toBeCloseTo(0.25, 9);
});

test.each(WORLDS)('over many episodes of %s, steps lead where outcomes say, as often as they say', (_, changes) => {
  const plan = planOf(changes);
  const { env, firstLevelSeed, actions } = plan;
  const level = plan.level(firstLevelSeed);
  const result = { reward: 0, flags: 0 };
  const met = new Map<string, { seen: Map<string, number>; n: number; expected: Map<string, number> }>();
  const name = (state: Uint32Array, flags: number): string => `${state.slice(0, -1).join()} ${flags & 13}`;
  for (let seed = 0; seed < 3000; seed++) {
    const state = new Uint32Array(env.words);
    env.reset(level, state, 0);
    for (let t = 0; t < 5; t++) {
      const action = below(random(7, 77, t, seed % 40, 0), actions);
      const before = `${state.slice(0, -1).join()} ${action}`;
      let of = met.get(before);
      if (!of) {
        const expected = new Map<string, number>();
        for (const o of env.outcomes(level, state, action)) {
          const key = name(o.state, o.flags);
          expected.set(key, (expected.get(key) ?? 0) + o.numerator / o.denominator);
        }
        met.set(before, (of = { seen: new Map(), n: 0, expected }));
      }
      env.step(level, state, 0, { action, seed }, result);
      const key = name(state, result.flags);
      expect([...of.expected.keys()]).toContain(key);
      of.seen.set(key, (of.seen.get(key) ?? 0) + 1);
      of.n++;
      if ((result.flags & 15) !== 0) break;
    }
  }
  for (const { seen, n, expected } of met.values()) {
    expect([...expected.values()].reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
    // five standard deviations of a share
    if (n > 200)
      for (const [key, p] of expected)
        expect(Math.abs((seen.get(key) ?? 0) / n - p)).toBeLessThan(5 * Math.sqrt(0.25 / n));
  }
});

test('a level without room for the signs is refused in a sentence, and IGPO without a question says what it lacks', () => {
  const told = (changes: Record<string, unknown>): string[] =>
    checkRules(configWith(changes)).map(({ path, message }) => `${path} ${message}`);
  const alone = { 'task.grid.level': 'custom', 'task.grid.text': 'S#G', 'task.question.on': true };
  expect(told(alone)).toContain('task.question.on needs a level in which there is more than one place to be');
  const crowded = { 'task.grid.level': 'dynamicObstacles', 'task.grid.count': 4, 'task.question.on': true };
  expect(told(crowded)).toContain('task.question.on needs a world in which less moves by chance');
  // too many states to list: signs stand among the first
  expect(told({ 'task.method': 'textmaze', 'task.question.on': true }).join()).not.toContain('task.question.on needs');
  expect(told({ 'advantage.method': 'igpo' })).toContain(
    'advantage.method only compares outcomes: the world asks no question',
  );
  expect(told({ 'advantage.method': 'rlvmr' })).toContain(
    'advantage.method only compares outcomes: actions have no tags here',
  );
});

test('a ladder whose easiest level has one place to be is refused, whatever level comes first', () => {
  const ladder = {
    'task.method': 'textmaze',
    'task.textmaze.level': 'ladder',
    'task.levels': 0,
    'task.question.on': true,
  };
  for (let seed = 1; seed <= 8; seed++)
    expect(makePlan(configWith({ ...ladder, 'run.seed': seed }))).toMatchObject({
      ok: false,
      problem: { issues: [{ path: 'task.question.on' }] },
    });
});
