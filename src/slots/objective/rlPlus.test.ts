import { originOf } from '../../contract/rows.ts';
import { expect, test } from 'vitest';
import { exp, log } from '../../core/fmath.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import type { UnitSet } from '../types.ts';
import { rlPlus } from './rlPlus.ts';

/** Six episodes in two groups; the third and the last are demonstrations. */
const trajectory = [0, 0, 1, 2, 2, 2, 3, 4, 4, 5];
const OUTCOME = [0, 0.5, 1, 1, 0, 1];
const DEMO = [0, 0, 1, 0, 0, 1];
const TASK = [0, 0, 0, 3, 3, 3];
const OLD = [-1, -0.4, -2, -0.7, -0.3, -1.2, -0.9, -0.1, -1.6, -2.5];
const NOW = [-0.8, -0.6, -1.5, -1.1, -0.2, -1.9, -0.4, -0.3, -2.2, -1.2];
/** R minus the mean over the policy's own episodes: 0.25 in the first group, 0.5 in the second. */
const A = [-0.25, 0.25, 0.75, 0.5, -0.5, 0.5];

function kappas(changes: AnyValues = {}, some: Partial<UnitSet> = {}, now: readonly number[] = NOW): number[] {
  const set: UnitSet = {
    ...{ A: new Float64Array(10).fill(3), logp: Float64Array.from(now), prox: new Float64Array(10) },
    ...{ delta: Float64Array.from(now, (x, u) => x - OLD[u]!), trajectory: Uint32Array.from(trajectory) },
    ...{
      outcome: Float32Array.from(OUTCOME),
      task: Uint32Array.from(TASK),
      origin: Uint8Array.from(DEMO, (d) => d * originOf('demo')),
    },
    ...{ scoreNorms: () => new Float64Array(0), draw: () => 0, ...some },
  };
  const mark = new Float64Array(set.trajectory.length).fill(99);
  const values = { ...defaultsOf(rlPlus.params), ...changes } as never;
  rlPlus.survey!(set, values, mark);
  return Array.from(mark, (k, u) => {
    const out = { loss: 9, kappa: 9, clip: 9 };
    rlPlus.coefficient({ A: 3, delta: set.delta[u]!, logp: set.logp[u]!, mark: k }, values, out);
    return out.kappa;
  });
}

test.each([
  ['as in the code', {}, 0.5, 1],
  ['all demonstrated actions alike', { exploration: 0 }, 0, 1],
  ['a uniform mix of four actions', { mixture: 0.25, exploration: 2 }, 2, 0.25],
] as const)('%s: κ is the finite difference of the loss, weights held', (_, changes, gamma, mixture) => {
  const held = NOW.map((x) => (1 - exp(x)) ** gamma);
  const loss = (now: readonly number[]): number =>
    now.reduce((sum, x, u) => {
      const i = trajectory[u]!;
      if (DEMO[i] === 0) return sum - A[i]! * exp(x - OLD[u]!);
      return sum - (A[i]! * held[u]! * 2 * exp(x)) / (1.5 * exp(OLD[u]!) + 0.5 * mixture);
    }, 0);
  const step = 1e-5;
  kappas(changes).forEach((kappa, k) => {
    const moved = (by: number): number[] => NOW.map((x, u) => (u === k ? x + by : x));
    expect(Math.abs((loss(moved(step)) - loss(moved(-step))) / (2 * step) - kappa)).toBeLessThan(1e-8);
    expect(Math.abs(kappa)).toBeGreaterThan(1e-3);
  });
});

test('group statistics know the policy’s own episodes only: better demonstrations do not push these down', () => {
  const better = kappas({}, { outcome: Float32Array.of(0, 0.5, 5, 1, 0, 7) });
  kappas().forEach((kappa, u) => {
    const i = trajectory[u]!;
    if (DEMO[i] === 0) expect(better[u]).toBe(kappa);
    else expect(better[u]! / kappa).toBeCloseTo([4.75 / 0.75, 6.5 / 0.5][i === 2 ? 0 : 1]!, 9);
  });
});

test('a group that fails learns from its demonstration alone, one that does as well learns nothing, by hand', () => {
  const failed = kappas({}, { outcome: Float32Array.of(0, 0, 1, 1, 1, 1) }, [
    ...NOW.slice(0, 3),
    log(0.25),
    ...NOW.slice(4),
  ]);
  // π = ¼, π_old = e^−0.7: −1·√¾·½/(1.5·e^−0.7 + ½)
  expect(failed[3]).toBeCloseTo((-Math.sqrt(0.75) * 0.5) / (1.5 * exp(-0.7) + 0.5), 12);
  failed.forEach((kappa, u) => expect(kappa === 0).toBe(trajectory[u] !== 2));
});

test('a demonstration whose group was left out, and a set without demonstrations', () => {
  const alone = { trajectory: Uint32Array.of(2, 2), logp: Float64Array.of(-1, -2), delta: new Float64Array(2) };
  expect(kappas({}, alone)).toEqual([0, 0]);
  const plain = kappas({}, { outcome: Float32Array.of(1, 0, 0.5, 0, 0, 0), origin: new Uint8Array(6) });
  expect(plain[0]).toBeCloseTo(-0.5 * exp(0.2), 12);
  expect(plain[3]! === 0).toBe(true);
});
