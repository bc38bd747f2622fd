import { create } from 'zustand';
import { configOfArm } from '../../lessons/arms.ts';
import type { LessonView } from '../../lessons/format/blocks.ts';
import type { ArmSpec } from '../../lessons/format/lesson.ts';
import { canonicalJson } from '../../config/canonical.ts';
import type { Config } from '../../config/slots.ts';
import { reset, runConfig, start } from '../session.ts';
import { takeShared, useShared } from '../share/shownMoment.ts';
import { trainTo } from '../share/trainTo.ts';
import { openShared, useDraft } from '../stores/draft.ts';
import { NORMAL, SLOW } from '../stores/looks.ts';
import { useRun } from '../stores/run.ts';
import { look, select, useView, type View } from '../stores/view.ts';
import { useLesson } from './lessonStore.ts';

/** What is beside the text of a lesson. */
export type Beside = 'watch' | 'credit' | 'charts' | 'episodes' | 'setup';

type Drive = {
  readonly beside: Beside;
  /** block whose button showed something last: on a phone the lab is below it */
  readonly at: number | null;
  /** why an arm could not be shown */
  readonly problem: string | null;
};
export const useDrive = create<Drive>(() => ({ beside: 'watch', at: null, problem: null }));

/** What the lesson has set, and what was there before, so that leaving gives it back where nobody has changed it since. */
let lent: { readonly before: Partial<View>; readonly set: Partial<View> } = { before: {}, set: {} };
/** counts touches of the lab: what the lesson was about to show gives way to them */
let touches = 0;
let shows = 0;

export function touch(): void {
  touches++;
}

function lend(view: Partial<View>): void {
  const now = useView.getState();
  const before = Object.fromEntries(Object.keys(view).map((name) => [name, now[name as keyof View]]));
  lent = { before: { ...before, ...lent.before }, set: { ...lent.set, ...view } };
  look(view);
}

/** Gives back the pace and what else the lesson has set, where it is still as the lesson has set it. */
export function letGo(): void {
  const now = useView.getState();
  const { before, set } = lent;
  lent = { before: {}, set: {} };
  shows++;
  const names = (Object.keys(before) as (keyof View)[]).filter((name) => now[name] === set[name]);
  look(Object.fromEntries(names.map((name) => [name, before[name]])));
}

const PACE = { step: 0, slow: SLOW, normal: NORMAL, full: null } as const;

/** The experiment of an arm as a draft beside the person's own, which waits untouched. A sentence where there is none. */
export async function openArm(spec: ArmSpec, own: Readonly<Record<string, unknown>> = {}): Promise<Config | string> {
  const made = await configOfArm(spec, own);
  if (typeof made === 'string') return made;
  const { config: present, own: waiting } = useDraft.getState();
  if (waiting !== null && canonicalJson(present) === canonicalJson(made)) return present;
  const title = `${useLesson.getState().lesson!.title}: ${spec.label}`;
  takeShared({ config: made });
  useShared.setState({ lesson: useLesson.getState().lesson!.title });
  openShared({ config: made }, { base: made, baseTitle: title });
  return made;
}

/**
 * Points the lab at something, as a button of the lesson says. Where a run of the person is on the stage, the arm takes its
 * place, and Undo brings it back. A touch of the lab meanwhile has the last word.
 */
export async function show(view: LessonView, own: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const [mine, touched] = [++shows, touches];
  const isOver = (): boolean => mine !== shows;
  useDrive.setState({ problem: null });
  const spec = useLesson.getState().lesson!.arms.find((arm) => arm.id === view.arm);
  if (spec) {
    const opened = await openArm(spec, own);
    if (isOver()) return;
    if (typeof opened === 'string') return useDrive.setState({ problem: opened });
  }
  const stop = spec && useLesson.getState().trained[spec.id];
  const until = stop?.isStopped === true && Object.keys(own).length === 0 ? stop.update : null;
  lend(looksOf(view, until !== null));
  if (until !== null) {
    if (!(await trainTo(until)) || isOver()) return;
  } else {
    const { config } = useDraft.getState();
    if (spec && useRun.getState().update > 0 && config !== runConfig()) await reset();
    if (isOver()) return;
    if (view.run) await start();
  }
  if (touched === touches) selectFrom(view);
}

function looksOf({ tab, layer, pace }: LessonView, isFast: boolean): Partial<View> {
  if (tab) useDrive.setState({ beside: tab === 'graph' || tab === 'update' ? 'episodes' : tab });
  return {
    ...(tab === 'credit' && { isCreditOpen: true }),
    ...((tab === 'graph' || tab === 'update' || tab === 'episodes') && { dock: tab }),
    ...(tab === 'setup' && { isSetupOpen: true }),
    ...(layer && { overlay: layer }),
    ...(pace ? { pace: PACE[pace] } : isFast && { pace: null }),
  };
}

/** An episode and a step, once there is a batch to select them in. */
function selectFrom({ seed, trajectory, step }: LessonView): void {
  const seeds = useDraft.getState().config.run['seeds'] as number;
  if (seed !== undefined) look({ replica: Math.min(seed, seeds - 1) });
  if ((trajectory === undefined && step === undefined) || useRun.getState().update === 0) return;
  const now = useView.getState();
  select(trajectory ?? now.trajectory, step ?? now.step);
}
