import { create } from 'zustand';
import { changesSteps } from '../../config/bySteps.ts';
import type { SharedSweep } from '../../config/sharedSweep.ts';
import type { SettingValue } from '../../core/settings.ts';
import type { Match, SweepBackend } from '../../lab/sweep/description.ts';

/** A setting that differs, and its values. */
export type Varied = { readonly path: string; readonly values: readonly SettingValue[] };

/** What the dialog “Compare settings” holds: a description in the making. */
export type Compare = {
  readonly title: string;
  /** every value alone against the experiment as it is, or every combination of all values */
  readonly kind: 'single' | 'grid';
  readonly varied: readonly Varied[];
  readonly seeds: number;
  readonly updates: number;
  /** update sizes are matched along with the others */
  readonly match: Exclude<Match, 'updateSize'>;
  readonly isSizeMatched: boolean;
  readonly steps: number;
  readonly seconds: number;
  /** where it trains; null: wherever it is measured to be faster, the CPU path where nobody knows */
  readonly backend: SweepBackend | null;
};

const FIRST: Compare = {
  ...{ title: '', kind: 'grid', varied: [], seeds: 5, updates: 100 },
  ...{ match: 'updates', isSizeMatched: false, steps: 50_000, seconds: 10 },
  backend: null,
};

export const useCompare = create<Compare>(() => FIRST);

export const vary = (change: Partial<Compare>): void => useCompare.setState(change);

/** A row of the dialog has other values; none: it goes. */
export function setRow(row: number, varied: Varied | null): void {
  const { varied: all, match } = useCompare.getState();
  const rows = all.flatMap((one, k) => (k !== row ? [one] : varied ? [varied] : []));
  // what changes the cost of an update is compared at equal steps, unless it was chosen otherwise since
  const isNew = varied !== null && all[row]?.path !== varied.path && changesSteps(varied.path);
  useCompare.setState({ varied: rows, ...(isNew && match === 'updates' ? { match: 'environmentSteps' } : {}) });
}

/** `isNew`: what it holds is shown also while a comparison trains. */
type Opened = { readonly isOpen: boolean; readonly isNew: boolean };
export const useOpened = create<Opened>(() => ({ isOpen: false, isNew: false }));
export const closeCompare = (): void => useOpened.setState({ isOpen: false });

/** What the dialog holds, for a link; null where nothing differs yet. */
export function shared({ kind, varied, seeds, match, isSizeMatched, ...amounts }: Compare): SharedSweep | null {
  if (varied.length === 0) return null;
  return { kind, varied, seeds, match, amount: amounts[amountOf(match)], isSizeMatched };
}

const amountOf = (match: Compare['match']): 'updates' | 'steps' | 'seconds' =>
  match === 'environmentSteps' ? 'steps' : match === 'seconds' ? 'seconds' : 'updates';

/** The comparison of a link is in the dialog, to be started or not. */
export function openShared({ amount, ...sweep }: SharedSweep): void {
  vary({ ...FIRST, ...sweep, [amountOf(sweep.match)]: amount });
  useOpened.setState({ isOpen: true, isNew: true });
}

/** Opens the dialog; with a field: its values are what differs, also while another comparison trains. */
export function openCompare(varied?: Varied): void {
  if (varied) vary({ title: '', kind: 'grid', varied: [varied] });
  useOpened.setState({ isOpen: true, isNew: varied !== undefined });
}
