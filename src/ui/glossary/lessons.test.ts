import { expect, test } from 'vitest';
import { lessons, loadLesson } from '../../lessons/list.ts';
import { TERMS } from './terms.ts';
import { WORDS } from './words.ts';

test.each(lessons.map(({ id }) => id))('every term of the lesson %s is in the glossary', async (id) => {
  const lesson = (await loadLesson(id))!;
  const listed = lesson.blocks.flatMap((block) => ('terms' in block ? block.terms : []));
  const inText = [...JSON.stringify(lesson).matchAll(/\[\[([^\]|]*)/g)].map(([, term]) => term!);
  const known = new Set([...TERMS, ...WORDS].map((term) => term.id));
  expect([...listed, ...inText].filter((term) => !known.has(term))).toEqual([]);
  expect(listed.length).toBeGreaterThan(0);
});
