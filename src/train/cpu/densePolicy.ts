import { log } from '../../core/fmath.ts';
import { random, uniform } from '../../core/random.ts';
import {
  entropyOf,
  fillLogProbs,
  logitGradient,
  type DistributionTerms,
} from '../../methods/objective/distribution.ts';
import type { Coefficient, ScoreLayers } from '../../methods/types.ts';
import { softmaxRow } from '../../policies/dense.ts';
import type { Kernels } from '../../policies/kernels.ts';
import { outputs } from '../../policies/network.ts';
import { denseOf } from '../../policies/policy.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import type { Asking } from './asking.ts';
import { Critic } from './critic.ts';
import { CHUNK, CpuNetwork } from './network.ts';
import type { Acting, CpuPolicy, Learning, Seen } from './policy.ts';
import { ACTION_PURPOSE, clippingOf, count, ownFloats, type Clipping } from './units.ts';

/** A chain of dense layers whose outputs are the logits of the actions: one decision a step. */
export class DensePolicy implements CpuPolicy {
  readonly kernels: Kernels;
  readonly chunk = CHUNK;
  readonly unitsMax = 1;
  private readonly plan: Plan;
  private readonly network: CpuNetwork;
  private readonly critic: Critic;
  private readonly clipping: Clipping;
  private readonly n: number;
  private readonly p: Float32Array;
  private readonly now: { readonly p: Float32Array; readonly logp: Float64Array };
  private readonly ref: { readonly p: Float32Array; readonly logp: Float64Array };
  private readonly coefficient: Coefficient = { loss: 0, kappa: 0, clip: 0 };
  private readonly unit = { A: 0, delta: 0, logp: 0, mark: 0 };
  private readonly terms: DistributionTerms = { entropy: 0, kl: 0 };

  constructor(plan: Plan) {
    const { shape, layout } = denseOf(plan);
    this.plan = plan;
    this.network = new CpuNetwork(shape, layout, ownFloats(plan));
    this.critic = new Critic(plan);
    this.clipping = clippingOf(plan);
    this.kernels = this.network.kernels;
    this.n = outputs(shape);
    this.p = new Float32Array(plan.actions);
    this.now = { p: this.p, logp: new Float64Array(plan.actions) };
    const all = CHUNK * plan.actions;
    this.ref = { p: new Float32Array(all), logp: new Float64Array(all) };
  }

  unitsOf(arrays: Arrays, row: number): number {
    return arrays.length[row]!;
  }

  unitsAt(): number {
    return 1;
  }

  decide(
    { arrays, theta, tasks, mode, s, forced }: Acting,
    rows: readonly number[],
    from: number,
    n: number,
    t: number,
  ) {
    const { network, plan } = this;
    const { T, obsWords, actions } = plan;
    const purpose = ACTION_PURPOSE[mode];
    for (let k = 0; k < n; k++) network.bitsAt[k] = (rows[from + k]! * (T + 1) + t) * obsWords;
    network.forward(theta, s * plan.layout.size, arrays.obs, n);
    let finite = true;
    for (let k = 0; k < n; k++) {
      const row = rows[from + k]!;
      const step = row * T + t;
      const legal = arrays.legal[step]!;
      const z = k * this.n;
      const probsAt = step * actions;
      const logZ = softmaxRow(network.out, z, actions, legal, 1 / plan.temperature, arrays.probs, probsAt);
      const u = uniform(random(plan.seeds[s]!, purpose, tasks.update, row - s * plan.B, t));
      const shown = forced?.[step - s * plan.B * T] ?? 0;
      const action = shown > 0 ? shown - 1 : sampleRow(arrays.probs, probsAt, actions, legal, u);
      let H = 0;
      for (let b = 0; b < actions; b++) {
        const p = arrays.probs[probsAt + b]!;
        if (p > 0) H -= p * log(p);
      }
      arrays.action[step] = action;
      arrays.logp[step] = network.out[z + action]! / plan.temperature - logZ;
      arrays.entropy[step] = H;
      this.critic.keep(arrays, step, network.out, z + actions);
      if (logZ - logZ !== 0) finite = false;
    }
    return finite;
  }

  finalValues(arrays: Arrays, theta: Float32Array, s: number, first: number, n: number): void {
    const { B, T, obsWords, actions, layout } = this.plan;
    for (let k = 0; k < n; k++) {
      const row = s * B + first + k;
      this.network.bitsAt[k] = (row * (T + 1) + arrays.length[row]!) * obsWords;
    }
    this.network.forward(theta, s * layout.size, arrays.obs, n);
    const { critic, network } = this;
    for (let k = 0; k < n; k++) {
      arrays.valueFinal[s * B + first + k] = critic.valueOf(network.out, k * this.n + actions);
    }
  }

  learn(learning: Learning, step: Int32Array, weight: Float64Array, n: number): void {
    const { plan, network } = this;
    const { arrays, theta, reference, s, live, gradient } = learning;
    const { actions } = plan;
    const at = s * plan.layout.size;
    this.read(step, n);
    if (live.klCoef > 0) {
      network.forward(reference, at, arrays.obs, n);
      for (let k = 0; k < n; k++) {
        const legal = arrays.legal[step[k]!]!;
        const [z, to, inverse] = [k * this.n, k * actions, 1 / plan.temperature];
        const logZ = softmaxRow(network.out, z, actions, legal, inverse, this.ref.p, to);
        fillLogProbs(network.out, z, actions, inverse, logZ, this.ref.logp, to);
      }
    }
    network.forward(theta, at, arrays.obs, n);
    for (let k = 0; k < n; k++) this.stepGradient(learning, step[k]!, weight[k]!, k);
    if (gradient) network.backward(theta, at, arrays.obs, n, gradient);
  }

  /** Observations before n steps (flat indices). */
  private read(step: Int32Array, n: number): void {
    const { T, obsWords } = this.plan;
    for (let k = 0; k < n; k++) {
      const row = Math.floor(step[k]! / T);
      this.network.bitsAt[k] = (row * (T + 1) + (step[k]! % T)) * obsWords;
    }
  }

  /** Shows the network the steps: outputs of the k-th in row k. */
  private answer({ arrays, theta, s, step, n }: Asking): void {
    this.read(step, n);
    this.network.forward(theta, s * this.plan.layout.size, arrays.obs, n);
  }

  logProbs(asking: Asking, out: Float32Array): void {
    const { arrays, step, n } = asking;
    this.answer(asking);
    for (let k = 0; k < n; k++) out[step[k]!] = this.logpOf(arrays, step[k]!, k);
  }

  unitLogProbs(asking: Asking, out: Float64Array, seen?: Seen): void {
    const { B, T, actions } = this.plan;
    const { arrays, s, step, n } = asking;
    this.answer(asking);
    for (let k = 0; k < n; k++) {
      out[step[k]!] = this.logpOf(arrays, step[k]!, k);
      if (!seen) continue;
      const own = step[k]! - s * B * T;
      seen.probs.set(this.p, own * actions);
      seen.entropy[own] = entropyOf(this.p, 0, actions);
    }
  }

  stepProbs(asking: Asking, out: Float32Array): void {
    const { actions, temperature } = this.plan;
    const { arrays, step, n } = asking;
    this.answer(asking);
    for (let k = 0; k < n; k++) {
      const legal = arrays.legal[step[k]!]!;
      softmaxRow(this.network.out, k * this.n, actions, legal, 1 / temperature, out, k * actions);
    }
  }

  /** log π(a|o) from row k of the last forward pass; leaves π in `p`. */
  private logpOf(arrays: Arrays, step: number, k: number): number {
    const { actions, temperature } = this.plan;
    const z = k * this.n;
    const logZ = softmaxRow(this.network.out, z, actions, arrays.legal[step]!, 1 / temperature, this.p, 0);
    return this.network.out[z + arrays.action[step]!]! / temperature - logZ;
  }

  addLogpGradient(asking: Asking, slope: Float64Array, gradient: Float32Array, layers: ScoreLayers = 'all'): void {
    const { plan, network, p } = this;
    const { arrays, theta, s, step, n } = asking;
    const { actions } = plan;
    this.answer(asking);
    network.dOut.fill(0, 0, n * this.n);
    for (let k = 0; k < n; k++) {
      this.logpOf(arrays, step[k]!, k);
      const action = arrays.action[step[k]!]!;
      const w = slope[k]! / plan.temperature;
      for (let b = 0; b < actions; b++) network.dOut[k * this.n + b] = w * ((b === action ? 1 : 0) - p[b]!);
    }
    network.backward(theta, s * plan.layout.size, arrays.obs, n, gradient, layers);
  }

  /** ∂L/∂out of one step: w·κ·(1[b = a] − π_b), entropy bonus, exact KL to the reference, value loss. */
  private stepGradient(learning: Learning, step: number, w: number, k: number): void {
    const { arrays, A, target, live, tally, delta, mark } = learning;
    const { plan, network, critic, p, now, ref, unit, coefficient, terms } = this;
    const { actions } = plan;
    const out = k * this.n;
    const action = arrays.action[step]!;
    const inverse = 1 / plan.temperature;
    const logZ = softmaxRow(network.out, out, actions, arrays.legal[step]!, inverse, p, 0);
    unit.A = A[step]!;
    unit.logp = network.out[out + action]! * inverse - logZ;
    unit.delta = unit.logp - arrays.logp[step]!;
    unit.mark = mark ? mark[step]! : 0;
    plan.objective.coefficient(unit, plan.objectiveParams, coefficient);
    count(tally, w, unit, coefficient, this.clipping);
    tally.steps++;
    delta[step] = unit.delta;
    const { kappa } = coefficient;
    const { entropyCoef, klCoef } = live;
    const { klForm } = plan.control;
    if (klCoef > 0) fillLogProbs(network.out, out, actions, inverse, logZ, now.logp, 0);
    const wInverse = w * inverse * (learning.policyWeight ?? 1);
    const { dOut } = network;
    logitGradient(
      now,
      0,
      ref,
      k * actions,
      actions,
      action,
      wInverse,
      kappa,
      entropyCoef,
      klCoef,
      dOut,
      out,
      terms,
      klForm,
    );
    tally.klRef += terms.kl;
    if (target) tally.valueLoss += critic.learn(arrays, target[step]!, step, w, network.out, out + actions, dOut);
  }

  probsOf(
    theta: Float32Array,
    obs: Uint32Array,
    legal: Uint32Array,
    n: number,
    out: Float32Array,
    outAt: number,
  ): void {
    const { network, plan } = this;
    const { actions, obsWords } = plan;
    for (let from = 0; from < n; from += CHUNK) {
      const rows = Math.min(CHUNK, n - from);
      for (let k = 0; k < rows; k++) network.bitsAt[k] = (from + k) * obsWords;
      network.forward(theta, 0, obs, rows);
      for (let k = 0; k < rows; k++) {
        const at = outAt + (from + k) * actions;
        softmaxRow(network.out, k * this.n, actions, legal[from + k]!, 1 / plan.temperature, out, at);
      }
    }
  }
}

/** First action whose running sum of probabilities passes u; the last legal one if rounding leaves none. */
function sampleRow(p: Float32Array, at: number, actions: number, legal: number, u: number): number {
  let running = 0;
  let last = 0;
  for (let b = 0; b < actions; b++) {
    if (((legal >>> b) & 1) === 0) continue;
    last = b;
    running += p[at + b]!;
    if (u < running) return b;
  }
  return last;
}
