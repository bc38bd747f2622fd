import type { Batch } from '../../../contract/columns.ts';
import { given } from '../../advantage/given.ts';
import type { Input } from './net.ts';

/** Reads observations of a batch as inputs of a model; the object is reused by the next call. */
export class Seen {
  private readonly bits: Uint32Array;
  private readonly words: number;
  private readonly index: Int32Array;
  private readonly batch: Pick<Batch, 'B' | 'T' | 'length'>;

  constructor(batch: Pick<Batch, 'B' | 'T' | 'length' | 'features'>) {
    this.batch = batch;
    this.bits = given(batch, 'features');
    this.words = this.bits.length / (batch.B * (batch.T + 1));
    this.index = new Int32Array(32 * this.words);
  }

  /** What the policy saw before step t of row i; t = length: after the last step. */
  at(i: number, t: number): Input {
    const { bits, words, index, batch } = this;
    const from = (i * (batch.T + 1) + t) * words;
    let n = 0;
    for (let w = 0; w < words; w++)
      for (let rest = bits[from + w]!; rest !== 0; rest = (rest & (rest - 1)) >>> 0)
        index[n++] = 32 * w + 31 - Math.clz32(rest & -rest);
    return { index, value: null, n };
  }

  /** Mean of what was seen in the states of row i, the one after the last step included. */
  meanOf(i: number): Input {
    const sums = new Map<number, number>();
    const states = this.batch.length[i]! + 1;
    for (let t = 0; t < states; t++) {
      const { index, n } = this.at(i, t);
      for (let k = 0; k < n; k++) sums.set(index[k]!, (sums.get(index[k]!) ?? 0) + 1);
    }
    const found = [...sums].sort(([a], [b]) => a - b);
    return {
      index: Int32Array.from(found, ([feature]) => feature),
      value: Float64Array.from(found, ([, count]) => count / states),
      n: found.length,
    };
  }
}
