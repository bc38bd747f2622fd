import { roundWeights } from '../policies/precision.ts';
import type { Plan } from './plan.ts';

/**
 * The last k + 1 versions of the weights as they play, rounding included: version v lies in slot v mod (k + 1). Each is
 * an array of its own [S, size], so that the same version is always the same object.
 */
export class Past {
  private readonly plan: Pick<Plan, 'S' | 'layout' | 'behaviour'>;
  private readonly versions: Float32Array[];

  /** `make` gives arrays where those who read them want them. */
  constructor(plan: Pick<Plan, 'S' | 'layout' | 'behaviour'>, make = (n: number): Float32Array => new Float32Array(n)) {
    this.plan = plan;
    const size = plan.S * plan.layout.size;
    this.versions = Array.from({ length: plan.behaviour.lag + 1 }, () => make(size));
  }

  /** Keeps theta as version `version`. */
  push(version: number, theta: Float32Array): void {
    const { S, layout, behaviour } = this.plan;
    const to = this.at(version);
    for (let s = 0; s < S; s++) roundWeights(layout, behaviour.precision, theta, s * layout.size, to);
  }

  at(version: number): Float32Array {
    return this.versions[version % this.versions.length]!;
  }

  /** [S, k + 1, size], or nothing where no old version is ever played. */
  save(): Float32Array | null {
    const { S, layout } = this.plan;
    const n = this.versions.length;
    if (n === 1) return null;
    const all = new Float32Array(S * n * layout.size);
    this.versions.forEach((version, k) => {
      for (let s = 0; s < S; s++) {
        all.set(version.subarray(s * layout.size, (s + 1) * layout.size), (s * n + k) * layout.size);
      }
    });
    return all;
  }

  /** Takes over what `save` gave; without it, or where so many versions were not kept, every version is theta. */
  load(past: Float32Array | undefined, theta: Float32Array): void {
    const { S, layout } = this.plan;
    const n = this.versions.length;
    this.versions.forEach((_, k) => {
      if (past?.length !== S * n * layout.size) return this.push(k, theta);
      for (let s = 0; s < S; s++) {
        const from = (s * n + k) * layout.size;
        this.versions[k]!.set(past.subarray(from, from + layout.size), s * layout.size);
      }
    });
  }

  get bytes(): number {
    return this.versions.reduce((sum, version) => sum + version.byteLength, 0);
  }
}
