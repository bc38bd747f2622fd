import { PURPOSE, random, uniform } from '../../core/random.ts';

/** What a probe reads and what it is to tell: N rows of D numbers, and for each row one class of every head. */
export type ProbeData = {
  readonly N: number;
  readonly D: number;
  /** [N, D] */
  readonly inputs: Float32Array;
  /** classes of each head */
  readonly heads: readonly number[];
  /** [N, heads] class, −1: there is none */
  readonly labels: Int16Array;
  /** of each head, how much a row of each class counts; 1 where it does not say */
  readonly weights?: readonly (Float32Array | null)[];
};

export type Fitting = {
  /** rows that are learned from, and rows that say when to stop */
  readonly train: readonly number[];
  readonly stop: readonly number[];
  readonly seed: number;
};

/** What a probe says: the class of every head for row n. */
export type Probe = { classes(inputs: Float32Array, n: number, out: Int16Array): void };

const STEPS = 400;
const ROWS = 64;
const RATE = 5e-3;
const DECAY = 1e-4;
const CHECK = 50;
const [BETA1, BETA2, EPSILON] = [0.9, 0.999, 1e-8];

/** Draws of probes, one after the other: a probe is no part of a run and moves none of its draws. */
export function drawsOf(seed: number): () => number {
  let k = 0;
  return () => uniform(random(seed, PURPOSE.probe, k++, 0, 0));
}

/**
 * One softmax regression for each head, z = b + W·x, on the same inputs: cross-entropy, Adam, weight decay, and the weights of
 * each head's lowest loss on the rows that say when to stop. As Adam goes coordinate by coordinate, heads do not see each other.
 * Yields the share that is done.
 */
export function* fitProbe(data: ProbeData, { train, stop, seed }: Fitting): Generator<number, Probe> {
  const { D, heads } = data;
  const model = new Regressions(D, heads);
  const draw = drawsOf(seed);
  const best = model.losses(data, stop);
  const kept = model.W.slice();
  for (let step = 1; step <= STEPS; step++) {
    model.gradient.fill(0);
    for (let k = 0; k < ROWS; k++) model.learn(data, train[Math.floor(draw() * train.length)]!, 1 / ROWS);
    model.move(step);
    if (step % CHECK === 0) {
      model.losses(data, stop).forEach((loss, h) => {
        if (loss >= best[h]!) return;
        best[h] = loss;
        model.copyHead(h, kept);
      });
    }
    if (step % 10 === 0) yield step / STEPS;
  }
  model.W.set(kept);
  return model;
}

class Regressions implements Probe {
  /** [D + 1, O] a row for each input, then the biases */
  readonly W: Float32Array;
  readonly gradient: Float32Array;
  private readonly m: Float32Array;
  private readonly v: Float32Array;
  private readonly z: Float32Array;
  private readonly D: number;
  private readonly O: number;
  private readonly heads: readonly number[];

  constructor(D: number, heads: readonly number[]) {
    this.D = D;
    this.heads = heads;
    this.O = heads.reduce((sum, n) => sum + n, 0);
    const size = (D + 1) * this.O;
    this.W = new Float32Array(size);
    this.gradient = new Float32Array(size);
    this.m = new Float32Array(size);
    this.v = new Float32Array(size);
    this.z = new Float32Array(this.O);
  }

  private answer(inputs: Float32Array, n: number): void {
    const { z, W, D, O } = this;
    for (let o = 0; o < O; o++) z[o] = W[D * O + o]!;
    for (let d = 0; d < D; d++) {
      const x = inputs[n * D + d]!;
      if (x === 0) continue;
      for (let o = 0, w = d * O; o < O; o++, w++) z[o]! += x * W[w]!;
    }
  }

  /** Adds share·∂(cross-entropy of row n) to the gradient, or where `losses` is given −log p of its classes to those. */
  learn(data: ProbeData, n: number, share: number, losses?: number[]): void {
    const { z, gradient, D, O, heads } = this;
    this.answer(data.inputs, n);
    for (let h = 0, first = 0; h < heads.length; first += heads[h]!, h++) {
      const label = data.labels[n * heads.length + h]!;
      const end = first + heads[h]!;
      let max = -Infinity;
      for (let o = first; o < end; o++) max = Math.max(max, z[o]!);
      let sum = 0;
      for (let o = first; o < end; o++) sum += z[o] = Math.exp(z[o]! - max);
      const weight = label < 0 ? 0 : (data.weights?.[h]?.[label] ?? 1);
      if (losses && label >= 0) losses[h]! -= weight * Math.log(z[first + label]! / sum);
      for (let o = first; o < end; o++)
        z[o] = label < 0 ? 0 : share * weight * (z[o]! / sum - Number(o === first + label));
    }
    if (losses) return;
    for (let d = 0; d <= D; d++) {
      const x = d === D ? 1 : data.inputs[n * D + d]!;
      if (x === 0) continue;
      for (let o = 0, w = d * O; o < O; o++, w++) gradient[w]! += x * z[o]!;
    }
  }

  /** Of each head, over these rows. */
  losses(data: ProbeData, rows: readonly number[]): number[] {
    const losses = this.heads.map(() => 0);
    for (const n of rows) this.learn(data, n, 0, losses);
    return losses;
  }

  /** The weights of head h, into others of the same form. */
  copyHead(h: number, to: Float32Array): void {
    const { W, D, O, heads } = this;
    const first = heads.slice(0, h).reduce((sum, n) => sum + n, 0);
    for (let d = 0; d <= D; d++) to.set(W.subarray(d * O + first, d * O + first + heads[h]!), d * O + first);
  }

  /** A step of Adam with decoupled weight decay. */
  move(step: number): void {
    const { W, gradient, m, v } = this;
    const [c1, c2] = [1 - BETA1 ** step, 1 - BETA2 ** step];
    for (let k = 0; k < W.length; k++) {
      const g = gradient[k]!;
      m[k] = BETA1 * m[k]! + (1 - BETA1) * g;
      v[k] = BETA2 * v[k]! + (1 - BETA2) * g * g;
      W[k]! -= RATE * (m[k]! / c1 / (Math.sqrt(v[k]! / c2) + EPSILON) + DECAY * W[k]!);
    }
  }

  classes(inputs: Float32Array, n: number, out: Int16Array): void {
    const { z, heads } = this;
    this.answer(inputs, n);
    for (let h = 0, first = 0; h < heads.length; first += heads[h]!, h++) {
      let best = 0;
      for (let o = 1; o < heads[h]!; o++) if (z[first + o]! > z[first + best]!) best = o;
      out[h] = best;
    }
  }
}
