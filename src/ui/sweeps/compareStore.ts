import { create } from 'zustand';
import type { SharedSweep } from '../../config/sharedSweep.ts';
import type { SettingValue } from '../../core/settings.ts';
import type { Config } from '../../config/slots.ts';
import type { SweepBackend } from '../../lab/sweep/description.ts';
import { equalIn, FIELDS, type Matched } from './equal.ts';

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
  /** what is equal in all versions; null: whatever suits what differs (equal.ts) */
  readonly match: Matched | null;
  /** update sizes are matched along with the others */
  readonly isSizeMatched: boolean;
  /** null: as many as the updates would take */
  readonly steps: number | null;
  readonly seconds: number;
  /** where it trains; null: wherever it is measured to be faster, the CPU path where nobody knows */
  readonly backend: SweepBackend | null;
};

const FIRST: Compare = {
  ...{ title: '', kind: 'grid', varied: [], seeds: 5, updates: 100 },
  ...{ match: null, isSizeMatched: false, steps: null, seconds: 10 },
  backend: null,
};

export const useCompare = create<Compare>(() => FIRST);

export const vary = (change: Partial<Compare>): void => useCompare.setState(change);

/** A row of the dialog has other values; none: it goes. */
export function setRow(row: number, varied: Varied | null): void {
  const { varied: all } = useCompare.getState();
  const rows = all.flatMap((one, k) => (k !== row ? [one] : varied ? [varied] : []));
  useCompare.setState({ varied: rows });
}

/** `isNew`: what it holds is shown also while a comparison trains. */
type Opened = { readonly isOpen: boolean; readonly isNew: boolean };
export const useOpened = create<Opened>(() => ({ isOpen: false, isNew: false }));
export const closeCompare = (): void => useOpened.setState({ isOpen: false });

/** What the dialog holds over the experiment on the page, for a link; null where nothing differs yet. */
export function shared(compare: Compare, base: Config): SharedSweep | null {
  const { kind, varied, seeds, isSizeMatched } = compare;
  if (varied.length === 0) return null;
  const { match, amount } = equalIn(compare, base);
  return { kind, varied, seeds, match, amount, isSizeMatched };
}

/** The comparison of a link is in the dialog, to be started or not. */
export function openShared({ amount, ...sweep }: SharedSweep): void {
  vary({ ...FIRST, ...sweep, [FIELDS[sweep.match]]: amount });
  useOpened.setState({ isOpen: true, isNew: true });
}

/** Opens the dialog; with a field: its values are what differs, also while another comparison trains. */
export function openCompare(varied?: Varied): void {
  if (varied) vary({ title: '', kind: 'grid', varied: [varied] });
  useOpened.setState({ isOpen: true, isNew: varied !== undefined });
}
