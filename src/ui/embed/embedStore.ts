import { create } from 'zustand';
import type { MetricId } from '../../slots/metrics/metrics.ts';
import { readEmbedHash, type EmbedAsked } from './embedAddress.ts';

/** What a frame shows, and whether anyone can see it. */
type Embed = EmbedAsked & {
  /** Curves to draw, once they are known to exist; the host can ask for others. */
  readonly metrics: readonly MetricId[];
  /** A part of the frame is on the screen. */
  readonly isSeen: boolean;
  /** The experiment is on the page and the worker was asked to load it. */
  readonly hasBegun: boolean;
  /** Training waits only until the frame is in sight again. */
  readonly waitsForSight: boolean;
  /** why `run=1` has not started it */
  readonly whyNot: string;
};

export const useEmbed = create<Embed>(() => ({
  ...readEmbedHash(globalThis.location?.hash ?? ''),
  metrics: [],
  isSeen: false,
  hasBegun: false,
  waitsForSight: false,
  whyNot: '',
}));

export const setEmbed = (change: Partial<Embed>): void => useEmbed.setState(change);

/** Nothing can be shown; one sentence says why, and what would help. */
export const giveUp = (trouble: string): void => setEmbed({ trouble });
