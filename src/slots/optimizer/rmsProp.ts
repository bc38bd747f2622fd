import { settings } from '../../core/settings.ts';
import { defineOptimizer } from '../types.ts';
import { common } from './common.ts';

const params = settings({
  memory: {
    kind: 'number',
    label: 'Scale memory',
    default: 0.9,
    min: 0,
    max: 0.99999,
    doc: 'Share of the old mean squared gradient kept; with 0 only the sign of the gradient counts.',
    formula: 'ρ',
  },
  momentum: common.momentum,
  epsilon: common.epsilon,
  weightDecay: common.weightDecay,
});

/**
 * Every weight's gradient by the root of its own recent mean square (Tieleman and Hinton 2012; momentum as in PyTorch).
 *
 *   v ← ρv + (1−ρ)g²     m ← μm + g/(√v + ε)     θ ← θ − η(m + λθ)
 *
 * v begins at 0 and is not corrected for it: the first step is η/√(1−ρ) per weight.
 */
export const rmsProp = defineOptimizer({
  id: 'rmsProp',
  title: 'RMSProp',
  rev: 1,
  source: { title: 'Tieleman and Hinton 2012, Neural Networks for Machine Learning, lecture 6e', level: 'textbook' },
  formula: 'θ ← θ − η·(m + λθ),  m ← μm + g/(√v + ε),  v ← ρv + (1−ρ)g²',
  look: 'Like Adam without the mean: steps of about η per weight, whatever the size of the credit. The first steps are longer, η/√(1−ρ), because the scale starts at 0.',
  params,
  step({ theta, gradient, m, v }, _step, learningRate, { memory, momentum, epsilon, weightDecay }) {
    for (let k = 0; k < theta.length; k++) {
      const g = gradient[k]!;
      v[k] = memory * v[k]! + (1 - memory) * g * g;
      m[k] = momentum * m[k]! + g / (Math.sqrt(v[k]!) + epsilon);
      theta[k]! -= learningRate * (m[k]! + weightDecay * theta[k]!);
    }
  },
  rates: () => [1, 1, 1],
  wgsl: `// p = (1 − ρ, μ, ε, weight decay)
fn optimize(theta: f32, g: f32, m: f32, v: f32, lr: f32, c1: f32, c2: f32, p: vec4f) -> vec3f {
  let v1 = (1.0 - p.x) * v + p.x * g * g;
  let m1 = p.y * m + g / (sqrt(v1) + p.z);
  return vec3f(theta - lr * (m1 + p.w * theta), m1, v1);
}
`,
  uniforms: ({ memory, momentum, epsilon, weightDecay }) => [1 - memory, momentum, epsilon, weightDecay],
});
