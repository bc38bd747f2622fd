import { roundWeights } from '../networks/precision.ts';
import type { Plan } from './plan.ts';

/**
 * The last k + 1 versions of the weights as they play, rounding included: version v in slot v mod (k + 1), [S, size] each,
 * so that the same version is always the same object.
 */
export class Past {
  private readonly plan: Pick<Plan, 'S' | 'layout' | 'behavior'>;
  private readonly versions: readonly Float32Array[];

  constructor(plan: Pick<Plan, 'S' | 'layout' | 'behavior'>, versions: readonly Float32Array[]) {
    this.plan = plan;
    this.versions = versions;
  }

  /** Keeps theta as version `version`. */
  push(version: number, theta: Float32Array): void {
    const { S, layout, behavior } = this.plan;
    const to = this.at(version);
    for (let s = 0; s < S; s++) roundWeights(layout, behavior.precision, theta, s * layout.size, to);
  }

  at(version: number): Float32Array {
    return this.versions[version % this.versions.length]!;
  }
}

/** Weights [size] of one replica as training and evaluations see them: rounded where training has the precision of the rollout. */
export function seenBy({ behavior, layout }: Pick<Plan, 'behavior' | 'layout'>, theta: Float32Array): Float32Array {
  if (!behavior.unified) return theta;
  const seen = new Float32Array(theta.length);
  roundWeights(layout, behavior.precision, theta, 0, seen);
  return seen;
}
