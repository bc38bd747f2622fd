import { exp } from '../../core/fmath.ts';
import { mean } from '../../core/stats.ts';
import { defaultsOf } from '../../core/settings.ts';
import { alolTerm, type AlolForm } from '../objective/alol.ts';
import { targetCredit, targetShare } from '../objective/dcpo.ts';
import { maskedSoftmax } from '../objective/distribution.ts';
import { negativeScale } from '../objective/guiLibra.ts';
import { keepSet, restrictedLogp } from '../objective/nlpo.ts';
import { ppoClip } from '../objective/ppoClip.ts';
import { pairLoss, type Pair } from '../objective/preference.ts';
import { rlPlus, rlPlusTerm } from '../objective/rlPlus.ts';
import { roverTarget, roverTerm } from '../objective/rover.ts';
import type { Coefficient } from '../types.ts';
import type { Got } from './check.ts';
import { judge, setOf } from './judge.ts';
import { policyLoss, spread, trajectorySums, weightsOf, type Computation, type Units } from './units.ts';

const alolWith =
  (form: AlolForm): Computation =>
  (units, { alolBaseline, alolClip, alolBeta }) => {
    const { inputs, logp, logpRef } = units;
    const sums = trajectorySums(units, (u) => logp[u]! - logpRef[u]!);
    return policyLoss(units, 'seqMeanUnitSum', (u, out) => {
      const i = Math.floor(u / inputs.L);
      const positive = Math.max(0, inputs.outcome[i]! - alolBaseline!);
      const unit = { positive, logp: logp[u]!, deltaRef: logp[u]! - logpRef[u]!, sum: sums[i]! };
      alolTerm(form, unit, alolClip!, alolBeta!, out);
    });
  };

/** A preference loss: the slope by the score of a trajectory is κ of each of its units. */
function preferenceOf(units: Units, pairs: readonly Pair[], scale: number, lambda: number, toReference: boolean) {
  const { inputs, logp, logpRef } = units;
  const score = trajectorySums(units, (u) => logp[u]! - (toReference ? logpRef[u]! : 0));
  const { loss, slope } = pairLoss(score, pairs, scale, lambda);
  const w = weightsOf(units, 'unitMean');
  const result = policyLoss(units, 'unitMean', (u, out) => {
    out.loss = 0;
    out.kappa = slope[Math.floor(u / inputs.L)]! / w[u]!;
  });
  return { ...result, loss };
}

const plainPairs = ({ inputs }: Units): Pair[] => inputs.pairs.map(([winner, loser]) => ({ winner, loser, weight: 1 }));

/** Mean of log π over the legal actions of a unit. */
function meanLegal(units: Units, logits: readonly number[], u: number): number {
  const { actions, legal } = units.inputs;
  const p = new Float64Array(actions);
  const logZ = maskedSoftmax(logits, u * actions, actions, legal, p, 0);
  const all: number[] = [];
  for (let b = 0; b < actions; b++) if (legal[u * actions + b] !== 0) all.push(logits[u * actions + b]! - logZ);
  return mean(all);
}

const nlpo: Computation = (units, { topP, minKeep }) => {
  const { inputs, now } = units;
  const { actions, mask, action, logitsRef } = inputs;
  const row = new Float64Array(actions);
  const keep = new Uint8Array(mask.length * actions);
  const actionOutside = new Float64Array(mask.length);
  const logp = new Float64Array(mask.length);
  let outside = 0;
  let legal = 0;
  for (let u = 0; u < mask.length; u++) {
    const at = u * actions;
    // the golden sets cover padding too
    maskedSoftmax(logitsRef.slice(at, at + actions), 0, actions, inputs.legal.slice(at, at + actions), row, 0);
    keepSet(row, 0, actions, topP!, minKeep!, keep, at);
    if (mask[u] === 0) continue;
    for (let b = 0; b < actions; b++) {
      if (inputs.legal[at + b] === 0) continue;
      legal++;
      if (keep[at + b] === 0) outside++;
    }
    actionOutside[u] = keep[at + action[u]!] === 1 ? 0 : 1;
    logp[u] = restrictedLogp(now.logp, at, actions, action[u]!, keep, at);
  }
  return { keep, maskedShare: outside / legal, actionOutside, logp };
};

/** How the keys are computed whose objective changes the credit, the data or the action set. */
export const dataKeys: { readonly [key: string]: Computation } = {
  dcpo: (units, { epsLow, epsHigh, dcpoTemperature, dcpoEntropyTarget, dcpoEntropyNow }) => {
    const { inputs } = units;
    const { actions, logitsOld, legal, success } = inputs;
    const set = setOf(units, units.logpOld, () => 0);
    const alpha = targetShare(dcpoEntropyNow!, dcpoEntropyTarget!, mean(success));
    const p = new Float64Array(actions);
    const targetRatio = set.real.map((u) => {
      const at = u * actions;
      const warmer = logitsOld.slice(at, at + actions).map((z) => z / dcpoTemperature!);
      const logZ = maskedSoftmax(warmer, 0, actions, legal.slice(at, at + actions), p, 0);
      return exp(warmer[inputs.action[u]!]! - logZ - units.logpOld[u]!);
    });
    const advantage = set.real.map((u, k) =>
      targetCredit(inputs.advantage[u]!, alpha, success[Math.floor(u / inputs.L)] === 1, targetRatio[k]!),
    );
    const params = { ...defaultsOf(ppoClip.params), epsLow: epsLow!, epsHigh: epsHigh! };
    return {
      ...judge(units, ppoClip, params, 'unitMean', { ...set, A: Float64Array.from(advantage) }),
      targetRatio: spread(units, set.real, targetRatio),
      alpha,
      advantage: spread(units, set.real, advantage),
    };
  },
  rlPlus: (units) => {
    const { inputs, logp, logpOld } = units;
    const out: Coefficient = { loss: 0, kappa: 0, clip: 0 };
    return policyLoss(units, 'constant', (u, term) => {
      const isDemo = inputs.demo[Math.floor(u / inputs.L)] === 1;
      rlPlusTerm(inputs.advantage[u]!, logp[u]!, logpOld[u]!, isDemo, out, defaultsOf(rlPlus.params));
      term.loss = out.loss;
      term.kappa = out.kappa;
    });
  },
  rover: (units, { roverTau }) => {
    const { inputs } = units;
    const set = setOf(units, units.logpOld, () => 0);
    const change = set.real.map((u) => meanLegal(units, inputs.logits, u) - meanLegal(units, inputs.logitsOld, u));
    const y = roverTarget(set.A, Float64Array.from(change), set.trajectory, roverTau!);
    const target = spread(units, set.real, y);
    const out: Coefficient = { loss: 0, kappa: 0, clip: 0 };
    const result = policyLoss(units, 'unitMean', (u, term) => {
      roverTerm(units.logp[u]! - units.logpOld[u]!, target[u]!, roverTau!, out);
      term.loss = out.loss;
      term.kappa = out.kappa;
    });
    return { ...result, target };
  },
  alol_refFree: alolWith('refFree'),
  alol_trajectory: alolWith('trajectory'),
  alol_perUnit: alolWith('perUnit'),
  alol_kl: alolWith('kl'),
  dpo: (units, { dpoBeta }) => ({
    ...preferenceOf(units, plainPairs(units), dpoBeta!, 1, true),
    pairs: units.inputs.pairs as Got,
  }),
  wDpo: (units, { dpoBeta }) => {
    const { outcome } = units.inputs;
    const pairs = plainPairs(units).map((pair) => ({
      ...pair,
      weight: 1 + Math.abs(outcome[pair.winner]! - outcome[pair.loser]!),
    }));
    return { ...preferenceOf(units, pairs, dpoBeta!, 1, true), weights: pairs.map((pair) => pair.weight) };
  },
  cpl: (units, { cplAlpha, cplLambda }) => preferenceOf(units, plainPairs(units), cplAlpha!, cplLambda!, false),
  cplKl: (units, { cplAlpha, cplLambda }) => preferenceOf(units, plainPairs(units), cplAlpha!, cplLambda!, true),
  negativeScale: ({ inputs }, { libraBase, libraSlope }) =>
    Array.from({ length: inputs.P }, (_, g) =>
      negativeScale(mean(inputs.outcome.slice(g * inputs.G, (g + 1) * inputs.G)), libraBase!, libraSlope!),
    ),
  nlpo,
};
