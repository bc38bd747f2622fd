import { create } from 'zustand';

export type Overlay = 'policy' | 'visits' | 'credit';
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
  readonly part: string;
  readonly xAxis: 'update' | 'envSteps';
  readonly theme: Theme;
  readonly tab: 'setup' | 'watch' | 'charts' | 'episodes';
  readonly isSetupOpen: boolean;
  readonly keysOn: boolean;
};

export const useView = create<View>(() => ({
  replica: 0,
  trajectory: 0,
  step: 0,
  isFollowing: true,
  isPlaying: false,
  speed: 4,
  overlay: 'policy',
  part: 'total',
  xAxis: 'update',
  theme: 'system',
  tab: 'watch',
  isSetupOpen: true,
  keysOn: true,
}));

export const look = (view: Partial<View>): void => useView.setState(view);

/** Selects a step everywhere; looking at one episode stops following the newest. */
export function select(trajectory: number, step: number): void {
  useView.setState({ trajectory, step, isFollowing: false, isPlaying: false });
}
