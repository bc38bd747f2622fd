import { untouched, wholes, type Case } from '../../../conformance.ts';
import type { Call } from '../../../products.ts';
import { keyMatch, keysFor, linksOf, shapes } from '../keyMatch/keyMatch.ts';
import { branchCalls } from '../../../match.ts';

const NONE = 0xffffffff;

/** 1 in the steps of sets that own at least two others, or one and an end that counts; 0 elsewhere. */
export function branchSets(
  S: number,
  B: number,
  T: number,
  { head, length, ending }: { head: Uint32Array; length: Uint32Array; ending: Uint32Array },
): Float32Array {
  const y = new Float32Array(S * B * T);
  for (let s = 0; s < S; s++) {
    const sets = head.subarray(s * B * T, (s + 1) * B * T);
    const since = new Map<number, number>();
    sets.forEach((h, k) => void (h !== NONE && since.set(h, Math.min(k % T, since.get(h) ?? T))));
    const sources = new Map<number, Set<number>>();
    sets.forEach((h, k) => {
      const from = k % T > 0 ? sets[k - 1]! : NONE;
      if (h === NONE || from === NONE || from === h || since.get(from)! >= since.get(h)!) return;
      sources.set(h, (sources.get(h) ?? new Set()).add(from));
    });
    const ways = new Map<number, Set<number>>();
    const open = (from: number, to: number): void => void ways.set(from, (ways.get(from) ?? new Set()).add(to));
    for (const [h, from] of sources) {
      const least = Math.min(...[...from].map((f) => since.get(f)!));
      const soonest = [...from].filter((f) => since.get(f) === least);
      if (soonest.length === 1) open(soonest[0]!, h);
    }
    for (let i = 0; i < B; i++) {
      const row = s * B + i;
      if (length[row]! > 0 && ending[4 * row] === 1) open(sets[i * T + length[row]! - 1]!, -1);
    }
    sets.forEach((h, k) => (y[s * B * T + k] = h !== NONE && (ways.get(h)?.size ?? 0) > 1 ? 1 : 0));
  }
  return y;
}

export const cases: readonly Case[] = [...shapes, [2, 70, 5, 9] as const].flatMap(([S, B, T, tasks], k) =>
  [B, 4].map((block): Case => {
    const length = wholes(k + 5, S * B, T).map((n) => n + 1);
    const anywhere = wholes(k + 6, S * B, tasks);
    const taskIndex = block === B ? anywhere : anywhere.map((_, row) => Math.floor((row % B) / block));
    const head = keyMatch(S, B, T, keysFor(k, S * B * T), length, taskIndex);
    const ending = wholes(k + 7, 4 * S * B, 2);
    const [first, ...after] = branchCalls({ S, B, T, block }) as [Call, ...Call[]];
    const scratch = (): Uint32Array => new Uint32Array(S * B * T).fill(777);
    return {
      name: `branchSets ${S}×${B}×${T} in blocks of ${block}`,
      ...first,
      after,
      buffers: {
        ...{ head, next: linksOf(S, head), length, ending },
        ...{ since: scratch(), owner: scratch(), y: untouched(S * B * T) },
      },
      expected: { y: branchSets(S, B, T, { head, length, ending }) },
    };
  }),
);
