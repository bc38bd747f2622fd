import { PURPOSE } from '../../core/random.ts';
import {
  drawsOf,
  fitted,
  largest,
  softmaxLoss,
  Weights,
  type Fitting,
  type Model,
  type Probe,
  type ProbeData,
} from './fit.ts';

/** Units of the hidden layer. */
const UNITS = 64;
const LENGTH = { steps: 500, rows: 32 };
const RATE = 1e-3;
const DECAY = 1e-4;

/** Heads [first, end) of a kind, which share a hidden layer: cells, places, plans. `isOne`: they share V and b, too. */
export type Kind = { readonly first: number; readonly end: number; readonly isOne: boolean };

/**
 * One small network for each kind of head, for head h of the kind
 *
 *   z_h = b_h + V_h·ReLU(A·x + u_h)      64 units; u_h stands for the cell, place or action that is asked about
 *
 * Cross-entropy, Adam, weight decay, and the weights of the kind's lowest loss on the rows that say when to stop.
 */
export function fitMlp(data: ProbeData, kinds: readonly Kind[], fitting: Fitting): Generator<number, Probe> {
  const draw = drawsOf(fitting.seed, PURPOSE.probeUnits);
  return fitted(new Mlps(kinds.map((kind) => new Mlp(data.D, data.heads, kind, draw))), LENGTH, data, fitting);
}

class Mlps implements Model {
  private readonly parts: readonly Mlp[];

  constructor(parts: readonly Mlp[]) {
    this.parts = parts;
  }

  learn(data: ProbeData, n: number, share: number, losses?: number[]): void {
    for (const part of this.parts) part.learn(data, n, share, losses);
  }

  move(step: number): void {
    for (const part of this.parts) part.move(step);
  }

  keep(losses: readonly number[]): boolean {
    return this.parts.map((part) => part.keep(losses)).includes(true);
  }

  settle(): void {
    for (const part of this.parts) part.settle();
  }

  classes(inputs: Float32Array, n: number, out: Int16Array): void {
    for (const part of this.parts) part.classes(inputs, n, out);
  }
}

class Mlp implements Model {
  /** A [D, units], then u [heads, units], then V [outputs, units], then b [outputs] */
  private readonly weights: Weights;
  private readonly kept: Float32Array;
  private best = Infinity;
  private readonly D: number;
  private readonly kind: Kind;
  private readonly heads: readonly number[];
  private readonly uAt: number;
  private readonly vAt: number;
  private readonly bAt: number;
  private readonly z: Float32Array;
  private readonly c = new Float32Array(UNITS);
  private readonly dc = new Float32Array(UNITS);
  /** the units above 0 of the head that was answered last, and what they say: all others neither count nor learn */
  private readonly on = new Int32Array(UNITS);
  private readonly y = new Float32Array(UNITS);
  private readonly dy = new Float32Array(UNITS);

  constructor(D: number, heads: readonly number[], kind: Kind, draw: () => number) {
    this.D = D;
    this.kind = kind;
    this.heads = heads;
    const own = heads.slice(kind.first, kind.end);
    const outputs = kind.isOne ? own[0]! : own.reduce((sum, n) => sum + n, 0);
    this.uAt = D * UNITS;
    this.vAt = this.uAt + own.length * UNITS;
    this.bAt = this.vAt + outputs * UNITS;
    this.weights = new Weights(this.bAt + outputs, RATE, DECAY);
    const { W } = this.weights;
    for (let k = 0; k < this.uAt; k++) W[k] = (2 * draw() - 1) / Math.sqrt(D);
    for (let k = this.uAt; k < this.vAt; k++) W[k] = 0.5 * (2 * draw() - 1);
    this.kept = W.slice();
    this.z = new Float32Array(Math.max(1, ...own));
  }

  /** A·x of row n. */
  private carry(inputs: Float32Array, n: number): void {
    const { c, D, weights } = this;
    const { W } = weights;
    c.fill(0);
    for (let d = 0; d < D; d++) {
      const x = inputs[n * D + d]!;
      if (x === 0) continue;
      for (let j = 0, w = d * UNITS; j < UNITS; j++, w++) c[j]! += x * W[w]!;
    }
  }

  /** z of a head, from c; how many units are above 0. */
  private answer(u: number, v: number, b: number, classes: number): number {
    const { c, on, y, z, weights } = this;
    const { W } = weights;
    let count = 0;
    for (let j = 0; j < UNITS; j++) {
      const x = Math.fround(c[j]! + W[u + j]!);
      if (x <= 0) continue;
      on[count] = j;
      y[count++] = x;
    }
    for (let o = 0, row = v; o < classes; o++, row += UNITS) {
      let dot = W[b + o]!;
      for (let k = 0; k < count; k++) dot += W[row + on[k]!]! * y[k]!;
      z[o] = dot;
    }
    return count;
  }

  learn(data: ProbeData, n: number, share: number, losses?: number[]): void {
    const { kind, heads, z, on, y, dy, dc, weights, D } = this;
    const { W, gradient } = weights;
    this.carry(data.inputs, n);
    dc.fill(0);
    let [u, v, b] = [this.uAt, this.vAt, this.bAt];
    for (let h = kind.first; h < kind.end; h++) {
      const classes = heads[h]!;
      if (data.labels[n * heads.length + h]! >= 0) {
        const count = this.answer(u, v, b, classes);
        softmaxLoss(z, 0, { data, n, h, share }, losses);
        if (!losses) {
          dy.fill(0);
          for (let o = 0, row = v; o < classes; o++, row += UNITS) {
            const d = z[o]!;
            gradient[b + o]! += d;
            for (let k = 0; k < count; k++) {
              const w = row + on[k]!;
              gradient[w]! += d * y[k]!;
              dy[k]! += d * W[w]!;
            }
          }
          for (let k = 0; k < count; k++) {
            const j = on[k]!;
            gradient[u + j]! += dy[k]!;
            dc[j]! += dy[k]!;
          }
        }
      }
      u += UNITS;
      if (kind.isOne) continue;
      v += classes * UNITS;
      b += classes;
    }
    if (losses) return;
    for (let d = 0; d < D; d++) {
      const x = data.inputs[n * D + d]!;
      if (x === 0) continue;
      for (let j = 0, w = d * UNITS; j < UNITS; j++, w++) gradient[w]! += x * dc[j]!;
    }
  }

  move(step: number): void {
    this.weights.move(step);
  }

  keep(losses: readonly number[]): boolean {
    const sum = losses.slice(this.kind.first, this.kind.end).reduce((a, b) => a + b, 0);
    if (sum >= this.best) return false;
    this.best = sum;
    this.kept.set(this.weights.W);
    return true;
  }

  settle(): void {
    this.weights.W.set(this.kept);
  }

  classes(inputs: Float32Array, n: number, out: Int16Array): void {
    const { kind, heads, z } = this;
    this.carry(inputs, n);
    let [u, v, b] = [this.uAt, this.vAt, this.bAt];
    for (let h = kind.first; h < kind.end; h++) {
      const classes = heads[h]!;
      this.answer(u, v, b, classes);
      out[h] = largest(z, 0, classes);
      u += UNITS;
      if (kind.isOne) continue;
      v += classes * UNITS;
      b += classes;
    }
  }
}
