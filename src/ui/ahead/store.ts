import { create } from 'zustand';
import { lookahead, type LookaheadSettings } from '../../lab/analysis/lookahead.ts';
import type { MeasurementAnswer } from '../../worker/protocol.ts';

const { params } = lookahead;

/** How the agent looks ahead, on the map and where its success is measured. `leaf` null: nobody has chosen. */
export type AheadChoice = Omit<LookaheadSettings, 'leaf'> & { readonly leaf: LookaheadSettings['leaf'] | null };

/** The choice, and what was answered last for the step on the stage. */
export type Ahead = AheadChoice & { readonly answer: MeasurementAnswer | null };

export const useAhead = create<Ahead>(() => ({
  depth: 4,
  width: params.width.default,
  commit: params.commit.default,
  gamma: params.gamma.default,
  leaf: null,
  answer: null,
}));

export const chooseAhead = (choice: Partial<AheadChoice>): void => useAhead.setState(choice);

/** The settings of a run: without a choice a search ends in the critic's values where there is one. */
export function settingsOf({ depth, width, commit, gamma, leaf }: AheadChoice, hasCritic: boolean): LookaheadSettings {
  return { depth, width, commit, gamma, leaf: leaf ?? (hasCritic ? 'value' : 'none') };
}
