import { log } from '../../core/fmath.ts';
import { effectiveSampleSize, essClipped } from '../analysis/ess.ts';
import { baselineCredit, stepFactor, truncatedWeight, varianceBaseline } from '../objective/vcpo.ts';
import type { Got } from './check.ts';
import { realUnits, trajectorySums, type Params, type Units } from './units.ts';

/** ∇ log π(τ_i) on the table of logits, one row of states × actions per trajectory. */
function scoresOf(units: Units, table: number): Float64Array[] {
  const { inputs, now } = units;
  const { B, L, actions, action, stateIndex } = inputs;
  const scores = Array.from({ length: B }, () => new Float64Array(table));
  for (const u of realUnits(units)) {
    const score = scores[Math.floor(u / L)]!;
    const at = stateIndex![u]! * actions;
    for (let b = 0; b < actions; b++) score[at + b]! += (b === action[u] ? 1 : 0) - now.p[u * actions + b]!;
  }
  return scores;
}

/** The key `vcpo` of tabular cases: weights, step size, baselines and ascent directions of both forms. */
export function vcpoRun(units: Units, { seqCap, baseEss }: Params): Got {
  const { inputs, logp, logpOld, n } = units;
  const { B, P, G, actions, outcome } = inputs;
  const logCap = log(seqCap!);
  const logWeight = trajectorySums(units, (u) => logp[u]! - logpOld[u]!);
  const scores = scoresOf(units, inputs.states! * actions);
  const scoreNormSq = scores.map((score) => score.reduce((total, x) => total + x * x, 0));
  const ess = effectiveSampleSize(logWeight);
  const form = (which: 'paper' | 'code'): Got => {
    const baseline: number[] = [];
    const gradTable = new Float64Array(inputs.states! * actions);
    for (let g = 0; g < P; g++) {
      const members = Array.from({ length: G }, (_, k) => g * G + k);
      const of = (x: ArrayLike<number>): number[] => members.map((i) => x[i]!);
      const b = varianceBaseline(of(outcome), of(logWeight), of(scoreNormSq), which, logCap);
      baseline.push(b);
      const credit = baselineCredit(of(outcome), b);
      members.forEach((i, k) => {
        if (n[i] === 0) return; // nothing was decided
        const scale = (truncatedWeight(logWeight[i]!, logCap) * credit[k]!) / (n[i]! * B);
        scores[i]!.forEach((x, at) => (gradTable[at]! += scale * x));
      });
    }
    return { baseline, gradTable, gradNorm: Math.sqrt(gradTable.reduce((total, x) => total + x * x, 0)) };
  };
  return {
    logWeight,
    scoreNormSq,
    ess,
    essRatio: ess / B,
    essRatioClipped: essClipped(logWeight, logCap),
    lrScaleSqrt: stepFactor(ess / B, baseEss!, 'sqrt'),
    lrScaleLinear: stepFactor(ess / B, baseEss!, 'linear'),
    paper: form('paper'),
    code: form('code'),
  };
}
