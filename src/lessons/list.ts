import { readLesson } from './format/read.ts';
import type { AboutLesson, Lesson } from './format/lesson.ts';

/** The lessons of the lab: one folder each, and nothing else to write. Each loads when it is opened. */
const files = import.meta.glob<unknown>('./*/lesson.yaml', { import: 'lesson' });
const abouts = import.meta.glob<AboutLesson>('./*/lesson.yaml', { import: 'about', query: '?about', eager: true });

/** What there is, in the order of the numbers. */
export const lessons: readonly AboutLesson[] = Object.values(abouts).sort(
  (a, b) => (a.number ?? Infinity) - (b.number ?? Infinity),
);

/** A lesson of the lab; null where none has this name. Throws where its file does not come, or is no lesson. */
export async function loadLesson(id: string): Promise<Lesson | null> {
  const path = Object.keys(abouts).find((name) => abouts[name]!.id === id);
  if (path === undefined) return null;
  const read = readLesson(await files[path]!());
  if (!read.ok) throw new Error(read.issues.join(' '));
  return read.lesson;
}
