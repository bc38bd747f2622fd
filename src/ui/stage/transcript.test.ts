import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { act, newGame } from './play.ts';
import { linesOf, linesOfGame } from './transcript.ts';
import { spoken } from './words.ts';
import { worldOf } from './world.ts';

test('what is said begins, then each command is followed by its answer', () => {
  expect(linesOf([['you are in hall .', 'exits none .'], ['no way .']], ['', 'go east'])).toEqual([
    { who: 'world', text: 'You are in hall. Exits none.' },
    { who: 'agent', text: 'go east' },
    { who: 'world', text: 'No way.' },
  ]);
});

test('sentences of a language are written as people write them', () => {
  expect([spoken('what .'), spoken('here red key lamp .'), spoken('Done')]).toEqual([
    'What.',
    'Here red key lamp.',
    'Done.',
  ]);
});

test('a world that does not speak has no transcript', () => {
  expect(linesOfGame(act(newGame(worldOf(configWith({}), 1)!, null, 1), 0))).toEqual([]);
});
