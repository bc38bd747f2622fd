import type { StateSpec, TensorSpec, Tensors } from '../../../contract/state.ts';
import { tanh } from '../../../core/fmath.ts';
import { random } from '../../../core/random.ts';

/** Hidden units of a reward model, and actions that it tells apart. */
export const HIDDEN = 16;
export const ACTIONS = 32;
/** Parameters that no feature owns: actions, biases, the way out and its bias. */
const REST = ACTIONS * HIDDEN + HIDDEN + HIDDEN + 1;
const [BIAS, OUT, OUT_BIAS] = [ACTIONS * HIDDEN, ACTIONS * HIDDEN + HIDDEN, ACTIONS * HIDDEN + 2 * HIDDEN];

const perFeature: TensorSpec = { type: 'f32', per: 'feature', width: HIDDEN, onFork: 'keep', onDevice: true };
const rest: TensorSpec = { type: 'f32', per: 'replica', width: REST, onFork: 'keep', onDevice: true };

/**
 * What a module with a reward model remembers: its parameters, the moments of its optimizer, the parameters that it had
 * before the last batch, for `forgetStep`, and the optimizer steps taken.
 */
export const netState: StateSpec = {
  ...{ weights: perFeature, weightsM: perFeature, weightsV: perFeature, weightsBefore: perFeature },
  ...{ rest, restM: rest, restV: rest, restBefore: rest },
  steps: { type: 'u32', per: 'replica', width: 2, onFork: 'keep', onDevice: true },
};

/** What a model reads: numbers of some features, 1 each where none are given; and an action, −1 for none. */
export type Input = { readonly index: Int32Array; readonly value: Float64Array | null; readonly n: number };

const F32 = (tensors: Tensors, name: string): Float32Array => tensors[name] as Float32Array;

/**
 * A small model of rewards over what the policy sees:
 *
 *   y = w₂·tanh(W₁·x + U·e_a + b₁) + b₂         θ ← Adam(∂loss/∂θ)
 *
 * x: features of an observation, a: an action or none. Parameters are f32 and sums f64, in a fixed order. w₂ and b₂ begin at
 * 0, so that an untrained model says 0 of everything; W₁ and U begin at numbers that are the same in every run.
 */
export class RewardNet {
  private readonly weights: Float32Array;
  private readonly rest: Float32Array;
  private readonly memory: Tensors;
  private readonly gradient: { readonly weights: Float64Array; readonly rest: Float64Array };
  private readonly hidden = new Float64Array(HIDDEN);
  private readonly inner = new Float64Array(HIDDEN);
  private readonly which: number;

  /** `which`: of several models that begin differently */
  constructor(memory: Tensors, which = 0) {
    this.memory = memory;
    this.which = which;
    this.weights = F32(memory, 'weights');
    this.rest = F32(memory, 'rest');
    this.gradient = { weights: new Float64Array(this.weights.length), rest: new Float64Array(this.rest.length) };
    const steps = memory['steps'] as Uint32Array;
    if (steps[1] === 0) this.begin();
    steps[1] = 1;
    if (memory['weightsBefore']) F32(memory, 'weightsBefore').set(this.weights);
    if (memory['restBefore']) F32(memory, 'restBefore').set(this.rest);
  }

  private begin(): void {
    const drawn = (k: number): number => (0.4 * random(0x6e6574, 0, k, this.which, 0)) / 2 ** 32 - 0.2;
    for (let k = 0; k < this.weights.length; k++) this.weights[k] = drawn(k);
    for (let k = 0; k < Math.min(BIAS, this.rest.length); k++) this.rest[k] = drawn(-1 - k);
  }

  /** y of an input; what `addGradient` follows is that of the last call. */
  of({ index, value, n }: Input, action = -1): number {
    const { weights, rest, hidden } = this;
    const features = weights.length / HIDDEN;
    const own = action >= 0 ? (action % ACTIONS) * HIDDEN : -1;
    for (let j = 0; j < HIDDEN; j++) hidden[j] = rest[BIAS + j]! + (own >= 0 ? rest[own + j]! : 0);
    for (let k = 0; k < n; k++) {
      if (index[k]! >= features) continue;
      const [from, x] = [index[k]! * HIDDEN, value ? value[k]! : 1];
      for (let j = 0; j < HIDDEN; j++) hidden[j]! += weights[from + j]! * x;
    }
    let y = rest[OUT_BIAS]!;
    for (let j = 0; j < HIDDEN; j++) {
      hidden[j] = tanh(hidden[j]!);
      y += rest[OUT + j]! * hidden[j]!;
    }
    return y;
  }

  /** tanh(…) of the last `of`: with them `addGradient` follows that input later, too, until the next step. */
  hiddenUnits(): Float64Array {
    return this.hidden.slice();
  }

  /** Adds slope·∂y/∂θ at the input of the last `of`, or of an earlier one whose hidden units are given. */
  addGradient({ index, value, n }: Input, slope: number, action = -1, hidden: Float64Array = this.hidden): void {
    const { weights, rest, inner, gradient } = this;
    const features = weights.length / HIDDEN;
    const own = action >= 0 ? (action % ACTIONS) * HIDDEN : -1;
    gradient.rest[OUT_BIAS]! += slope;
    for (let j = 0; j < HIDDEN; j++) {
      gradient.rest[OUT + j]! += slope * hidden[j]!;
      const d = (inner[j] = slope * rest[OUT + j]! * (1 - hidden[j]! * hidden[j]!));
      gradient.rest[BIAS + j]! += d;
      if (own >= 0) gradient.rest[own + j]! += d;
    }
    for (let k = 0; k < n; k++) {
      if (index[k]! >= features) continue;
      const [from, x] = [index[k]! * HIDDEN, value ? value[k]! : 1];
      for (let j = 0; j < HIDDEN; j++) gradient.weights[from + j]! += inner[j]! * x;
    }
  }

  /** One step of Adam (β₁ 0.9, β₂ 0.999) along what was added; then nothing is added any more. */
  step(rate: number): void {
    const { memory, gradient } = this;
    const steps = memory['steps'] as Uint32Array;
    const t = ++steps[0]!;
    const scale = (rate * Math.sqrt(1 - 0.999 ** t)) / (1 - 0.9 ** t);
    for (const name of ['weights', 'rest'] as const) {
      const [theta, m, v, g] = [F32(memory, name), F32(memory, `${name}M`), F32(memory, `${name}V`), gradient[name]];
      for (let k = 0; k < theta.length; k++) {
        m[k] = 0.9 * m[k]! + 0.1 * g[k]!;
        v[k] = 0.999 * v[k]! + 0.001 * g[k]! * g[k]!;
        if (m[k] !== 0) theta[k]! -= (scale * m[k]!) / (Math.sqrt(v[k]!) + 1e-8);
      }
      g.fill(0);
    }
  }
}

/** Makes the parameters what they were before the last batch; what a view asks next is paid by these. */
export function forgetStep(memory: Tensors): void {
  F32(memory, 'weights').set(F32(memory, 'weightsBefore'));
  F32(memory, 'rest').set(F32(memory, 'restBefore'));
}
