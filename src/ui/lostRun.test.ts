import { expect, test } from 'vitest';
import { canonicalJson } from '../config/canonical.ts';
import { problemText } from '../config/problems.ts';
import { configWith } from '../config/schema.ts';
import { isWorthAsking, lostRun } from './lostRun.ts';

const config = configWith({ 'run.updates': 40 });
const note = JSON.stringify({ update: 12, updates: 40, config: canonicalJson(config) });

test('a note of the page before tells what was lost, and whether Run repeats it', () => {
  const same = lostRun(note, config)!;
  expect(same).toEqual({ kind: 'runLost', update: 12, updates: 40, isSame: true, hasDied: false });
  expect(problemText(same).sentence).toContain('update 12 of 40');
  expect(problemText(same).way).toContain('bit for bit');
  const other = lostRun(note, configWith({ 'run.seed': 2 }))!;
  expect(other).toMatchObject({ isSame: false });
  expect(problemText(other).way).not.toContain('bit for bit');
});

test('the mark of a page that died tells that it died', () => {
  const died = lostRun(note, config, true)!;
  expect(problemText(died).title).toBe('The last run stopped unexpectedly');
  expect(problemText(died).way).toContain('bit for bit');
});

test('no note, and none that this page wrote, tells nothing', () => {
  for (const text of [null, '', 'no JSON', 'null', '{}', '{"update":"1","updates":2}']) {
    expect(lostRun(text, config)).toBeNull();
  }
});

test('the page asks before a run of more than a minute that has not ended is left', () => {
  expect(isWorthAsking({ state: 'running', update: 5 }, 61_000)).toBe(true);
  expect(isWorthAsking({ state: 'paused', update: 5 }, 61_000)).toBe(true);
  expect(isWorthAsking({ state: 'running', update: 5 }, 59_000)).toBe(false);
  expect(isWorthAsking({ state: 'finished', update: 5 }, 61_000)).toBe(false);
  expect(isWorthAsking({ state: 'ready', update: 0 }, 61_000)).toBe(false);
});
