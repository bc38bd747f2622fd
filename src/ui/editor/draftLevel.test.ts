import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { environments } from '../../envs/registry.ts';
import { ownLevelOf, problemWith, sourceWith, textToEdit } from './draftLevel.ts';
import { mistake } from './Verdict.tsx';

const config = configWith({});
const own = ownLevelOf(config)!;

test('every environment has a place for a level of one’s own, and its text can be edited', () => {
  for (const { id } of environments) {
    const changed = configWith({ 'task.method': id });
    const place = ownLevelOf(changed)!;
    expect([place.choice, place.value, place.maxLength > 100], id).toEqual(['level', 'custom', true]);
    const text = textToEdit(changed, place, 1);
    expect(problemWith(changed, place, text), `${id}:\n${text}`).toBeNull();
  }
});

test('the level on the stage becomes text with its start', () => {
  expect(textToEdit(config, own, 1)).toBe('S...a\n.#.#.\n.#.#.\n.#.#.\n....E');
  const mine = configWith({ 'task.grid.level': 'custom', 'task.grid.text': 'SG?' });
  expect(textToEdit(mine, own, 1)).toBe('SG?');
});

test('a mistake is told with line and column, by the words of the parser', () => {
  const problem = problemWith(config, own, 'S..\n.SG');
  expect(problem && mistake(problem)).toBe('Line 2, column 2: There is a second start; a level has one.');
  expect(problemWith(config, own, 'S.G')).toBeNull();
});

test('the source of an edited level makes that level, whatever the draft had chosen', () => {
  const { settings, rewards } = sourceWith(configWith({ 'task.grid.view': 'index' }), own, 'S.G');
  expect([settings['level'], settings['text'], settings['view']]).toEqual(['custom', 'S.G', 'planes']);
  expect(own.env.level(settings, rewards, 1).ok).toBe(true);
});
