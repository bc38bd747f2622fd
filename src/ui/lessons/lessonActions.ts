import { configOfArm } from '../../lessons/arms.ts';
import type { BlockOf } from '../../lessons/format/blocks.ts';
import type { Lesson } from '../../lessons/format/lesson.ts';
import { WorkerGone } from '../owed.ts';
import { startLessonWorker, type ArmProgress, type LessonWorker } from './client.ts';
import { keep, keepFile, keptFile, keptOf } from './kept.ts';
import { CLOSED, goalKey, useLesson, type Judged } from './lessonStore.ts';
import { reportChecks } from './reportCheck.ts';

/** What the page does with a lesson: opens it, trains its arms in a worker, and keeps what came of it. */
let worker: LessonWorker | null = null;
/** counts what was opened: what an older lesson still brings is not taken in */
let opened = 0;

type Exercise = BlockOf<'exercise'>['exercise'];

const set = useLesson.setState;
const get = useLesson.getState;

export function closeLesson(): void {
  opened++;
  worker?.end();
  worker = null;
  set(CLOSED, true);
}

/** Opens a lesson of the lab by its id; `file` is the one that the reader has opened last. */
export async function openLesson(id: string): Promise<void> {
  closeLesson();
  const mine = opened;
  set({ state: 'loading' });
  if (id === 'file') {
    const file = handed ?? (await keptFile());
    if (mine !== opened) return;
    return file === null ? set({ state: 'none' }) : openText(file);
  }
  const { loadLesson } = await import('../../lessons/list.ts');
  const lesson = await loadLesson(id);
  if (mine !== opened) return;
  if (!lesson) return set({ state: 'missing' });
  await show(lesson, false);
}

/** What a person has handed in on this visit: the text of a file, or why it was not even read. */
let handed: string | { readonly why: string } | null = null;

/** The next lesson under `file` is this one. */
export function handIn(file: NonNullable<typeof handed>): void {
  handed = file;
}

/** Opens the text of a lesson file. It is read and checked; nothing of it starts by itself. */
async function openText(file: NonNullable<typeof handed>): Promise<void> {
  const mine = opened;
  set({ isOwn: true });
  if (typeof file !== 'string') return set({ state: 'refused', issues: [file.why] });
  const { readLessonText } = await import('../../lessons/format/text.ts');
  const read = await readLessonText(file);
  if (mine !== opened) return;
  if (!read.ok) return set({ state: 'refused', issues: read.issues });
  void keepFile(file);
  await show(read.lesson, true);
}

async function show(lesson: Lesson, isOwn: boolean): Promise<void> {
  const mine = opened;
  const kept = await keptOf(keptName(lesson.id, isOwn));
  if (mine !== opened) return;
  const judged = Object.fromEntries(
    Object.entries(kept.outcomes).map(([id, found]) => [id, { ...found, problem: null, isBefore: true }]),
  );
  set({ state: 'open', lesson, isOwn, answers: kept.answers, judged });
  await connect().catch(gone);
}
/** A lesson of a file may have the id of one of the lab; what is kept of them must not mix. */
const keptName = (id: string, isOwn: boolean): string => (isOwn ? `own ${id}` : id);

/** The worker with the lesson in it, started where there is none; null where the lesson cannot be trained. */
async function connect(): Promise<LessonWorker | null> {
  if (worker) return worker;
  const { lesson } = get();
  const mine = startLessonWorker(() => undefined);
  worker = mine;
  const configs = await Promise.all(lesson!.arms.map(async (arm) => [arm.id, await configOfArm(arm)] as const));
  const found = await mine.calls.open(lesson!, Object.fromEntries(configs));
  if (worker !== mine) return null;
  if (!found.ok) {
    set({ state: 'refused', issues: found.issues });
    return null;
  }
  set({ armsOf: found.armsOf });
  void mine.calls.estimate().then(
    (seconds) => worker === mine && set({ seconds }),
    () => undefined,
  );
  return mine;
}

function gone(error: unknown): void {
  worker?.end();
  worker = null;
  if (!(error instanceof WorkerGone)) throw error;
}

function saveProgress(): void {
  const { lesson, isOwn, answers, judged } = get();
  const mine = opened;
  const outcomes = Object.fromEntries(Object.entries(judged).map(([id, { passed, value }]) => [id, { passed, value }]));
  void keep(keptName(lesson!.id, isOwn), { answers, outcomes }).then(
    (isKept) => mine === opened && set({ isUnkept: !isKept }),
  );
}

/** A prediction is answered. It can be changed until the run has shown what is right. */
export function answer(id: string, given: number): void {
  set(({ answers }) => ({ answers: { ...answers, [id]: given } }));
  saveProgress();
}

/** Forgets answers and outcomes of this lesson: from the beginning. */
export function startOver(): void {
  const { lesson, isOwn } = get();
  set({ answers: {}, judged: {}, trained: {}, values: {}, problems: {}, again: 0 });
  void keep(keptName(lesson!.id, isOwn), { answers: {}, outcomes: {} });
  worker?.end();
  worker = null;
}

const STOPPED = 'The part of the page that trains has stopped, perhaps for want of memory. Your answers are kept.';

/** Trains something under a name that its block knows; a crash is one sentence there, and the next try begins afresh. */
async function training(
  key: string,
  act: (at: LessonWorker, tell: (arms: readonly ArmProgress[]) => void) => Promise<string | null>,
): Promise<void> {
  if (get().training) return;
  const mine = opened;
  const { [key]: old, ...problems } = get().problems;
  void old;
  set({ training: { key, arms: [] }, problems });
  const tell = (arms: readonly ArmProgress[]): void => {
    if (mine === opened && get().training?.key === key) set({ training: { key, arms } });
  };
  let problem: string | null = null;
  try {
    const at = await connect();
    problem = at ? await act(at, tell) : null;
  } catch (error) {
    if (mine !== opened) return;
    if (!(error instanceof WorkerGone)) problem = error instanceof Error ? error.message : String(error);
    else problem = STOPPED;
    worker?.end();
    worker = null;
    // what it had trained went with it
    set({ trained: {} });
  }
  if (mine !== opened) return;
  set((now) => ({ training: null, problems: problem === null ? now.problems : { ...now.problems, [key]: problem } }));
}

/** Trains the arms of a run block; `isAgain`: with seeds that have not been used yet. */
export function runArms(
  key: string,
  arms: readonly string[],
  chart: readonly string[],
  isAgain = false,
): Promise<void> {
  const mine = opened;
  const again = get().again + Number(isAgain);
  return training(key, async ({ calls, tell }, show) => {
    set({ again });
    const ended = await calls.train({ arms, chart, again }, tell(show));
    if (mine !== opened) return null;
    if (ended.kind === 'problem') return ended.problem;
    if (ended.kind === 'stopped') return null;
    set(({ trained }) => ({ trained: { ...trained, ...Object.fromEntries(ended.arms.map((arm) => [arm.id, arm])) } }));
    await judgeAll(calls);
    return null;
  });
}

/** Judges what can be judged now, and fills in live values. */
async function judgeAll(calls: LessonWorker['calls']): Promise<void> {
  const mine = opened;
  const outcomes = await calls.judge();
  const values: Record<number, Record<string, number | null>> = {};
  for (const [k, block] of get().lesson!.blocks.entries()) {
    if (!('formula' in block)) continue;
    const found = await calls.values(block.formula.values);
    values[k] = Object.fromEntries(found.map(({ name, value }) => [name, value]));
  }
  if (mine !== opened) return;
  take(Object.fromEntries(outcomes.map(({ id, passed, value, problem }) => [id, { passed, value, problem }])));
  set({ values });
}

function take(found: Readonly<Record<string, Judged>>): void {
  set(({ judged }) => ({ judged: { ...judged, ...found } }));
  saveProgress();
  reportChecks(get().lesson!.id, found);
}

/** Trains the arm of an exercise with the settings of the reader, and judges its goal. */
export function tryExercise(exercise: Exercise, own: Readonly<Record<string, unknown>>): Promise<void> {
  const mine = opened;
  const { id, goal, arm } = exercise;
  const spec = get().lesson!.arms.find((one) => one.id === arm)!;
  return training(`exercise ${id}`, async ({ calls, tell }, show) => {
    const ended = await calls.exercise(id, await configOfArm(spec, own), get().again, tell(show));
    if (mine !== opened || ended.kind === 'stopped') return null;
    if (ended.kind === 'problem') return ended.problem;
    const { passed, value, problem } = ended.outcome;
    take({ [goalKey(id, goal)]: { passed, value, problem } });
    return null;
  });
}
/** Ends what trains; what was there before stays. */
export function stopTraining(): void {
  void worker?.calls.stop().catch(() => undefined);
}
