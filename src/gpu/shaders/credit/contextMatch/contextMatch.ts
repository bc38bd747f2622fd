import { wholes, type Case } from '../../../conformance.ts';
import { matchCalls, type Words } from '../../../match.ts';
import { blankMatches, keyMatch, keysFor, matchWords, shapes } from '../keyMatch/keyMatch.ts';

const NONE = 0xffffffff;
type Sizes = { S: number; B: number; T: number };
type Steps = {
  head: Uint32Array;
  action: Uint32Array;
  key: Uint32Array;
  finalKey: Uint32Array;
  length: Uint32Array;
};

/** Steps with equal state, action and next state. */
export function edgeMatch({ S, B, T }: Sizes, x: Steps): Uint32Array {
  return matchWords(S, B, T, x.length, (row, t) => {
    const k = row * T + t;
    const [keys, at] = t + 1 < x.length[row]! ? [x.key, 2 * (k + 1)] : [x.finalKey, 2 * row];
    return [x.head[k]!, x.action[k]!, keys[at]!, keys[at + 1]!];
  });
}

/**
 * Steps that agree in a[t], b[t − near] and b[t − far], where a step without an earlier one agrees with its like only;
 * with `whole` such steps are in no set. Steps without a[t] are in none.
 */
export function pastMatch(
  { S, B, T, near, far, whole }: Sizes & { near: number; far: number; whole: boolean },
  { a, b, length }: { a: Uint32Array; b: Uint32Array; length: Uint32Array },
): Uint32Array {
  return matchWords(S, B, T, length, (row, t) => {
    const k = row * T + t;
    const past = [near, far].map((m) => (t >= m ? b[k - m]! : NONE));
    if (a[k] === NONE || (whole && past.includes(NONE))) return null;
    return [a[k]!, ...past];
  });
}

/** Steps of a task that are equally far from the start. */
export function timeMatch({ S, B, T }: Sizes, length: Uint32Array, taskIndex: Uint32Array): Uint32Array {
  return matchWords(S, B, T, length, (row, t) => [taskIndex[row]!, t]);
}

/** Steps of a task with the same number. */
export function labelMatch(
  { S, B, T }: Sizes,
  { label, length, taskIndex }: { label: Float32Array; length: Uint32Array; taskIndex: Uint32Array },
): Uint32Array {
  // 0 and −0 are one number
  const bits = new Uint32Array(label.map((x) => x + 0).buffer);
  return matchWords(S, B, T, length, (row, t) => [taskIndex[row]!, bits[row * T + t]!]);
}

/** The same sets without steps whose action is `first` or a later one, which are alone; steps in no set stay in none. */
export function apartMatch(
  { S, B, T, first }: Sizes & { first: number },
  { a, action, length }: { a: Uint32Array; action: Uint32Array; length: Uint32Array },
): Uint32Array {
  return matchWords(S, B, T, length, (row, t) => {
    const k = row * T + t;
    return a[k] === NONE ? null : [a[k]!, action[k]! >= first ? k + 1 : 0];
  });
}

const pasts = [
  [0, 0, false],
  [1, 1, true],
  [2, 2, false],
  [1, 3, false],
  [40, 40, true],
] as const;

export const cases: readonly Case[] = shapes.flatMap(([S, B, T, tasks], seed): Case[] => {
  const key = keysFor(seed, S * B * T);
  const length = wholes(seed + 5, S * B, T).map((n) => n + 1);
  const taskIndex = wholes(seed + 6, S * B, tasks);
  const action = wholes(seed + 7, S * B * T, 2);
  const finalKey = keysFor(seed + 8, S * B);
  const head = keyMatch(S, B, T, key, length, taskIndex);
  // some steps in no set, as those are whose history is too short; padding must not be read
  const a = head.map((h, k) => (h === NONE ? 1 : k % T === 0 && k > 0 ? NONE : h));
  const where = `${S}×${B}×${T} in ${tasks} groups`;
  const blank = blankMatches(S * B * T);
  const label = Float32Array.from(wholes(seed + 9, S * B * T, 5), (n, k) => (k % 2 === 0 ? 0.25 : -0.25) * n);
  const by = (words: Words, more: Record<string, number> = {}): Pick<Case, 'kernel' | 'dims' | 'groups' | 'after'> => {
    const [first, ...after] = matchCalls(words, { S, B, T, block: B }, more);
    return { ...first!, after };
  };
  return [
    {
      name: `edgeMatch ${where}`,
      ...by('edge'),
      buffers: { head, action, key, finalKey, length, ...blank },
      expected: { match_: edgeMatch({ S, B, T }, { head, action, key, finalKey, length }) },
    },
    {
      name: `timeMatch ${where}`,
      ...by('time'),
      buffers: { taskIndex, length, ...blank },
      expected: { match_: timeMatch({ S, B, T }, length, taskIndex) },
    },
    {
      name: `labelMatch ${where}`,
      ...by('label'),
      buffers: { taskIndex, label, length, ...blank },
      expected: { match_: labelMatch({ S, B, T }, { label, length, taskIndex }) },
    },
    {
      name: `apartMatch ${where}`,
      ...by('apart', { first: 1 }),
      buffers: { a, action, length, ...blank },
      expected: { match_: apartMatch({ S, B, T, first: 1 }, { a, action, length }) },
    },
    ...pasts.map(([near, far, whole]): Case => {
      return {
        name: `pastMatch ${near} and ${far} steps back${whole ? ', whole' : ''}, ${where}`,
        ...by('past', { near, far, whole: whole ? 1 : 0 }),
        buffers: { a, b: action, length, ...blank },
        expected: { match_: pastMatch({ S, B, T, near, far, whole }, { a, b: action, length }) },
      };
    }),
  ];
});
