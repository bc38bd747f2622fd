import * as Comlink from 'comlink';
import { create } from 'zustand';
import type { Column, Opened, Place, PlaceInTask } from '../../logs/desk.ts';
import type { KeyRule, Mapping, Refused } from '../../logs/types.ts';
import { desk, endDesk, whenDeskDies } from './desk.ts';
import type { Given } from './logs.worker.ts';

/** How the log on the page is read. */
export type Reading = {
  readonly mapping: Mapping;
  readonly key: KeyRule;
  readonly leavesOutBad: boolean;
  readonly sharesEnds: boolean;
};

const PLAIN: Reading = { mapping: {}, key: { kind: 'exact' }, leavesOutBad: false, sharesEnds: false };

type Logs = {
  readonly state: 'empty' | 'reading' | 'refused' | 'open';
  readonly given: readonly Given[];
  readonly title: string;
  readonly reading: Reading;
  /** steps read so far */
  readonly steps: number;
  readonly refused: Pick<Refused, 'sentence' | 'canLeaveOut' | 'found'> | null;
  readonly opened: Opened | null;
  /** estimators whose strips are shown, and the one that explains a step and colors the graph */
  readonly chosen: readonly string[];
  readonly told: string;
  readonly columns: ReadonlyMap<string, Column>;
  /** first of the tasks that are shown, among those that are listed */
  readonly from: number;
  readonly hidesSilent: boolean;
  readonly pinned: Place;
};

const EMPTY: Logs = {
  ...{ state: 'empty', given: [], title: '', reading: PLAIN, steps: 0, refused: null, opened: null },
  ...{ chosen: [], told: 'gigpo', columns: new Map(), from: 0, hidesSilent: true, pinned: { i: 0, t: 0 } },
};

export const useLogs = create<Logs>(() => EMPTY);
const set = useLogs.setState;

export const forget = (): void => {
  endDesk();
  set(EMPTY, true);
};

const DIED =
  'The log could not be held: this browser ran out of memory. Split it, or leave out columns that are not needed.';
whenDeskDies(() =>
  set({ state: 'refused', opened: null, refused: { sentence: DIED, canLeaveOut: false, found: null } }),
);

/** Reads files; what was read before goes. */
export async function openLogs(given: readonly Given[], title: string, reading: Reading = PLAIN): Promise<void> {
  // a reading that still runs is of no use any more
  if (useLogs.getState().state === 'reading') endDesk();
  const { chosen, told } = useLogs.getState();
  set({ ...EMPTY, state: 'reading', given, title, reading, chosen, told });
  const isCurrent = (): boolean => useLogs.getState().given === given && useLogs.getState().reading === reading;
  const onSteps = Comlink.proxy((steps: number) => void (isCurrent() && set({ steps })));
  const opened = await desk().open(given, { ...reading, mapping: reading.mapping }, onSteps);
  if (!isCurrent()) return;
  if (!opened.ok) return set({ state: 'refused', refused: opened });
  const allowed = opened.offered.filter(({ why }) => why === null).map(({ id }) => id);
  const kept = chosen.filter((id) => allowed.includes(id));
  const first = kept.length > 0 ? kept : ['gigpo', 'grpo', 'hgpo', 'salt'].filter((id) => allowed.includes(id));
  const shown = first.length > 0 ? first : allowed.slice(0, 2);
  set({ state: 'open', opened, chosen: shown, told: shown.includes(told) ? told : (shown[0] ?? 'grpo') });
}

/** Reads the same files in another way. */
export const readAgain = (change: Partial<Reading>): Promise<void> => {
  const { given, title, reading } = useLogs.getState();
  return openLogs(given, title, { ...reading, ...change });
};

/** The tasks that are listed, by their numbers in the batch. */
export function listedTasks({ silent, tasks }: Pick<Opened, 'silent' | 'tasks'>, hidesSilent: boolean): number[] {
  const all = Array.from({ length: tasks }, (_, g) => g);
  const isHidden = new Set(hidesSilent ? silent.all : []);
  const rest = all.filter((g) => !isHidden.has(g));
  return rest.length > 0 ? rest : all;
}

/** Tasks that are shown at once: about as many episodes as can be told apart. */
export const tasksAtOnce = ({ tasks, episodes }: Pick<Opened, 'tasks' | 'episodes'>): number =>
  Math.max(1, Math.floor((48 * tasks) / Math.max(1, episodes)));

/** Goes to a step, also of a task that is not shown. */
export function goTo({ i, t, g }: PlaceInTask): void {
  const { opened, hidesSilent } = useLogs.getState();
  if (!opened) return;
  const isListed = listedTasks(opened, hidesSilent).includes(g);
  const tasks = listedTasks(opened, hidesSilent && isListed);
  const size = tasksAtOnce(opened);
  set({ pinned: { i, t }, hidesSilent: hidesSilent && isListed, from: Math.floor(tasks.indexOf(g) / size) * size });
}

export const noteColumn = (column: Column): void =>
  set(({ columns }) => ({ columns: new Map(columns).set(column.id, column) }));
