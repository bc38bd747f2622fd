import { wholes, type Case, type Numbers } from '../../../conformance.ts';
import { placeRows } from '../../forkKernels.ts';

const LATE = 0xffffffff;
const NONE = 0xffffffff;

type Dims = Readonly<Record<'B' | 'T' | 'P' | 'G' | 'sources' | 'assignAt' | 'turnAt' | 'keeps', number>>;

/** Trees, levels, turns and forks once slots without a row have the next rows of their replica. */
export function placed(
  S: number,
  { B, T, P, G, sources, assignAt, turnAt, keeps }: Dims,
  given: Readonly<Record<'trees' | 'levels' | 'result' | 'forks', Uint32Array>>,
): Readonly<Record<string, Uint32Array>> {
  const [trees, levels, result] = [given.trees.slice(), given.levels.slice(), given.result.slice()];
  const forks = given.forks.map((word, k) => (k % 3 === 0 ? NONE : word));
  for (let s = 0; s < S; s++) {
    for (let i = s * B; i < (s + 1) * B; i++) result.set([NONE, 0], turnAt + 2 * i);
    const starts = Array.from({ length: P }, (_, task) => (s * P + task) * (4 + 4 * G));
    let row = starts.reduce((sum, at) => sum + trees[at + 2]!, 0);
    for (const at of starts) {
      for (let slot = trees[at + 2]!; slot < trees[at + 1]!; slot++, row++) {
        const own = at + 4 + 4 * slot;
        const [parent, step] = [trees[own + 1]!, trees[own + 2]!];
        const isFork = parent > 0 && parent < LATE;
        const known = s * B + trees[at + 4 + (isFork ? 4 * (parent - 1) : 0)]!;
        trees[own] = row;
        const [from, to] = [assignAt + 4 * known, assignAt + 4 * (s * B + row)];
        const seed = levels[to + 2]!;
        levels.copyWithin(to, from, from + 4);
        if (((keeps >> Number(isFork)) & 1) === 0) levels[to + 2] = seed;
        result.set([step, T], turnAt + 2 * (s * B + row));
        if (isFork) forks.set([s * B + row, known, step], 3 * (s * (B - sources) + row - sources));
      }
      trees[at + 2] = trees[at + 1]!;
    }
  }
  return { trees, levels, result, forks };
}

/** Trees whose first two slots have rows; the others begin late, at the start, or from one of the first two. */
function caseOf(seed: number, [S, P, G, T]: readonly [number, number, number, number], keeps: number): Case {
  const had = Math.min(G, 2);
  const B = P * G;
  const sources = P;
  const trees = new Uint32Array(S * P * (4 + 4 * G));
  const [slots, parents, steps] = [1, 2, 3].map((k) => wholes(seed + k, S * P * G, k === 1 ? G - had + 1 : 4)) as [
    ...[Uint32Array, Uint32Array, Uint32Array],
  ];
  for (let tree = 0; tree < S * P; tree++) {
    const at = tree * (4 + 4 * G);
    trees.set([3, had + slots[tree]!, had], at);
    for (let slot = 0; slot < G; slot++) {
      const k = tree * G + slot;
      const parent = [0, 1, had, LATE][parents[k]!]!;
      const isFork = parent > 0 && parent < LATE;
      trees.set([slot * P + (tree % P), parent, isFork ? 1 + (steps[k]! % T) : 0], at + 4 + 4 * slot);
    }
  }
  const dims = { B, T, P, G, sources, assignAt: 5, turnAt: 3, keeps };
  const given = {
    trees,
    levels: wholes(seed + 4, 5 + 4 * S * B, 1000),
    result: wholes(seed + 5, 3 + 2 * S * B, 1000),
    forks: wholes(seed + 6, Math.max(3, 3 * S * (B - sources)), 1000),
  };
  return {
    name: `placeRows of ${S}×${P} trees of ${G}, seeds kept ${keeps}`,
    kernel: placeRows,
    dims,
    groups: [1, 1, S],
    buffers: given as Readonly<Record<string, Numbers>>,
    expected: placed(S, dims, given),
  };
}

export const cases: readonly Case[] = [
  caseOf(1, [1, 1, 2, 1], 0),
  caseOf(11, [2, 3, 7, 5], 1),
  caseOf(21, [3, 5, 4, 9], 2),
  caseOf(31, [1, 33, 5, 3], 3),
];
