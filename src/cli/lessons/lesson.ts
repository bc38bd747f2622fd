import { readFile } from 'node:fs/promises';
import { configOfArm } from '../../lessons/arms.ts';
import { firstOf } from '../../lessons/format/read.ts';
import type { CheckSpec, Lesson } from '../../lessons/format/lesson.ts';
import { readLessonText } from '../../lessons/format/text.ts';
import { lessons, loadLesson } from '../../lessons/list.ts';
import { measures } from '../../lessons/measures/registry.ts';
import type { Outcome } from '../../lessons/evaluate.ts';
import { expectedWords } from '../../lessons/format/words.ts';
import { LessonRuns } from '../../lessons/runs.ts';
import type { Args } from '../args.ts';
import { askedToStop, exitCodeOf, listenForSignals } from '../interrupt.ts';

export const LESSON_USAGE = `npm run lab -- lesson <id | lesson.yaml | measures>
  trains the arms of a lesson on the CPU path and prints its checks; the exit code is 1 where one does not hold`;

/** A lesson of the lab by its id, or one from a file. A string is the sentence of what is wrong. */
async function lessonOf(what: string): Promise<Lesson | string> {
  if (!/\.(ya?ml|json)$/.test(what)) {
    const found = await loadLesson(what);
    return found ?? `“${what.slice(0, 60)}” is neither a lesson nor a .yaml file. ${known()}`;
  }
  let text: string;
  try {
    text = await readFile(what, 'utf8');
  } catch (error) {
    return `The file ${what} could not be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  const read = await readLessonText(text);
  return read.ok ? read.lesson : firstOf(read.issues);
}
const known = (): string =>
  lessons.length > 0 ? `The lessons are ${lessons.map(({ id }) => id).join(', ')}.` : 'The lab has no lessons yet.';

function lineOf(check: CheckSpec, { passed, value, problem }: Outcome): string {
  const found = problem ?? `${value} (expected: ${expectedWords(check)}; ${check.source})`;
  return `${passed ? 'holds   ' : 'does not'}  ${check.id}: ${check.says} ${found}`;
}

/** `lab lesson`: trains and judges; exit code 0 where every check holds. */
export async function lessonCommand({ words }: Args): Promise<number> {
  const what = words[1];
  if (what === undefined || words.length > 2) return say(`Usage: ${LESSON_USAGE}`);
  if (what === 'measures') {
    for (const { doc } of measures) console.log(doc);
    return 0;
  }
  const lesson = await lessonOf(what);
  if (typeof lesson === 'string') return say(lesson);
  const opened = LessonRuns.open(lesson, configOfArm);
  if ('issues' in opened) return say(firstOf(opened.issues));
  return trainAndJudge(opened.runs, lesson);
}

async function trainAndJudge(runs: LessonRuns, lesson: Lesson): Promise<number> {
  listenForSignals();
  let signal: NodeJS.Signals | null = null;
  const from = performance.now();
  console.log(`${lesson.title}: training ${lesson.arms.map((arm) => arm.label).join(', ')}`);
  const ended = await runs.train(
    lesson.arms.map((arm) => arm.id),
    { between: async () => (signal ??= await askedToStop()) !== null },
  );
  if (ended.kind === 'problem') return say(ended.problem);
  if (ended.kind === 'stopped') {
    say('Stopped before the arms had trained; no check was judged.');
    return exitCodeOf(signal!);
  }
  console.log(`trained in ${((performance.now() - from) / 1000).toFixed(1)} s`);
  const shown = lesson.blocks.flatMap((block) => ('check' in block ? [block.check] : []));
  let wrong = 0;
  for (const check of lesson.checks) {
    const outcome = await runs.check(check.id);
    // the goal of an exercise waits for whoever does it, unless the text shows it as a check as well
    const isGoal = !shown.includes(check.id);
    console.log(
      isGoal ? `exercise  ${check.id}: ${check.says} before it is done: ${outcome.value}` : lineOf(check, outcome),
    );
    if (!isGoal && !outcome.passed) wrong++;
  }
  return wrong === 0 ? 0 : 1;
}

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}
