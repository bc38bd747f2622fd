import type { Batch } from '../../contract/columns.ts';
import { given } from './given.ts';

export type WordRule = {
  readonly backup: string;
  readonly gamma: number;
  readonly lambda: number;
  readonly innerLambda: number;
  readonly cut: string;
};

type Read = Pick<Batch, 'B' | 'T' | 'length' | 'reward' | 'valueFinal' | 'terminated' | 'units' | 'unitValue'>;

/** Advantage and value target of every unit, [B, T, K], before they are compared: formulas at `poad`. */
export function wordAdvantage(batch: Read, rule: WordRule): { adv: Float32Array; target: Float32Array } {
  const { B, T, length, reward } = batch;
  const { backup, gamma, lambda, innerLambda, cut } = rule;
  const [units, value] = [given(batch, 'units'), given(batch, 'unitValue')];
  const K = value.length / (B * T);
  const adv = new Float32Array(B * T * K);
  const target = new Float32Array(B * T * K);
  const inside = backup === 'everyWord' ? gamma : 1;
  for (let i = 0; i < B; i++) {
    let next = batch.terminated[i] === 0 && cut === 'bootstrap' ? batch.valueFinal[i]! : 0;
    let carry = 0;
    for (let k = i * T + length[i]! - 1; k >= i * T; k--) {
      const last = k * K + units[k]! - 1;
      const before = backup === 'turn' ? k * K : last;
      carry = reward[k]! + gamma * next - value[before]! + gamma * lambda * carry;
      for (let u = last; u >= k * K; u--) {
        if (backup !== 'turn' && u < last) carry = inside * value[u + 1]! - value[u]! + inside * innerLambda * carry;
        adv[u] = carry;
        target[u] = carry + value[backup === 'turn' ? before : u]!;
      }
      next = value[k * K]!;
    }
  }
  return { adv, target };
}

/** All units of the batch are one set. */
export function unitHeads(batch: Pick<Read, 'B' | 'T' | 'length' | 'units'>, K: number): Int32Array {
  const { B, T, length } = batch;
  const units = given(batch, 'units');
  const head = new Int32Array(B * T * K).fill(-1);
  for (let i = 0; i < B; i++) for (let k = i * T; k < i * T + length[i]!; k++) head.fill(0, k * K, k * K + units[k]!);
  return head;
}
