import { addEntropyGradient, addForwardKlGradient, addKlGradient, entropyOf, klOf } from '../objective/distribution.ts';
import { klTerm, type KlForm } from '../objective/kl.ts';
import type { Got } from './check.ts';
import { dataKeys } from './objectiveData.ts';
import { setKeys } from './objectiveSets.ts';
import { vcpoRun } from './vcpo.ts';
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

const sampledKl =
  (form: KlForm): Computation =>
  (units) =>
    policyLoss(units, 'unitMean', (u, out) => klTerm(form, units.logp[u]! - units.logpRef[u]!, out));

/** How each key of kind `objective` is computed. */
export const objectiveKeys: { readonly [key: string]: Computation } = {
  ...setKeys,
  ...dataKeys,
  vcpo: vcpoRun,
  klK1: sampledKl('k1'),
  klK2: sampledKl('k2'),
  klK3: sampledKl('k3'),
  klAbs: sampledKl('abs'),
  klExact: (units) => {
    const { now, ref, inputs } = units;
    const n = inputs.actions;
    return distribution(
      units,
      (at) => klOf(now, at, ref, at, n),
      (at, kl, w, out) => addKlGradient(now, at, ref, at, n, kl, w, out, at),
    );
  },
  klExactForward: (units) => {
    const { now, ref, inputs } = units;
    const n = inputs.actions;
    return distribution(
      units,
      (at) => klOf(ref, at, now, at, n),
      (at, _kl, w, out) => addForwardKlGradient(now, at, ref, at, n, w, out, at),
    );
  },
  entropy: (units) => {
    const { inputs } = units;
    const { p } = units.now;
    return distribution(
      units,
      (at) => entropyOf(p, at, inputs.actions),
      (at, H, w, out) => addEntropyGradient(p, at, inputs.actions, H, w, out, at),
    );
  },
  entropyPerUnit: ({ now, inputs }) =>
    Float64Array.from(inputs.mask, (m, u) => (m === 0 ? 0 : entropyOf(now.p, u * inputs.actions, inputs.actions))),
};
