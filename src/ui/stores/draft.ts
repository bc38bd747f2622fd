import { create } from 'zustand';
import { prepareTask } from '../../config/level.ts';
import type { Issue } from '../../config/rules.ts';
import { defaultConfig, getValue, setValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import type { Shared } from '../../config/link.ts';

/** The experiment that changes are told against. */
type Start = { readonly base: Config; readonly baseTitle: string };

/** The experiment on the screen. `own` is the person's draft; a link is looked at beside it until it is kept. */
export type Draft = {
  readonly config: Config;
  /** what the person had before a link was opened; null when no link is open */
  readonly own: Config | null;
  /** what the changes of that were told against */
  readonly ownStart: Start | null;
  readonly title: string;
  readonly note: string;
  /** the config of the preset the draft started from, for "what changed" */
  readonly base: Config;
  readonly baseTitle: string;
  readonly issues: readonly Issue[];
  /** by path: what was typed that no value can be made of. It stays in its field, and Run waits until it is mended. */
  readonly refused: Readonly<Record<string, string>>;
  /** the draft is a fork of the run: from which update, and with which settings it began */
  readonly fork: { readonly at: number; readonly base: Config } | null;
};

const first = defaultConfig();

type Judge = typeof import('../judge.ts');
let judge: Judge | null = null;

/** The rules, if they have come by now: nothing trains before they have been asked for. */
export const judgeNow = (): Judge | null => judge;

/**
 * Loads the rules and judges the draft by them, and by what else has been loaded: a level that was still on its way is no
 * fault of it, and a draft with faults is not loaded. Where the rules cannot be had, the worker still refuses what breaks them.
 */
export async function judged(): Promise<Judge | null> {
  judge ??= await import('../judge.ts').catch(() => null);
  const { config, refused } = useDraft.getState();
  useDraft.setState({ issues: issuesOf(config, refused) });
  return judge;
}

export const useDraft = create<Draft>(() => ({
  config: first,
  own: null,
  ownStart: null,
  title: '',
  note: '',
  base: first,
  baseTitle: 'Key and door · GiGPO',
  issues: [],
  refused: {},
  fork: null,
}));

/** The field itself tells what is wrong with what was typed. */
export const NOT_TAKEN = 'was not taken';

function issuesOf(config: Config, refused: Draft['refused']): Issue[] {
  const typed = Object.keys(refused).map((path): Issue => ({ path, message: NOT_TAKEN, severity: 'error' }));
  return [...typed, ...(judge?.issuesOf(config, useDraft.getState().fork) ?? [])];
}

export function setConfig(config: Config): void {
  const before = useDraft.getState();
  // another value in a field takes the place of what was typed there
  const stays = ([path]: [string, string]): boolean => getValue(config, path) === getValue(before.config, path);
  const refused = Object.fromEntries(Object.entries(before.refused).filter(stays));
  useDraft.setState({ config, refused, issues: issuesOf(config, refused) });
  // levels that are loaded when asked for: the same draft once more when they are there
  void prepareTask(config)?.then(() => {
    if (useDraft.getState().config === config) setConfig({ ...config });
  });
}

/** What was typed for a setting is no value of it; null: it is mended, or taken back. */
export function refuse(path: string, text: string | null): void {
  const { config, refused: before } = useDraft.getState();
  const { [path]: mended, ...others } = before;
  if (text === null && mended === undefined) return;
  const refused = text === null ? others : { ...others, [path]: text };
  useDraft.setState({ refused, issues: issuesOf(config, refused) });
}

export function change(path: string, value: unknown): void {
  refuse(path, null);
  setConfig(setValue(useDraft.getState().config, path, value));
}

export function changeAll(set: readonly { readonly path: string; readonly value: unknown }[]): void {
  for (const { path } of set) refuse(path, null);
  setConfig(set.reduce((config, { path, value }) => setValue(config, path, value), useDraft.getState().config));
}

export function startFrom(config: Config, title: string): void {
  useDraft.setState({ base: config, baseTitle: title, title: '', note: '', fork: null, refused: {} });
  setConfig(config);
}

/** Shows a link's experiment, told as `start` where it is one of ours; the person's own draft waits untouched. */
export function openShared(shared: Shared, start: Start | undefined): void {
  const { config, own, base, baseTitle, ownStart } = useDraft.getState();
  const mine = { own: own ?? config, ownStart: ownStart ?? { base, baseTitle } };
  useDraft.setState({ ...mine, ...start, title: shared.title ?? '', note: shared.note ?? '', fork: null, refused: {} });
  setConfig(shared.config);
}

/** The link's experiment becomes the person's draft. */
export function keepShared(): void {
  useDraft.setState({ own: null, ownStart: null });
}

/** Back to the person's own draft. */
export function discardShared(): void {
  const { own, ownStart } = useDraft.getState();
  if (!own) return;
  useDraft.setState({ own: null, ownStart: null, ...ownStart, title: '', note: '' });
  setConfig(own);
}

/** The draft becomes that of a fork of the run. */
export function openFork(at: number, base: Config): void {
  useDraft.setState({ fork: { at, base }, refused: {} });
  setConfig(base);
}

/** The draft is its own experiment again. */
export function endFork(): void {
  useDraft.setState({ fork: null });
}

export const errorsOf = (issues: readonly Issue[]): readonly Issue[] => issues.filter((i) => i.severity === 'error');
