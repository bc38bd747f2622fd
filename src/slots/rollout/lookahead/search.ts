/** One possible result of an action; `next` null: the episode is over. */
export type Branch<S> = { readonly probability: number; readonly reward: number; readonly next: S | null };

/** A world whose states can be restored: it is its own exact model. */
export type Model<S> = {
  readonly actions: number;
  /** states of one name are one */
  nameOf(state: S): string;
  /** all results of an action; none where it cannot be chosen */
  branches(state: S, action: number): readonly Branch<S>[];
};

/** What is read from networks, for many states at a time. */
export type Judges<S> = {
  /** value of each state where the search ends */
  values(states: readonly S[]): ArrayLike<number>;
  /** [states · actions] π(a|s), for the order of the actions; null: nobody has one */
  probs?: ((states: readonly S[]) => ArrayLike<number>) | null;
};

export type SearchSettings = {
  readonly depth: number;
  /** most probable actions that are tried in each state; 0: all */
  readonly width: number;
  readonly gamma: number;
  /** states that one search may hold; the depth shrinks to what fits */
  readonly most?: number;
};

/** One layer: states that are `depth − layer` steps from the leaves, each once, with the value of every action. */
export type Layer<S> = {
  readonly states: readonly S[];
  readonly rowOf: ReadonlyMap<string, number>;
  /** [states · actions]; −Infinity where an action was not tried. Empty for the leaves. */
  readonly Q: Float64Array;
  /** [states] best action, −1 where there is none */
  readonly best: Int32Array;
  readonly V: Float64Array;
};

export type Plan<S> = {
  /** from the root (one state) to the leaves */
  readonly layers: readonly Layer<S>[];
  readonly depth: number;
  /** states that were held */
  readonly held: number;
};

const MOST = 20_000;
/** Values that differ by less are equal, and π decides. */
const EQUAL = 1e-9;

/**
 * The best action of a state: that of the largest value; among equal ones the most probable, then the first.
 * −1 where no action was tried.
 */
export function bestOf(
  Q: ArrayLike<number>,
  at: number,
  actions: number,
  p: ArrayLike<number> | null,
  pAt = at,
): number {
  let best = -1;
  for (let a = 0; a < actions; a++) {
    const q = Q[at + a]!;
    if (q === -Infinity) continue;
    if (best < 0 || q > Q[at + best]! + EQUAL) best = a;
    else if (q >= Q[at + best]! - EQUAL && p && p[pAt + a]! > p[pAt + best]!) best = a;
  }
  return best;
}

/** Bits of the `width` most probable of the possible actions; all of them where nothing orders them. */
export function triedActions(
  possible: number,
  actions: number,
  width: number,
  p: ArrayLike<number> | null,
  at: number,
): number {
  if (width <= 0 || !p) return possible;
  let tried = 0;
  for (let n = 0; n < width; n++) {
    let next = -1;
    for (let a = 0; a < actions; a++)
      if (((possible >>> a) & 1) === 1 && ((tried >>> a) & 1) === 0 && (next < 0 || p[at + a]! > p[at + next]!))
        next = a;
    if (next < 0) break;
    tried |= 1 << next;
  }
  return tried >>> 0;
}

/**
 * Lookahead of depth D from a state (FLARE): every action that is tried, every outcome with its probability,
 *
 *   V_0(s) = leaf(s)     Q_d(s, a) = Σ P(s′|s, a)·[r + γ·V_{d−1}(s′)]     V_d(s) = max_a Q_d(s, a),   V = 0 after the end
 *
 * States of a layer are kept once (a transposition table by name and remaining depth), so the cost grows with the number
 * of different states and not with |A|^D.
 */
export function search<S>(world: Model<S>, root: S, judges: Judges<S>, settings: SearchSettings): Plan<S> {
  const { actions } = world;
  const { depth, width, gamma, most = MOST } = settings;
  type Open = {
    states: S[];
    rowOf: Map<string, number>;
    edges: (readonly Branch<number>[])[];
    p: ArrayLike<number> | null;
  };
  const layers: Open[] = [{ states: [root], rowOf: new Map([[world.nameOf(root), 0]]), edges: [], p: null }];
  let held = 1;
  for (let d = 0; d < depth; d++) {
    const here = layers[d]!;
    here.p = judges.probs?.(here.states) ?? null;
    const after: Open = { states: [], rowOf: new Map(), edges: [], p: null };
    const rowIn = (state: S): number => {
      const name = world.nameOf(state);
      const known = after.rowOf.get(name);
      if (known !== undefined) return known;
      after.rowOf.set(name, after.states.length);
      return after.states.push(state) - 1;
    };
    for (let s = 0; s < here.states.length && held + after.states.length <= most; s++) {
      const found = Array.from({ length: actions }, (_, a) => world.branches(here.states[s]!, a));
      let possible = 0;
      found.forEach((branches, a) => (possible |= branches.length > 0 ? 1 << a : 0));
      const tried = triedActions(possible >>> 0, actions, width, here.p, s * actions);
      found.forEach((branches, a) =>
        here.edges.push(
          ((tried >>> a) & 1) === 0
            ? []
            : branches.map((b) => ({ ...b, next: b.next === null ? null : rowIn(b.next) })),
        ),
      );
    }
    // at least one step is looked ahead, however many states follow
    if (held + after.states.length > most && d > 0) {
      here.edges.length = 0;
      break;
    }
    held += after.states.length;
    layers.push(after);
    if (after.states.length === 0) break;
  }
  const done: Layer<S>[] = [];
  for (let d = layers.length - 1; d >= 0; d--) {
    const { states, rowOf, edges, p } = layers[d]!;
    const isLeaf = d === layers.length - 1;
    const V = isLeaf ? Float64Array.from(judges.values(states)) : new Float64Array(states.length);
    const Q = new Float64Array(isLeaf ? 0 : states.length * actions).fill(-Infinity);
    const best = new Int32Array(states.length).fill(-1);
    for (let s = 0; s < states.length && !isLeaf; s++) {
      for (let a = 0; a < actions; a++) {
        const branches = edges[s * actions + a]!;
        if (branches.length === 0) continue;
        let q = 0;
        for (const { probability, reward, next } of branches)
          q += probability * (reward + (next === null ? 0 : gamma * done[0]!.V[next]!));
        Q[s * actions + a] = q;
      }
      best[s] = bestOf(Q, s * actions, actions, p);
      V[s] = best[s]! < 0 ? 0 : Q[s * actions + best[s]!]!;
    }
    done.unshift({ states, rowOf, Q, best, V });
  }
  return { layers: done, depth: done.length - 1, held };
}
