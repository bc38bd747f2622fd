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

/** A probe that learns. */
export type Model = Probe & {
  /** adds share·∂(cross-entropy of row n) to the gradient, or where `losses` is given −log p of its classes to those */
  learn(data: ProbeData, n: number, share: number, losses?: number[]): void;
  /** a step along the gradient, which is 0 afterwards; steps count from 1 */
  move(step: number): void;
  /** keeps the weights whose loss, one for each head, was never lower; the first time all. Were there any? */
  keep(losses: readonly number[]): boolean;
  /** takes the weights that were kept */
  settle(): void;
};

const CHECK = 50;
/** Checks without any better loss after which nobody waits any longer. */
const PATIENCE = 3;

/** Draws of probes, one after the other: a probe is no part of a run and moves none of its draws. */
export function drawsOf(seed: number, purpose: number = PURPOSE.probe): () => number {
  let k = 0;
  return () => uniform(random(seed, purpose, k++, 0, 0));
}

/** A model learns for at most so many steps of so many rows and has then the weights that were best on the rows that stop. Yields the share that is done. */
export function* fitted(
  model: Model,
  { steps, rows }: { readonly steps: number; readonly rows: number },
  data: ProbeData,
  { train, stop, seed }: Fitting,
): Generator<number, Probe> {
  const draw = drawsOf(seed);
  const losses = (): number[] => {
    const sums = data.heads.map(() => 0);
    for (const n of stop) model.learn(data, n, 0, sums);
    return sums;
  };
  model.keep(losses());
  for (let step = 1, since = 0; step <= steps && since < PATIENCE; step++) {
    for (let k = 0; k < rows; k++) model.learn(data, train[Math.floor(draw() * train.length)]!, 1 / rows);
    model.move(step);
    if (step % CHECK === 0) since = model.keep(losses()) ? 0 : since + 1;
    if (step % 10 === 0) yield step / steps;
  }
  model.settle();
  return model;
}

/** Puts −log p of the true class into `losses`, or ∂(share·weight·cross-entropy)/∂z in the place of z[first … first + classes − 1]. */
export function softmaxLoss(
  z: Float32Array,
  first: number,
  { data, n, h, share }: { readonly data: ProbeData; readonly n: number; readonly h: number; readonly share: number },
  losses?: number[],
): void {
  const label = data.labels[n * data.heads.length + h]!;
  const end = first + data.heads[h]!;
  let max = -Infinity;
  for (let o = first; o < end; o++) max = Math.max(max, z[o]!);
  let sum = 0;
  for (let o = first; o < end; o++) sum += z[o] = Math.exp(z[o]! - max);
  const weight = label < 0 ? 0 : (data.weights?.[h]?.[label] ?? 1);
  if (losses && label >= 0) losses[h]! -= weight * Math.log(Math.max(1e-30, z[first + label]! / sum));
  for (let o = first; o < end; o++) z[o] = label < 0 ? 0 : share * weight * (z[o]! / sum - Number(o === first + label));
}

/** The class with the largest of z[first … first + classes − 1]. */
export function largest(z: Float32Array, first: number, classes: number): number {
  let best = 0;
  for (let o = 1; o < classes; o++) if (z[first + o]! > z[first + best]!) best = o;
  return best;
}

const [BETA1, BETA2, EPSILON] = [0.9, 0.999, 1e-8];

/** Weights that move by Adam with decoupled weight decay. */
export class Weights {
  readonly W: Float32Array;
  readonly gradient: Float32Array;
  private readonly m: Float32Array;
  private readonly v: Float32Array;
  private readonly rate: number;
  private readonly decay: number;

  constructor(size: number, rate: number, decay: number) {
    this.W = new Float32Array(size);
    this.gradient = new Float32Array(size);
    this.m = new Float32Array(size);
    this.v = new Float32Array(size);
    this.rate = rate;
    this.decay = decay;
  }

  move(step: number): void {
    const { W, gradient, m, v, rate, decay } = this;
    const [c1, c2] = [1 - BETA1 ** step, 1 - BETA2 ** step];
    for (let k = 0; k < W.length; k++) {
      const g = gradient[k]!;
      m[k] = BETA1 * m[k]! + (1 - BETA1) * g;
      v[k] = BETA2 * v[k]! + (1 - BETA2) * g * g;
      W[k]! -= rate * (m[k]! / c1 / (Math.sqrt(v[k]! / c2) + EPSILON) + decay * W[k]!);
    }
    gradient.fill(0);
  }
}
