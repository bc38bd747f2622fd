import type { Prefix, Slot, Tree } from '../../contract/units.ts';

/** Ids of the vocabulary that commands are written with (src/envs/vocabulary.ts). */
export const TOKEN = { pad: 0, begin: 1, stop: 3 } as const;

/**
 * All prefixes of all commands as a tree. A policy reads the observation once and all prefixes after it, each seeing
 * only its own beginnings: keys and values of the observation are computed once for every word that could be written,
 * and π(a|o) of all actions is known exactly without writing any of them.
 */
export type Grammar = Tree;

/** A command is one word of 32 bits, one token a byte. */
const MOST_WORDS = 4;
/** Prefixes are bits of one word on the GPU. */
export const MOST_PREFIXES = 32;

/** `actions`: bits of those it leads to, 32 at most apart; `action`: one of them. */
type Branch = {
  token: number;
  depth: number;
  ancestors: readonly Branch[];
  actions: number;
  action: number;
  children: Branch[];
};

/** The words of all commands as a tree, and what is written for each action. */
function branchesOf(commands: readonly (readonly number[])[]): { root: Branch; packed: Uint32Array } {
  const root: Branch = { token: TOKEN.begin, depth: 0, ancestors: [], actions: 0, action: 0, children: [] };
  const packed = new Uint32Array(commands.length);
  commands.forEach((words, a) => {
    let at = root;
    at.actions |= 1 << a;
    [...words, TOKEN.stop].forEach((token, k) => {
      // four words fill it; what closes them is certain
      if (k < MOST_WORDS) packed[a]! |= token << (8 * k);
      let next = at.children.find((c) => c.token === token);
      if (!next) {
        next = { token, depth: k + 1, ancestors: [...at.ancestors, at], actions: 0, action: a, children: [] };
        at.children.push(next);
      }
      next.actions |= 1 << a;
      at = next;
    });
  });
  return { root, packed };
}

/** May a choice be made after this beginning? */
const decidesAt =
  (masked: boolean) =>
  ({ children }: Branch): boolean =>
    children.length > (masked ? 1 : 0);

/** The beginnings after which something is left to decide, the empty one first. */
function keptOf(root: Branch, masked: boolean): Branch[] {
  const decides = decidesAt(masked);
  const leads = (b: Branch): boolean => decides(b) || b.children.some(leads);
  const kept = [root];
  for (let j = 0; j < kept.length; j++) kept.push(...kept[j]!.children.filter(leads));
  return kept;
}

/** How many beginnings of commands a tree would have. */
export const countPrefixes = (commands: readonly (readonly number[])[], masked: boolean): number =>
  keptOf(branchesOf(commands).root, masked).length;

/**
 * `commands`: token ids of each action without <stop>, no two equal: 1 to 3 tokens, or 4 where the grammar binds. With more
 * than 32 actions, which bits cannot tell apart, all must be legal.
 */
export function grammarOf(commands: readonly (readonly number[])[], vocabulary: number, masked: boolean): Grammar {
  const { root, packed } = branchesOf(commands);
  const decides = decidesAt(masked);
  const kept = keptOf(root, masked);
  if (kept.length > MOST_PREFIXES) throw new Error('The commands have more than 32 prefixes.');

  const nextDecision = (b: Branch): Branch | null =>
    decides(b) ? b : b.children.length === 0 ? null : nextDecision(b.children[0]!);
  const slots: Slot[] = [];
  const prefixes = kept.map((b, j): Prefix => {
    const first = slots.length;
    // <pad> is no word: it marks where nothing is written
    const tokens = masked ? b.children.map((c) => c.token) : Array.from({ length: vocabulary - 1 }, (_, v) => v + 1);
    if (decides(b) || j === 0) {
      for (const token of tokens) {
        const child = b.children.find((c) => c.token === token);
        const next = child ? nextDecision(child) : null;
        const isDone = child !== undefined && next === null;
        slots.push({
          node: j,
          token,
          actions: child ? child.actions >>> 0 : 0,
          next: next ? kept.indexOf(next) : -1,
          action: isDone ? child.action : -1,
        });
      }
    }
    const ancestors = [...b.ancestors, b].reduce((bits, x) => bits | (1 << kept.indexOf(x)), 0) >>> 0;
    return { token: b.token, depth: b.depth, ancestors, first, count: slots.length - first };
  });
  const decisionsFrom = (j: number): number =>
    1 + Math.max(0, ...slots.filter((s) => s.node === j && s.next >= 0).map((s) => decisionsFrom(s.next)));
  return {
    masked,
    prefixes,
    slots,
    commands: packed,
    length: Math.min(MOST_WORDS, 1 + Math.max(...commands.map((words) => words.length))),
    decisions: decisionsFrom(0),
  };
}

/** Token ids of a written command. */
export function wordsOf(command: number): number[] {
  return [0, 8, 16, 24].map((shift) => (command >>> shift) & 255).filter((token) => token !== TOKEN.pad);
}
