import { exp, log } from '../../../core/fmath.ts';
import { random, uniform } from '../../../core/random.ts';
import { softMin } from '../../critic.ts';
import { numbers, UNTOUCHED, untouched, wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

type Sizes = {
  S: number;
  B: number;
  T: number;
  t: number;
  actions: number;
  n: number;
  maxRows: number;
  section: number;
  floatSection: number;
  inverse: number;
  shown: number;
};
type Result = { choice: Uint32Array; sampled: Float32Array; probs: Float32Array; flags: Uint32Array; margin: number };

/**
 * For every living trajectory: π = softmax of the legal logits / τ, the first action whose running sum passes u,
 * its log-probability, the entropy, the value; where a demonstration dictates an action, that one. `margin` is the smallest distance of a u to a boundary.
 */
export function policyHead(
  d: Sizes,
  logits: Float32Array,
  length: Uint32Array,
  roll: Uint32Array,
  choice: Uint32Array,
): Result {
  const { S, B, T, t, actions, n, section, floatSection } = d;
  const result: Result = {
    choice: choice.slice(),
    sampled: untouched((n > actions + 1 ? 5 : 3) * floatSection),
    probs: untouched(S * B * T * actions),
    flags: new Uint32Array(S),
    margin: Infinity,
  };
  for (let row = 0; row < S * B; row++) {
    if (length[row] !== 0) continue;
    const s = Math.floor(row / B);
    const step = row * T + t;
    const z = (s * d.maxRows + (row % B)) * n;
    const isLegal = (b: number): boolean => ((choice[step]! >>> b) & 1) === 1;
    const x = Array.from({ length: actions }, (_, b) => (isLegal(b) ? logits[z + b]! * d.inverse : -Infinity));
    if (x.some((v, b) => isLegal(b) && !Number.isFinite(v))) {
      result.flags[s] = 1;
      continue;
    }
    const top = Math.max(...x);
    const e = x.map((v) => (v === -Infinity ? 0 : exp(v - top)));
    const total = e.reduce((a, b) => a + b, 0);
    const u = uniform(random(roll[2 + s]!, roll[0]!, roll[1]!, row % B, t));
    let running = 0;
    let action = -1;
    let entropy = 0;
    for (let b = 0; b < actions; b++) {
      const p = e[b]! / total;
      result.probs[step * actions + b] = p;
      if (p > 0) entropy -= p * log(p);
      running += p;
      if (isLegal(b)) result.margin = Math.min(result.margin, Math.abs(u - running));
      if (action < 0 && isLegal(b) && u < running) action = b;
    }
    const shown = d.shown > 0 ? roll[d.shown + step]! : 0;
    if (shown > 0) action = shown - 1;
    result.choice[section + step] = action;
    result.sampled[step] = log(e[action]! / total);
    result.sampled[floatSection + step] = entropy;
    const values = [...logits.subarray(z + actions, z + n)];
    if (values.length === 1) result.sampled[2 * floatSection + step] = values[0]!;
    if (values.length < 2) continue;
    [softMin(values[0]!, values[1]!), ...values].forEach((V, k) => (result.sampled[(2 + k) * floatSection + step] = V));
  }
  return result;
}

const shapes = [
  [1, 1, 1, 1, 0],
  [2, 5, 3, 4, 1],
  [3, 65, 2, 5, 0],
  [1, 63, 2, 17, 1],
  [2, 33, 3, 3, 2],
] as const;

function make(seed: number, [S, B, T, actions, critic]: (typeof shapes)[number]) {
  const n = actions + critic;
  const maxRows = B + 3;
  const section = S * B * T + 7;
  // with a critic every third step has its action dictated: the first one, which is then legal
  const shown = critic > 0 ? 2 + S : 0;
  const sections = { section, floatSection: section + 5, shown };
  const d: Sizes = { S, B, T, t: T - 1, actions, n, maxRows, ...sections, inverse: 1 / 0.7 };
  const logits = numbers(seed, S * maxRows * n, -3, 3);
  const length = wholes(seed + 1, S * B, 5).map((x) => (x === 0 ? 1 : 0));
  const told = Uint32Array.from({ length: shown > 0 ? S * B * T : 0 }, (_, k) => (k % 3 === 0 ? 1 : 0));
  const roll = Uint32Array.of(18, 40 + seed, ...wholes(seed + 2, S, 1000), ...told);
  const choice = new Uint32Array(2 * section).fill(777);
  const masks = wholes(seed + 3, S * B * T, 2 ** actions);
  for (let k = 0; k < S * B * T; k++) choice[k] = k % 3 === 0 ? masks[k]! | 1 : 0xffffffff;
  return { d, logits, length, roll, choice, want: policyHead(d, logits, length, roll, choice) };
}

/** A u within rounding of a boundary may fall either way: such draws are avoided by taking the next seed. */
function clear(seed: number, shape: (typeof shapes)[number]) {
  for (let k = seed; ; k += 1000) {
    const made = make(k, shape);
    if (made.want.margin > 2e-6) return made;
  }
}

const ordinary = shapes.map((shape, k): Case => {
  const { d, logits, length, roll, choice, want } = clear(k, shape);
  const { S, ...dims } = d;
  return {
    name: `policyHead ${shape.join('×')}`,
    kernel: kernels.policyHead,
    dims,
    groups: [Math.ceil(d.B / 64), 1, S],
    buffers: {
      logits,
      length,
      roll,
      choice,
      sampled: untouched(want.sampled.length),
      probs: untouched(want.probs.length),
      flags: new Uint32Array(S),
    },
    expected: { choice: want.choice, sampled: want.sampled, probs: want.probs, flags: want.flags },
    // exp and log of numbers below 9 have relative errors near 1e-6 in WGSL; log-probabilities down to −9
    tolerance: { abs: 1e-5, rel: 1e-5 },
  };
});

/** A logit that is not finite raises flag 1, unless it belongs to an illegal action. */
const broken = [NaN, Infinity].map((x): Case => {
  const d = { B: 1, T: 1, t: 0, actions: 2, n: 2, maxRows: 1, section: 1, floatSection: 1, inverse: 1, shown: 0 };
  return {
    name: `policyHead with ${x}`,
    kernel: kernels.policyHead,
    dims: d,
    groups: [1, 1, 2],
    buffers: {
      logits: Float32Array.of(0, x, 0, x),
      length: new Uint32Array(2),
      roll: Uint32Array.of(18, 0, 1, 2),
      choice: Uint32Array.of(3, 1, 0, 0),
      sampled: new Float32Array(6),
      probs: new Float32Array(4).fill(UNTOUCHED),
      flags: new Uint32Array(2),
    },
    expected: { flags: Uint32Array.of(1, 0) },
  };
});

export const cases: readonly Case[] = [...ordinary, ...broken];
