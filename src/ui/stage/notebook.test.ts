import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { noteSentence, notesOf, notesWords, storeIn, storeSentence, writtenIn } from './notebook.ts';
import { worldOf } from './world.ts';

const corridor = { 'task.grid.level': 'corridor', 'task.grid.n': 9, 'task.grid.maxSteps': 6 };

/** An episode of the corridor with two symbols before every step: writes ba, moves, writes bb, moves. */
function episode() {
  const world = worldOf(configWith({ ...corridor, 'task.notes.on': true, 'task.notes.symbols': 2 }), 1)!;
  const { env, level } = world;
  const actions = env.actions(level);
  const names = ['note b', 'note a', 'right', 'note b', 'note b', 'right'];
  const T = names.length;
  const state = new Uint32Array((T + 1) * env.words);
  env.reset(level, state, 0);
  const action = Uint32Array.from(names, (name) => actions.indexOf(name));
  action.forEach((a, t) => {
    const at = (t + 1) * env.words;
    state.copyWithin(at, at - env.words, at);
    env.step(level, state, at, { action: a, seed: 1 }, { reward: 0, flags: 0 });
  });
  const seen = { state, T, words: env.words, length: Uint32Array.of(T), action, actions: [...actions] };
  return { world, seen };
}

test('each step tells the note that it sees and what it writes, and whole notes have the step that ended them', () => {
  const { world, seen } = episode();
  const steps = writtenIn(world, seen, 0);
  expect(steps.map((_, t) => noteSentence(t, steps))).toEqual([
    'Step 1: it has no note yet, and it writes “b”',
    'Step 2: it has no note yet, the next one so far “b”, and it writes “a”',
    'Step 3: it has no note yet, the next one so far “ba”',
    'Step 4: its note says “ba”, and it writes “b”',
    'Step 5: its note says “ba”, the next one so far “b”, and it writes “b”',
    'Step 6: its note says “ba”, the next one so far “bb”',
  ]);
  expect(notesOf(steps)).toEqual([
    { text: 'ba', step: 1 },
    { text: 'bb', step: 4 },
  ]);
  expect(notesWords(steps)).toBe('Notes: “ba” in step 2, “bb” in step 5.');
});

test('a world without notes has none, and more notes than a sentence holds are counted', () => {
  const bare = worldOf(configWith(corridor), 1)!;
  const { seen } = episode();
  expect(writtenIn(bare, seen, 0)).toEqual([]);
  expect(notesWords([])).toBe('No note was written.');
  const many = Array.from({ length: 30 }, (_, t) => ({ note: '', draft: '', writes: t % 2 === 0 ? 'note a' : null }));
  expect(notesWords(many)).toMatch(/“a” in step 23, and 3 more\.$/);
});

test('a store tells each write and read, and what reading an empty slot does', () => {
  const changes = { ...corridor, 'task.notes.on': true, 'task.notes.mode': 'indexed' };
  const world = worldOf(configWith(changes), 1)!;
  const { env, level } = world;
  const actions = env.actions(level);
  const names = ['read 2', 'write 1', 'right', 'read 1'];
  const T = names.length;
  const state = new Uint32Array((T + 1) * env.words);
  env.reset(level, state, 0);
  const action = Uint32Array.from(names, (name) => actions.indexOf(name));
  action.forEach((a, t) => {
    const at = (t + 1) * env.words;
    state.copyWithin(at, at - env.words, at);
    env.step(level, state, at, { action: a, seed: 1 }, { reward: 0, flags: 0 });
  });
  const seen = { state, T, words: env.words, length: Uint32Array.of(T), action, actions: [...actions] };
  const steps = storeIn(world, seen, 0);
  expect(steps.map((_, t) => storeSentence(t, steps))).toEqual([
    'Step 1: it reads slot 2, which is empty, so nothing happens',
    'Step 2: it keeps what it sees in slot 1',
    'Step 3: slot 1 filled',
    'Step 4: it reads slot 1',
  ]);
  expect(storeIn(worldOf(configWith(corridor), 1)!, seen, 0)).toEqual([]);
});
