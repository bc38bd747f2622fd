import fc from 'fast-check';
import { expect, test } from 'vitest';
import { log } from '../../core/fmath.ts';
import { defaultsOf, parse, settingsSchema, type AnyValues } from '../../core/settings.ts';
import { objectives } from '../registry.ts';
import type { Coefficient, Objective } from '../types.ts';
import { logitGradient, maskedSoftmax, type DistributionTerms } from './distribution.ts';

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

const variants: readonly (readonly [string, Objective, AnyValues])[] = objectives.flatMap((objective) => {
  const base: AnyValues = defaultsOf(objective.params);
  const switched = Object.entries(objective.params)
    .filter(([, s]) => s.kind === 'switch')
    .map(([name]) => ({ ...base, [name]: true }));
  return [base, ...switched].map((params) => [`${objective.id} ${JSON.stringify(params)}`, objective, params] as const);
});

type Evaluated = { logp: number; delta: number; out: Coefficient; p: Float64Array };

function evaluate(objective: Objective, params: AnyValues, { z, zOld, illegal, A }: Sample): Evaluated {
  const legal = z.map((_, b) => (b === illegal ? 0 : 1));
  const p = new Float64Array(ACTIONS);
  const q = new Float64Array(ACTIONS);
  const garbage = (x: readonly number[]): number[] => x.map((v, b) => (b === illegal ? 7.25 : v));
  const logp = z[0]! - maskedSoftmax(garbage(z), 0, ACTIONS, legal, p, 0);
  const delta = logp - (zOld[0]! - maskedSoftmax(garbage(zOld), 0, ACTIONS, legal, q, 0));
  const out = { loss: 0, kappa: 0, clip: 0 };
  objective.coefficient({ A, delta, logp }, params, out);
  return { logp, delta, out, p };
}

/** With a stop-gradient in the loss (CISPO) the derivative is that of the loss with the weight held. */
function heldLoss(objective: Objective, params: AnyValues, sample: Sample, at: Evaluated): number {
  const moved = evaluate(objective, params, sample);
  return objective.id === 'cispo' ? at.out.kappa * moved.logp : moved.out.loss;
}

test.each(variants)('%s: finite differences by the logits equal the definition', (_, objective, params) => {
  const step = 1e-5;
  fc.assert(
    fc.property(unit, (sample) => {
      const at = evaluate(objective, params, sample);
      const gradient = new Float64Array(ACTIONS);
      const terms: DistributionTerms = { entropy: 0, kl: 0 };
      logitGradient(at.p, 0, at.p, 0, ACTIONS, 0, 1, at.out.kappa, 0, 0, gradient, 0, terms);
      for (let b = 0; b < ACTIONS; b++) {
        const moved = (by: number): Sample => ({ ...sample, z: sample.z.map((v, k) => (k === b ? v + by : v)) });
        // A step across a clip bound has no derivative: both sides must be decided alike.
        const up = evaluate(objective, params, moved(step));
        const down = evaluate(objective, params, moved(-step));
        if (up.out.clip !== at.out.clip || down.out.clip !== at.out.clip) continue;
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

test.each(variants)('%s: without credit there is no gradient', (_, objective, params) => {
  fc.assert(
    fc.property(unit, (sample) => {
      expect(evaluate(objective, params, { ...sample, A: 0 }).out.kappa === 0).toBe(true);
    }),
  );
});

test.each(variants)('%s: on fresh data κ = −A, so all objectives agree', (_, objective, params) => {
  fc.assert(
    fc.property(unit, (sample) => {
      const { out } = evaluate(objective, params, { ...sample, zOld: sample.z });
      expect(Math.abs(out.kappa + sample.A)).toBeLessThan(1e-12);
      expect(out.clip).toBe(0);
    }),
  );
});

test.each(variants)('%s: NaN in the log-ratio or the credit reaches κ', (_, objective, params) => {
  const out = { loss: 0, kappa: 0, clip: 0 };
  objective.coefficient({ A: NaN, delta: 0, logp: log(0.5) }, params, out);
  expect(out.kappa).toBeNaN();
  if (objective.id === 'reinforce') return; // reads no ratio
  objective.coefficient({ A: 1, delta: NaN, logp: log(0.5) }, params, out);
  expect(out.kappa).toBeNaN();
});

test('ids are unique, defaults are valid, and WGSL defines coefficient', () => {
  expect(new Set(objectives.map((o) => o.id)).size).toBe(objectives.length);
  for (const o of objectives) {
    const defaults = defaultsOf(o.params);
    expect(parse(settingsSchema(o.params), defaults)).toEqual({ ok: true, value: defaults });
    expect(o.wgsl).toContain('fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f');
    for (const number of o.uniforms(defaults)) expect(Number.isFinite(Math.fround(number))).toBe(true);
  }
});
