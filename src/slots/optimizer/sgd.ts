import { settings } from '../../core/settings.ts';
import { defineOptimizer } from '../types.ts';
import { common } from './common.ts';

const params = settings({
  momentum: common.momentum,
  weightDecay: common.weightDecay,
});

/**
 * Gradient descent with momentum (no dampening).
 *
 *   m ← μm + g     θ ← θ − η(m + λθ)
 */
export const sgd = defineOptimizer({
  id: 'sgd',
  title: 'SGD',
  rev: 1,
  source: { title: 'Stochastic gradient descent', level: 'textbook' },
  formula: 'θ ← θ − η·(m + λθ),  m ← μm + g',
  look: 'Steps as long as the gradient: the size of the credit matters, unlike with Adam.',
  params,
  followsSize: true,
  step({ theta, gradient, m }, _step, learningRate, { momentum, weightDecay }) {
    for (let k = 0; k < theta.length; k++) {
      m[k] = momentum * m[k]! + gradient[k]!;
      theta[k]! -= learningRate * (m[k]! + weightDecay * theta[k]!);
    }
  },
  rates: () => [1, 1, 1],
  wgsl: `// p = (μ, unused, unused, weight decay)
fn optimize(theta: f32, g: f32, m: f32, v: f32, lr: f32, c1: f32, c2: f32, p: vec4f) -> vec3f {
  let m1 = p.x * m + g;
  return vec3f(theta - lr * (m1 + p.w * theta), m1, v);
}
`,
  uniforms: ({ momentum, weightDecay }) => [momentum, 0, 0, weightDecay],
});
