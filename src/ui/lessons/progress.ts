import { keptOf } from './kept.ts';
import { isGoal } from './lessonStore.ts';

/** How far a reader has come in a lesson of the lab; `passed`: checks of its text, goals of exercises count by themselves. */
export type LessonProgress = { readonly predictions: number; readonly passed: number };

/** What is kept of a lesson, in numbers; all 0 where nothing is. */
export async function progressOf(lesson: string): Promise<LessonProgress> {
  const { answers, outcomes } = await keptOf(lesson);
  const passed = Object.entries(outcomes).filter(([key, found]) => found.passed && !isGoal(key));
  return { predictions: Object.keys(answers).length, passed: passed.length };
}
