import type { BatchField } from '../../contract/columns.ts';
import type { ModuleForm } from '../../contract/module.ts';
import type { AnyValues, Settings, SettingValue, ValuesOf } from '../../core/settings.ts';
import type { Sight } from '../../envs/perturb/sight.ts';
import type { Environment, Seen } from '../../envs/types.ts';

/** What the agent of one row sees before step t; `obs` is written in place from `obsAt`. One object serves all rows. */
export type Look = Seen & {
  /** the parts of an observation that belong together: cells of a map, tokens, single bits */
  sight: Sight;
  t: number;
};

/** What is known of the world behind a wrapper when its WGSL is linked. */
export type WrapperFacts = {
  /** words of a state of the world as this wrapper shows it, its own included */
  readonly words: number;
  /** words of a state of the world before this wrapper */
  readonly innerWords: number;
  /** observation bits, actions and words of a packed level of the world before this wrapper, and whether it is seen as tokens */
  readonly features: number;
  readonly levelWords: number;
  readonly actions: number;
  readonly speaks: boolean;
  /** bits of its first state word that hold the place of the agent */
  readonly placeBits: number;
  /** words of its states in front of that one: those of wrappers */
  readonly placeAt: number;
  /** its places are on a map */
  readonly hasMap: boolean;
  readonly sight: Sight;
  /** rewards of the task, in thousandths */
  readonly rewards: AnyValues;
};

/**
 * Stands between an agent and its world: changes what is done, seen or paid. Wrappers act in the order of the registry, the
 * first next to the world. All draws are a function of the seed of the episode and t, so that the world is met alike on every
 * path; the parts for the CPU are the definition, the WGSL is their twin on the same words.
 */
export type Wrapper<S extends Settings = Settings> = Omit<
  ModuleForm<S>,
  'needs' | 'makes' | 'gpu' | 'onGpu' | 'state'
> & {
  /**
   * Its settings stand among those of the task, and with these it does nothing. Without it a wrapper has a switch, `on`, and
   * its settings under its own id.
   */
  isOff?(params: ValuesOf<S>): boolean;
  /** The world with words, actions, rules of its own: everything in it that is a function of the state. */
  world?(env: Environment, params: ValuesOf<S>, rewards: AnyValues): Environment;
  /** Changes what is seen at a step, after the world has been observed. */
  see?(look: Look, params: ValuesOf<S>): void;
  /** The reward of step t, in thousandths. */
  pay?(reward: number, episodeSeed: number, t: number, params: ValuesOf<S>): number;
  /** Changes the rewards of an episode that is over, in thousandths at reward[at … at + length), in place. */
  settle?(reward: Int32Array, at: number, length: number, params: ValuesOf<S>): void;
  /** What it deals among the members of a group, for modules that cannot do without. */
  readonly deals?: 'budget' | 'taught' | 'hints';
  /** How many actions write symbols of notes: the last ones. */
  noteSymbols?(params: ValuesOf<S>): number;
  /** What it has room for, for the same. */
  readonly gives?: 'recalls' | 'goals' | 'decides';
  /** Columns of the batch that say what is done in it, for metrics; every run with it has them. */
  readonly tells?: readonly BatchField[];
  /** What there is no more of where it is on: nothing there can be asked for again. */
  readonly loses?: 'goals';
  /** True if a state of it belongs to the seed of the episode that came there: no other episode can begin in it. */
  readonly hides?: boolean;
  /** It has no form for a device: a run with it trains on the CPU. */
  readonly onlyOnCpu?: boolean;
  /** Why A^π is no function of the state behind it, as one sentence; null: it is. */
  inexact?(params: ValuesOf<S>): string | null;
  /** The setting with which a board is dark for who acts, and what would show it; null: it is not. */
  darkens?(params: ValuesOf<S>): { readonly setting: string; readonly instead: SettingValue } | null;
  /** Why it cannot act on a view, as a part of a sentence that begins with its setting; null: it can. */
  refuses?(params: ValuesOf<S>, view: string): string | null;
  /**
   * The twins of what it has of these, each a function of the world before it, `inner…`; see base.wgsl for their forms:
   * `ownReset, ownStep, ownObserve, ownKey, ownLegal` of `world`, `ownSee`, `ownPay`, `ownSettle`. Loaded where a run on a
   * device needs them.
   */
  wgsl(params: ValuesOf<S>): Promise<string>;
  /** Constants of that WGSL by name: `DELAY: u32(2)` is read as `OWN_DELAY`. */
  constants?(params: ValuesOf<S>, facts: WrapperFacts): Readonly<Record<string, string>>;
};

/** Numbers as WGSL writes them. */
export const u32 = (x: number): string => `${x}u`;
export const i32 = (x: number): string => `${x}i`;

/** Constants of blank.wgsl: what is hidden from a step on, with chance noise / 256. */
export const blankConstants = (noise: number, from: number, sight: Sight): Readonly<Record<string, string>> => ({
  ...{ NOISE: u32(noise), FROM: u32(from), PARTS: u32(sight.parts), BITS: u32(sight.bits) },
  ...{ STRIDE: u32(sight.stride), STEP: u32(sight.step), SPARED: u32(sight.spared) },
});

/** A wrapper whose functions get the types of its own settings. */
export function defineWrapper<const S extends Settings>(wrapper: Wrapper<S>): Wrapper<S> {
  return wrapper;
}

/** Why a wrapper that shows something of its own cannot show it in this view; null: there is room. */
export function noRoomIn(view: string): string | null {
  if (view === 'index') return 'has no place where the policy sees the number of the state';
  return view === 'tokens' ? 'has no word where the policy reads words' : null;
}
