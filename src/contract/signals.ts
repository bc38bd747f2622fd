/**
 * What a step tells beside its reward: cheap functions of a level and a trajectory so far, which every world declares and
 * which are only computed where a module needs them. Spec methods/reward §1.
 */

/** Milestones of a level that are told apart; later ones count in none of the signals. */
export const MILESTONES = 16;

const wide = (n: number) => (): number => n;
const one = { type: 'f32', made: 'need', words: 'what the world reports besides its reward' } as const;
const step = { per: 'step', ...one } as const;
const stepAndEnd = { per: 'stepAndEnd', ...one } as const;
const row = { per: 'row', ...one } as const;

/** Columns of a batch, in the order in which the device holds them. */
export const signalColumns = {
  phi: { ...stepAndEnd, doc: 'potential Φ of the state' },
  progress: { ...stepAndEnd, doc: 'share of the milestones reached so far; never falls' },
  completion: { ...stepAndEnd, doc: 'how complete the current state is, 0 to 1; may fall' },
  invalid: { ...step, doc: '1 = the action was refused: nothing could happen' },
  grounded: { ...step, doc: '1 = the action was possible' },
  novel: { ...step, doc: '1 = the step led to a state that this row had not seen' },
  repeat: { ...step, doc: '1 = this row did the same in the same state before' },
  tag: {
    ...step,
    isLabel: true,
    doc: 'number of the thought before the action: none, plan, explore, reflect, monitor',
  },
  did: { ...step, isLabel: true, doc: 'action of the world, without its tag' },
  hardEvent: { ...step, doc: '1 = something that cannot be undone happened' },
  softPenalty: { ...step, width: wide(2), doc: 'factors in (0, 1]: 0.7 for a refusal; 0.9 for a step that wastes' },
  message: { ...step, isLabel: true, doc: 'number of the events of the step; equal numbers, equal events' },
  milestoneStep: { ...row, width: wide(MILESTONES), doc: 'step that first reached each milestone, −1 = never' },
  outcomeScore: { ...row, doc: '1 on success, else half the progress at the end' },
  factor: { ...row, width: wide(3), doc: 'success; milestones reached; minus the effort' },
} as const;

export type SignalName = keyof typeof signalColumns;
export const signalNames = Object.keys(signalColumns) as readonly SignalName[];

/** Columns beside signals that are made of the states of a batch that was played, where a module needs them. */
export const stateColumns = ['covered', 'cover', 'taught'] as const;
export type StateColumn = (typeof stateColumns)[number];

/** Signals of one replica. */
export type Signals = { readonly [K in SignalName]?: Float32Array };

/**
 * What Φ is: minus the exact distance to the goal in units of that of the start, −2 where there is no way any more; the
 * milestones; or V* of the level with this discount.
 */
export type Potential = { readonly of: 'distance' | 'milestone' | 'value'; readonly gamma: number };

/** What a world says of one state. */
export type Told = {
  /** milestones that hold, counted from the first without a gap */
  reached: number;
  completion: number;
  /** Φ for `distance` and `value` */
  phi: number;
  /** steps or pushes to the goal, where something depends on it */
  cost: number;
  /** no way leads to the goal any more */
  isLost: boolean;
};

/** What `tell` reads beside a state: the level, its table, and which Φ is asked for. */
export type Known<L> = { readonly level: L; readonly table: Uint32Array; readonly potential: Potential };

/** Number of the message of a step: its flags without the four that only say how the episode goes on. */
export const messageOf = (flags: number): number => flags >>> 4;

/** What a number of the signal `message` says. */
export type Message = { readonly message: number; readonly words: string };

/** How a world declares its signals. The functions of `wgsl` say the same to the bit, save for rounding of Φ. */
export type WorldSignals<L> = {
  /** False where the level has more states than anybody looks through: then it has no table. */
  fits(level: L, potential: Potential): boolean;
  /** Words that `tell` reads beside the level, the first of which is the number of milestones. Null: it does not fit. */
  table(level: L, potential: Potential): Uint32Array | null;
  tell(known: Known<L>, state: Uint32Array, at: number, out: Told): void;
  /** Key of what counts as a new state, as (high, low). */
  novelKey(level: L, state: Uint32Array, at: number, out: Uint32Array, outAt: number): void;
  /** true where a tag stands before each action: action = own·tag + a */
  readonly isTagged?: boolean;
  /**
   * Items that are covered by being in a state, each once, by numbers below 1,024: cells in view within a radius, cells where
   * boxes stand, rooms and objects seen.
   */
  cover?(level: L, state: Uint32Array, at: number, radius: number, add: (item: number) => void): void;
  /** what the numbers of the signal `message` say, those that a person may find interesting or not */
  messages(): Promise<readonly Message[]>;
  /** which of the two Φ `milestone` is */
  readonly milestone: 'progress' | 'completion';
  /** steps that waste: none, pushes after which more are needed, or possible actions that change nothing */
  readonly wastes: 'none' | 'push' | 'idle';
  /** what effort counts: steps and twice the refusals, pushes, or steps */
  readonly effort: 'refusals' | 'pushes' | 'steps';
  /** The same on a device. Loaded where a run on one needs it. */
  wgsl(): Promise<SignalsWgsl>;
};

export type SignalsWgsl = {
  /** functions tellState and novelKey over a packed level, a table and a state: see signalStates.wgsl */
  readonly tell: string;
  /** function coverState over a packed level and a state, by itself: see covered.wgsl */
  readonly cover?: string;
};

/** Marks the record for the build: the page asks only whether a level fits. */
export function defineSignals<L>(signals: WorldSignals<L>): WorldSignals<L> {
  return signals;
}
