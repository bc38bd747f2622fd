import type { AnyValues } from '../../core/settings.ts';
import type { Aggregate } from '../../core/aggregate.ts';
import type { Coefficient, Objective, UnitSet } from '../../slots/types.ts';
import { policyLoss, realUnits, spread, type Units } from './units.ts';

type Column = ArrayLike<number>;
/** The real units of a case, with their flat indices. */
export type JudgedSet = UnitSet & { readonly real: readonly number[] };

/** The real units of a case as an objective surveys them; `from`, `to`: the policies Δ and prox are taken between. */
export function setOf(units: Units, sampledBy: Column, prox: (u: number) => number): JudgedSet {
  const real = realUnits(units);
  const { inputs, logp } = units;
  return {
    real,
    A: Float64Array.from(real, (u) => inputs.advantage[u]!),
    delta: Float64Array.from(real, (u) => logp[u]! - sampledBy[u]!),
    logp: Float64Array.from(real, (u) => logp[u]!),
    prox: Float64Array.from(real, prox),
    trajectory: Uint32Array.from(real, (u) => Math.floor(u / inputs.L)),
    outcome: Float32Array.from(inputs.outcome),
    task: Uint32Array.from({ length: inputs.B }, (_, i) => Math.floor(i / inputs.G)),
    scoreNorms: (trajectories) => new Float64Array(trajectories.length).fill(1),
    // picked units come first when an objective draws
    draw: (k) => (inputs.clipCovPick[real[k]!] === 1 ? 0 : 0.5),
  };
}

/** Loss, κ and gradient of an objective with or without a survey. */
export function judge(
  units: Units,
  objective: Objective,
  params: AnyValues,
  mode: Aggregate,
  set: JudgedSet = setOf(units, units.logpOld, () => 0),
) {
  const mark = new Float64Array(set.real.length);
  objective.survey?.(set, params, mark);
  const at = new Map(set.real.map((u, k) => [u, k]));
  const out: Coefficient = { loss: 0, kappa: 0, clip: 0 };
  const result = policyLoss(units, mode, (u, term) => {
    const k = at.get(u)!;
    objective.coefficient({ A: set.A[k]!, delta: set.delta[k]!, logp: set.logp[k]!, mark: mark[k]! }, params, out);
    term.loss = out.loss;
    term.kappa = out.kappa;
  });
  return { ...result, mark: spread(units, set.real, mark) };
}
