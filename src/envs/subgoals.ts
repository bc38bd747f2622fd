/** A state, and what is remembered of its episode beside it: words at `memoryAt` of the same array. */
export type Remembered = { readonly state: Uint32Array; readonly at: number; readonly memoryAt: number };

/** Subgoals that an agent can set itself, numbered from 0. Spec methods/hierarchy §0.2. */
export type Vocabulary<L> = {
  readonly id: string;
  /** the most that any level has: so many actions choose one */
  readonly most: number;
  /** names of those of a level, at most `most` */
  names(level: L): readonly string[];
  /** does subgoal g hold? */
  reached(level: L, of: Remembered, g: number): boolean;
  /** places at most that belong to a subgoal, each shown as its offset from the agent; 0 where there is no map */
  readonly marks: 0 | 1 | 2;
  /** the k-th of them, as `cell` tells places */
  mark(level: L, of: Remembered, g: number, k: number): number;
  /** words that say what states do not, such as which box is which; absent: they say it all */
  readonly memory?: {
    readonly words: number;
    begin(level: L, of: Remembered): void;
    /** after a step of the world */
    follow(level: L, of: Remembered): void;
  };
};

/** What is seen next to the agent; `bits`: equal for all levels of one config. */
export type Nearby<L> = {
  bits(level: L): number;
  observe(level: L, state: Uint32Array, at: number, bits: Uint32Array, bitsAt: number): void;
};

/** Where the policy sets itself subgoals. */
export type Aiming<L> = {
  names(level: L): readonly string[];
  /** the subgoal that is followed in a state, −1: none */
  chosen(state: Uint32Array, at: number): number;
  /** does it hold? False where there is none */
  reached(level: L, state: Uint32Array, at: number): boolean;
  /** does subgoal `goal` hold, whichever is followed? */
  holds(level: L, state: Uint32Array, at: number, goal: number): boolean;
  /** where subgoals move on by themselves: did the step that led here reach the one before? */
  movedOn?(state: Uint32Array, at: number): boolean;
};

/** A list per level that is made once; `of`: what is the same in all copies of a level. */
export function madeOnce<L, K extends object, V>(of: (level: L) => K, make: (level: L) => V): (level: L) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (level) => {
    const key = of(level);
    let found = known.get(key);
    if (!found) known.set(key, (found = { value: make(level) }));
    return found.value;
  };
}
