import { keep, keptOf } from './kept.ts';

/** How far a reader has come in a lesson of the lab. */
export type LessonProgress = {
  readonly predictions: number;
  /** checks that have been judged, and those of them that passed; exercises included */
  readonly judged: number;
  readonly passed: number;
};

/** What is kept of a lesson, in numbers; all 0 where nothing is. */
export async function progressOf(lesson: string): Promise<LessonProgress> {
  const { answers, outcomes } = await keptOf(lesson);
  const all = Object.values(outcomes);
  return {
    predictions: Object.keys(answers).length,
    judged: all.length,
    passed: all.filter(({ passed }) => passed).length,
  };
}

/** Forgets answers and outcomes of a lesson. False where nothing can be stored. */
export const forgetProgress = (lesson: string): Promise<boolean> => keep(lesson, { answers: {}, outcomes: {} });
