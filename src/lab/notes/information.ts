/** How much one of two things tells of the other, in bits, over N cases. */
export type Shared = {
  /** Miller–Madow: the estimate from counts, less what chance alone adds to it on average; may fall below 0 */
  readonly bits: number;
  /** entropy of the second one, from counts: more than that cannot be told */
  readonly entropy: number;
  /** the same between cases that do not belong together: mean, and what one in twenty of them exceeds */
  readonly shuffled: number;
  readonly chance: number;
};

const SHUFFLES = 100;

/** Names as numbers from 0 on, in the order in which they come. */
function numbered(names: readonly string[]): { readonly ids: Uint32Array; readonly kinds: number } {
  const known = new Map<string, number>();
  const ids = Uint32Array.from(names, (name) => {
    if (!known.has(name)) known.set(name, known.size);
    return known.get(name)!;
  });
  return { ids, kinds: known.size };
}

/** Entropy of counts in bits, and how many of them are above 0. */
function entropyOf(counts: Uint32Array, N: number): { readonly bits: number; readonly kinds: number } {
  let [bits, kinds] = [0, 0];
  for (const count of counts) {
    if (count === 0) continue;
    kinds++;
    bits -= (count / N) * Math.log2(count / N);
  }
  return { bits, kinds };
}

/**
 * I(X; Y) = H(X) + H(Y) − H(X, Y), each entropy from counts plus (kinds − 1) / 2N (Miller–Madow), in bits. Without the
 * correction, things that know nothing of each other seem to share about (kinds of X − 1)(kinds of Y − 1) / 2N nats.
 */
export function sharedBits(x: Uint32Array, y: Uint32Array, kinds: readonly [number, number]): number {
  const N = x.length;
  const [X, Y] = kinds;
  const [cx, cy, cxy] = [new Uint32Array(X), new Uint32Array(Y), new Uint32Array(X * Y)];
  for (let n = 0; n < N; n++) {
    cx[x[n]!]!++;
    cy[y[n]!]!++;
    cxy[x[n]! * Y + y[n]!]!++;
  }
  const [hx, hy, hxy] = [cx, cy, cxy].map((counts) => entropyOf(counts, N)) as [Entropy, Entropy, Entropy];
  const correction = (hx.kinds + hy.kinds - hxy.kinds - 1) / (2 * N * Math.LN2);
  return hx.bits + hy.bits - hxy.bits + correction;
}
type Entropy = ReturnType<typeof entropyOf>;

/** What `said` tells of `facts`, beside what it tells of the facts of other cases; `below` draws a number below n. */
export function sharedBetween(said: readonly string[], facts: readonly string[], below: (n: number) => number): Shared {
  const [x, y] = [numbered(said), numbered(facts)];
  const kinds = [x.kinds, y.kinds] as const;
  const bits = sharedBits(x.ids, y.ids, kinds);
  const counts = new Uint32Array(y.kinds);
  for (const id of y.ids) counts[id]!++;
  const other = y.ids.slice();
  const found = Array.from({ length: SHUFFLES }, () => {
    for (let n = other.length - 1; n > 0; n--) {
      const m = below(n + 1);
      [other[n], other[m]] = [other[m]!, other[n]!];
    }
    return sharedBits(x.ids, other, kinds);
  }).sort((a, b) => a - b);
  return {
    ...{ bits, entropy: entropyOf(counts, facts.length).bits },
    shuffled: found.reduce((sum, one) => sum + one / SHUFFLES, 0),
    chance: found[Math.ceil(0.95 * SHUFFLES) - 1]!,
  };
}
