import { exp, log } from '../../core/fmath.ts';
import { settings } from '../../core/settings.ts';
import { defineOptimizer } from '../types.ts';

type Vector = Float64Array | Float32Array;

/** Parameters of a walk by N-PG-IGT, all of the same length; `step` counts the gradients taken so far. */
export type IgtState = {
  readonly theta: Vector;
  readonly thetaBefore: Vector;
  readonly direction: Vector;
  step: number;
};

/** η_t = (o/(t+o))^p of step t = 0, 1, … with o = `offset`: 1 at the start. */
function igtRate(t: number, power: number, offset: number): number {
  return exp(power * log(offset / (t + offset)));
}

/** θ̃ = θ + ((1−η)/η)(θ − θ before): where the next trajectories are sampled and the gradient is taken. */
export function extrapolated({ theta, thetaBefore, step }: IgtState, power: number, offset: number): Vector {
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

const params = settings({
  power: {
    kind: 'number',
    label: 'Power of forgetting',
    default: 0.8,
    min: 0.01,
    max: 1,
    doc: 'How fast new gradients lose weight against the mean of the old ones.',
    formula: 'p',
  },
  offset: {
    kind: 'number',
    label: 'Steps at full size',
    default: 2,
    min: 0.1,
    max: 10000,
    scale: 'log',
    doc: 'Number of steps after which a step is half as long as the first.',
    formula: 'o',
  },
});

/**
 * The walk above as an optimizer; η of the interface is γ₀, the length of the first step. What a run holds, plays and
 * learns at is θ̃, so no importance weights are needed; v holds θ and m holds d (of the loss, so downhill). A zero in v is
 * a weight whose walk begins: θ = θ̃.
 */
export const npgIgt = defineOptimizer({
  id: 'npgIgt',
  title: 'N-PG-IGT',
  rev: 1,
  source: {
    title: 'Improved Sample Complexity for Fisher-non-degenerate Policies',
    arxiv: '2302.01734',
    level: 'abstract',
  },
  formula:
    'd ← (1−η)d + ηg,  θ ← θ − γ·d/‖d‖,  played at θ + ((1−η)/η)(θ − θ before);  η = (o/(t+o))^p, γ = γ₀·o/(t+o)',
  look: 'Steps of a fixed length, whatever the gradient, so success has no spikes. The learning rate is the length of the first step: tenths, not thousandths.',
  params,
  stepLength: { of: 'the first step', least: 0.03, good: 0.3 },
  playsAhead: true,
  step({ theta, gradient, m, v }, step, learningRate, { power, offset }) {
    for (let k = 0; k < v.length; k++) if (v[k] === 0) v[k] = theta[k]!;
    const state: IgtState = { theta: v, thetaBefore: v.slice(), direction: m, step: step - 1 };
    igtStep(state, gradient, -learningRate, power, offset);
    theta.set(extrapolated(state, power, offset));
  },
  rates: (step, { power, offset }) => [
    offset / (step - 1 + offset),
    igtRate(step - 1, power, offset),
    igtRate(step, power, offset),
  ],
  direction: `// d, and where a walk begins θ = θ̃; c1 = η of this step
fn optimize(theta: f32, g: f32, m: f32, v: f32, lr: f32, c1: f32, c2: f32, p: vec4f) -> vec3f {
  return vec3f(theta, (1.0 - c1) * m + c1 * g, select(v, theta, v == 0.0));
}
`,
  wgsl: `// lr = γ/‖d‖, m = d, v = θ before the step; c2 = η of the next step
fn optimize(theta: f32, g: f32, m: f32, v: f32, lr: f32, c1: f32, c2: f32, p: vec4f) -> vec3f {
  let now = v - lr * m;
  return vec3f(now + (1.0 - c2) / c2 * (now - v), m, now);
}
`,
  uniforms: () => [0, 0, 0, 0],
});
