import type { Batch } from '../../contract/columns.ts';
import { threefryInto } from '../../core/random.ts';
import { sum } from '../../core/stats.ts';
import { settings } from '../../core/settings.ts';
import { countAll, countOf, countTable, uncountAll } from '../../contract/countTable.ts';
import { defineReward } from './types.ts';

/**
 * Bonus for states that were seen rarely (Strehl, Littman 2008).
 *
 *   r[t] ← r[t] + β/√N(s[t+1])     N: how often a step of the run led to the state of this level, this batch included
 *
 * All of a batch is counted before anything is paid, so that no order matters. N is exact: a table of keys and counts,
 * which is part of the state of the run. Once it is full, states that are not in it earn nothing.
 */
export const countBonus = defineReward({
  id: 'countBonus',
  title: 'Count bonus',
  rev: 1,
  kind: 'additive',
  source: {
    title: 'An analysis of model-based interval estimation for Markov decision processes',
    level: 'textbook',
  },
  needs: ['stateKey', 'finalStateKey', 'levelSeed', 'length'],
  formula: 'r ← r + β/√N(s′)',
  look: 'The agent is drawn to where it has seldom been; the bonus fades as counts grow.',
  also: 'curiosity, novelty, exploration bonus, intrinsic reward',
  params: settings({
    beta: {
      kind: 'number',
      label: 'Size of the bonus',
      default: 0.02,
      min: 0,
      max: 10,
      scale: 'log',
      doc: 'Bonus for the first visit to a state; a state visited N times so far earns β/√N.',
      formula: 'β',
    },
  }),
  state: { table: countTable },
  mostPerStep: ({ beta }) => beta,
  run(batch, { beta }, out, memory) {
    const table = memory['table'] as Uint32Array;
    const keys = reachedKeys(batch);
    countAll(table, keys);
    let at = 0;
    for (let i = 0; i < batch.B; i++)
      for (let k = i * batch.T; k < i * batch.T + batch.length[i]!; k++, at += 2) {
        const N = countOf(table, keys[at]!, keys[at + 1]!);
        out[k] = N > 0 ? beta / Math.sqrt(N) : 0;
      }
  },
  forget(batch, memory) {
    uncountAll(memory['table'] as Uint32Array, reachedKeys(batch));
  },
  scratch: () => 5,
  gpu(ops, { beta }) {
    const rate = ops.counted('table', -0.5);
    return ops.combine(beta, rate, 0, rate);
  },
});

/**
 * [steps, 2] key of the state that each real step led to, in their order: the block of random.ts with the key of the state
 * as key and its level as counter, so that levels count apart.
 */
function reachedKeys({ B, T, length, stateKey, finalStateKey, levelSeed }: Batch): Uint32Array {
  const keys = new Uint32Array(2 * sum(length));
  let to = 0;
  for (let i = 0; i < B; i++) {
    const last = i * T + length[i]! - 1;
    for (let k = i * T; k <= last; k++, to += 2) {
      const [from, at] = k === last ? [finalStateKey, 2 * i] : [stateKey, 2 * k + 2];
      threefryInto(from[at]!, from[at + 1]!, levelSeed![i]!, 0, keys, to);
    }
  }
  return keys;
}
