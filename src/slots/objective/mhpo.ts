import { exp, log } from '../../core/fmath.ts';
import { CLIP } from '../../core/math/clip.ts';
import { LOG_RATIO_LIMIT } from '../../core/math/ratio.ts';
import { settings } from '../../core/settings.ts';
import { defineObjective, type Coefficient } from '../types.ts';

const scale = { kind: 'number', default: 0.5, min: 0.01, max: 100, scale: 'log' } as const;
// from 2 on the penalty begins flat, so that κ has no kink at Δ = 0
const shape = { kind: 'integer', default: 2, min: 2, max: 8 } as const;
const params = settings({
  eps: {
    kind: 'number',
    label: 'Bound of the ratio',
    default: 0.2,
    min: 0.001,
    max: 1,
    doc: 'The softened ratio stays between 1/(1 + ε) and 1 + ε.',
    formula: 'c = ln(1 + ε)',
  },
  lambdaUp: {
    ...scale,
    label: 'Scale of rises',
    doc: 'A log-ratio this far above 0 counts e times less than an unmoved one.',
    formula: 'λ₊',
  },
  lambdaDown: {
    ...scale,
    label: 'Scale of falls',
    doc: 'A log-ratio this far below 0 counts e times less than an unmoved one.',
    formula: 'λ₋',
  },
  shapeUp: {
    ...shape,
    label: 'Shape of rises',
    doc: 'Higher: small rises cost nothing, those beyond the scale cost more.',
    formula: 'k₊',
  },
  shapeDown: {
    ...shape,
    label: 'Shape of falls',
    doc: 'Higher: small falls cost nothing, those beyond the scale cost more.',
    formula: 'k₋',
  },
});

/** What a log-ratio meets: the bound c of the softened one, and the hazards of rises and falls. */
export type Hazards = {
  readonly c: number;
  readonly up: readonly [lambda: number, k: number];
  readonly down: readonly [lambda: number, k: number];
};

function power(x: number, k: number): number {
  let y = x;
  for (let n = 1; n < k; n++) y *= x;
  return y;
}

/** w = exp(−(Δ⁺/λ₊)^k₊ − (Δ⁻/λ₋)^k₋): 1 at Δ = 0, and on each side the survival of a Weibull hazard. */
export function survival(delta: number, { up, down }: Hazards): number {
  const [lambda, k] = delta > 0 ? up : down;
  return exp(-power(Math.abs(delta) / lambda, k));
}

/** ln ρ̃ = c·tanh(Δ/c) and its slope 1 − tanh²(Δ/c), the latter from the smaller tail: no cancellation. */
export function softened(delta: number, c: number): { readonly log: number; readonly slope: number } {
  const e = exp((-2 * Math.abs(delta)) / c);
  const tanh = (1 - e) / (1 + e);
  return { log: delta < 0 ? -c * tanh : c * tanh, slope: (4 * e) / ((1 + e) * (1 + e)) };
}

/** ℓ = −A·ρ̃·w with w held, κ = −A·w·ρ̃·(1 − tanh²(Δ/c)); nothing beyond |Δ| = 20. */
export function mhpoTerm(A: number, delta: number, hazards: Hazards, out: Coefficient): void {
  const { log: soft, slope } = softened(delta, hazards.c);
  const isHeld = A !== 0 && (delta > LOG_RATIO_LIMIT || delta < -LOG_RATIO_LIMIT);
  out.loss = -A * exp(soft) * survival(delta, hazards);
  out.kappa = isHeld ? 0 : out.loss * slope;
  out.clip = isHeld ? CLIP.guard : CLIP.none;
}

/**
 * A soft bound on the ratio, and a penalty that grows with how far it has moved, apart for rises and falls.
 *
 *   Δ = log ρ      ρ̃ = exp(c·tanh(Δ/c)), c = ln(1 + ε)      w = exp(−(Δ⁺/λ₊)^k₊ − (Δ⁻/λ₋)^k₋)
 *   ℓ = −A·ρ̃·sg(w)      κ = −A·w·ρ̃·(1 − tanh²(Δ/c))
 *
 * The abstract names the two parts, a log-fidelity modulator and a decoupled hazard penalty; these forms of them are ours.
 */
export const mhpo = defineObjective({
  id: 'mhpo',
  title: 'MHPO',
  rev: 1,
  source: { title: 'Modulated Hazard-aware Policy Optimization', arxiv: '2603.16929', level: 'restated' },
  formula: 'ℓ = −A·exp(c·tanh(Δ/c))·sg(w),  w = exp(−(Δ⁺/λ₊)^k₊ − (Δ⁻/λ₋)^k₋)',
  look: 'No edge where a gradient stops: on old data each step counts a little less the further its ratio has moved.',
  also: 'hazard, modulator, smooth clip, soft clip',
  params,
  restsAtOne: 'penalty',
  coefficient({ A, delta }, { eps, lambdaUp, lambdaDown, shapeUp, shapeDown }, out) {
    mhpoTerm(A, delta, { c: log(1 + eps), up: [lambdaUp, shapeUp], down: [lambdaDown, shapeDown] }, out);
  },
  wgsl: `// p = (c, λ₊, λ₋, k₊ + 16·k₋)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  if ((bitcast<u32>(delta) & 0x7fffffffu) > 0x7f800000u) { return vec3f(delta, delta, 0.0); }
  let isRise = delta > 0.0;
  let shapes = u32(p.w);
  let k = select(shapes / 16u, shapes % 16u, isRise);
  let x = abs(delta) / select(p.z, p.y, isRise);
  var hazard = x;
  for (var n = 1u; n < k; n++) { hazard *= x; }
  let e = exp(-2.0 * abs(delta) / p.x);
  let soft = sign(delta) * p.x * (1.0 - e) / (1.0 + e);
  let loss = -A * exp(soft) * exp(-hazard);
  let isHeld = A != 0.0 && abs(delta) > 20.0;
  return vec3f(loss, select(loss * 4.0 * e / ((1.0 + e) * (1.0 + e)), 0.0, isHeld), select(0.0, 4.0, isHeld));
}
`,
  uniforms: ({ eps, lambdaUp, lambdaDown, shapeUp, shapeDown }) => [
    log(1 + eps),
    lambdaUp,
    lambdaDown,
    shapeUp + 16 * shapeDown,
  ],
});
