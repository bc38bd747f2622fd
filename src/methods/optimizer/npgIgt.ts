import { exp, log } from '../../core/fmath.ts';

/** Parameters of a walk by N-PG-IGT, all of the same length; `step` counts the gradients taken so far. */
export type IgtState = {
  readonly theta: Float64Array;
  readonly thetaBefore: Float64Array;
  readonly direction: Float64Array;
  step: number;
};

/** η_t = (o/(t+o))^p of step t = 0, 1, … with o = `offset`: 1 at the start. */
export function igtRate(t: number, power: number, offset: number): number {
  return exp(power * log(offset / (t + offset)));
}

/** θ̃ = θ + ((1−η)/η)(θ − θ before): where the next trajectories are sampled and the gradient is taken. */
export function extrapolated({ theta, thetaBefore, step }: IgtState, power: number, offset: number): Float64Array {
  const eta = igtRate(step, power, offset);
  return theta.map((x, k) => x + ((1 - eta) / eta) * (x - thetaBefore[k]!));
}

/**
 * Normalized policy gradient with implicit gradient transport (arXiv 2302.01734), ascent, g taken at `extrapolated`:
 *
 *   d ← (1−η)d + ηg      θ ← θ + γ·d/‖d‖      η = (o/(t+o))^p, γ = γ₀·o/(t+o)
 *
 * The step has length γ whatever ‖g‖; ‖d‖ = 0 is no step. The schedule is this lab's.
 */
export function igtStep(state: IgtState, g: ArrayLike<number>, gamma0: number, power: number, offset: number): void {
  const { theta, thetaBefore, direction, step } = state;
  const eta = igtRate(step, power, offset);
  const gamma = (gamma0 * offset) / (step + offset);
  let squares = 0;
  for (let k = 0; k < theta.length; k++) {
    direction[k] = (1 - eta) * direction[k]! + eta * g[k]!;
    squares += direction[k]! * direction[k]!;
  }
  const scale = squares > 0 ? gamma / Math.sqrt(squares) : 0;
  for (let k = 0; k < theta.length; k++) {
    thetaBefore[k] = theta[k]!;
    theta[k]! += scale * direction[k]!;
  }
  state.step++;
}
