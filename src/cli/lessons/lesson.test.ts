import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { sampleLesson } from '../../lessons/format/sampleLesson.ts';
import { lessonCommand } from './lesson.ts';

const folder = mkdtempSync(join(tmpdir(), 'lesson-'));
afterAll(() => rmSync(folder, { recursive: true }));
const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  for (const where of ['log', 'error'] as const) vi.spyOn(console, where).mockImplementation((line) => said.push(line));
});

/** The exit code for a lesson file with some changes. */
function run(changes: Readonly<Record<string, unknown>>): Promise<number> {
  const path = join(folder, 'lesson.yaml');
  writeFileSync(path, JSON.stringify(sampleLesson(changes)));
  return lessonCommand({ words: ['lesson', path], options: {}, sets: [] });
}
const wrong = {
  id: 'learned',
  says: 'It always does.',
  value: 'mean(last(a, success))',
  atLeast: 1.1,
  source: 'exact',
};

test('a lesson that holds ends with 0 and prints each check', async () => {
  expect(await run({})).toBe(0);
  expect(said.at(-1)).toMatch(/^holds {5}learned: It finds the door\. 0\.\d+ \(expected: at least 0\.5; exact\)$/);
});

test('a check that does not hold ends with 1', async () => {
  expect(await run({ checks: [wrong] })).toBe(1);
  expect(said.at(-1)).toMatch(/^does not {2}learned: It always does\./);
});

test('the goal of an exercise does not have to hold before somebody has done it', async () => {
  const exercise = { id: 'own', text: 'Try.', arm: 'a', fields: ['optimizer.learningRate'], goal: 'learned' };
  expect(await run({ checks: [wrong], blocks: [{ run: ['a'] }, { exercise }] })).toBe(0);
});

test('what is no lesson is one sentence', async () => {
  expect(await run({ title: 5 })).toBe(1);
  expect(said).toEqual(['Title of the lesson must be a text.']);
  said.length = 0;
  expect(await lessonCommand({ words: ['lesson', 'no-such'], options: {}, sets: [] })).toBe(1);
  expect(said[0]).toMatch(/^“no-such” is neither a lesson nor a \.yaml file\. The lessons are one-number, /);
});
