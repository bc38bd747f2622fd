import type { RunRecord } from '../../lab/runs/record.ts';
import { count, percent, short, value } from '../format.ts';
import type { RunGroup } from './groups.ts';

export const COLUMN_IDS = [
  ...(['name', 'task', 'method', 'n', 'state', 'progress', 'score', 'best', 'entropy', 'ess'] as const),
  ...(['steps', 'seconds', 'backend', 'digest', 'started', 'tags', 'note', 'version'] as const),
];
export type ColumnId = (typeof COLUMN_IDS)[number];

type Cell = string | number | null;

/** A column of the table: what it sorts by, and what it says of a group and of one run. */
export type Column = {
  readonly id: ColumnId;
  readonly title: string;
  readonly doc: string;
  /** CSS pixels */
  readonly width: number;
  readonly isNumber?: boolean;
  readonly group: (group: RunGroup) => Cell;
  readonly run: (run: RunRecord) => Cell;
  readonly text?: (x: number) => string;
};

const date = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });

/** "finished", "2 of 8 finished, running". */
export function stateText({ members, states }: RunGroup): string {
  if (states.length === 1) return states[0]!;
  const done = members.filter(({ state }) => state === 'finished').length;
  const others = states.filter((state) => state !== 'finished').join(', ');
  return done === 0 ? others : `${done} of ${members.length} finished, ${others}`;
}

const nText = ({ members, scored }: RunGroup): string =>
  scored.length === members.length ? String(members.length) : `${scored.length} of ${members.length}`;

/** All but the name, which is another thing for a group than for its seeds. */
export const COLUMNS: readonly Column[] = [
  {
    ...{ id: 'name', title: 'Name', width: 320, doc: 'Your title, or what differs from the other groups on the task.' },
    ...{ group: ({ title }) => title, run: ({ title }) => title },
  },
  {
    ...{ id: 'task', title: 'Task', width: 136, doc: 'The world and its level.' },
    ...{ group: ({ task }) => task, run: () => null },
  },
  {
    ...{ id: 'method', title: 'Method', width: 124, doc: 'The advantage estimator.' },
    ...{ group: ({ method }) => method, run: () => null },
  },
  {
    ...{ id: 'n', title: 'Seeds', width: 76, isNumber: true, doc: 'How many seeds; those whose score counts, of all.' },
    ...{ group: nText, run: ({ seed }) => seed },
  },
  {
    ...{ id: 'state', title: 'State', width: 112, doc: 'How far the runs are.' },
    ...{ group: stateText, run: ({ state, problem }) => (problem ? `${state}: ${problem}` : state) },
  },
  {
    ...{ id: 'progress', title: 'Progress', width: 92, isNumber: true, text: percent },
    doc: 'Share of the updates that are trained, averaged over the seeds.',
    ...{ group: ({ progress }) => progress, run: ({ update, updates }) => (updates === 0 ? 1 : update / updates) },
  },
  {
    ...{ id: 'score', title: 'Success (IQM)', width: 190, isNumber: true, text: (x) => x.toFixed(3) },
    doc: 'Interquartile mean over the seeds of the mean of the last tenth of a run’s evaluations, with its 95 % interval.',
    ...{ group: ({ score }) => score, run: ({ score }) => score },
  },
  {
    ...{ id: 'best', title: 'Best', width: 74, isNumber: true, text: (x) => x.toFixed(3) },
    doc: 'Best evaluation of a run, interquartile mean over the seeds. It is optimistic.',
    ...{ group: ({ best }) => best, run: ({ best }) => best },
  },
  {
    ...{ id: 'entropy', title: 'Entropy', width: 80, isNumber: true, text: value },
    doc: 'Policy entropy of the last update in nats, mean over the seeds.',
    ...{ group: ({ entropy }) => entropy, run: ({ entropy }) => entropy },
  },
  {
    ...{ id: 'ess', title: 'ESS', width: 70, isNumber: true, text: value },
    doc: 'Effective sample size of the last update as a share, mean over the seeds.',
    ...{ group: ({ ess }) => ess, run: ({ ess }) => ess },
  },
  {
    ...{ id: 'steps', title: 'Steps', width: 84, isNumber: true, text: short },
    doc: 'Environment steps, mean over the seeds.',
    ...{ group: ({ steps }) => steps, run: ({ envSteps }) => envSteps },
  },
  {
    ...{ id: 'seconds', title: 'Seconds', width: 84, isNumber: true, text: (x) => (x < 10 ? x.toFixed(1) : count(x)) },
    doc: 'Time of training, mean over the seeds. Seeds that trained together each have the time of all.',
    ...{ group: ({ seconds }) => seconds, run: ({ seconds }) => seconds },
  },
  {
    ...{ id: 'backend', title: 'Backend', width: 84, doc: 'Where it trained: CPU, WebGPU, or both in turn.' },
    ...{ group: ({ backends }) => backends.join(', '), run: ({ backend }) => backend },
  },
  {
    ...{ id: 'digest', title: 'Digest', width: 116 },
    doc: 'Of a group: that of its settings without the seed. Of a run: that of everything that happened in it.',
    ...{ group: ({ runs }) => runs[0]!.group, run: ({ digest }) => digest?.slice(0, 10) ?? null },
  },
  {
    ...{ id: 'started', title: 'Started', width: 128, isNumber: true, text: (x) => date.format(x) },
    doc: 'When the newest of its runs began.',
    ...{ group: ({ startedAt }) => startedAt, run: ({ startedAt }) => startedAt },
  },
  {
    ...{ id: 'tags', title: 'Tags', width: 130, doc: 'Words that you have given.' },
    ...{ group: ({ tags }) => tags.join(', '), run: ({ tags }) => tags.join(', ') },
  },
  {
    ...{ id: 'note', title: 'Note', width: 200, doc: 'What you have written down.' },
    ...{ group: ({ note }) => note, run: ({ note }) => note },
  },
  {
    ...{ id: 'version', title: 'Lab', width: 80, doc: 'Version of the lab that trained it.' },
    ...{ group: ({ runs }) => runs[0]!.version, run: ({ version }) => version },
  },
];

export const columnOf = (id: ColumnId): Column => COLUMNS.find((column) => column.id === id)!;

/** A cell in words; "–" for what is not known. */
export function cellText({ text }: Column, cell: Cell): string {
  if (cell === null || cell === '') return cell === null ? '–' : '';
  return typeof cell === 'number' ? (text ?? String)(cell) : cell;
}
