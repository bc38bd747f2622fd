import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configOfArm } from './arms.ts';
import { readLessonText } from './format/text.ts';
import { LessonRuns } from './runs.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/add-a-lesson.md'), 'utf8');
const written = /```yaml\n([\s\S]*?)```/.exec(page)![1]!;

test('the lesson of the page is read as it is written, and its checks are those that the page claims', async () => {
  const read = await readLessonText(written);
  if (!read.ok) throw new Error(read.issues.join('\n'));
  const opened = LessonRuns.open(read.lesson, configOfArm);
  if ('issues' in opened) throw new Error(opened.issues.join('\n'));
  const { runs } = opened;
  expect(await runs.train(['small', 'large'])).toEqual({ kind: 'done' });
  const outcomes = await Promise.all(read.lesson.checks.map(({ id }) => runs.check(id)));
  // the goal of the exercise is not reached before somebody has done it
  expect(outcomes.map(({ id, passed }) => [id, passed])).toEqual([
    ['far', true],
    ['near', true],
    ['half', false],
  ]);
  const [small] = read.lesson.arms;
  const tried = await runs.exercise('own', await configOfArm(small!, { 'optimizer.learningRate': 0.8 }));
  expect(tried).toMatchObject({ kind: 'done', outcome: { id: 'half', passed: true } });
});
