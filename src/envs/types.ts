import type { WorldSignals } from '../contract/signals.ts';
import type { StepRole } from '../contract/units.ts';
import type { Result } from '../core/problem.ts';
import type { AnyValues, Settings } from '../core/settings.ts';
import type { LevelKind } from './editor.ts';
import type { Family } from './ladder.ts';
import type { Aiming, Nearby, Vocabulary } from './subgoals.ts';

/** Flags of a step (u32). The low four bits are the status kept in the state. */
export const FLAG = {
  terminated: 1,
  truncated: 2,
  success: 4,
  dead: 8,
  invalid: 16,
  noEffect: 32,
} as const;

/** What an agent does in a step, and the seed of its episode, by which chance is drawn. One object serves many steps. */
export type Move = { action: number; seed: number };

/** An observation in the making, at obs[obsAt …], of an episode with this seed. One object serves many. */
export type Seen = { episodeSeed: number; obs: Uint32Array; obsAt: number };

/** Reward in thousandths (integer) and flags of one step. */
export type StepResult = { reward: number; flags: number };

/** One possible result of an action for exact dynamic programming: probability = numerator / denominator. */
export type Outcome = {
  readonly numerator: number;
  readonly denominator: number;
  readonly state: Uint32Array;
  /** thousandths */
  readonly reward: number;
  readonly flags: number;
};

/** A drawing of one state that knows nothing about screens: cells with what is in them, in draw order. */
export type Scene = {
  readonly width: number;
  readonly height: number;
  /** [height*width] what each cell is, e.g. 'wall' 'floor' 'goal' 'door' … ; see each environment's list */
  readonly cells: readonly SceneCell[];
  /** things carried, for the legend under the stage */
  readonly holding: readonly string[];
  /** the agent's cell and heading (0 east, 1 south, 2 west, 3 north; null without heading) */
  readonly agent: { readonly cell: number; readonly direction: number | null };
  /** cells that the policy sees, where its view does not show all of them */
  readonly shown?: readonly number[];
  /** something is in view now that decides later, when it is out of view; absent where it is not, or where nobody says so */
  readonly isCue?: true;
  /** ways between cells, where the map is a graph of rooms and not a board */
  readonly passages?: readonly Passage[];
  /** actions chosen but not yet done, next one first; only where actions are delayed */
  readonly waiting?: readonly string[];
  /** what the last step was, where a tag stands before each action; a refused one has lost its tag */
  readonly thought?: { readonly tag: number; readonly isRefused: boolean };
  /** the subgoal that the policy follows, what the step decides, and the subgoals planned where it made a plan */
  readonly aim?: { readonly subgoal: string; readonly decides: StepRole; readonly plan: readonly string[] };
  /** the note that the policy wrote to itself, what is written of the next one, and which of its symbols is due, 0: none */
  readonly note?: { readonly note: string; readonly draft: string; readonly place: number };
  /** which slots of the store are filled, and the one that is read now, from 1; 0: none */
  readonly store?: { readonly filled: readonly boolean[]; readonly reading: number };
  /** what a teacher tells to do next, and the cell where that is; null: on no map */
  readonly told?: { readonly words: string; readonly cell: number | null };
  /** what the environment says in this state, one sentence an entry: the transcript of language worlds */
  readonly said?: readonly string[];
};
/** `label`: the name of a room; `items`: everything that lies in it (a board cell has at most one `item`) */
export type SceneCell = {
  readonly ground: string;
  readonly item?: string;
  readonly color?: number;
  readonly label?: string;
  readonly items?: readonly { readonly item: string; readonly color?: number }[];
};
/** A way between two cells; `color`: a door of that color (0 red, 1 blue, 2 green, 3 yellow), `open` or still locked. */
export type Passage = { readonly a: number; readonly b: number; readonly color?: number; readonly open: boolean };

/** A published setting of a task: what differs from the defaults. */
export type TaskPreset = {
  readonly id: string;
  readonly title: string;
  readonly settings: AnyValues;
  /** thousandths */
  readonly rewards: AnyValues;
  /** arXiv id or repository */
  readonly source: string;
};

/** Checkpoints of a level in the order in which they are reached, the last one success; and how many a state has passed. */
export type Checkpoints = {
  readonly names: readonly string[];
  reached(state: Uint32Array, at: number): number;
};

/** Planes of a board and its sides; `agent`: the plane that shows where the agent is, absent where none does. */
export type Board = {
  readonly planes: number;
  readonly height: number;
  readonly width: number;
  readonly agent?: number;
};

/** What a world does in WGSL. */
export type WorldWgsl = {
  /** functions envReset, envStep, envObserve, envKey, envLegal, envLimit over the packed level; see src/envs/grid/step.wgsl */
  readonly step: string;
  /** function envObserveNext: envObserve where the state before the step was seen in the same memory; linked after `step` */
  readonly next?: string;
  /** function envFlicker, the twin of `flicker`; linked after `step` */
  readonly flicker?: string;
  /** function envJunction, the twin of `isJunction` where that asks for no state before; linked after `step` */
  readonly junction?: string;
};

/**
 * A subgoal that a teacher may set: the bits `mask` of word `word` of a state, counted from bit `at`, lie between `least` and
 * `most`; word 255: the episode succeeds.
 */
export type Subgoal = {
  readonly word: number;
  readonly at: number;
  readonly mask: number;
  readonly least: number;
  readonly most: number;
  /** where it is, as `cell` tells places */
  readonly place: number;
  /** three words at most that tell it */
  readonly says: readonly string[];
};

/** Variants of a level that the members of a task group meet, by which something is dealt among them. */
export type Deal<L> = {
  /** how many there are; number 0 is the level as it is made */
  readonly count: number;
  /** which one a member of a group meets, counted from 0, in a batch that trains or in one that is only measured */
  variant(member: number, trains: boolean): number;
  /** the level in a variant above 0 */
  level(level: L, variant: number): L;
  /** steps that the policy is told in a state to need at most, where it is told so */
  budget?(level: L, state: Uint32Array, at: number): number;
  /** hints that an episode may be given: number h from 1 is `h · step` variants further */
  readonly help?: Help<L>;
};

/** Hints from the weakest to the strongest; `count` of them. */
export type Help<L> = {
  readonly count: number;
  readonly step: number;
  /** true if there is a solution to hint at, within the step limit */
  solves(level: L): boolean;
  /** the hint of a state, in words; null: it has none */
  told(level: L, state: Uint32Array, at: number): string | null;
  /** takes the hint out of a state */
  forget(state: Uint32Array, at: number): void;
};

/** Notes that a policy writes to itself, in steps that do not move the world. */
export type Notebook<L> = {
  /** the action that writes the first symbol; those behind it write the others, and nothing else is legal where one is due */
  first(level: L): number;
  /** does the step from this state write? */
  isDue(state: Uint32Array, at: number): boolean;
  /** the note that is seen in a state, in words; empty: none was written yet */
  told(state: Uint32Array, at: number): string;
  /** the same as a number, 0 where there is none; and puts another one in its place */
  read(state: Uint32Array, at: number): number;
  put(state: Uint32Array, at: number, note: number): void;
};

/** What an agent wrote down for itself in a state, as words that can be exchanged for those of another episode; all 0: nothing. */
export type Keeps = {
  readonly words: number;
  /** it is about a level, and means nothing in another one */
  readonly isOfLevel: boolean;
  read(state: Uint32Array, at: number, into: Uint32Array): void;
  put(state: Uint32Array, at: number, from: Uint32Array): void;
  /** was something written between a state and the next one? */
  isNew(state: Uint32Array, before: number, at: number): boolean;
};

/** What of a state counts as a goal, in u32 words that are never all 0: where something is, and what is carried. */
export type Goals<L> = {
  readonly words: number;
  /** bits by which a goal is shown */
  bits(level: L): number;
  /** the goal that a state reaches; `carried`: with what is carried there */
  reached(level: L, state: Uint32Array, at: number, carried: boolean, into: Uint32Array): void;
  /** the bits of a goal, one call each */
  show(level: L, goal: Uint32Array, set: (bit: number) => void): void;
  /** the goal of the level, where it takes no search to say; absent: that of the last state of a shortest solution */
  wanted?(level: L, into: Uint32Array): void;
};

/** Updates after which nobody trains any more: the last stage of a world that says so is for evaluations alone. */
export const NEVER_GROWS = 0xffffffff;

/**
 * An environment: pure rules over a state of `words` u32 words (the last word is clock | status << 16).
 * `L` is a parsed, immutable level together with the settings that shape its rules. A WGSL twin (`gpu`) does the same
 * on the same words, bit for bit, random draws included.
 */
export type Environment<L = unknown> = {
  readonly id: string;
  readonly title: string;
  readonly family: number;
  /** u32 words of a state, clock word included */
  readonly words: number;
  /** level source, rules, view; the step limit T is the setting `maxSteps` (0 = the level's own default) */
  readonly settings: Settings;
  /** rewards in thousandths, shown in the reward slot */
  readonly rewards: Settings;
  /**
   * How many stages a task grows through with these settings, 1 to 8; absent: 1. With more than one, the low three bits
   * of a level seed are the stage, 0 the easiest, and `level` makes a level of that stage: a level seed says it all.
   */
  stages?(settings: AnyValues): number;
  /** Does its view leave out a part of the state, so that remembering may help? Absent: it shows all that counts. */
  hides?(settings: AnyValues): boolean;
  /** Updates that training spends in each stage but the last (see `NEVER_GROWS`); absent: the setting `growEvery`. */
  growEvery?(settings: AnyValues): number;
  /**
   * Families of levels with a table of difficulty each, where the task is such a ladder; absent or none: it is not. Then the
   * low eight bits of a level seed say which family and which row of it (ladder.ts), and `level` makes a level of that row.
   */
  families?(settings: AnyValues): readonly Family[];
  /** Loads what `level` needs for these settings and is not in memory yet; null if nothing is missing. */
  prepare?(settings: AnyValues): Promise<void> | null;
  /** Level of a task. Same settings, rewards and seed → same level. Errors name line and column. */
  level(settings: AnyValues, rewards: AnyValues, levelSeed: number): Result<L>;
  /** Settings of a task whose episodes are cut after so many steps, as episodes count them; absent: `maxSteps` says so. */
  cutAt?(settings: AnyValues, steps: number): AnyValues;
  /** Step limit that holds for the level. */
  maxSteps(level: L): number;
  /** Names of the actions, index = id. */
  actions(level: L): readonly string[];
  /**
   * Where the observation is a board: its planes and sides, equal for all levels of one config. Bit plane·height·width +
   * y·width + x is cell (x, y) of a plane, and bits behind the planes are what is on no cell; null or absent: it is none.
   */
  board?(level: L): Board | null;
  /** Number of observation bits; equal for all levels of one config. With view `tokens`: bits of the packed tokens. */
  features(level: L): number;
  /**
   * What a policy that reads and writes words needs, with the view `tokens`. Then `observe` writes token ids, four per
   * u32 (first token in the low byte), <pad> = 0 after the last one, and `features` is 8 bits per token. `length` is a
   * multiple of 4.
   */
  readonly language: {
    /** longest observation in tokens; equal for all levels of one config */
    length(level: L): number;
    /** true where `observe` writes tokens of the level */
    speaks(level: L): boolean;
    /** [actions] token ids of each action's command, the closing <stop> left out; 1 to 3 tokens, 4 with a tag, no two equal */
    commands(level: L): readonly (readonly number[])[];
  };
  /** Writes the first state. */
  reset(level: L, state: Uint32Array, at: number): void;
  /** One step in place. Finished states do not change. `result` is overwritten, so that a step allocates nothing. */
  step(level: L, state: Uint32Array, at: number, move: Readonly<Move>, result: StepResult): void;
  /** Sets the observation bits of the state in `bits[bitsAt … + ceil(features/32))`; clears the others. */
  observe(level: L, state: Uint32Array, at: number, bits: Uint32Array, bitsAt: number): void;
  /**
   * What looks different by chance at every step, drawn into an observation that `observe` has written: it depends on the
   * seed of the episode and changes nothing in the world. `isOn`: equal for all levels of one config.
   */
  readonly flicker?: {
    isOn(level: L): boolean;
    draw(level: L, state: Uint32Array, at: number, seen: Readonly<Seen>): void;
  };
  /**
   * Writes the simplest state that behaves the same into place, clock not included: for the `world` what will be possible
   * and paid, for a `policy` also what will be seen. Absent: every word but the clock matters.
   */
  canonical?(level: L, state: Uint32Array, at: number, matters: 'world' | 'policy'): void;
  /** 64-bit key of the state (clock not included) as (high, low). */
  key(level: L, state: Uint32Array, at: number, out: Uint32Array, outAt: number): void;
  /** Bit a = 1: action a is legal here. All ones unless the setting `maskActions` is on. */
  legal(level: L, state: Uint32Array, at: number): number;
  /** Most results one action can have; above a few hundred nobody enumerates. */
  chances(level: L): number;
  /** All results of an action, for exact values. */
  outcomes(level: L, state: Uint32Array, action: number): readonly Outcome[];
  /** published settings, offered as experiments */
  readonly published?: readonly TaskPreset[];
  /** How its levels are edited. */
  readonly editor: LevelKind;
  /**
   * What a search knows beyond a shortest path: whether there is none or the search gave up, and the fewest pushes.
   * Absent where a shortest path says it all.
   */
  solve?(level: L): {
    readonly status: 'solved' | 'unsolvable' | 'notSolvedHere';
    readonly path: readonly number[] | null;
    readonly pushes: number | null;
  };
  /** Actions of a shortest path to success, null if there is none. */
  shortestPath(level: L): readonly number[] | null;
  /**
   * What a teacher may tell of a level: what a shortest solution takes, opens and reaches in its order, the goal last; empty
   * where there is none. `words`: of a state that subgoals test.
   */
  teach?(level: L): { readonly words: number; readonly subgoals: readonly Subgoal[] };
  /** Where a teacher tells subgoals: which share of them was reached, and what is told in a state, in words. */
  readonly teaches?: {
    /** the word of a state whose second byte says how many were reached, for a device */
    readonly word: number;
    /** how many its list for a level has */
    listed(level: L): number;
    reached(level: L, state: Uint32Array, at: number): number;
    told(state: Uint32Array, at: number): string;
  };
  /** Width of the map in which `cell` counts places: y·width + x; absent: places are on no map. */
  stride?(level: L): number;
  /** Drawing of the state. */
  scene(level: L, state: Uint32Array, at: number): Scene;
  /** Where the agent is, as the environment counts its places; the scene says where that is drawn. */
  cell(state: Uint32Array, at: number): number;
  /** True where ways part: in the state at `at`, to which a step led from the one at `before`. Absent: nowhere. */
  isJunction?(level: L, state: Uint32Array, at: number, before: number): boolean;
  /** Name of everything in the state but where the agent is (keys held, doors open, …); equal names share a map. */
  layer(state: Uint32Array, at: number): string;
  /** Level text of the state: screen-reader view, failure message, bug report. */
  text(level: L, state: Uint32Array, at: number): string;
  /** What differs between the members of a task group; absent: nothing. */
  readonly deal?: Deal<L>;
  /** What there is to reach on the way to success, in order, and how many of it is reached in a state; absent: its signals say. */
  checkpoints?(level: L): Checkpoints;
  /** Where there is room for what is recalled of a state: how often each action was good there, then how often it was bad. */
  readonly recalls?: {
    /** what is recalled in a state, in words; null: nothing */
    told(level: L, state: Uint32Array, at: number): string | null;
    /** [2·actions] counts; null: nothing is known */
    write(level: L, state: Uint32Array, at: number, counts: ArrayLike<number> | null): void;
  };
  /** What each action decides, by its place; absent: all of them are actions of the world. */
  decides?(level: L): readonly StepRole[];
  /** What an agent can set itself here: the usual vocabulary first; absent: nothing. */
  readonly subgoals?: readonly Vocabulary<L>[];
  /** What is seen next to the agent and nothing else: no inventory, no map; absent: only the whole view. */
  readonly nearby?: Nearby<L>;
  /** Where the policy sets itself subgoals: which one it follows. */
  readonly aiming?: Aiming<L>;
  /** Where the policy writes notes to itself. */
  readonly notebook?: Notebook<L>;
  /** What the agent keeps for itself: a note, or a store; absent: nothing. */
  readonly keeps?: Keeps;
  /** What of a state an agent can be asked to bring about; absent: nothing. */
  readonly goals?: Goals<L>;
  /** Where states say what is asked of the agent, `words` words at place `before`; all 0: what the level is about. */
  readonly aims?: {
    readonly words: number;
    readonly before: number;
    /** what a state brings about, as those words; never all 0 */
    reached(level: L, state: Uint32Array, at: number, into: Uint32Array): void;
  };
  /** Where the world asks a question: how many answers there are, the action of the first, and which one is true. */
  readonly asks?: {
    readonly answers: number;
    first(level: L): number;
    /** answer that is true in an episode with this seed */
    truth(seed: number): number;
    /** may that answer still be the true one in a state? */
    fits(seed: number, state: Uint32Array, at: number): boolean;
    /** how many answers may still be true in a state, by what was found out */
    left(state: Uint32Array, at: number): number;
  };
  /**
   * Low bits of the first word of a state that hold the place that `cell` tells, for wrappers on a device; absent: the
   * whole word.
   */
  readonly placeBits?: number;
  /** What a step tells beside its reward, where a module of the run needs that; absent: nothing. */
  readonly signals?: WorldSignals<L>;
  /** The WGSL twin. */
  readonly gpu?: {
    /** loaded only where a device runs it */
    wgsl(): Promise<WorldWgsl>;
    /** level as u32 words for the GPU's level buffer; equal length for all levels of one config */
    packLevel(level: L): Uint32Array;
  };
};
