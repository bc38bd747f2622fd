import { describe, expect, test } from 'vitest';
import type { Lesson } from './format/lesson.ts';
import { lessons, loadLesson } from './list.ts';

/** Highest school grade (Flesch–Kincaid) that a reader of a lesson needs, and most words of a sentence: usually and ever. */
const GRADE = 9;
const WORDS = { mean: 14, usual: 20, ever: 32 };

/** Everything of a lesson that its reader reads in sentences; formulas, titles of papers and the teacher's page are not. */
function textsOf({ blocks, limits, sheet, objective, checks }: Lesson): string[] {
  const read = blocks.flatMap((block): string[] => {
    if ('say' in block) return [block.say];
    if ('predict' in block) return [block.predict.question];
    if ('reveal' in block) return [block.reveal.text];
    if ('exercise' in block) return [block.exercise.text];
    return [];
  });
  return [objective, ...read, ...checks.map(({ says }) => says), limits, ...sheet.map(({ question }) => question)];
}

/** Sentences as words of letters: numbers, symbols and marks of Markdown are left out, and terms are their words. */
function sentencesOf(text: string): string[][] {
  return text
    .replaceAll(/\[\[([^\]|]*)\|?([^\]]*)\]\]/g, (_, id: string, words: string) => words || id)
    .replaceAll(/`[^`]*`/g, 'it')
    .split(/(?<=[.!?:])\s+|\n\s*\n|\n\s*[-*] /)
    .map((sentence) => sentence.match(/\p{Script=Latin}[\p{Script=Latin}’'-]*/gu) ?? [])
    .filter((words) => words.length > 1);
}

/** Groups of vowels; a silent e at the end, and the e of “-ed” and “-es”, are none. At least one. */
function syllablesOf(word: string): number {
  const plain = word
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/(?<=[aeiouy].*)(?:[^laeiouy]es|ed|[^laeiouy]e)$/, (end) => end.replaceAll('e', ''));
  return Math.max(1, plain.match(/[aeiouy]+/g)?.length ?? 0);
}

const sum = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0);

/** 0.39 · words per sentence + 11.8 · syllables per word − 15.59 (Kincaid et al. 1975). */
function gradeOf(sentences: readonly (readonly string[])[]): number {
  const words = sentences.flat();
  return (0.39 * words.length) / sentences.length + (11.8 * sum(words.map(syllablesOf))) / words.length - 15.59;
}

test('syllables, by hand', () => {
  const counted = {
    step: 1,
    episode: 3,
    reward: 2,
    failed: 1,
    policy: 3,
    the: 1,
    made: 1,
    table: 2,
    update: 2,
    steps: 1,
  };
  for (const [word, n] of Object.entries(counted)) expect([word, syllablesOf(word)]).toEqual([word, n]);
});

test('the grade rises with long sentences and long words', () => {
  const grade = (text: string): number => gradeOf(sentencesOf(text));
  expect(grade('The cat sat on the mat. It was a good cat.')).toBeLessThan(1);
  expect(
    grade(
      'Heterogeneous environmental configurations necessitate considerable computational experimentation before ' +
        'generalization characteristics of sophisticated estimators become statistically interpretable.',
    ),
  ).toBeGreaterThan(20);
});

describe.each(lessons)('lesson $number: $title', ({ id }) => {
  test(`is read at grade ${GRADE} or below`, async () => {
    const lesson = (await loadLesson(id))!;
    const sentences = textsOf(lesson).flatMap(sentencesOf);
    expect(sentences.length).toBeGreaterThan(20);
    expect(gradeOf(sentences)).toBeLessThanOrEqual(GRADE);
  });

  test('its sentences are short', async () => {
    const lesson = (await loadLesson(id))!;
    const sentences = textsOf(lesson).flatMap(sentencesOf);
    const lengths = sentences.map((words) => words.length);
    expect(sum(lengths) / lengths.length).toBeLessThanOrEqual(WORDS.mean);
    expect(sentences.filter((s) => s.length > WORDS.ever).map((s) => s.join(' '))).toEqual([]);
    const long = sentences.filter((s) => s.length > WORDS.usual);
    expect(long.length / sentences.length, long.map((s) => s.join(' ')).join('\n')).toBeLessThanOrEqual(0.05);
  });
});
