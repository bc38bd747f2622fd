import { crc32 } from '../../config/crc.ts';
import type { Lesson } from '../../lessons/format/lesson.ts';
import { goalKey, type LessonState } from './lessonStore.ts';

type Progress = Pick<LessonState, 'answers' | 'judged'>;

const sign = (passed: boolean | undefined): string => (passed === undefined ? '-' : passed ? '1' : '0');

/**
 * A short line that says what a reader has come to: `same-state.p10.c11-1.e1.5ZK2QD`. After the name of the lesson: its
 * predictions (1 right, 0 not, − open), checks and exercises in the order of the lesson, and a check sum against typing errors. It
 * proves nothing: anyone can write one.
 */
export function resultCode(lesson: Lesson, { answers, judged }: Progress): string {
  const reveals = lesson.blocks.flatMap((block) => ('reveal' in block ? [block.reveal] : []));
  const right = (of: string): boolean | undefined => {
    const reveal = reveals.find((one) => one.of === of);
    const given = answers[of];
    if (given === undefined) return undefined;
    return typeof reveal?.answer === 'number' ? given === reveal.answer : true;
  };
  const parts = lesson.blocks.reduce(
    (found, block) => {
      if ('predict' in block) found.p += sign(right(block.predict.id));
      if ('check' in block) found.c += sign(judged[block.check]?.passed);
      if ('exercise' in block) found.e += sign(judged[goalKey(block.exercise.id, block.exercise.goal)]?.passed);
      return found;
    },
    { p: 'p', c: 'c', e: 'e' },
  );
  const line = [lesson.id, parts.p, parts.c, parts.e].join('.');
  return `${line}.${crc32(new TextEncoder().encode(line)).toString(36).toUpperCase().padStart(7, '0')}`;
}
