import { defineObjective } from '../types.ts';

/**
 * Policy gradient without ratio.
 *
 *   ℓ = −A·log π_θ(a)        κ = ∂ℓ/∂log π_θ(a) = −A
 *
 * Data count in full however old they are: right for one pass over fresh data, biased for more.
 */
export const reinforce = defineObjective({
  id: 'reinforce',
  title: 'REINFORCE',
  rev: 1,
  source: { title: 'Williams 1992', level: 'textbook' },
  formula: 'ℓ = −A·log π(a)',
  look: 'The plain policy gradient: with one epoch on fresh data every clipped objective equals it.',
  params: {},
  coefficient(unit, _params, out) {
    out.loss = -unit.A * unit.logp;
    out.kappa = -unit.A;
    out.clip = 0;
  },
  wgsl: `fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  return vec3f(-A * logp, -A, 0.0);
}
`,
  uniforms: () => [0, 0, 0, 0],
});
