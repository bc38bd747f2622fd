import { expect, test } from 'vitest';
import { readLesson } from '../../lessons/format/read.ts';
import { sampleLesson } from '../../lessons/format/sampleLesson.ts';
import { onCheck, reportChecks } from './reportCheck.ts';
import { resultCode } from './resultCode.ts';

const read = readLesson(
  sampleLesson({
    blocks: [
      { predict: { id: 'p', question: 'Which?', choices: ['x', 'y'] } },
      { predict: { id: 'q', question: 'How many?', number: { min: 0, max: 9 } } },
      { run: ['a'] },
      { reveal: { of: 'p', answer: 1, text: 'y' } },
      { reveal: { of: 'q', answer: 'learned', text: 'So many.' } },
      { check: 'learned' },
      { exercise: { id: 'own', text: 'Try.', arm: 'a', fields: ['optimizer.learningRate'], goal: 'learned' } },
    ],
  }),
);
if (!read.ok) throw new Error(read.issues.join(' '));
const { lesson } = read;
const judged = (passed: boolean) => ({ passed, value: 0.5, problem: null });

test('a result is a line: predictions, checks, exercises in the order of the lesson, and a check sum', () => {
  const parts = (answers: Record<string, number>, outcomes: Parameters<typeof resultCode>[1]['judged']): string =>
    resultCode(lesson, { answers, judged: outcomes }).replace(/\.[^.]+$/, '');
  expect(parts({}, {})).toBe('sample.p--.c-.e-');
  expect(parts({ p: 0, q: 3 }, { learned: judged(false) })).toBe('sample.p01.c0.e-');
  expect(parts({ p: 1 }, { learned: judged(true), 'own: learned': judged(true) })).toBe('sample.p1-.c1.e1');
});

test('the check sum follows every letter', () => {
  const [a, b] = [0, 1].map((p) => resultCode(lesson, { answers: { p }, judged: {} }));
  expect(a!.split('.').at(-1)).toMatch(/^[0-9A-Z]{7}$/);
  expect(a!.split('.').at(-1)).not.toBe(b!.split('.').at(-1));
});

test('whoever listens is told of each judged check, until it listens no more', () => {
  const heard: unknown[] = [];
  const end = onCheck((report) => heard.push(report));
  reportChecks('sample', {
    learned: judged(true),
    other: { passed: false, value: null, problem: 'It was not trained.' },
  });
  end();
  reportChecks('sample', { learned: judged(false) });
  expect(heard).toEqual([
    { lesson: 'sample', id: 'learned', passed: true, value: 0.5 },
    { lesson: 'sample', id: 'other', passed: false, value: null },
  ]);
});
