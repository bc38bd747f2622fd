import { create } from 'zustand';
import type { Config } from '../../config/slots.ts';
import { keepLooks, keptLooks, type Looks } from './looks.ts';

export type Overlay = 'policy' | 'visits' | 'credit' | 'entropy' | 'change' | 'reward' | 'ahead';
export type Theme = 'system' | 'light' | 'dark';

/** What curves are drawn against; simulated time only where a run has a simulated clock, else updates. */
export type XAxis = 'update' | 'envSteps' | 'simTime';
/** What figures that know no clock are drawn against. */
export type CountedAxis = Exclude<XAxis, 'simTime'>;
export const countedAxis = (xAxis: XAxis): CountedAxis => (xAxis === 'simTime' ? 'update' : xAxis);

/** What the person looks at. Never changes results. */
export type View = {
  /** the lab, the table of all kept runs, the logs of other agents, the lessons, one of them, its sheet to print, or the device check */
  readonly page: 'lab' | 'runs' | 'logs' | 'lessons' | 'lesson' | 'print' | 'check';
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
  /** the credit formula is open */
  readonly isWriting: boolean;
  readonly part: string;
  /** where the rows of the credit strips are aligned, and whether cells carry ▲ and ▼ */
  readonly align: 'start' | 'end';
  readonly hasSigns: boolean;
  /** what curves stand against; null: nobody has chosen (see useXAxis.ts) */
  readonly xAxis: XAxis | null;
  /** places of a curve that the worker sends: more while one is looked at in detail */
  readonly points: number;
  readonly theme: Theme;
  readonly tab: 'setup' | 'watch' | 'charts' | 'episodes';
  /** tab of the panel below the stage */
  readonly dock: 'episodes' | 'graph' | 'update' | 'inside' | 'profile' | 'log';
  readonly isSetupOpen: boolean;
  readonly keysOn: boolean;
  /** most updates a second; 0 stops after every update, null is as fast as it goes */
  readonly pace: number | null;
  /** the credit of all episodes stands open below the map */
  readonly isCreditOpen: boolean;
  /** widths of the columns beside the stage in CSS pixels; null: those of the style sheet */
  readonly setupWidth: number | null;
  readonly chartsWidth: number | null;
  /** this panel has the whole window */
  readonly large: 'stage' | 'credit' | null;
  /** on a phone: why the run is on the CPU stands in full over the lower edge */
  readonly isCpuTold: boolean;
};

/** Places of a curve on the page, and of one that is large while the run rests. */
export const POINTS = 400;
export const MANY_POINTS = 1600;

/** Where the form has no column of its own it is a drawer, closed at first. */
export const WIDE = '(min-width: 1200px)';

export const useView = create<View>(() => ({
  page: 'lab',
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
  isWriting: false,
  part: 'total',
  align: 'start',
  hasSigns: false,
  xAxis: null,
  points: POINTS,
  theme: 'system',
  tab: 'watch',
  dock: 'episodes',
  isSetupOpen: false,
  keysOn: true,
  large: null,
  isCpuTold: false,
  ...keptLooks(),
}));

const REMEMBERED: readonly (keyof Looks)[] = ['pace', 'isCreditOpen', 'setupWidth', 'chartsWidth'];
useView.subscribe((view, before) => {
  if (REMEMBERED.some((name) => view[name] !== before[name])) keepLooks(view);
});

export const look = (view: Partial<View>): void => useView.setState(view);

/** Selects a step everywhere; looking at one episode stops following the newest. */
export function select(trajectory: number, step: number): void {
  useView.setState({ trajectory, step, isFollowing: false, isPlaying: false });
}
