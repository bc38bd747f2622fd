import { mean } from '../../core/stats.ts';
import { defaultsOf } from '../../core/settings.ts';
import { alolTerm, type AlolForm } from '../../slots/objective/alol.ts';
import { negativeScale } from '../../slots/objective/guiLibra.ts';
import { pairLoss, type Pair } from '../../slots/objective/preference.ts';
import { rlPlus, rlPlusTerm } from '../../slots/objective/rlPlus.ts';
import type { Coefficient } from '../../slots/types.ts';
import type { Got } from './check.ts';
import { policyLoss, trajectorySums, weightsOf, type Computation, type Units } from './units.ts';

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

/** How the keys are computed whose objective changes the credit or the data. */
export const dataKeys: { readonly [key: string]: Computation } = {
  rlPlus: (units) => {
    const { inputs, logp, logpOld } = units;
    const out: Coefficient = { loss: 0, kappa: 0, clip: 0 };
    return policyLoss(units, 'constant', (u, term) => {
      const isDemo = inputs.demo[Math.floor(u / inputs.L)] === 1;
      const unit = { A: inputs.advantage[u]!, logp: logp[u]!, logpOld: logpOld[u]!, isDemo };
      rlPlusTerm(unit, defaultsOf(rlPlus.params), out);
      term.loss = out.loss;
      term.kappa = out.kappa;
    });
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
};
