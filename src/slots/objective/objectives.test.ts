import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exp, log } from '../../core/fmath.ts';
import { defaultsOf, parse, settingsSchema, type AnyValues } from '../../core/settings.ts';
import { objectives } from '../methods.ts';
import type { Coefficient, Objective } from '../types.ts';
import { choicesOf, logitGradient, softmax, type DistributionTerms } from '../../core/math/distribution.ts';

const ACTIONS = 4;
const numbers = (min: number, max: number, n: number): fc.Arbitrary<number[]> =>
  fc.array(fc.double({ min, max, noNaN: true }), { minLength: n, maxLength: n });

/** One unit: logits now, at sampling and of the reference; one illegal action that holds garbage; an advantage. */
const unit = fc.record({
  z: numbers(-3, 3, ACTIONS),
  zOld: numbers(-3, 3, ACTIONS),
  zRef: numbers(-3, 3, ACTIONS),
  illegal: fc.integer({ min: 1, max: ACTIONS - 1 }),
  A: fc.double({ min: -2, max: 2, noNaN: true }),
});
type Sample = typeof unit extends fc.Arbitrary<infer T> ? T : never;

const all = objectives;
/** They read returns and no credit, and a trajectory alone teaches them nothing; comparisons.test.ts has theirs. */
const COMPARES = ['dpo', 'cpl', 'alol', 'rlPlus'];

const variants: readonly (readonly [string, Objective, AnyValues])[] = all.flatMap((objective) => {
  const base: AnyValues = defaultsOf(objective.params);
  const switched = Object.entries(objective.params)
    .filter(([, s]) => s.kind === 'switch')
    .map(([name]) => ({ ...base, [name]: true }));
  const chosen = Object.entries(objective.params).flatMap(([name, s]) =>
    s.kind === 'choice' ? s.options.slice(1).map((option) => ({ ...base, [name]: option })) : [],
  );
  return [base, ...switched, ...chosen].map(
    (params) => [`${objective.id} ${JSON.stringify(params)}`, objective, params] as const,
  );
});

/** A minibatch of one unit, surveyed where the objective asks for it. */
function judged(
  objective: Objective,
  params: AnyValues,
  unit: { A: number; delta: number; logp: number },
): Coefficient {
  const out = { loss: 0, kappa: 0, clip: 0 };
  const mark = new Float64Array(1);
  const one = (x: number): Float64Array => Float64Array.of(x);
  // two actions of which the other has what is left
  const p = [exp(unit.logp), 1 - exp(unit.logp)] as const;
  const powers = { squares: one(p[0] ** 2 + p[1] ** 2), cubes: one(p[0] ** 3 + p[1] ** 3) };
  const set = {
    ...{ A: one(unit.A), delta: one(unit.delta), logp: one(unit.logp), prox: one(0) },
    ...{ powers, weight: one(1) },
  };
  const batch = { outcome: Float32Array.of(1), task: new Uint32Array(1), scoreNorms: () => one(1) };
  objective.survey?.({ ...set, ...batch, trajectory: new Uint32Array(1), draw: () => 0 }, params, mark);
  objective.coefficient({ ...unit, mark: mark[0]! }, params, out);
  return out;
}

type Evaluated = { logp: number; delta: number; out: Coefficient; p: Float64Array };

function evaluate(objective: Objective, params: AnyValues, { z, zOld, illegal, A }: Sample): Evaluated {
  const legal = z.map((_, b) => (b === illegal ? 0 : 1));
  const p = new Float64Array(ACTIONS);
  const q = new Float64Array(ACTIONS);
  const garbage = (x: readonly number[]): number[] => x.map((v, b) => (b === illegal ? 7.25 : v));
  const logp = z[0]! - softmax(choicesOf(garbage(z), 0, ACTIONS, legal), p, 0);
  const delta = logp - (zOld[0]! - softmax(choicesOf(garbage(zOld), 0, ACTIONS, legal), q, 0));
  return { logp, delta, out: judged(objective, params, { A, delta, logp }), p };
}

/** With a stop-gradient in the loss the derivative is that of the loss with the weight held. */
function heldLoss(objective: Objective, params: AnyValues, sample: Sample, at: Evaluated): number {
  const moved = evaluate(objective, params, sample);
  const isHeld =
    objective.id === 'cispo' ||
    objective.id === 'vcpo' ||
    objective.id === 'vespo' ||
    objective.id === 'mhpo' ||
    objective.id === 'dppo' ||
    (objective.id === 'rolloutCorrection' && params['form'] === 'reinforce') ||
    (objective.id === 'aepo' && at.out.clip === 0 && sample.A > 0);
  return isHeld ? at.out.kappa * moved.logp : moved.out.loss;
}

test.each(variants)('%s: finite differences by the logits equal the definition', (_, objective, params) => {
  const step = 1e-5;
  fc.assert(
    fc.property(unit, (sample) => {
      const at = evaluate(objective, params, sample);
      const gradient = new Float64Array(ACTIONS);
      const terms: DistributionTerms = { entropy: 0, kl: 0 };
      const now = { p: at.p, logp: at.p.map(log) };
      const pair = { now, at: 0, ref: now, refAt: 0, count: ACTIONS };
      const loss = { chosen: 0, w: 1, kappa: at.out.kappa, entropyCoef: 0, klCoef: 0, klForm: 'exact' } as const;
      logitGradient(pair, loss, gradient, 0, terms);
      for (let b = 0; b < ACTIONS; b++) {
        const moved = (by: number): Sample => ({ ...sample, z: sample.z.map((v, k) => (k === b ? v + by : v)) });
        // A step across a clip bound has no derivative: both sides must be decided alike.
        const up = evaluate(objective, params, moved(step));
        const down = evaluate(objective, params, moved(-step));
        if (up.out.clip !== at.out.clip || down.out.clip !== at.out.clip) continue;
        // nor has |Δ| at 0
        if (objective.id === 'klCov' && up.delta * down.delta <= 0) continue;
        const high = heldLoss(objective, params, moved(step), at);
        const low = heldLoss(objective, params, moved(-step), at);
        const numeric = (high - low) / (2 * step);
        expect(Math.abs(numeric - gradient[b]!)).toBeLessThan(1e-6 * Math.max(1, Math.abs(at.out.kappa)));
      }
      expect(gradient[sample.illegal]! === 0).toBe(true);
    }),
    { numRuns: 200 },
  );
});

/** The KL form of A-LoL pushes down whatever was sampled. */
const pushOf = (objective: Objective, params: AnyValues): number =>
  objective.id === 'alol' && params['form'] === 'kl' ? (params['beta'] as number) : 0;

test.each(variants)('%s: without credit there is no gradient', (_, objective, params) => {
  fc.assert(
    fc.property(unit, (sample) => {
      if (['rover', 'dro'].includes(objective.id)) return; // goes back to the policy that sampled
      // KL-Cov holds the unit it singles out whatever its credit
      const penalty = objective.id === 'klCov' ? 1 : pushOf(objective, params);
      expect(Math.abs(evaluate(objective, params, { ...sample, A: 0 }).out.kappa)).toBeLessThanOrEqual(penalty);
    }),
  );
});

test.each(variants)('%s: on fresh data κ = −A, so all objectives agree', (_, objective, params) => {
  fc.assert(
    fc.property(unit, (sample) => {
      const { out } = evaluate(objective, params, { ...sample, zOld: sample.z });
      // one standardized credit alone is 0, and so is a return compared with itself
      const isAlone =
        [...COMPARES, 'stableReinforce'].includes(objective.id) ||
        (objective.id === 'vcpo' && params['credit'] === 'return') ||
        // an episode alone is all of its kind
        (objective.id === 'rover' && params['reward'] === 'batch');
      const A = isAlone ? 0 : sample.A;
      // a square has twice the slope
      const slope = objective.id === 'rover' ? 2 * (params['tau'] as number) : 1;
      expect(Math.abs(out.kappa + slope * A - pushOf(objective, params))).toBeLessThan(1e-12);
      expect(out.clip).toBe(0);
    }),
  );
});

test.each(variants)('%s: NaN in the log-ratio or the credit reaches κ', (_, objective, params) => {
  if (COMPARES.includes(objective.id)) return;
  const readsCredit = !objective.readsReturns?.(params as never);
  if (readsCredit) expect(judged(objective, params, { A: NaN, delta: 0, logp: log(0.5) }).kappa).toBeNaN();
  if (objective.id === 'reinforce') return; // reads no ratio
  expect(judged(objective, params, { A: 1, delta: NaN, logp: log(0.5) }).kappa).toBeNaN();
});

test('ids are unique, defaults are valid, and WGSL defines coefficient', () => {
  expect(new Set(all.map((o) => o.id)).size).toBe(all.length);
  for (const o of all) {
    const defaults = defaultsOf(o.params);
    expect(parse(settingsSchema(o.params), defaults)).toEqual({ ok: true, value: defaults });
    expect(o.wgsl).toContain('fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f');
    for (const number of o.uniforms(defaults)) expect(Number.isFinite(Math.fround(number))).toBe(true);
  }
});
