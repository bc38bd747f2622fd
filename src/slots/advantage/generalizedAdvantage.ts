import type { Batch } from '../../contract/columns.ts';

export type CutMode = 'bootstrap' | 'zero' | 'egae';

/**
 * Advantage and value target of a learned critic, before whitening.
 *
 *   δ[t] = r[t] + γV[t+1] − V[t]      adv[t] = δ[t] + γλ·adv[t+1]      target[t] = adv[t] + V[t]
 *
 * V beyond the last step is 0 if the episode ended by itself; if it was cut: 0 (`zero`), V of the final state
 * (`bootstrap`, right for time limits), or V before the last step (`egae`, T-PPO arXiv 2506.15050).
 */
export function generalizedAdvantage(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'reward' | 'value' | 'valueFinal' | 'terminated'>,
  gamma: number,
  lambda: number,
  cut: CutMode,
): { adv: Float32Array; target: Float32Array } {
  const { B, T } = batch;
  const adv = new Float32Array(B * T);
  const target = new Float32Array(B * T);
  for (let i = 0; i < B; i++) {
    const last = i * T + batch.length[i]! - 1;
    let next = 0;
    if (batch.terminated[i] === 0 && cut === 'bootstrap') next = batch.valueFinal[i]!;
    if (batch.terminated[i] === 0 && cut === 'egae') next = batch.value[last]!;
    let carry = 0;
    for (let k = last; k >= i * T; k--) {
      const delta = batch.reward[k]! + gamma * next - batch.value[k]!;
      carry = delta + gamma * lambda * carry;
      adv[k] = carry;
      target[k] = carry + batch.value[k]!;
      next = batch.value[k]!;
    }
  }
  return { adv, target };
}
