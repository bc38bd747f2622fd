import { fitted, largest, softmaxLoss, Weights, type Fitting, type Model, type Probe, type ProbeData } from './fit.ts';

const LENGTH = { steps: 400, rows: 64 };
const RATE = 5e-3;
const DECAY = 1e-4;

/**
 * One softmax regression for each head, z = b + W·x, on the same inputs: cross-entropy, Adam, weight decay, and the weights of
 * each head's lowest loss on the rows that say when to stop. As Adam goes coordinate by coordinate, heads do not see each other.
 */
export const fitLinear = (data: ProbeData, fitting: Fitting): Generator<number, Probe> =>
  fitted(new Regressions(data.D, data.heads), LENGTH, data, fitting);

class Regressions implements Model {
  /** [D + 1, O] a row for each input, then the biases */
  private readonly weights: Weights;
  private readonly kept: Float32Array;
  private readonly best: number[];
  private readonly z: Float32Array;
  private readonly D: number;
  private readonly O: number;
  private readonly heads: readonly number[];

  constructor(D: number, heads: readonly number[]) {
    this.D = D;
    this.heads = heads;
    this.O = heads.reduce((sum, n) => sum + n, 0);
    this.weights = new Weights((D + 1) * this.O, RATE, DECAY);
    this.kept = this.weights.W.slice();
    this.best = heads.map(() => Infinity);
    this.z = new Float32Array(this.O);
  }

  private answer(inputs: Float32Array, n: number): void {
    const { z, weights, D, O } = this;
    const { W } = weights;
    for (let o = 0; o < O; o++) z[o] = W[D * O + o]!;
    for (let d = 0; d < D; d++) {
      const x = inputs[n * D + d]!;
      if (x === 0) continue;
      for (let o = 0, w = d * O; o < O; o++, w++) z[o]! += x * W[w]!;
    }
  }

  learn(data: ProbeData, n: number, share: number, losses?: number[]): void {
    const { z, weights, D, O, heads } = this;
    const { gradient } = weights;
    this.answer(data.inputs, n);
    for (let h = 0, first = 0; h < heads.length; first += heads[h]!, h++)
      softmaxLoss(z, first, { data, n, h, share }, losses);
    if (losses) return;
    for (let d = 0; d <= D; d++) {
      const x = d === D ? 1 : data.inputs[n * D + d]!;
      if (x === 0) continue;
      for (let o = 0, w = d * O; o < O; o++, w++) gradient[w]! += x * z[o]!;
    }
  }

  move(step: number): void {
    this.weights.move(step);
  }

  keep(losses: readonly number[]): boolean {
    let isBetter = false;
    const { best, kept, weights, D, O, heads } = this;
    for (let h = 0, first = 0; h < heads.length; first += heads[h]!, h++) {
      if (losses[h]! >= best[h]!) continue;
      isBetter = true;
      best[h] = losses[h]!;
      for (let d = 0; d <= D; d++)
        kept.set(weights.W.subarray(d * O + first, d * O + first + heads[h]!), d * O + first);
    }
    return isBetter;
  }

  settle(): void {
    this.weights.W.set(this.kept);
  }

  classes(inputs: Float32Array, n: number, out: Int16Array): void {
    const { z, heads } = this;
    this.answer(inputs, n);
    for (let h = 0, first = 0; h < heads.length; first += heads[h]!, h++) out[h] = largest(z, first, heads[h]!);
  }
}
