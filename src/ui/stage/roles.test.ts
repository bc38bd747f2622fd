import { expect, test } from 'vitest';
import { lanesOfRoles, roleSentence } from './roles.ts';

test('lanes are those of the roles that occur, the planner above who acts', () => {
  const steps = ['subgoal', 'action', 'switch', 'action'].map((decides) => ({ decides }));
  expect(lanesOfRoles(steps)).toEqual(['subgoal', 'switch', 'action']);
  expect(lanesOfRoles([{ decides: 'plan' }, { decides: 'action' }])).toEqual(['plan', 'action']);
});

test('a step says who gets what', () => {
  expect(roleSentence(2, 'switch', -0.5)).toMatch(/^Step 3: the switch gets .*0\.5/u);
});
