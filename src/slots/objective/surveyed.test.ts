import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exp, log } from '../../core/fmath.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { sum } from '../../core/stats.ts';
import { goldenObjective } from '../../check/conformance/golden.ts';
import type { Coefficient, Objective, UnitSet } from '../types.ts';
import { clipCov } from './clipCov.ts';
import { decoupled, proxLogLinear } from './decoupled.ts';
import { gspo } from './gspo.ts';
import { hispo } from './hispo.ts';
import { klCov } from './klCov.ts';
import { ppoClip } from './ppoClip.ts';
import { CLIP } from '../../core/math/clip.ts';
import { filteredCredit, stableReinforce } from './stableReinforce.ts';
import { vcpo } from './vcpo.ts';

type Rows = {
  A: number[];
  delta: number[];
  logp?: number[];
  prox?: number[];
  trajectory?: number[];
  draw?: number[];
} & {
  outcome?: number[];
  task?: number[];
  norms?: number[];
  ages?: number[];
};

function judge(objective: Objective, changes: AnyValues, rows: Rows) {
  const params = { ...defaultsOf(objective.params), ...changes };
  const n = rows.A.length;
  const f64 = (x: readonly number[] | undefined): Float64Array => Float64Array.from(x ?? new Array<number>(n).fill(0));
  const set: UnitSet = {
    ...{ A: f64(rows.A), delta: f64(rows.delta), logp: f64(rows.logp), prox: f64(rows.prox) },
    ...(rows.ages ? { ages: f64(rows.ages) } : {}),
    trajectory: Uint32Array.from(rows.trajectory ?? rows.A.map((_, u) => u)),
    outcome: Float32Array.from(rows.outcome ?? [1]),
    task: Uint32Array.from(rows.task ?? [0]),
    scoreNorms: (trajectories) => f64(rows.norms ?? trajectories.map(() => 1)),
    draw: (u) => rows.draw?.[u] ?? 0,
  };
  const mark = new Float64Array(n).fill(99);
  objective.survey!(set, params, mark);
  return rows.A.map((A, u): Coefficient => {
    const out = { loss: 0, kappa: 0, clip: 9 };
    objective.coefficient({ A, delta: set.delta[u]!, logp: set.logp[u]!, mark: mark[u]! }, params, out);
    return out;
  });
}
const asObjective = (x: unknown): Objective => x as Objective;

test('GSPO: two units of ratio 1 and 1.21 share the geometric mean 1.1, by hand', () => {
  const rows = { A: [1, 2, 1], delta: [0, log(1.21), 0], trajectory: [0, 0, 4] };
  const wide = judge(asObjective(gspo), { epsLow: 0.5, epsHigh: 0.5 }, rows);
  [-1.1, -2.2, -1].forEach((kappa, u) => expect(wide[u]!.kappa).toBeCloseTo(kappa, 10));
  // 1.1 is above 1.04: the whole episode stops, the other one goes on
  const tight = judge(asObjective(gspo), {}, rows);
  expect(tight.map((c) => c.clip)).toEqual([CLIP.high, CLIP.high, CLIP.none]);
  expect(tight[1]!.loss).toBeCloseTo(-2.08, 10);
});

test('GSPO: with one credit per episode κ/n is the gradient of the loss by every log-probability', () => {
  const delta = fc.array(fc.double({ min: -0.4, max: 0.4, noNaN: true }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(delta, fc.constantFrom(-1.5, 1), (d, A) => {
      const wide = { epsLow: 1, epsHigh: 10 };
      const at = (x: number[]): Coefficient[] =>
        judge(asObjective(gspo), wide, { A: x.map(() => A), delta: x, trajectory: x.map(() => 0) });
      const mean = (x: number[]): number => at(x).reduce((sum, c) => sum + c.loss, 0) / x.length;
      const h = 1e-5;
      d.forEach((_, k) => {
        const moved = (by: number): number[] => d.map((x, j) => (j === k ? x + by : x));
        const numeric = (mean(moved(h)) - mean(moved(-h))) / (2 * h);
        expect(Math.abs(numeric - at(d)[k]!.kappa / d.length)).toBeLessThan(1e-8);
      });
    }),
  );
});

test('Clip-Cov leaves out the candidates that were drawn first, by hand', () => {
  // mean A = 0, mean log π = −1: c = 1·0.5, 1·0.5, −1·(−0.5), −1·(−0.5) = 0.5 everywhere
  const rows = { A: [1, 1, -1, -1], delta: [0, 1, 0, 0], logp: [-0.5, -0.5, -1.5, -1.5], draw: [0.9, 0, 0.3, 0.4] };
  const bounds = { bounds: 'absolute', low: 0.4, high: 0.6 };
  // the second is already held by the ratio clip and no candidate
  expect(judge(asObjective(clipCov), { ...bounds, share: 0.5 }, rows).map((c) => c.clip)).toEqual([0, CLIP.high, 5, 5]);
  expect(judge(asObjective(clipCov), { ...bounds, share: 0.1 }, rows).map((c) => c.clip)).toEqual([0, CLIP.high, 5, 0]);
  expect(judge(asObjective(clipCov), { ...bounds, low: 0.5 }, rows).map((c) => c.clip)).toEqual([0, CLIP.high, 0, 0]);
});

test('Clip-Cov by percentile only touches the largest covariances', () => {
  const A = Array.from({ length: 100 }, (_, u) => u - 49.5);
  const logp = A.map((a) => -2 + a / 100);
  const out = judge(asObjective(clipCov), { percentile: 90 }, { A, delta: A.map(() => 0), logp });
  const dropped = out.flatMap((c, u) => (c.clip === CLIP.dropped ? [u] : []));
  expect(dropped.length).toBe(2);
  for (const u of dropped) expect(u < 5 || u >= 95).toBe(true);
});

test('KL-Cov holds the largest covariance, the earlier unit of equal ones, by hand', () => {
  // c = 1 at the first and last unit, ties go to the first: −1·e^0.5 + 1 there, −Aρ elsewhere
  const rows = { A: [1, 0, -1], delta: [0.5, 0.5, -0.5], logp: [0, -1, -2] };
  const out = judge(asObjective(klCov), {}, rows);
  expect(out[0]!.kappa).toBeCloseTo(1 - exp(0.5), 12);
  expect(out[0]!.loss).toBeCloseTo(0.5 - exp(0.5), 12);
  expect(out[2]!.kappa).toBeCloseTo(exp(-0.5), 12);
  expect(judge(asObjective(klCov), { share: 0.5, beta: 3 }, { ...rows, delta: [0, 0, 0] })[0]!.kappa).toBe(-1);
  // a log-ratio of 1e-8 is rounding where log π is −1, and a move where it is −3e-8
  const kappaAt = (logp: number): number =>
    judge(asObjective(klCov), {}, { A: [1, 0, -1], delta: [1e-8, 0, 0], logp: [logp, -3, -1] })[0]!.kappa;
  expect(kappaAt(-1)).toBeCloseTo(-1, 6);
  expect(kappaAt(-3e-8)).toBeCloseTo(0, 6);
});

test.each([25, -25])('KL-Cov pulls a unit back from a log-ratio of %d, where its ratio is held, by hand', (far) => {
  // c is largest at the first unit; its ratio is held at e^±20 and has no gradient, the penalty 2·|Δ| goes on
  const at = (delta: number): Coefficient =>
    judge(asObjective(klCov), { beta: 2 }, { A: [1, 0, -1], delta: [delta, 0, 0], logp: [0, -1, -2] })[0]!;
  expect(at(far)).toEqual({ loss: -exp(Math.sign(far) * 20) + 50, kappa: 2 * Math.sign(far), clip: CLIP.guard });
  expect(at(far + 0.5).loss - at(far - 0.5).loss).toBe(at(far).kappa);
  // without credit nothing is held that could be clipped
  const silent = { loss: 0, kappa: 0, clip: 0 };
  klCov.coefficient({ A: 0, delta: far, logp: -1, mark: 1 }, { share: 0.02, beta: 2 }, silent);
  expect(silent).toEqual({ loss: 50, kappa: 2 * Math.sign(far), clip: CLIP.none });
});

test('decoupled PPO without a look at π_prox: it lies on the line from the sampler to today, by age, by hand', () => {
  // ages 0, 1, 3: α = 0, ½, ¾ of Δ = log 1.1 and log 4; the rest of the way is what the clip at 1.2 sees
  const rows = { A: [1, 1, -1, 1], delta: [log(1.1), log(1.21), log(16), log(4)], ages: [0, 1, 3, 1] };
  const out = judge(asObjective(decoupled), { prox: 'loglinear', cap: 10 }, rows);
  expect(out[0]!.kappa).toBeCloseTo(-1.1, 12);
  expect(out[1]!.kappa).toBeCloseTo(-1.21, 12);
  expect(out[2]!.kappa).toBeCloseTo(16, 10);
  // b = 2, v = 2: held at 1.2
  expect(out[3]).toMatchObject({ clip: CLIP.high });
  expect(out[3]!.loss).toBeCloseTo(-2.4, 12);
  // with the weight held and the clip open, κ is the derivative of ℓ = −A·b·v by log π
  const params = { ...defaultsOf(decoupled.params), epsLow: 1, epsHigh: 10 };
  const prox = proxLogLinear(-1, -1.5, 0.75) + 1.5;
  const at = (delta: number): Coefficient => {
    const found = { loss: 0, kappa: 0, clip: 0 };
    decoupled.coefficient({ A: 0.7, delta, logp: 0, mark: prox }, params as never, found);
    return found;
  };
  expect(Math.abs((at(0.5 + 1e-5).loss - at(0.5 - 1e-5).loss) / 2e-5 - at(0.5).kappa)).toBeLessThan(1e-8);
});

test('decoupled PPO tells how its behavior weights lie: mean, one in twenty below and above, share above the cap', () => {
  const b = Array.from({ length: 21 }, (_, k) => 1 + k / 10);
  const n = b.length;
  const set: UnitSet = {
    ...{ A: new Float64Array(n), delta: new Float64Array(n), logp: new Float64Array(n) },
    ...{ outcome: new Float32Array(n), task: new Uint32Array(n), trajectory: Uint32Array.from(b.keys()) },
    prox: Float64Array.from(b.toReversed(), Math.log),
    scoreNorms: () => new Float64Array(0),
    draw: () => 0,
  };
  const { measured, weights } = decoupled.survey!(
    set,
    { ...defaultsOf(decoupled.params), cap: 2.05 },
    new Float64Array(n),
  )!;
  expect(measured!.behaviourWeight).toBeCloseTo(2, 12);
  expect(measured!.behaviourLow).toBeCloseTo(1.1, 12);
  expect(measured!.behaviourHigh).toBeCloseTo(2.9, 12);
  // 2.1, 2.2, … 3
  expect(measured!.behaviourCapped).toBeCloseTo(10 / 21, 12);
  expect(weights).toMatchObject({ low: 1, cap: 2.05, capped: measured!.behaviourCapped });
  expect(weights!.high).toBeCloseTo(3, 12);
  // 25 bars of log 3 / 25: below e^(log 3 / 25) = 1.045 lies 1, below 1.092 nothing, below 1.141 lies 1.1; 2.9 and 3 are above 2.87
  expect([...weights!.units.slice(0, 3)]).toEqual([1, 0, 1]);
  expect(weights!.units[24]).toBe(2);
  expect(sum(weights!.units)).toBe(21);
  const fresh = decoupled.survey!(
    { ...set, prox: new Float64Array(n) },
    defaultsOf(decoupled.params),
    new Float64Array(n),
  )!;
  expect(fresh.weights!.units.findIndex((k) => k === 21)).toBe(12);
});

test('decoupled PPO on fresh data is PPO clip; old data are weighed, capped and left out, by hand', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -2, max: 2, noNaN: true }),
      fc.double({ min: -3, max: 3, noNaN: true }),
      (A, delta) => {
        const plain = { loss: 0, kappa: 0, clip: 0 };
        ppoClip.coefficient({ A, delta, logp: -1 }, defaultsOf(ppoClip.params), plain);
        expect(judge(asObjective(decoupled), {}, { A: [A], delta: [delta] })).toEqual([plain]);
      },
    ),
  );
  // sampled at 1/10 of π_prox, unchanged since: v = 1, b = 10, capped at 5
  const old = { A: [2], delta: [log(10)], prox: [log(10)] };
  expect(judge(asObjective(decoupled), {}, old)[0]!.kappa).toBeCloseTo(-10, 9);
  expect(judge(asObjective(decoupled), { cap: 100 }, old)[0]!.kappa).toBeCloseTo(-20, 9);
  expect(judge(asObjective(decoupled), { beyond: 'mask' }, old)[0]).toEqual({ loss: -0, kappa: -0, clip: 5 });
  expect(proxLogLinear(-1, -3, 0.5)).toBe(-2);
});

test('HisPO drops single units and whole episodes, and bounds bad actions above, by hand', () => {
  const d = log(1.2);
  const rows = { A: [1, 1, 1, -1], delta: [0, 0, 0, log(4)], prox: [d, -d, 0.03, 0], trajectory: [0, 0, 1, 2] };
  // episode 0: mean 0, but units 1.2 and 1/1.2; episode 1: mean discrepancy 1.03; episode 2: r = 4 > 3
  expect(judge(asObjective(hispo), {}, rows).map((c) => c.clip)).toEqual([5, 5, 5, CLIP.dual]);
  expect(judge(asObjective(hispo), { deltaTok: 0.3 }, rows).map((c) => c.clip)).toEqual([0, 0, 5, CLIP.dual]);
});

test('StableReinforce standardizes, drops outliers and holds ratios, by hand', () => {
  const z = new Float64Array(5);
  filteredCredit(Float64Array.of(0, 0, 0, 0, 10), 1.9, z);
  // mean 2, population std 4: −0.5 four times, and 2 > 1.9 is dropped
  [-0.5, -0.5, -0.5, -0.5, 0].forEach((x, u) => expect(z[u]).toBeCloseTo(x, 12));
  // the scale of the credit does not matter, however small
  filteredCredit(Float64Array.of(0, 0, 0, 0, 1e-3), 3, z);
  [-0.5, -0.5, -0.5, -0.5, 2].forEach((x, u) => expect(z[u]).toBeCloseTo(x, 12));
  const far = judge(asObjective(stableReinforce), {}, { A: [-1, 1], delta: [8, 8] });
  expect(far[0]!.loss).toBeCloseTo(1000, 2);
  expect(far.map((c) => c.kappa)).toEqual([0, 0]);
  expect(judge(asObjective(stableReinforce), {}, { A: [3, 3], delta: [0.1, 0.1] }).every((c) => c.kappa === 0)).toBe(
    true,
  );
});

test('VCPO weighs whole episodes, compares returns within a task and shortens the step, by hand', () => {
  // weights e^{log 2} = 2 and 1 in task 0, 20 (cap 8) and 1 in task 1; two units in the first episode
  const rows = {
    ...{ A: [0, 0, 0, 0, 0], delta: [log(2) / 2, log(2) / 2, 0, log(20), 0], trajectory: [0, 0, 1, 2, 3] },
    ...{ outcome: [1, 0, 1, 1], task: [0, 0, 1, 1], norms: [1, 4, 1, 1] },
  };
  const out = judge(asObjective(vcpo), {}, rows);
  // W = 4·1, 1·4: b = 4/8 = ½, σ = ½: credit ±1, times weights 2 and 1; in task 1 all agree
  [-2, -2, 1, 0, 0].forEach((kappa, u) => expect(out[u]!.kappa).toBeCloseTo(kappa, 9));
  // with equal scores b = 4/5
  const unit = judge(asObjective(vcpo), { scoreNorm: 'unit' }, rows);
  expect(unit[0]!.kappa).toBeCloseTo(-2 * 0.4, 9);
  const own = judge(asObjective(vcpo), { credit: 'advantage' }, { ...rows, A: [1, -1, 2, 1, 1] });
  [-2, 2, -2, -8, -1].forEach((kappa, u) => expect(own[u]!.kappa).toBeCloseTo(kappa, 9));
  const control = vcpo.survey!(
    {
      ...{ A: new Float64Array(5), logp: new Float64Array(5), prox: new Float64Array(5), draw: () => 0 },
      ...{ delta: Float64Array.from(rows.delta), trajectory: Uint32Array.from(rows.trajectory) },
      ...{ outcome: Float32Array.from(rows.outcome), task: Uint32Array.from(rows.task) },
      scoreNorms: () => Float64Array.from(rows.norms),
    },
    defaultsOf(vcpo.params) as never,
    new Float64Array(5),
  );
  // weights 2, 1, 20, 1: ESS = 24²/406 of 4
  expect(control).toEqual({ stepScale: expect.closeTo(Math.sqrt(576 / 406 / 4), 9) });
});

test.each([
  ...['gspo', 'decoupled', 'decoupledMask', 'proxLogLinear'],
  ...['hispo', 'clipCov', 'klCov', 'stableReinforce'],
])('the golden values of %s hold in every case', (key) => {
  const entries = goldenObjective(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
