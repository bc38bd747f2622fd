import { exp } from '../../core/fmath.ts';
import { settings } from '../../core/settings.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { LOG_RATIO_LIMIT } from '../../core/math/ratio.ts';
import { CLIP } from '../../core/math/clip.ts';
import { perTrajectory } from './gspo.ts';

const shape = { kind: 'number', min: 0.01, max: 20, scale: 'log' } as const;
const params = settings({
  kGood: {
    ...shape,
    label: 'Rise, good',
    default: 2,
    doc: 'Good episodes count most where their weight is k/λ; a larger k silences unlikely ones sooner.',
    formula: 'k⁺',
  },
  lambdaGood: {
    ...shape,
    label: 'Fall, good',
    default: 3,
    doc: 'How fast good episodes fall silent once they have become more likely.',
    formula: 'λ⁺',
  },
  kBad: {
    ...shape,
    label: 'Rise, bad',
    default: 3,
    doc: 'Bad episodes count most where their weight is k/λ; a larger k silences unlikely ones sooner.',
    formula: 'k⁻',
  },
  lambdaBad: {
    ...shape,
    label: 'Fall, bad',
    default: 2,
    doc: 'How fast bad episodes fall silent once they have become more likely.',
    formula: 'λ⁻',
  },
});

/** ln W of an episode is held here: at ln 10⁻⁸ and 20. */
const LOWEST = -18.420680743952367;
const HIGHEST = LOG_RATIO_LIMIT;

/** φ(W) = e^λ·W^k·e^(−λW) of x = ln W: 1 at W = 1, largest at W = k/λ, 0 at both ends. */
export function softWeight(x: number, k: number, lambda: number): number {
  const held = x < LOWEST ? LOWEST : x > HIGHEST ? HIGHEST : x;
  return exp(lambda + k * held - lambda * exp(held));
}

/**
 * No clip: a soft weight of the whole episode, by the product of its ratios and not their mean.
 *
 *   W = exp(Σ clamp(Δ, ±20))      φ = e^λ·W^k·e^(−λW)      ℓ = −sg(φ)·A·log π_θ(a)      κ = −A·φ
 *
 * k, λ are k⁺, λ⁺ where A ≥ 0, else k⁻, λ⁻; ln W is held in [ln 10⁻⁸, 20]. The mark is φ.
 */
export const vespo = defineObjective({
  id: 'vespo',
  title: 'VESPO',
  rev: 1,
  source: { title: 'Variational Sequence-Level Soft Policy Optimization', arxiv: '2602.10693', level: 'code' },
  formula: 'ℓ = −sg(φ)·A·log π(a),  φ = W^k·e^(λ(1−W)),  W = product of the ratios of the episode',
  look: 'Old episodes fade out as a whole, the long ones first; on fresh data it is REINFORCE.',
  params,
  restsAtOne: 'weight',
  survey({ A, delta, trajectory }: UnitSet, { kGood, lambdaGood, kBad, lambdaBad }, mark) {
    const clamped = delta.map((d) =>
      d < -LOG_RATIO_LIMIT ? -LOG_RATIO_LIMIT : d > LOG_RATIO_LIMIT ? LOG_RATIO_LIMIT : d,
    );
    perTrajectory(clamped, trajectory, mark, (sum) => sum);
    A.forEach((a, u) => {
      mark[u] = a < 0 ? softWeight(mark[u]!, kBad, lambdaBad) : softWeight(mark[u]!, kGood, lambdaGood);
    });
  },
  marks: ({ kGood, lambdaGood, kBad, lambdaBad }) => ({
    of: 'trajectory',
    wgsl: `fn termOf(A: f32, delta: f32) -> vec2f {
  return vec2f(clamp(delta, -${LOG_RATIO_LIMIT}.0, ${LOG_RATIO_LIMIT}.0), 0.0);
}
fn markOf(sum: vec2f, n: f32, A: f32, delta: f32) -> f32 {
  let held = clamp(sum.x, ${LOWEST}, ${HIGHEST}.0);
  let k = select(f32(${kGood}), f32(${kBad}), A < 0.0);
  let lambda = select(f32(${lambdaGood}), f32(${lambdaBad}), A < 0.0);
  return exp(lambda + k * held - lambda * exp(held));
}
`,
  }),
  coefficient({ A, logp, mark = 1 }, _params, out) {
    out.kappa = -A * mark;
    out.loss = out.kappa * logp;
    out.clip = CLIP.none;
  },
  wgsl: `// p = (unused, unused, unused, φ of the episode)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  return vec3f(-A * p.w * logp, -A * p.w, 0.0);
}
`,
  uniforms: () => [0, 0, 0, 1],
});
