import { CLIP } from '../../core/math/clip.ts';
import { ratioOf } from '../../core/math/ratio.ts';
import { settings, type ValuesOf } from '../../core/settings.ts';
import { mean } from '../../core/stats.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { toldOf, WEIGHT_METRICS } from './behaviorWeights.ts';
import { spansOf, sumsOf } from './episodes.ts';
import { markWeighed, WEIGHED_WGSL, weighedClip, weighedMarkWgsl, weighedTerm } from './weighed.ts';

const params = settings({
  form: {
    kind: 'choice',
    label: 'Loss',
    default: 'ppo',
    options: ['ppo', 'reinforce'],
    optionLabels: ['PPO clip', 'REINFORCE, weighed by the current policy'],
    doc: 'Clip around the start of the update, or let the weight alone correct for all that has changed.',
  },
  level: {
    kind: 'choice',
    label: 'Weight of',
    default: 'episode',
    options: ['episode', 'episodeMean', 'unit'],
    optionLabels: ['an episode: product of its ratios', 'an episode: geometric mean', 'each decision'],
    doc: 'The product is unbiased, but few long episodes keep any weight; single ratios are steady and biased.',
  },
  beyond: {
    kind: 'choice',
    label: 'Beyond the bound',
    default: 'clamp',
    options: ['clamp', 'mask'],
    optionLabels: ['use the cap', 'leave out (IcePop)'],
    doc: 'What happens to weights above the cap; leaving out has a bound below as well.',
  },
  cap: {
    kind: 'number',
    label: 'Cap',
    default: 2,
    min: 1,
    max: 1000,
    scale: 'log',
    doc: 'Largest weight.',
    formula: 'C',
  },
  floor: {
    kind: 'number',
    label: 'Floor',
    default: 0.5,
    min: 0,
    max: 1,
    doc: 'What weighs less is left out.',
    formula: 'a',
    when: { setting: 'beyond', is: ['mask'] },
  },
  normalize: {
    kind: 'switch',
    label: 'Mean weight 1',
    default: false,
    doc: 'Divide the weights by their mean over the minibatch.',
  },
  ...weighedClip,
});
type Params = ValuesOf<typeof params>;

/** Weights of the units before the cap: e to the log-ratio of the unit, or to that of its trajectory, summed or averaged. */
export function rawWeights({ delta, prox, trajectory }: UnitSet, { form, level }: Params): Float64Array {
  const x = form === 'reinforce' ? delta : prox;
  if (level === 'unit') return x.map(ratioOf);
  const spans = spansOf(trajectory);
  const v = new Float64Array(x.length);
  sumsOf(x, spans).forEach((sum, k) => {
    const [from, to] = [spans.starts[k]!, spans.starts[k + 1]!];
    v.fill(ratioOf(level === 'episode' ? sum : sum / (to - from)), from, to);
  });
  return v;
}

/** Weights as they count: capped or left out, then divided by their mean over units, or over trajectories. */
export function rolloutWeights(set: UnitSet, settings_: Params): Float64Array {
  const { level, beyond, cap, floor, normalize } = settings_;
  const raw = rawWeights(set, settings_);
  // comparisons are written so that a NaN stays one
  const v = raw.map((x) => (beyond === 'clamp' ? (x > cap ? cap : x) : x > cap || x < floor ? 0 : x));
  if (!normalize) return v;
  const counted = level === 'unit' ? v : v.filter((_, u) => set.trajectory[u] !== set.trajectory[u - 1]);
  const average = mean(counted);
  return average === 0 ? v : v.map((x) => x / average);
}

/**
 * Rollout correction: three policies as in decoupled PPO, π_old sampled (where the rollout engine computes coarsely, it is
 * what that engine played), π_prox is where the update starts, π_θ learns. δ = log π_prox − log π_old.
 *
 *   v = min(e^δ, C)  or  min(e^{Σδ}, C)      IcePop: v = e^δ inside [a, C], 0 outside      v is constant
 *   ℓ = v·PPO(π_θ/π_prox)                    REINFORCE: δ = log π_θ − log π_old,  κ = −vA
 *
 * Σ is over the trajectory; its mean is AReaL's. Exponents stay within ±20. For the mark see `markWeighed`, without PPO
 * it is v.
 */
export const rolloutCorrection = defineObjective({
  id: 'rolloutCorrection',
  title: 'Rollout correction',
  rev: 1,
  source: { title: 'verl, rollout correction', level: 'code' },
  formula: 'ℓ = v·PPO(π_θ/π_prox),  v = min(Π π_prox/π_old, C)',
  look: 'Open the behavior weights: the longer the episodes, the fewer keep a weight as episodes; decisions keep theirs.',
  params,
  metrics: WEIGHT_METRICS,
  readsProx: true,
  restsAtOne: 'weight',
  average: () => 'unitMean',
  unused: ({ form }) => (form === 'reinforce' ? ['readsProx'] : []),
  survey(set, settings_, mark) {
    const v = rolloutWeights(set, settings_);
    if (settings_.form === 'ppo') markWeighed(set, v, settings_, mark);
    else mark.set(v);
    return toldOf(rawWeights(set, settings_), settings_.cap);
  },
  marks(settings_) {
    const { form, level, beyond, cap, floor, normalize } = settings_;
    const x = { unit: 'termOf(u)', episode: 'u.sum', episodeMean: 'u.sum / u.n' }[level];
    const isBeyond = `raw > f32(${cap}) || raw < f32(${floor})`;
    return {
      of: 'batch',
      // all = mean weight over what is averaged, times the share y of that in all units; y
      wgsl: `${weighedMarkWgsl(settings_)}
const ROUNDS = ${normalize ? 1 : 0}u;
fn termOf(u: Unit) -> f32 { return u.${form === 'reinforce' ? 'delta' : 'prox'}; }
fn rawOf(u: Unit) -> f32 { return exp(clamp(${x}, -20.0, 20.0)); }
fn weightOf(u: Unit) -> f32 {
  let raw = rawOf(u);
  return ${beyond === 'clamp' ? `min(raw, f32(${cap}))` : `select(raw, 0.0, ${isBeyond})`};
}
fn partOf(u: Unit, all: vec4f) -> vec4f {
  let share = ${level === 'unit' ? '1.0' : '1.0 / u.n'};
  return vec4f(weightOf(u) * share, share, 0.0, 0.0);
}
fn markOf(u: Unit, all: vec4f) -> vec2f {
  if ((bitcast<u32>(u.delta) & 0x7fffffffu) > 0x7f800000u) { return vec2f(u.delta); }
  let v = weightOf(u)${normalize ? ' * all.y / max(all.x, 1e-30)' : ''};
  return vec2f(${form === 'ppo' ? 'weighedMark(u, v)' : 'v'}, rawOf(u));
}
`,
    };
  },
  tells: (raw, { cap }) => toldOf(raw, cap),
  coefficient(unit, { form }, out) {
    if (form === 'ppo') return weighedTerm(unit, out);
    const v = unit.mark ?? 0;
    out.kappa = -unit.A * v;
    out.loss = out.kappa * unit.logp;
    out.clip = v === 0 ? CLIP.dropped : CLIP.none;
  },
  wgsl: `${WEIGHED_WGSL}
// p = (1 without a clip, unused, unused, mark)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  if (p.x == 0.0) { return weighed(A, p.w); }
  return vec3f(-A * p.w * logp, -A * p.w, select(0.0, 5.0, p.w == 0.0));
}
`,
  uniforms: ({ form }) => [form === 'reinforce' ? 1 : 0, 0, 0, 0],
});
