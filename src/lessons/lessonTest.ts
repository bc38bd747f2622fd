import { beforeAll, describe, expect, test } from 'vitest';
import { configOfArm } from './arms.ts';
import { readLesson } from './format/read.ts';
import { CAPS, type Lesson } from './format/lesson.ts';
import { lessons, loadLesson } from './list.ts';
import { LessonRuns } from './runs.ts';

/** Longest lesson of the lab, in minutes for its reader, and most runs that one asks for. */
const MINUTES = 12;

/**
 * The test of a lesson of the lab: it is read by the schema, all of its arms train with the seeds of the lesson on the CPU
 * path, and every check holds. `more` adds what belongs to this lesson alone.
 */
export function testLesson(id: string, more?: (trained: () => LessonRuns) => void): void {
  describe(`lesson ${id}`, () => {
    let runs: LessonRuns;
    let lesson: Lesson;
    beforeAll(async () => {
      lesson = (await loadLesson(id))!;
      runs = openLesson(lesson);
      const trained = await runs.train(lesson.arms.map((arm) => arm.id));
      expect(trained).toEqual({ kind: 'done' });
    });

    test('every check holds', async () => {
      const wrong: string[] = [];
      // the goal of an exercise waits for whoever does it, unless the text shows it as a check as well
      const goals = lesson.blocks.flatMap((block) => ('exercise' in block ? [block.exercise.goal] : []));
      const shown = lesson.blocks.flatMap((block) => ('check' in block ? [block.check] : []));
      for (const { id: check, says } of lesson.checks) {
        if (goals.includes(check) && !shown.includes(check)) continue;
        const { passed, value, problem } = await runs.check(check);
        if (!passed) wrong.push(`${check}: “${says}” is ${value ?? problem}`);
      }
      expect(wrong).toEqual([]);
      expect(lesson.checks.length).toBeGreaterThan(0);
    });

    test('its live values are numbers', async () => {
      for (const block of lesson.blocks) {
        if (!('formula' in block)) continue;
        const values = await runs.values(block.formula.values);
        expect(values.filter(({ value }) => value === null || !Number.isFinite(value))).toEqual([]);
      }
    });

    test('it is short, asks before it runs, and every check and arm is somewhere in the text', () => {
      expect(lesson.minutes).toBeLessThanOrEqual(MINUTES);
      expect(lesson.arms.length).toBeLessThanOrEqual(CAPS.arms);
      const blocks = lesson.blocks;
      const ran = blocks.findIndex((block) => 'run' in block);
      const asked = blocks.findIndex((block) => 'predict' in block);
      expect(asked, 'the first prediction').toBeGreaterThanOrEqual(0);
      expect(asked, 'the first prediction').toBeLessThan(ran);
      const shown = blocks.flatMap((block) =>
        'check' in block ? [block.check] : 'exercise' in block ? [block.exercise.goal] : [],
      );
      expect(lesson.checks.map((check) => check.id).filter((check) => !shown.includes(check))).toEqual([]);
      const trained = blocks.flatMap((block) => ('run' in block ? block.run : []));
      expect(lesson.arms.map((arm) => arm.id).filter((arm) => !trained.includes(arm))).toEqual([]);
      for (const need of lesson.needs) expect(lessons.map((l) => l.id)).toContain(need);
    });

    more?.(() => runs);
  });
}

/** A lesson that is read and whose every name is known; a mistake in it throws what is wrong. */
export function openLesson(raw: unknown): LessonRuns {
  const read = readLesson(raw);
  if (!read.ok) throw new Error(read.issues.join('\n'));
  const opened = LessonRuns.open(read.lesson, configOfArm);
  if ('issues' in opened) throw new Error(opened.issues.join('\n'));
  return opened.runs;
}
