import { log } from '../../core/fmath.ts';
import type { Row } from './distribution.ts';

/**
 * The restricted action set of NLPO (arXiv 2210.01241): the smallest set of legal actions whose probability under the
 * mask policy reaches `topP`, at least `minKeep` of them; ties: the lower index first. Writes 0/1 into `keep`.
 */
export function keepSet(
  mask: Row,
  at: number,
  actions: number,
  topP: number,
  minKeep: number,
  keep: Uint8Array,
  keepAt: number,
): void {
  const order: number[] = [];
  for (let b = 0; b < actions; b++) {
    keep[keepAt + b] = 0;
    if (mask[at + b]! > 0) order.push(b);
  }
  order.sort((x, y) => mask[at + y]! - mask[at + x]! || x - y);
  let reached = 0;
  for (let k = 0; k < order.length && (reached < topP || k < minKeep); k++) {
    keep[keepAt + order[k]!] = 1;
    reached += mask[at + order[k]!]!;
  }
}

/** log π(a) renormalized over the kept actions; the stored action always belongs to them. */
export function restrictedLogp(
  p: Row,
  at: number,
  actions: number,
  action: number,
  keep: Uint8Array,
  keepAt: number,
): number {
  let total = 0;
  for (let b = 0; b < actions; b++) if (keep[keepAt + b] === 1 || b === action) total += p[at + b]!;
  return log(p[at + action]!) - log(total);
}
