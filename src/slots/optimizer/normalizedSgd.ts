import { settings } from '../../core/settings.ts';
import { defineOptimizer } from '../types.ts';
import { common } from './common.ts';

const params = settings({
  momentum: {
    kind: 'number',
    label: 'Momentum',
    default: 0,
    min: 0,
    max: 0.9999,
    doc: 'Share of the old mean gradient kept at every step.',
    formula: 'μ',
  },
  weightDecay: common.weightDecay,
});

/**
 * Gradient descent that follows the direction alone (arXiv 1507.02030; the mean before the length: arXiv 2002.03305).
 *
 *   m ← μm + (1−μ)g     θ ← θ − η(m/‖m‖ + λθ)
 *
 * ‖m‖ is that of all parameters together. ‖m‖ = 0 is no step.
 */
export const normalizedSgd = defineOptimizer({
  id: 'normalizedSgd',
  title: 'Normalized SGD',
  rev: 1,
  source: { title: 'Beyond Convexity: Stochastic Quasi-Convex Optimization', arxiv: '1507.02030', level: 'abstract' },
  formula: 'θ ← θ − η·(m/‖m‖ + λθ),  m ← μm + (1−μ)g',
  look: 'Every step is as long as the learning rate, whatever the gradient: no spikes, but a batch with little information moves the policy as far as one with much. Good rates are hundredths or tenths, not thousandths.',
  params,
  stepLength: { of: 'every step', least: 0.01, good: 0.1 },
  forgets: ({ momentum }) => momentum === 0,
  step({ theta, gradient, m }, _step, learningRate, { momentum, weightDecay }) {
    let squares = 0;
    for (let k = 0; k < theta.length; k++) {
      m[k] = momentum * m[k]! + (1 - momentum) * gradient[k]!;
      squares += m[k]! * m[k]!;
    }
    const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
    for (let k = 0; k < theta.length; k++) theta[k]! -= learningRate * (scale * m[k]! + weightDecay * theta[k]!);
  },
  rates: () => [1, 1, 1],
  direction: `// m, and the decay with a learning rate that is not yet divided; p = (μ, unused, unused, weight decay)
fn optimize(theta: f32, g: f32, m: f32, v: f32, lr: f32, c1: f32, c2: f32, p: vec4f) -> vec3f {
  return vec3f(theta - lr * p.w * theta, p.x * m + (1.0 - p.x) * g, v);
}
`,
  wgsl: `// lr = η/‖m‖
fn optimize(theta: f32, g: f32, m: f32, v: f32, lr: f32, c1: f32, c2: f32, p: vec4f) -> vec3f {
  return vec3f(theta - lr * m, m, v);
}
`,
  uniforms: ({ momentum, weightDecay }) => [momentum, 0, 0, weightDecay],
});
