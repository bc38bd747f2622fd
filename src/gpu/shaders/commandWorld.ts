import type { Prefix, Slot, Tree } from '../../contract/units.ts';
import { fillLogProbs, softmax } from '../../core/math/distribution.ts';

/** Words: five per prefix, five per slot, the commands; see units/command.wgsl. */
export function grammarWords(g: Tree): Uint32Array {
  return Uint32Array.from([
    ...g.prefixes.flatMap((p) => [p.token, p.depth, p.ancestors, p.first, p.count]),
    ...g.slots.flatMap((c) => [c.node, c.token, c.actions, c.next, c.action]),
    ...g.commands,
  ]);
}

const word = (...tokens: number[]): number => tokens.reduce((sum, token, k) => sum | (token << (8 * k)), 0) >>> 0;

/** “5”, “6”, “7 8”, “7 9”, each closed by 3; only words that continue a command, certain ones are no decision. */
export const bound: Tree = {
  masked: true,
  prefixes: [
    { token: 1, depth: 0, ancestors: 777, first: 0, count: 3 },
    { token: 7, depth: 1, ancestors: 777, first: 3, count: 2 },
  ],
  slots: [
    { node: 0, token: 5, actions: 1, next: -1, action: 0 },
    { node: 0, token: 6, actions: 2, next: -1, action: 1 },
    { node: 0, token: 7, actions: 12, next: 1, action: -1 },
    { node: 1, token: 8, actions: 4, next: -1, action: 2 },
    { node: 1, token: 9, actions: 8, next: -1, action: 3 },
  ],
  commands: Uint32Array.of(word(5, 3), word(6, 3), word(7, 8, 3), word(7, 9, 3)),
  length: 3,
  decisions: 2,
};

/** “0”, “1”, “1 2”, closed by 3; any of the four words can follow any prefix. */
export const free: Tree = {
  masked: false,
  prefixes: [0, 1, 1, 2].map((depth, j): Prefix => ({
    token: [1, 0, 1, 2][j]!,
    depth,
    ancestors: 777,
    first: 4 * j,
    count: 4,
  })),
  slots: [0, 1, 2, 3].flatMap((node) =>
    [0, 1, 2, 3].map((token): Slot => {
      const next = node === 0 && token < 2 ? token + 1 : node === 2 && token === 2 ? 3 : -1;
      const action = token === 3 && node > 0 ? node - 1 : -1;
      const actions = next >= 0 ? [0, 1, 6, 4][next]! : action >= 0 ? 1 << action : 0;
      return { node, token, actions, next, action };
    }),
  ),
  commands: Uint32Array.of(word(0, 3), word(1, 3), word(1, 2, 3)),
  length: 3,
  decisions: 3,
};

/** π(a) of every action: the product along its words. */
export function actionsAt(g: Tree, logit: (c: number) => number, legal: number, inverse: number): readonly number[] {
  const reach = g.prefixes.map((_, j): number => (j === 0 ? 1 : 0));
  const probs = Array.from(g.commands, () => 0);
  g.prefixes.forEach(({ first, count }, j) => {
    if (reach[j] === 0) return;
    const { p } = wordsAt(g, j, logit, legal, inverse);
    for (let k = 0; k < count; k++) {
      const slot = g.slots[first + k]!;
      if (slot.next >= 0) reach[slot.next] = reach[j]! * p[k]!;
      else if (slot.action >= 0) probs[slot.action] = reach[j]! * p[k]!;
    }
  });
  return probs;
}

/** Probabilities and their logarithms of the slots of prefix j: 0 and −∞ for illegal ones. */
export function wordsAt(
  g: Tree,
  j: number,
  logit: (c: number) => number,
  legal: number,
  inverse: number,
): { readonly p: readonly number[]; readonly logp: readonly number[] } {
  const { first, count } = g.prefixes[j]!;
  const z = Array.from({ length: count }, (_, k) => logit(first + k));
  const bits = z.map((_, k) => (g.masked ? g.slots[first + k]!.actions : -1));
  const choices = { z, at: 0, count, bits, bitsAt: 0, legal: g.masked ? legal : -1, inverse };
  const [p, logp] = [new Float64Array(count), new Float64Array(count)];
  fillLogProbs(choices, softmax(choices, p, 0), logp, 0);
  return { p: [...p], logp: Array.from(logp, (x, k) => (p[k]! > 0 ? x : -Infinity)) };
}

/** Slots that a written command chose, in order. */
export function pathOf(g: Tree, command: number): readonly number[] {
  const path: number[] = [];
  for (let j = 0; j >= 0;) {
    const { first, count, depth } = g.prefixes[j]!;
    const token = (command >>> (8 * depth)) & 255;
    const c = g.slots.findIndex((slot, k) => k >= first && k < first + count && slot.token === token);
    if (c < 0) return path;
    path.push(c);
    j = g.slots[c]!.next;
  }
  return path;
}

/** Rows of a chunk [S, 4 + 2R] where only the number of rows and the step of each matter. */
export function rowsOf(R: number, steps: readonly (readonly number[])[]): Uint32Array {
  const rows = new Uint32Array(steps.length * (4 + 2 * R)).fill(777_777);
  steps.forEach((list, s) => {
    rows[s * (4 + 2 * R)] = list.length;
    rows.set(list, s * (4 + 2 * R) + 4 + R);
  });
  return rows;
}
