/** Ids of the vocabulary that commands are written with (src/envs/vocabulary.ts). */
export const TOKEN = { pad: 0, begin: 1, stop: 3 } as const;

/** One word that may follow a prefix. */
export type Slot = {
  readonly node: number;
  readonly token: number;
  /** bit a = 1: the command of action a goes on with this word */
  readonly actions: number;
  /** next prefix at which something is left to decide, −1 if nothing is */
  readonly next: number;
  /** the action when the command is decided, −1 if it is not, or is no command */
  readonly action: number;
};

/** A prefix of a command: the place where its last word is read and the next one is written. */
export type Prefix = {
  /** last word of the prefix, <bos> for the empty one */
  readonly token: number;
  /** words of the prefix */
  readonly depth: number;
  /** bit j = 1: prefix j is this one or a beginning of it */
  readonly ancestors: number;
  /** its slots are first … first + count − 1; none where the grammar leaves no choice */
  readonly first: number;
  readonly count: number;
};

/**
 * All prefixes of all commands as a tree. A policy reads the observation once and all prefixes after it, each seeing
 * only its own beginnings: keys and values of the observation are computed once for every word that could be written,
 * and π(a|o) of all actions is known exactly without writing any of them.
 */
export type Grammar = {
  /** true: only words that continue a command can be written; where one is left it is certain and no decision */
  readonly masked: boolean;
  readonly prefixes: readonly Prefix[];
  readonly slots: readonly Slot[];
  /** [actions] the command as written, <stop> included: one token a byte, first in the low byte */
  readonly commands: Uint32Array;
  /** words of the longest command, <stop> included */
  readonly length: number;
  /** most decisions in one command */
  readonly decisions: number;
};

/** Prefixes are bits of one word on the GPU. */
const MOST_PREFIXES = 32;

type Branch = { token: number; depth: number; ancestors: readonly Branch[]; actions: number; children: Branch[] };

/** `commands`: token ids of each action without <stop>; 1 to 3 tokens, at most 32 actions, no two equal. */
export function grammarOf(commands: readonly (readonly number[])[], vocabulary: number, masked: boolean): Grammar {
  const root: Branch = { token: TOKEN.begin, depth: 0, ancestors: [], actions: 0, children: [] };
  const packed = new Uint32Array(commands.length);
  commands.forEach((words, a) => {
    let at = root;
    at.actions |= 1 << a;
    [...words, TOKEN.stop].forEach((token, k) => {
      packed[a]! |= token << (8 * k);
      let next = at.children.find((c) => c.token === token);
      if (!next) {
        next = { token, depth: k + 1, ancestors: [...at.ancestors, at], actions: 0, children: [] };
        at.children.push(next);
      }
      next.actions |= 1 << a;
      at = next;
    });
  });
  const decides = (b: Branch): boolean => (masked ? b.children.length > 1 : b.children.length > 0);
  const leads = (b: Branch): boolean => decides(b) || b.children.some(leads);
  const kept: Branch[] = [root];
  for (let j = 0; j < kept.length; j++) kept.push(...kept[j]!.children.filter(leads));
  if (kept.length > MOST_PREFIXES) throw new Error('The commands have more than 32 prefixes.');

  const nextDecision = (b: Branch): Branch | null =>
    decides(b) ? b : b.children.length === 0 ? null : nextDecision(b.children[0]!);
  const actionOf = (b: Branch): number => 31 - Math.clz32(b.actions);
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
          action: isDone ? actionOf(child) : -1,
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
    length: 1 + Math.max(...commands.map((words) => words.length)),
    decisions: decisionsFrom(0),
  };
}

/** True if a word may be written now: it continues a legal command, or the grammar does not bind. */
export function isLegalSlot(grammar: Grammar, slot: Slot, legal: number): boolean {
  return !grammar.masked || (slot.actions & legal) !== 0;
}

/** Slot chosen at prefix j by a written command (one token a byte); −1 if the command has no such word. */
export function slotOf(grammar: Grammar, j: number, command: number): number {
  const prefix = grammar.prefixes[j]!;
  const token = (command >>> (8 * prefix.depth)) & 255;
  for (let k = prefix.first; k < prefix.first + prefix.count; k++) if (grammar.slots[k]!.token === token) return k;
  return -1;
}

/** How many words may follow prefix j. */
export function legalWords(grammar: Grammar, j: number, legal: number): number {
  const { first, count } = grammar.prefixes[j]!;
  let n = 0;
  for (let c = first; c < first + count; c++) if (isLegalSlot(grammar, grammar.slots[c]!, legal)) n++;
  return n;
}
