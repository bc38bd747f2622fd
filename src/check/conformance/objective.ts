import {
  addEntropyGradient,
  addForwardKlGradient,
  addKlGradient,
  entropyOf,
  forwardKlOf,
  klOf,
  type Pair,
} from '../../core/math/distribution.ts';
import { klTerm, type KlForm } from '../../core/math/kl.ts';
import type { Got } from './check.ts';
import { dataKeys } from './objectiveData.ts';
import { setKeys } from './objectiveSets.ts';
import { policyLoss, weightsOf, type Computation, type Units } from './units.ts';

/** A distribution term: mean value over real units and its gradient by the logits. */
function distribution(
  units: Units,
  value: (at: number) => number,
  gradient: (at: number, value: number, w: number, out: Float64Array) => void,
): Got {
  const { actions, mask } = units.inputs;
  const w = weightsOf(units, 'unitMean');
  const gradLogits = new Float64Array(mask.length * actions);
  let total = 0;
  for (let u = 0; u < mask.length; u++) {
    if (mask[u] === 0) continue;
    const x = value(u * actions);
    total += w[u]! * x;
    gradient(u * actions, x, w[u]!, gradLogits);
  }
  return { value: total, gradLogits };
}

/** The two policies of a case at the unit whose choices begin at `at`. */
const pairAt = ({ now, ref, inputs }: Units, at: number): Pair => ({ now, at, ref, refAt: at, count: inputs.actions });

const sampledKl =
  (form: KlForm): Computation =>
  (units) =>
    policyLoss(units, 'unitMean', (u, out) => klTerm(form, units.logp[u]! - units.logpRef[u]!, out));

/** How each key of kind `objective` is computed by the definitions. What only training puts together is not here. */
export const objectiveKeys: { readonly [key: string]: Computation } = {
  ...setKeys,
  ...dataKeys,
  klK1: sampledKl('k1'),
  klK2: sampledKl('k2'),
  klK3: sampledKl('k3'),
  klAbs: sampledKl('abs'),
  klExact: (units) =>
    distribution(
      units,
      (at) => klOf(pairAt(units, at)),
      (at, kl, w, out) => addKlGradient(pairAt(units, at), kl, w, out, at),
    ),
  klExactForward: (units) =>
    distribution(
      units,
      (at) => forwardKlOf(pairAt(units, at)),
      (at, _kl, w, out) => addForwardKlGradient(pairAt(units, at), w, out, at),
    ),
  entropy: (units) =>
    distribution(
      units,
      (at) => entropyOf(units.now.p, at, units.inputs.actions),
      (at, H, w, out) => addEntropyGradient(pairAt(units, at), H, w, out, at),
    ),
  entropyPerUnit: ({ now, inputs }) =>
    Float64Array.from(inputs.mask, (m, u) => (m === 0 ? 0 : entropyOf(now.p, u * inputs.actions, inputs.actions))),
};
