import { create } from 'zustand';
import type { Block } from '../../lessons/format/blocks.ts';
import type { Lesson } from '../../lessons/format/lesson.ts';
import type { ArmProgress } from './client.ts';
import type { Kept } from './kept.ts';

/** What a check has come to. `isBefore`: on an earlier visit, and not on this run. */
export type Judged = {
  readonly passed: boolean;
  readonly value: number | null;
  readonly problem: string | null;
  readonly isBefore?: boolean;
};
/** Something that trains: the arms of a block, or of an exercise. */
export type Training = { readonly key: string; readonly arms: readonly ArmProgress[] };

export type LessonState = {
  /** `refused`: a file that is no lesson, or a lesson that cannot be trained; `missing`: there is none of this name */
  readonly state: 'loading' | 'open' | 'refused' | 'missing' | 'none';
  readonly lesson: Lesson | null;
  /** from a file of the reader, not of the lab */
  readonly isOwn: boolean;
  readonly issues: readonly string[];
  readonly answers: Kept['answers'];
  readonly judged: Readonly<Record<string, Judged>>;
  /** by check: the arms that it is about */
  readonly armsOf: Readonly<Record<string, readonly string[]>>;
  /** by arm: the seconds that it takes here, about */
  readonly seconds: Readonly<Record<string, number | null>>;
  readonly training: Training | null;
  /** by arm: its curves, and how far it has trained on this visit */
  readonly trained: Readonly<Record<string, ArmProgress>>;
  /** by number of a block: live values of its formula, by symbol */
  readonly values: Readonly<Record<number, Readonly<Record<string, number | null>>>>;
  /** by block or exercise: why its training has failed */
  readonly problems: Readonly<Record<string, string>>;
  /** how often arms have been run again with other seeds */
  readonly again: number;
  /** nothing can be kept here: it lasts as long as the page */
  readonly isUnkept: boolean;
};

export const CLOSED: LessonState = {
  state: 'none',
  lesson: null,
  isOwn: false,
  issues: [],
  answers: {},
  judged: {},
  armsOf: {},
  seconds: {},
  training: null,
  trained: {},
  values: {},
  problems: {},
  again: 0,
  isUnkept: false,
};

export const useLesson = create<LessonState>(() => CLOSED);

/** Predictions that stand before a block and have no answer yet. */
export function unanswered(blocks: readonly Block[], before: number, answers: Kept['answers']): readonly string[] {
  return blocks
    .slice(0, before)
    .flatMap((block) => ('predict' in block && answers[block.predict.id] === undefined ? [block.predict.id] : []));
}

/** True where the arms of every run block before this one have been trained, now or on an earlier visit. */
export function hasRun({ lesson, trained, judged, armsOf }: LessonState, before: number): boolean {
  const known = Object.keys(judged).flatMap((check) => armsOf[check] ?? []);
  const ran = (arm: string): boolean => trained[arm] !== undefined || known.includes(arm);
  return lesson!.blocks.slice(0, before).every((block) => !('run' in block) || block.run.every(ran));
}

/** An exercise keeps its own outcome: the goal may be a check of the text as well. */
export const goalKey = (exercise: string, goal: string): string => `${exercise}: ${goal}`;
/** True for such a key: the id of a check has no colon. */
export const isGoal = (key: string): boolean => key.includes(':');
