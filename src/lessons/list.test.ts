import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLessonText } from './format/text.ts';
import { lessons, loadLesson } from './list.ts';

const folders = readdirSync(import.meta.dirname).filter((name) =>
  existsSync(join(import.meta.dirname, name, 'lesson.yaml')),
);
const textOf = (folder: string): string => readFileSync(join(import.meta.dirname, folder, 'lesson.yaml'), 'utf8');

test('there is a lesson for each folder, and each folder has a test that trains it', () => {
  expect(lessons.length).toBe(folders.length);
  for (const folder of folders) {
    const test = readFileSync(join(import.meta.dirname, folder, 'lesson.test.ts'), 'utf8');
    const [, number, id] = /^(\d\d)-(.+)$/.exec(folder)!;
    expect(test, folder).toContain(`testLesson('${id}'`);
    expect(
      lessons.find((lesson) => lesson.id === id),
      folder,
    ).toMatchObject({ number: Number(number) });
  }
  expect(new Set(lessons.map((lesson) => lesson.id)).size).toBe(lessons.length);
  expect(new Set(lessons.map((lesson) => lesson.number)).size).toBe(lessons.length);
});

test('a lesson of the lab is read as the file of a teacher is', async () => {
  for (const folder of folders) {
    const read = await readLessonText(textOf(folder));
    if (!read.ok) throw new Error(`${folder}: ${read.issues.join('\n')}`);
    expect(read.lesson).toEqual(await loadLesson(read.lesson.id));
  }
});

test('what is no lesson is none', async () => {
  expect(await loadLesson('no-such')).toBeNull();
});
