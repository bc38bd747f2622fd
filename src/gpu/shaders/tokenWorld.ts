import { numbers, untouched, wholes } from '../conformance.ts';

/** A token, unpacked; `prefix` is −1 in the context. */
export type Token = {
  readonly token: number;
  readonly prefix: number;
  readonly row: number;
  readonly place: number;
  readonly order: number;
  readonly ancestors: number;
  readonly first: number;
};

/** Small packed sequences for the cases of the kernels that work on tokens. Everything after the live part is garbage. */
export type TokenWorld = {
  readonly S: number;
  /** most rows, prefixes of a row */
  readonly R: number;
  readonly J: number;
  readonly stride: number;
  /** most rows, tokens and prefixes: the levels of an array */
  readonly most: readonly [number, number, number];
  readonly places: number;
  readonly vocabulary: number;
  readonly rows: Uint32Array;
  readonly tokens: Uint32Array;
};

/** Every number as the kernels pack it: token | (prefix + 1) << 8 | row << 16, place | order << 16, ancestors, first. */
export function pack(t: Token): readonly [number, number, number, number] {
  return [t.token | ((t.prefix + 1) << 8) | (t.row << 16), t.place | (t.order << 16), t.ancestors, t.first];
}

/** Depth and ancestors (as bits) of the nodes of a tree that is given by its parents; the root is its own. */
export function treeOf(parents: readonly number[]): { readonly depth: number; readonly ancestors: number }[] {
  const nodes: { depth: number; ancestors: number }[] = [];
  parents.forEach((parent, j) => {
    const above = j === 0 ? { depth: -1, ancestors: 0 } : nodes[parent]!;
    nodes.push({ depth: above.depth + 1, ancestors: (above.ancestors | (1 << j)) >>> 0 });
  });
  return nodes;
}

/** `contexts[s]`: length of the context of every live row of replica s. */
export function tokenWorld(
  seed: number,
  parents: readonly number[],
  contexts: readonly (readonly number[])[],
): TokenWorld {
  const S = contexts.length;
  const J = parents.length;
  const tree = treeOf(parents);
  const longest = Math.max(1, ...contexts.flat());
  const R = 1 + Math.max(...contexts.map((rows) => rows.length));
  const M = R * (longest + J);
  const stride = 4 + 2 * R;
  const vocabulary = 7;
  const rows = new Uint32Array(S * stride).fill(777_777);
  const tokens = new Uint32Array(S * M * 4).fill(0xffff_ffff);
  const words = wholes(seed, S * M, vocabulary);
  contexts.forEach((lengths, s) => {
    let at = 0;
    const put = (t: Token): void => tokens.set(pack(t), 4 * (s * M + at++));
    lengths.forEach((length, row) => {
      const first = at;
      for (let k = 0; k < length; k++)
        put({ token: words[s * M + at]!, prefix: -1, row, place: k, order: k, ancestors: 0, first });
      tree.forEach(({ depth, ancestors }, prefix) => {
        const place = longest + depth;
        put({ token: words[s * M + at]!, prefix, row, place, order: length + depth, ancestors, first });
      });
      rows[s * stride + 4 + row] = at;
      rows[s * stride + 4 + R + row] = 3 * row + s;
    });
    rows.set([lengths.length, at, lengths.length * J, 0], s * stride);
  });
  return { S, R, J, stride, most: [R, M, R * J], places: longest + J, vocabulary, rows, tokens };
}

export type Which = 0 | 1 | 2;
/** Live rows of a level (rows, tokens, prefixes) in a replica. */
export const liveOf = (w: TokenWorld, s: number, which: Which): number => w.rows[s * w.stride + which]!;

export function tokenAt(w: TokenWorld, s: number, i: number): Token {
  const [a, b, ancestors, first] = w.tokens.subarray(4 * (s * w.most[1] + i)) as unknown as [
    number,
    number,
    number,
    number,
  ];
  return {
    token: a & 255,
    prefix: ((a >>> 8) & 255) - 1,
    row: a >>> 16,
    place: b & 65535,
    order: b >>> 16,
    ancestors,
    first,
  };
}

/** Token of query m: any token, or the m-th prefix. */
export function queryAt(w: TokenWorld, s: number, m: number, isAll: boolean): number {
  return isAll ? m : w.rows[s * w.stride + 4 + Math.floor(m / w.J)]! - w.J + (m % w.J);
}

/** Calls f for every live row of a level: replica, row in the replica, row in the array. */
export function eachLive(w: TokenWorld, which: Which, f: (s: number, r: number, row: number) => void): void {
  for (let s = 0; s < w.S; s++) for (let r = 0; r < liveOf(w, s, which); r++) f(s, r, s * w.most[which] + r);
}

/** Reproducible numbers of a level; rows that are not live hold 1e30. */
export function valuesOf(w: TokenWorld, which: Which, width: number, seed: number, low = -1, high = 1): Float32Array {
  const x = new Float32Array(w.S * w.most[which] * width).fill(1e30);
  const live = numbers(seed, x.length, low, high);
  eachLive(w, which, (_s, _r, row) => x.set(live.subarray(row * width, (row + 1) * width), row * width));
  return x;
}

/** An output of a level before the kernel has run. */
export const outputOf = (w: TokenWorld, which: Which, width: number): Float32Array =>
  untouched(w.S * w.most[which] * width);

/** Slices of the live rows in order: [from, to) of slice k. */
function sliceOf(live: number, slices: number, k: number): readonly [number, number] {
  const stretch = Math.ceil(live / slices);
  return [Math.min(live, k * stretch), Math.min(live, (k + 1) * stretch)];
}

/** Partial sums of a parameter gradient: what was there before plus what every slice adds. */
export function addSlices(
  w: TokenWorld,
  which: Which,
  slices: number,
  size: number,
  partials: Float32Array,
  each: (s: number, from: number, to: number, add: (at: number, x: number) => void) => void,
): Float32Array {
  const sums = Float64Array.from(partials);
  for (let s = 0; s < w.S; s++) {
    for (let k = 0; k < slices; k++) {
      const [from, to] = sliceOf(liveOf(w, s, which), slices, k);
      each(s, from, to, (at, x) => (sums[(s * slices + k) * size + at]! += x));
    }
  }
  return Float32Array.from(sums);
}

/** Worlds of odd shapes: one row of prefixes alone; rows of several lengths, a replica without rows; more than a workgroup. */
export const worlds: readonly TokenWorld[] = [
  tokenWorld(1, [0], [[0]]),
  tokenWorld(2, [0, 0, 0], [[3, 0, 5], [], [2]]),
  tokenWorld(
    3,
    [0, 0, 1, 0, 2],
    [
      [9, 4, 17, 1, 12],
      [6, 11],
    ],
  ),
];
export const LEVELS: readonly Which[] = [0, 1, 2];

/** Workgroups of a kernel with one invocation per number of a level. */
export const groupsFor = (w: TokenWorld, which: Which, width: number): readonly [number, number, number] => [
  Math.ceil((w.most[which] * width) / 64),
  1,
  w.S,
];
