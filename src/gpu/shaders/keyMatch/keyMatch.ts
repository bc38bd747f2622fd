import { wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

const NONE = 0xffffffff;

/**
 * For every real step: the smallest flat index of a step of its task group with the same key, and how many there are,
 * 2 standing for all numbers above 1.
 */
export function keyMatch(
  S: number,
  B: number,
  T: number,
  key: Uint32Array,
  length: Uint32Array,
  taskIndex: Uint32Array,
): { head: Uint32Array; count: Uint32Array } {
  const head = new Uint32Array(S * B * T).fill(NONE);
  const count = new Uint32Array(S * B * T);
  for (let s = 0; s < S; s++) {
    const first = new Map<string, number>();
    const size = new Map<string, number>();
    const nameOf = (i: number, t: number): string => {
      const k = (s * B + i) * T + t;
      return `${taskIndex[s * B + i]},${key[2 * k]},${key[2 * k + 1]}`;
    };
    const each = (visit: (i: number, t: number) => void): void => {
      for (let i = 0; i < B; i++) for (let t = 0; t < length[s * B + i]!; t++) visit(i, t);
    };
    each((i, t) => {
      const name = nameOf(i, t);
      if (!first.has(name)) first.set(name, i * T + t);
      size.set(name, (size.get(name) ?? 0) + 1);
    });
    each((i, t) => {
      head[(s * B + i) * T + t] = first.get(nameOf(i, t))!;
      count[(s * B + i) * T + t] = Math.min(2, size.get(nameOf(i, t))!);
    });
  }
  return { head, count };
}

/** Keys that agree in one word only must not match. */
export function keysFor(seed: number, steps: number): Uint32Array {
  const high = wholes(seed, steps, 3);
  const low = wholes(seed + 1, steps, 3);
  return Uint32Array.from({ length: 2 * steps }, (_, k) => (k % 2 === 0 ? high : low)[k >> 1]! * 0x9e3779b1);
}

export const shapes = [
  [1, 1, 1, 1],
  [2, 5, 3, 2],
  [1, 13, 5, 3],
  [3, 9, 8, 1],
] as const;

const caseOf = (k: number, block: number | null): Case => {
  const [S, B, T, tasks] = shapes[k]!;
  const key = keysFor(k, S * B * T);
  const length = wholes(k + 5, S * B, T).map((n) => n + 1);
  const anywhere = wholes(k + 6, S * B, tasks);
  const taskIndex = block === null ? anywhere : anywhere.map((_, row) => Math.floor((row % B) / block));
  const blank = new Uint32Array(S * B * T).fill(777);
  return {
    name: `keyMatch ${S}×${B}×${T}, ${block === null ? `${tasks} groups anywhere` : `groups of ${block} in a row`}`,
    kernel: kernels.keyMatch,
    dims: { B, T, block: block ?? B },
    groups: [Math.ceil((B * T) / 64), 1, S],
    buffers: { key, length, taskIndex, head: blank, count: blank.slice() },
    expected: keyMatch(S, B, T, key, length, taskIndex),
  };
};

export const cases: readonly Case[] = [...shapes.map((_, k) => caseOf(k, null)), ...[1, 2, 3].map((k) => caseOf(k, 4))];
