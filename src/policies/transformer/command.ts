import { exp, log } from '../../core/fmath.ts';
import { isLegalSlot, slotOf, TOKEN, type Grammar } from './grammar.ts';

/** Action id of a command that is none (as u32). Environments answer it and count it as impossible. */
const NO_ACTION = 0xffffffff;

/** What was written, word by word. Reused, so that writing allocates nothing. */
export type Written = {
  /** action id, or NO_ACTION */
  action: number;
  /** the words, one token a byte, first in the low byte; with the mask certain words are written out */
  command: number;
  /** Σ over the decisions; the entropy is an unbiased one-sample estimate of the entropy of the action */
  logp: number;
  entropy: number;
  /** decisions made */
  units: number;
  /** [decisions] of each decision */
  readonly unitLogp: Float32Array;
  readonly unitEntropy: Float32Array;
};

/** Room for one command of a grammar. */
export function written(grammar: Grammar): Written {
  const { decisions } = grammar;
  return {
    action: 0,
    command: 0,
    logp: 0,
    entropy: 0,
    units: 0,
    unitLogp: new Float32Array(decisions),
    unitEntropy: new Float32Array(decisions),
  };
}

/**
 * Softmax over the words that may follow prefix j, with temperature: p[pAt + slot] for its slots, exactly 0 where
 * illegal. Returns log Z such that log π(slot) = logit/τ − log Z. Illegal logits are never read.
 */
export function prefixSoftmax(
  grammar: Grammar,
  j: number,
  logits: Float32Array,
  at: number,
  legal: number,
  inverseTemperature: number,
  p: Float32Array,
  pAt: number,
): number {
  const { first, count } = grammar.prefixes[j]!;
  let top = -Infinity;
  for (let c = first; c < first + count; c++) {
    if (isLegalSlot(grammar, grammar.slots[c]!, legal)) top = Math.max(top, logits[at + c]! * inverseTemperature);
  }
  let total = 0;
  for (let c = first; c < first + count; c++) {
    const e = isLegalSlot(grammar, grammar.slots[c]!, legal) ? exp(logits[at + c]! * inverseTemperature - top) : 0;
    p[pAt + c] = e;
    total += e;
  }
  for (let c = first; c < first + count; c++) p[pAt + c]! /= total;
  return top + log(total);
}

/**
 * Writes a command: at every prefix reached a word is drawn from the softmax over its legal words, by inverse CDF with
 * the uniform number draw(depth), until the command is decided or has left the grammar: nothing it could add would make
 * it a command. A `dictated` command is written instead. Returns false if a logit was not finite.
 */
export function writeCommand(
  grammar: Grammar,
  logits: Float32Array,
  at: number,
  legal: number,
  inverseTemperature: number,
  draw: (depth: number) => number,
  p: Float32Array,
  out: Written,
  dictated: number | null = null,
): boolean {
  out.logp = out.entropy = out.units = out.command = 0;
  out.unitLogp.fill(0);
  out.unitEntropy.fill(0);
  let j = 0;
  for (;;) {
    const { first, count, depth } = grammar.prefixes[j]!;
    const logZ = prefixSoftmax(grammar, j, logits, at, legal, inverseTemperature, p, 0);
    if (logZ - logZ !== 0) {
      out.action = NO_ACTION;
      return false;
    }
    const u = draw(depth);
    let running = 0;
    let chosen = first;
    let entropy = 0;
    let isChosen = dictated !== null;
    if (dictated !== null) chosen = slotOf(grammar, j, dictated);
    for (let c = first; c < first + count; c++) {
      if (!isLegalSlot(grammar, grammar.slots[c]!, legal)) continue;
      const q = p[c]!;
      if (q > 0) entropy -= q * log(q);
      running += q;
      if (!isChosen) chosen = c;
      if (u < running) isChosen = true;
    }
    const slot = grammar.slots[chosen]!;
    const logp = logits[at + chosen]! * inverseTemperature - logZ;
    out.unitLogp[out.units] = logp;
    out.unitEntropy[out.units] = entropy;
    out.units++;
    out.logp += logp;
    out.entropy += entropy;
    if (!grammar.masked) out.command = (out.command | (slot.token << (8 * depth))) >>> 0;
    if (slot.next >= 0) {
      j = slot.next;
      continue;
    }
    out.action = slot.action < 0 ? NO_ACTION : slot.action;
    if (grammar.masked) out.command = grammar.commands[slot.action]!;
    return true;
  }
}

/** π(a|o) of every action: the product along its words. Without the mask the sum falls short of 1 by what is no command. */
export function actionProbs(
  grammar: Grammar,
  logits: Float32Array,
  at: number,
  legal: number,
  inverseTemperature: number,
  p: Float32Array,
  reach: Float32Array,
  out: Float32Array,
  outAt: number,
): void {
  reach.fill(0, 0, grammar.prefixes.length);
  reach[0] = 1;
  // behind a word that may not be written nothing is looked at
  out.fill(0, outAt, outAt + grammar.commands.length);
  grammar.prefixes.forEach(({ first, count }, j) => {
    if (count === 0 || reach[j] === 0) return;
    prefixSoftmax(grammar, j, logits, at, legal, inverseTemperature, p, 0);
    for (let c = first; c < first + count; c++) {
      const slot = grammar.slots[c]!;
      const joint = reach[j]! * p[c]!;
      if (slot.next >= 0) reach[slot.next] = joint;
      else if (slot.action >= 0) out[outAt + slot.action] = joint;
    }
  });
}

/** The decisions behind a written command: (prefix, slot) of each, in order. Returns how many. */
export function decisionsOf(grammar: Grammar, command: number, prefixes: Int32Array, slots: Int32Array): number {
  let j = 0;
  for (let k = 0; ; k++) {
    const c = slotOf(grammar, j, command);
    if (c < 0) throw new Error('A stored command does not fit the grammar.');
    prefixes[k] = j;
    slots[k] = c;
    const { next } = grammar.slots[c]!;
    if (next < 0) return k + 1;
    j = next;
  }
}

/** Token ids of a written command. */
export function wordsOf(command: number): number[] {
  return [0, 8, 16, 24].map((shift) => (command >>> shift) & 255).filter((token) => token !== TOKEN.pad);
}
