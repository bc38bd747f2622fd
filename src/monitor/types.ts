/** What the health monitor says, as plain data: it travels in frames. */

export type ConditionId =
  | 'nonFinite'
  | 'entropyCollapse'
  | 'templateCollapse'
  | 'lowEss'
  | 'replayDrift'
  | 'ratioDrift'
  | 'silentGroups'
  | 'rewardHacking'
  | 'successDrop'
  | 'gradientSpike'
  | 'panelDrift'
  | 'hierarchyCollapse';

/** The one thing to do: go back to the best checkpoint, halve the learning rate, or read what the condition means. */
export type AlarmAction = 'rewind' | 'lowerRate' | 'read';

/** One episode of trouble: raised once, joined by further seeds, over when it has not held for a while. */
export type Alarm = {
  /** condition and update, e.g. `lowEss@57`: the name of this episode */
  readonly key: string;
  readonly id: ConditionId;
  readonly title: string;
  /** the numbers of the seed that raised it */
  readonly evidence: string;
  /** the likely cause in this experiment */
  readonly cause: string;
  readonly action: AlarmAction;
  /** what the condition means and what else helps */
  readonly doc: string;
  /** first update (from 0) in which it held */
  readonly since: number;
  /** update after which it was over; null while it continues */
  readonly until: number | null;
  /** replicas 0 … S − 1 in which it has held in this episode */
  readonly replicas: readonly number[];
  /** of how many */
  readonly S: number;
};
