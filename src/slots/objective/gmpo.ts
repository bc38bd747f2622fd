import { exp } from '../../core/fmath.ts';
import { settings, type ValuesOf } from '../../core/settings.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { CLIP, unitClip } from '../../core/math/clip.ts';

const width = { kind: 'number', default: 0.4, min: 0.001, max: 10 } as const;
const params = settings({
  epsLow: { ...width, label: 'Clip below', doc: 'How far log ρ of a bad action counts below 0.', formula: '−ε₋ ≤ Δ' },
  epsHigh: { ...width, label: 'Clip above', doc: 'How far log ρ of a good action counts above 0.', formula: 'Δ ≤ ε₊' },
});
type Widths = ValuesOf<typeof params>;

/** The bound that Δ has crossed in the direction in which A pushes it. */
const sideOf = (A: number, delta: number, { epsLow, epsHigh }: Widths): number =>
  A > 0 && delta > epsHigh ? CLIP.high : A < 0 && delta < -epsLow ? CLIP.low : CLIP.none;

/** Δ′ of a unit: held at the bound that it has crossed, 0 without credit. */
function held(A: number, delta: number, widths: Widths): number {
  if (A === 0) return 0;
  const side = sideOf(A, delta, widths);
  return side === CLIP.high ? widths.epsHigh : side === CLIP.low ? -widths.epsLow : delta;
}

/**
 * The geometric mean of the ratios of an episode, each clipped by itself first.
 *
 *   Δ′ = min(Δ, ε₊) where A > 0, max(Δ, −ε₋) where A < 0      ρ̄ = exp(mean Δ′)
 *   ℓ = −S·ρ̄ at every unit      κ = −S·ρ̄, or 0 where Δ is held
 *
 * S is the credit of the episode, the mean over its units: meant for estimators with one number per episode, as verl has it.
 * The mark is S·ρ̄. The loss is the mean over episodes: exact with `seqMeanUnitMean`. There is no bound at |Δ| = 20.
 */
export const gmpo = defineObjective({
  id: 'gmpo',
  title: 'GMPO',
  rev: 1,
  source: { title: 'Geometric-Mean Policy Optimization', arxiv: '2507.20673', level: 'code' },
  formula: 'ℓ = −S·exp(mean Δ′ of the episode),  Δ′ = Δ held at −ε₋ or ε₊ where A pushes outwards',
  look: 'One wild step loses its own gradient; its episode still learns, where GSPO would clip it as a whole.',
  params,
  average: () => 'seqMeanUnitMean',
  clips: ({ epsLow, epsHigh }) => unitClip(exp(-epsLow), exp(epsHigh)),
  survey({ A, delta, trajectory }: UnitSet, widths, mark) {
    for (let from = 0; from < A.length;) {
      let to = from;
      let S = 0;
      let total = 0;
      for (; to < A.length && trajectory[to] === trajectory[from]; to++) {
        S += A[to]!;
        total += held(A[to]!, delta[to]!, widths);
      }
      const n = to - from;
      mark.fill((S / n) * exp(total / n), from, to);
      from = to;
    }
  },
  marks: ({ epsLow, epsHigh }) => ({
    of: 'trajectory',
    wgsl: `fn termOf(A: f32, delta: f32) -> vec2f {
  if (A == 0.0) { return vec2f(); }
  return vec2f(A, select(max(delta, -f32(${epsLow})), min(delta, f32(${epsHigh})), A > 0.0));
}
fn markOf(sum: vec2f, n: f32, A: f32, delta: f32) -> f32 { return sum.x / n * exp(sum.y / n); }
`,
  }),
  coefficient({ A, delta, mark = 0 }, widths, out) {
    out.clip = sideOf(A, delta, widths);
    out.loss = -mark;
    out.kappa = A === 0 || out.clip !== CLIP.none ? 0 : -mark;
  },
  wgsl: `// p = (ε₋, ε₊, unused, S·ρ̄ of the episode)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  if (A > 0.0 && delta > p.y) { return vec3f(-p.w, 0.0, 1.0); }
  if (A < 0.0 && delta < -p.x) { return vec3f(-p.w, 0.0, 2.0); }
  return vec3f(-p.w, select(-p.w, 0.0, A == 0.0), 0.0);
}
`,
  uniforms: ({ epsLow, epsHigh }) => [epsLow, epsHigh, 0, 0],
});
