import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { budgetOf, budgetWords, hintIn, lanesOf, recalledIn, toldIn, toldSentence } from './dealt.ts';
import { worldOf } from './world.ts';

test('a step is within its budget, the last one within it, or over it', () => {
  expect([0, 4, 5, 7].map((t) => budgetWords(t, 5))).toEqual([
    'Step 1 of a budget of 5: 4 left',
    'Step 5 of a budget of 5: the last one within it',
    'Step 6 of a budget of 5: 1 over it',
    'Step 8 of a budget of 5: 3 over it',
  ]);
});

test('the budget and what the teacher says are read from the states of a batch, and nothing where there is neither', () => {
  const world = worldOf(configWith({ 'task.stepBudget.on': true, 'task.teacher.on': true }), 1)!;
  const { env, level } = world;
  const state = new Uint32Array(2 * env.words);
  env.reset(level, state, 0);
  const seen = { state, T: 1, words: env.words, length: Uint32Array.of(1) };
  // the level itself has the largest budget and no teacher
  expect(budgetOf(world, seen, 0)).toBe(21);
  expect(toldIn(world, seen, 0)).toEqual(['']);
  const taught = env.deal!.level(level, env.deal!.count - 1);
  env.reset(taught, state, 0);
  expect(budgetOf(world, seen, 0)).toBe(8);
  expect(toldIn(world, seen, 0)).toEqual(['take red key']);
  const bare = worldOf(configWith({}), 1)!;
  expect(budgetOf(bare, { ...seen, words: bare.env.words }, 0)).toBeNull();
});

test('each subgoal has one lane, and silence none', () => {
  const told = ['take red key', 'take red key', '', 'reach goal'];
  expect(lanesOf(told)).toEqual(['take red key', 'reach goal']);
  expect(toldSentence(told, 1)).toBe('Step 2: the teacher says “take red key”');
  expect(toldSentence(told, 2)).toBe('Step 3: nobody tells it what to do');
});

test('the hint of an episode is read from its states, and there is none where nobody gave one', () => {
  const world = worldOf(configWith({ 'task.hints.on': true }), 1)!;
  const { env, level } = world;
  const state = new Uint32Array(2 * env.words);
  const seen = { state, T: 1, words: env.words, length: Uint32Array.of(1) };
  env.reset(level, state, 0);
  expect(hintIn(world, seen, 0, 0)).toBeNull();
  env.reset(env.deal!.level(level, 6), state, 0);
  expect(hintIn(world, seen, 0, 0)).toMatch(/^Hint 6 of 12, planning: (east|north|west|south)$/);
  expect(hintIn(worldOf(configWith({}), 1)!, { ...seen, words: env.words - 1 }, 0, 0)).toBeNull();
});

test('what the library knew is read from the states of an episode', () => {
  const world = worldOf(configWith({ 'task.library.on': true }), 1)!;
  const { env, level } = world;
  const state = new Uint32Array(2 * env.words);
  const seen = { state, T: 1, words: env.words, length: Uint32Array.of(1) };
  env.reset(level, state, 0);
  expect(recalledIn(world, seen, 0, 0)).toBe('The library knows nothing of this state.');
  const counts = new Float32Array(2 * env.actions(level).length);
  counts[1] = 3;
  env.recalls!.write(level, state, 0, counts);
  expect(recalledIn(world, seen, 0, 0)).toBe(`The library knows this state: good: ${env.actions(level)[1]}.`);
  expect(recalledIn(worldOf(configWith({}), 1)!, seen, 0, 0)).toBeNull();
});
