import { expect, test } from 'vitest';
import { horizonRows, horizonSentence, signsSentence } from './horizonWords.ts';

const level = {
  ...{ T: 50, actions: 4, states: 24, isChance: false, k: 7 },
  found: { H: 7, k: 7, m: 1, steps: 40_960_000 },
  bound: { H: 16.49, k: 7, steps: 2.1e13 },
  sqirl: { m: 2, steps: 5000 },
};

test('a level that misleads says how far one has to plan, and names steps that a person can read', () => {
  expect(horizonSentence(level)).toContain('plan 7 steps exactly');
  expect(horizonRows(level).map(([, number]) => number)).toEqual(['24, 50', '7', '7', '41.0 M', '16.5', '5.0 k']);
});

test('where chance leaves the bound alone, H and the steps are those of the bound', () => {
  const chance = { ...level, isChance: true, k: 1, found: null };
  expect(horizonSentence(chance)).toContain('its bound alone');
  expect(horizonRows(chance).map(([, number]) => number)).toEqual([
    '24, 50',
    '1',
    'at most 16.5',
    '10^13',
    '16.5',
    '5.0 k',
  ]);
});

test('signs are told nearest the goal and farthest from it, or once where there is one distance', () => {
  const signs = {
    distance: [5, 30],
    states: [1, 1],
    right: [
      [1, 0.6],
      [1, 0.7],
      [0.95, 0.85],
    ],
  };
  expect(signsSentence(signs)).toBe(
    '5 steps from the goal the sign is right in 100 % of tables with single steps and 95 % with options of 4 steps; ' +
      '30 steps from the goal the sign is right in 60 % of tables with single steps and 85 % with options of 4 steps.',
  );
  const near = { distance: [5], states: [1], right: [[1], [1], [0.95]] };
  expect(signsSentence(near)).toMatch(/options of 4 steps\.$/);
});
