import {
  entropyOf,
  fillLogProbs,
  softmax,
  softmaxRows,
  type Choices,
  type DistributionRows,
  type Row,
} from '../core/math/distribution.ts';
import type { Outputs } from './network.ts';

/**
 * What a whole step decides, where steps are told apart: an action of the world, whether a subgoal is kept, a subgoal, an
 * entry of a plan, or a symbol of a note. All but the first leave the world as it is. The column `decides` holds their places.
 */
export const STEP_ROLES = ['action', 'switch', 'subgoal', 'plan', 'note'] as const;
export type StepRole = (typeof STEP_ROLES)[number];

/** What a unit, one decision of a step, decides: what its step does, or one of its words. */
export type Role = StepRole | 'word' | 'tag';

/** One choice that a decision has. */
export type Slot = {
  readonly node: number;
  /** what is written down when it is chosen: a word of the vocabulary, or the action */
  readonly token: number;
  /** bit a = 1: what leads to action a continues with this choice */
  readonly actions: number;
  /** prefix of the next decision, −1 if nothing is left to decide */
  readonly next: number;
  /** the action when everything is decided, −1 if it is not, or is no action */
  readonly action: number;
};

/** A beginning of what a step may decide, and the choices behind it. */
export type Prefix = {
  /** last word of the prefix, <bos> for the empty one */
  readonly token: number;
  /** words of the prefix */
  readonly depth: number;
  /** bit j = 1: prefix j is this one or a beginning of it */
  readonly ancestors: number;
  /** its slots are first … first + count − 1; none where there is no choice */
  readonly first: number;
  readonly count: number;
  /** a word where it does not say */
  readonly role?: Role;
};

/**
 * The decisions of a step as a tree: one with all actions, or the words of commands one after the other. Logits of a row
 * are those of all slots, and π(a|o) of all actions follows without writing any of them.
 */
export type Tree = {
  /** true: only what leads to a legal action can be chosen */
  readonly masked: boolean;
  readonly prefixes: readonly Prefix[];
  readonly slots: readonly Slot[];
  /** [actions] what is written down for an action: one token a byte, first in the low byte */
  readonly commands: Uint32Array;
  /** words of the longest command, <stop> included */
  readonly length: number;
  /** K: most decisions of one step */
  readonly decisions: number;
};

/** Action id of something written that is no action (as u32). Environments answer it and count it as impossible. */
const NO_ACTION = 0xffffffff;
const ALL = 0xffffffff;

/** One decision with all actions: K = 1, and what is written down is the action itself. */
export function actionTree(actions: number): Tree {
  return {
    masked: true,
    prefixes: [{ token: 0, depth: 0, ancestors: 1, first: 0, count: actions, role: 'action' }],
    slots: Array.from({ length: actions }, (_, a): Slot => ({
      ...{ node: 0, token: a, next: -1, action: a },
      actions: (1 << a) >>> 0,
    })),
    commands: Uint32Array.from({ length: actions }, (_, a) => a),
    length: 1,
    decisions: 1,
  };
}

/** Role of the decision behind prefix j. */
export const roleAt = (tree: Tree, j: number): Role => tree.prefixes[j]!.role ?? 'word';

/** Slot chosen at prefix j by what was written (one token a byte); −1 if it has no such choice. */
export function slotOf(tree: Tree, j: number, written: number): number {
  const prefix = tree.prefixes[j]!;
  const token = (written >>> (8 * prefix.depth)) & 255;
  for (let c = prefix.first; c < prefix.first + prefix.count; c++) if (tree.slots[c]!.token === token) return c;
  return -1;
}

/** How many choices prefix j has. */
export function legalSlots(tree: Tree, j: number, legal: number): number {
  const { first, count } = tree.prefixes[j]!;
  let n = 0;
  for (let c = first; c < first + count; c++) if (!tree.masked || (tree.slots[c]!.actions & legal) !== 0) n++;
  return n;
}

/** The decisions behind what was written: (prefix, slot) of each, in order. Returns how many. */
export function unitsIn(tree: Tree, written: number, prefixes: Int32Array, slots: Int32Array): number {
  let j = 0;
  for (let k = 0; ; k++) {
    const c = slotOf(tree, j, written);
    if (c < 0) throw new Error('A stored command does not fit the grammar.');
    prefixes[k] = j;
    slots[k] = c;
    const { next } = tree.slots[c]!;
    if (next < 0) return k + 1;
    j = next;
  }
}

/** How many units steps have, by what was written there. */
export function unitCounts(tree: Tree, written: Uint32Array): (step: number) => number {
  const [prefixes, slots] = [new Int32Array(tree.decisions), new Int32Array(tree.decisions)];
  return (step) => unitsIn(tree, written[step]!, prefixes, slots);
}

/** Rows that a network answers at once, and what takes the softmax of all of them. */
type Many = { readonly rows: number; readonly softmaxRows: typeof softmaxRows };

/**
 * The units of one step at a time: `at` puts the logits of a row under it, or `turn` those of one of many rows that `face`
 * was shown, `write` decides, `follow` reads what was decided. Both leave the units, their softmax, log π and log Z here,
 * so that nothing is allocated or computed twice.
 */
export class Units {
  readonly tree: Tree;
  /** [slots] π of every choice at the prefixes passed */
  readonly p: Float32Array;
  /** units of the step */
  n = 0;
  /** [K] prefix and slot of each, log π of the choice, log Z of its logits, and its entropy after `write` */
  readonly prefix: Int32Array;
  readonly slot: Int32Array;
  readonly logp: Float64Array;
  readonly logZ: Float64Array;
  readonly entropy: Float64Array;
  /** what `write` decided: the action, or a number that is none, and what is written down for it */
  action = 0;
  written = 0;
  private readonly choices: Choices;
  private readonly reach: Float32Array;
  /** the slots of the tree as numbers */
  private readonly bits: Uint32Array;
  private readonly next: Int32Array;
  private readonly actionOf: Int32Array;
  /** what is written down is the only choice of a step */
  private readonly isFlat: boolean;
  private row = 0;
  /** where steps are one choice, the softmax of all rows; the row at hand, −1: none of them */
  private readonly many: (Many & DistributionRows) | null = null;
  private known = -1;
  private faced: Pick<Outputs, 'out' | 'first' | 'stride'> = { out: new Float32Array(0), first: 0, stride: 0 };
  private legal: Uint32Array = new Uint32Array(0);

  constructor(tree: Tree, temperature: number, many: Many | null = null) {
    const K = tree.decisions;
    this.tree = tree;
    this.p = new Float32Array(tree.slots.length);
    this.prefix = new Int32Array(K);
    this.slot = new Int32Array(K);
    this.logp = new Float64Array(K);
    this.logZ = new Float64Array(K);
    this.entropy = new Float64Array(K);
    this.reach = new Float32Array(tree.prefixes.length);
    const bits = (this.bits = Uint32Array.from(tree.slots, (slot) => (tree.masked ? slot.actions : ALL)));
    this.next = Int32Array.from(tree.slots, (slot) => slot.next);
    this.actionOf = Int32Array.from(tree.slots, (slot) => slot.action);
    this.isFlat = tree.prefixes.length === 1 && tree.slots.every((slot, c) => slot.token === c && slot.action === c);
    this.choices = { z: this.p, at: 0, count: 0, bits, bitsAt: 0, legal: ALL, inverse: 1 / temperature };
    const knowsAll = many !== null && this.isFlat && tree.masked && this.p.length <= 32;
    if (!knowsAll) return;
    const { rows } = many;
    this.many = {
      ...many,
      p: new Float32Array(rows * this.p.length),
      logZ: new Float64Array(rows),
      entropy: new Float64Array(rows),
    };
  }

  /** From now on logits are divided by it. */
  set temperature(temperature: number) {
    this.choices.inverse = 1 / temperature;
  }

  /** The answers of a network to n rows with these legal actions; `measures`: `write` will be asked for the entropy. */
  face(answers: Pick<Outputs, 'out' | 'first' | 'stride'>, legal: Uint32Array, n: number, measures: boolean): void {
    this.faced = answers;
    this.legal = legal;
    const { many } = this;
    if (!many) return;
    const { out: z, first, stride } = answers;
    const { inverse } = this.choices;
    many.softmaxRows({ z, first, stride, count: this.p.length, legal, inverse }, n, many, measures);
  }

  /** Turns to the k-th of these rows. */
  turn(k: number): void {
    const { out, first, stride } = this.faced;
    this.at(out, first + k * stride, this.legal[k]!);
    if (this.many) this.known = k;
  }

  /** The step whose logits are z[row …], one of every slot; `legal`: its legal actions as bits. */
  at(z: Float32Array, row: number, legal: number): void {
    this.known = -1;
    this.choices.z = z;
    this.choices.legal = this.tree.masked ? legal : ALL;
    this.row = row;
  }

  /** The choices behind prefix j. */
  private behind(j: number): Choices {
    const { first, count } = this.tree.prefixes[j]!;
    const { choices } = this;
    choices.at = this.row + first;
    choices.bitsAt = first;
    choices.count = count;
    return choices;
  }

  /** π of the choices behind prefix j, at p[at + slot]; returns log Z. */
  private softmaxAt(j: number, p: Row, at: number): number {
    const { many, known } = this;
    if (many && known >= 0) {
      for (let c = 0, from = known * this.p.length; c < this.p.length; c++) p[at + c] = many.p[from + c]!;
      return many.logZ[known]!;
    }
    return softmax(this.behind(j), p, at + this.tree.prefixes[j]!.first);
  }

  /** log π of slot c. */
  private logpOf(c: number, logZ: number): number {
    const { z, inverse } = this.choices;
    return z[this.row + c]! * inverse - logZ;
  }

  /** Where the choices of unit d begin, and how many there are. */
  firstOf(d: number): number {
    return this.tree.prefixes[this.prefix[d]!]!.first;
  }
  countOf(d: number): number {
    return this.tree.prefixes[this.prefix[d]!]!.count;
  }

  /** log π of all choices of unit d, at logp[slot]. */
  fillLogProbs(d: number, logp: Row): void {
    fillLogProbs(this.behind(this.prefix[d]!), this.logZ[d]!, logp, this.firstOf(d));
  }

  /** π and log π of everything that could be chosen, at p[at + slot] and logp[at + slot]. */
  fillAll(p: Row, logp: Row, at: number): void {
    const { prefixes } = this.tree;
    for (let j = 0; j < prefixes.length; j++) {
      if (prefixes[j]!.count === 0) continue;
      const logZ = this.softmaxAt(j, p, at);
      fillLogProbs(this.behind(j), logZ, logp, at + prefixes[j]!.first);
    }
  }

  /** Reads what was written: its units with log π of each. */
  follow(written: number): void {
    const { tree, prefix, slot } = this;
    if (this.isFlat) {
      this.n = 1;
      prefix[0] = 0;
      slot[0] = written;
    } else this.n = unitsIn(tree, written, prefix, slot);
    for (let d = 0; d < this.n; d++) {
      this.logZ[d] = this.softmaxAt(prefix[d]!, this.p, 0);
      this.logp[d] = this.logpOf(slot[d]!, this.logZ[d]!);
    }
  }

  /**
   * Decides: at every prefix reached a choice is drawn from its softmax, by inverse CDF with the uniform number
   * draw(depth), until nothing is left to decide. A `dictated` action is chosen instead, −1 for none. Returns false if a
   * logit was not finite; then the last legal choice is taken.
   */
  write(draw: (depth: number) => number, dictated = -1): boolean {
    const { tree, p, bits, next, actionOf } = this;
    const { legal } = this.choices;
    const told = dictated < 0 ? 0 : tree.commands[dictated]!;
    let finite = true;
    this.written = this.n = 0;
    for (let j = 0; j >= 0;) {
      const { first, count, depth } = tree.prefixes[j]!;
      const logZ = this.softmaxAt(j, p, 0);
      if (logZ - logZ !== 0) finite = false;
      const u = dictated < 0 ? draw(depth) : 0;
      let running = 0;
      let chosen = first;
      let isChosen = dictated >= 0;
      if (isChosen) chosen = slotOf(tree, j, told);
      for (let c = first; c < first + count; c++) {
        if ((bits[c]! & legal) === 0) continue;
        running += p[c]!;
        if (!isChosen) chosen = c;
        if (u < running) isChosen = true;
      }
      const d = this.n++;
      this.prefix[d] = j;
      this.slot[d] = chosen;
      this.logZ[d] = logZ;
      this.logp[d] = this.logpOf(chosen, logZ);
      this.entropy[d] = this.many && this.known >= 0 ? this.many.entropy[this.known]! : entropyOf(p, first, count);
      if (!tree.masked) this.written = (this.written | (tree.slots[chosen]!.token << (8 * depth))) >>> 0;
      this.action = actionOf[chosen]! < 0 ? NO_ACTION : actionOf[chosen]!;
      j = next[chosen]!;
    }
    // what is certain is no decision and is written out
    if (tree.masked) this.written = tree.commands[this.action]!;
    return finite;
  }

  /** Σ over the units of log π, or of their entropy. */
  total(of: Float64Array): number {
    let sum = 0;
    for (let d = 0; d < this.n; d++) sum += of[d]!;
    return sum;
  }

  /**
   * π(a|o) of every action: the product along its choices. Where anything can be written the sum falls short of 1 by what
   * is no action. `isKnown`: the first decision of this step was looked at by `write` or `follow`.
   */
  probs(out: Float32Array, outAt: number, isKnown = false): void {
    const { tree, reach, p, next, actionOf } = this;
    const { prefixes } = tree;
    if (this.isFlat) {
      if (!isKnown) this.softmaxAt(0, p, 0);
      for (let c = 0; c < p.length; c++) out[outAt + c] = p[c]!;
      return;
    }
    // behind what may not be chosen nothing is looked at
    out.fill(0, outAt, outAt + tree.commands.length);
    reach.fill(0);
    reach[0] = 1;
    for (let j = 0; j < prefixes.length; j++) {
      const { first, count } = prefixes[j]!;
      if (count === 0 || reach[j] === 0) continue;
      if (j > 0 || !isKnown) this.softmaxAt(j, p, 0);
      for (let c = first; c < first + count; c++) {
        const joint = reach[j]! * p[c]!;
        if (next[c]! >= 0) reach[next[c]!] = joint;
        else if (actionOf[c]! >= 0) out[outAt + actionOf[c]!] = joint;
      }
    }
  }
}
