import { settings } from '../../core/settings.ts';
import { defineOptimizer } from '../types.ts';
import { common } from './common.ts';

const params = settings({
  beta1: {
    kind: 'number',
    label: 'Momentum',
    default: 0.9,
    min: 0,
    max: 0.9999,
    doc: 'Share of the old mean gradient kept at every step.',
    formula: 'β₁',
  },
  beta2: {
    kind: 'number',
    label: 'Scale memory',
    default: 0.999,
    min: 0,
    max: 0.99999,
    doc: 'Share of the old mean squared gradient kept; 0.95 follows drifting gradients faster.',
    formula: 'β₂',
  },
  epsilon: common.epsilon,
  weightDecay: common.weightDecay,
});

/** β^n for a whole n ≥ 0 by squaring: the same bits everywhere, unlike Math.pow. */
export function wholePower(base: number, n: number): number {
  let result = 1;
  for (let b = base, k = n; k > 0; k = Math.floor(k / 2), b *= b) if (k % 2 === 1) result *= b;
  return result;
}

/**
 * AdamW (arXiv 1412.6980, 1711.05101), step n = 1, 2, …
 *
 *   m ← β₁m + (1−β₁)g     v ← β₂v + (1−β₂)g²
 *   θ ← θ − η·( (m/(1−β₁ⁿ)) / (√(v/(1−β₂ⁿ)) + ε) + λθ )
 */
export const adam = defineOptimizer({
  id: 'adam',
  title: 'Adam',
  rev: 1,
  source: { title: 'Decoupled Weight Decay Regularization', arxiv: '1711.05101', level: 'textbook' },
  formula: 'θ ← θ − η·(m̂ / (√v̂ + ε) + λθ)',
  look: 'Steps of about η per weight, whatever the size of the credit: scaling A changes nothing.',
  params,
  step({ theta, gradient, m, v }, step, learningRate, { beta1, beta2, epsilon, weightDecay }) {
    const c1 = 1 - wholePower(beta1, step);
    const c2 = 1 - wholePower(beta2, step);
    for (let k = 0; k < theta.length; k++) {
      const g = gradient[k]!;
      m[k] = beta1 * m[k]! + (1 - beta1) * g;
      v[k] = beta2 * v[k]! + (1 - beta2) * g * g;
      const move = m[k]! / c1 / (Math.sqrt(v[k]! / c2) + epsilon) + weightDecay * theta[k]!;
      theta[k]! -= learningRate * move;
    }
  },
  moments: (step, params) => ({
    ...params,
    c1: 1 - wholePower(params.beta1, step),
    c2: 1 - wholePower(params.beta2, step),
  }),
  rates: (step, { beta1, beta2 }) => [1, 1 - wholePower(beta1, step), 1 - wholePower(beta2, step)],
  wgsl: `// p = (1 − β₁, 1 − β₂, ε, weight decay): taken from a β near 1, an f32 would lose digits of the share
fn optimize(theta: f32, g: f32, m: f32, v: f32, lr: f32, c1: f32, c2: f32, p: vec4f) -> vec3f {
  let m1 = (1.0 - p.x) * m + p.x * g;
  let v1 = (1.0 - p.y) * v + p.y * g * g;
  let change = (m1 / c1) / (sqrt(v1 / c2) + p.z) + p.w * theta;
  return vec3f(theta - lr * change, m1, v1);
}
`,
  uniforms: ({ beta1, beta2, epsilon, weightDecay }) => [1 - beta1, 1 - beta2, epsilon, weightDecay],
});
