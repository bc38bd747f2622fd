import { create } from 'zustand';
import type { Config } from '../../config/slots.ts';

export type Overlay = 'policy' | 'visits' | 'credit' | 'entropy' | 'change';
export type Theme = 'system' | 'light' | 'dark';

/** What the person looks at. Never changes results. */
export type View = {
  /** seed on the stage, index 0 … S − 1 */
  readonly replica: number;
  /** selected cell of the batch; null follows the newest episode */
  readonly trajectory: number;
  readonly step: number;
  readonly isFollowing: boolean;
  readonly isPlaying: boolean;
  readonly speed: 1 | 4 | 16;
  readonly overlay: Overlay;
  /** layer of the map on the stage; null: that of the step on the screen */
  readonly layer: number | null;
  /** step under the pointer in a strip: shown everywhere as long as the pointer stays */
  readonly hovered: { readonly i: number; readonly t: number } | null;
  /** the person plays instead of the agent */
  readonly isHuman: boolean;
  /** the level editor is open, on the level that a config makes of this seed; null config: that of the draft */
  readonly editing: { readonly levelSeed: number; readonly config: Config | null } | null;
  readonly part: string;
  /** where the rows of the credit strips are aligned, and whether cells carry ▲ and ▼ */
  readonly align: 'start' | 'end';
  readonly hasSigns: boolean;
  readonly xAxis: 'update' | 'envSteps';
  readonly theme: Theme;
  readonly tab: 'setup' | 'watch' | 'charts' | 'episodes';
  readonly isSetupOpen: boolean;
  readonly keysOn: boolean;
};

/** Where the form has no column of its own it is a drawer, closed at first. */
export const WIDE = '(min-width: 1200px)';

export const useView = create<View>(() => ({
  replica: 0,
  trajectory: 0,
  step: 0,
  isFollowing: true,
  isPlaying: false,
  speed: 4,
  overlay: 'policy',
  layer: null,
  hovered: null,
  isHuman: false,
  editing: null,
  part: 'total',
  align: 'start',
  hasSigns: false,
  xAxis: 'update',
  theme: 'system',
  tab: 'watch',
  isSetupOpen: globalThis.matchMedia?.(WIDE).matches ?? true,
  keysOn: true,
}));

export const look = (view: Partial<View>): void => useView.setState(view);

/** Selects a step everywhere; looking at one episode stops following the newest. */
export function select(trajectory: number, step: number): void {
  useView.setState({ trajectory, step, isFollowing: false, isPlaying: false });
}
