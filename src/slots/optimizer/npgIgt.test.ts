import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { extrapolated, igtStep, npgIgt, type IgtState } from './npgIgt.ts';

const params = defaultsOf(npgIgt.params);
const START = [1, -2, 0.5, 0];

/** Gradient of ½|θ − target|² with a wave that differs from step to step, downhill. */
const slope = (x: ArrayLike<number>, t: number): number[] =>
  Array.from(x, (v, k) => v - [0.3, 0.7, -1, 2][k]! + 0.2 * Math.sin(3 * t + k));

test('the optimizer is the walk of the definition: it holds θ̃, and v the point behind it', () => {
  const theta = Float32Array.from(START);
  const [m, v] = [new Float32Array(4), new Float32Array(4)];
  const point = Float64Array.from(START);
  const walk: IgtState = { theta: point, thetaBefore: point.slice(), direction: new Float64Array(4), step: 0 };
  for (let t = 0; t < 30; t++) {
    npgIgt.step({ theta, gradient: Float32Array.from(slope(theta, t)), m, v }, t + 1, 0.4, params);
    // up the negative slope, with the gradient taken at the extrapolated point
    const g = slope(extrapolated(walk, params.power, params.offset), t).map((x) => -x);
    igtStep(walk, g, 0.4, params.power, params.offset);
    const played = extrapolated(walk, params.power, params.offset);
    for (let k = 0; k < 4; k++) {
      expect(Math.abs(v[k]! - walk.theta[k]!)).toBeLessThan(2e-5);
      expect(Math.abs(theta[k]! - played[k]!)).toBeLessThan(2e-4);
    }
  }
});

test('θ moves by γ₀·o/(t+o), however long the gradient is', () => {
  const lengths = [1, 1000].map((scale) => {
    const theta = Float32Array.from(START);
    const [m, v] = [new Float32Array(4), new Float32Array(4)];
    return Array.from({ length: 5 }, (_, t) => {
      const before = t === 0 ? Float32Array.from(START) : v.slice();
      const gradient = Float32Array.from(slope(START, t)).map((x) => scale * x);
      npgIgt.step({ theta, gradient, m, v }, t + 1, 0.4, params);
      return Math.hypot(...v.map((x, k) => x - before[k]!));
    });
  });
  for (const list of lengths)
    list.forEach((length, t) => expect(Math.abs(length - (0.4 * 2) / (t + 2))).toBeLessThan(1e-6));
});
