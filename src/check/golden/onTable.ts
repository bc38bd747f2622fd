import { spread } from '../conformance/units.ts';
import { learnCase, resultOf, tableBatch, type CaseBatch, type Trained } from './trainedCase.ts';

/** log π_prox of every step of a case, where its set tells it. */
function proxOf({ units, set }: Trained, stepOf: Int32Array): Float64Array {
  const prox = new Float64Array(units.inputs.mask.length);
  set.real.forEach((u, k) => (prox[stepOf[u]!] = set.logp[k]! - set.delta[k]! + set.prox[k]!));
  return prox;
}

/** A case with every unit a step of a tabular policy. */
export function onTable(trained: Trained, prepare: (batch: CaseBatch, stepOf: Int32Array) => void = () => undefined) {
  const { units, set } = trained;
  const batch = tableBatch(trained);
  const { stepOf, kappas } = batch;
  prepare(batch, stepOf);
  kappas.length = 0;
  const learned = learnCase(batch, proxOf(trained, stepOf), units.inputs.B * units.inputs.L);
  const recorded = (u: number, k: number): number => learned.weight[stepOf[u]!]! * kappas[k]!;
  const mark = set.real.map((u) => learned.mark?.[stepOf[u]!] ?? 0);
  const result = resultOf(trained, learned, (u) => u * units.inputs.actions, recorded);
  return { ...result, tally: learned.tally, mark: spread(units, set.real, mark) };
}
