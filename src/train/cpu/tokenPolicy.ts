import { random, uniform } from '../../core/random.ts';
import {
  entropyOf,
  fillLogProbs,
  logitGradient,
  type DistributionTerms,
} from '../../methods/objective/distribution.ts';
import type { Coefficient, ScoreLayers } from '../../methods/types.ts';
import type { Kernels } from '../../policies/kernels.ts';
import { transformerOf } from '../../policies/policy.ts';
import { actionProbs, decisionsOf, prefixSoftmax, writeCommand, written } from '../../policies/transformer/command.ts';
import { longestOf, type TransformerShape } from '../../policies/transformer/shape.ts';
import { Transformer } from '../../policies/transformer/transformer.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import { shareOfWord } from '../unitSet.ts';
import type { Asking } from './asking.ts';
import { Critic } from './critic.ts';
import type { Acting, CpuPolicy, Learning, Seen } from './policy.ts';
import { ACTION_PURPOSE, clippingOf, count, ownFloats, type Clipping } from './units.ts';

/** Tokens worked on at once: activations of a chunk stay near the cache. */
const CHUNK_TOKENS = 1536;
const NO_COMMANDS = new Uint32Array(1);

type Rows = { readonly p: Float32Array; readonly logp: Float64Array };

/** A transformer that writes each action as a command: every word that leaves a choice is a decision of its own. */
export class TokenPolicy implements CpuPolicy {
  readonly kernels: Kernels;
  readonly chunk: number;
  readonly unitsMax: number;
  private readonly plan: Plan;
  private readonly shape: TransformerShape;
  private readonly net: Transformer;
  private readonly critic: Critic;
  private readonly clipping: Clipping;
  private readonly slots: number;
  private readonly p: Float32Array;
  private readonly now: Rows;
  private readonly ref: Rows;
  private readonly reach: Float32Array;
  private readonly prefixOf: Int32Array;
  private readonly slotAt: Int32Array;
  private readonly logps: Float64Array;
  private readonly words;
  private readonly coefficient: Coefficient = { loss: 0, kappa: 0, clip: 0 };
  private readonly unit = { A: 0, delta: 0, logp: 0, mark: 0 };
  private readonly terms: DistributionTerms = { entropy: 0, kl: 0 };

  constructor(plan: Plan) {
    const { shape, layout } = transformerOf(plan);
    const { grammar } = shape;
    this.plan = plan;
    this.shape = shape;
    this.chunk = Math.max(1, Math.floor(CHUNK_TOKENS / longestOf(shape)));
    this.net = new Transformer(shape, layout, this.chunk, ownFloats(plan));
    this.critic = new Critic(plan);
    this.clipping = clippingOf(plan);
    this.kernels = this.net.kernels;
    this.unitsMax = grammar.decisions;
    this.slots = grammar.slots.length;
    this.p = new Float32Array(this.slots);
    this.now = { p: this.p, logp: new Float64Array(this.slots) };
    const all = this.chunk * this.slots;
    this.ref = { p: new Float32Array(all), logp: new Float64Array(all) };
    this.reach = new Float32Array(grammar.prefixes.length);
    this.prefixOf = new Int32Array(grammar.decisions);
    this.slotAt = new Int32Array(grammar.decisions);
    this.logps = new Float64Array(grammar.decisions);
    this.words = written(grammar);
  }

  unitsOf(arrays: Arrays, row: number): number {
    const { T } = this.plan;
    let n = 0;
    for (let t = 0; t < arrays.length[row]!; t++) n += this.decisions(arrays.command[row * T + t]!);
    return n;
  }

  unitsAt(arrays: Arrays, step: number): number {
    return this.decisions(arrays.command[step]!);
  }

  private decisions(command: number): number {
    return decisionsOf(this.shape.grammar, command, this.prefixOf, this.slotAt);
  }

  /** Puts the observation of trajectory `row` at step t behind its last commands. */
  private read(arrays: Arrays, row: number, t: number): void {
    const { T, obsWords } = this.plan;
    this.net.seq.add(arrays.obs, (row * (T + 1) + t) * obsWords, arrays.command, row * T, t);
  }

  decide(
    { arrays, theta, tasks, mode, s, forced }: Acting,
    rows: readonly number[],
    from: number,
    n: number,
    t: number,
  ) {
    const { plan, net, words, shape } = this;
    const { T, actions } = plan;
    const { grammar } = shape;
    const K = grammar.decisions;
    const purpose = ACTION_PURPOSE[mode];
    const inverse = 1 / plan.temperature;
    net.seq.clear();
    for (let k = 0; k < n; k++) this.read(arrays, rows[from + k]!, t);
    net.forward(theta, s * plan.layout.size);
    let finite = true;
    for (let k = 0; k < n; k++) {
      const row = rows[from + k]!;
      const step = row * T + t;
      const legal = arrays.legal[step]!;
      const z = k * this.slots;
      const i = row - s * plan.B;
      const draw = (depth: number): number =>
        uniform(random(plan.seeds[s]!, purpose, tasks.update, i, t | (depth << 16)));
      const shown = forced?.[step - s * plan.B * T] ?? 0;
      const dictated = shown > 0 ? grammar.commands[shown - 1]! : null;
      if (!writeCommand(grammar, net.logits, z, legal, inverse, draw, this.p, words, dictated)) finite = false;
      arrays.action[step] = words.action;
      arrays.command[step] = words.command;
      arrays.logp[step] = words.logp;
      arrays.entropy[step] = words.entropy;
      arrays.unitLogp.set(words.unitLogp, step * K);
      arrays.unitEntropy.set(words.unitEntropy, step * K);
      actionProbs(grammar, net.logits, z, legal, inverse, this.p, this.reach, arrays.probs, step * actions);
      this.critic.keep(arrays, step, net.value, k * this.critic.values);
    }
    return finite;
  }

  finalValues(arrays: Arrays, theta: Float32Array, s: number, first: number, n: number): void {
    const { B, layout } = this.plan;
    const from = s * B + first;
    this.net.seq.clear();
    for (let k = 0; k < n; k++) this.read(arrays, from + k, arrays.length[from + k]!);
    this.net.forward(theta, s * layout.size);
    const { critic, net } = this;
    for (let k = 0; k < n; k++) arrays.valueFinal[from + k] = critic.valueOf(net.value, k * critic.values);
  }

  learn(learning: Learning, step: Int32Array, weight: Float64Array, n: number): void {
    const { plan, net, shape } = this;
    const { arrays, theta, reference, s, live, gradient } = learning;
    const at = s * plan.layout.size;
    this.readSteps(arrays, step, n);
    if (live.klCoef > 0) {
      net.forward(reference, at);
      for (let k = 0; k < n; k++) {
        const legal = arrays.legal[step[k]!]!;
        const z = k * this.slots;
        shape.grammar.prefixes.forEach((prefix, j) => {
          if (prefix.count > 0) this.distribution(j, z, legal, this.ref, z);
        });
      }
    }
    net.forward(theta, at);
    net.dLogits.fill(0, 0, n * this.slots);
    net.dValue.fill(0);
    for (let k = 0; k < n; k++) this.stepGradient(learning, step[k]!, weight[k]!, k);
    if (gradient) net.backward(theta, at, gradient);
  }

  private softmax(j: number, z: number, legal: number, p: Float32Array, pAt: number): number {
    return prefixSoftmax(this.shape.grammar, j, this.net.logits, z, legal, 1 / this.plan.temperature, p, pAt);
  }

  /** π over the words that may follow prefix j, and log π beside it. */
  private distribution(j: number, z: number, legal: number, of: Rows, to: number): void {
    const { first, count: words } = this.shape.grammar.prefixes[j]!;
    const logZ = this.softmax(j, z, legal, of.p, to);
    fillLogProbs(this.net.logits, z + first, words, 1 / this.plan.temperature, logZ, of.logp, to + first);
  }

  /**
   * ∂L/∂logits of the words of one command. Ratio per word: every decision is a unit with its own Δ. Ratio per step:
   * Δ is the sum over the words or their mean, all share the coefficient, in the latter case in equal parts. Always each word carries the advantage of the step.
   */
  private stepGradient(learning: Learning, step: number, w: number, k: number): void {
    const { arrays, A, target, live, tally, delta, mark } = learning;
    const { plan, net, critic, shape, p, now, ref, unit, coefficient, terms } = this;
    const K = shape.grammar.decisions;
    const z = k * this.slots;
    const legal = arrays.legal[step]!;
    const inverse = 1 / plan.temperature;
    const n = this.decisions(arrays.command[step]!);
    let sum = 0;
    let logp = 0;
    arrays.unitDelta.fill(0, step * K + n, (step + 1) * K);
    for (let d = 0; d < n; d++) {
      const logZ = this.softmax(this.prefixOf[d]!, z, legal, p, 0);
      this.logps[d] = net.logits[z + this.slotAt[d]!]! * inverse - logZ;
      logp += this.logps[d]!;
      const moved = this.logps[d]! - arrays.unitLogp[step * K + d]!;
      arrays.unitDelta[step * K + d] = moved;
      sum += moved;
    }
    delta[step] = sum;
    tally.steps++;
    unit.A = A[step]!;
    const perStep = plan.ratioLevel !== 'unit';
    const share = shareOfWord(plan.ratioLevel, n);
    if (perStep) {
      unit.logp = logp * share;
      unit.delta = sum * share;
      unit.mark = mark ? mark[step * K]! : 0;
      plan.objective.coefficient(unit, plan.objectiveParams, coefficient);
      count(tally, w, unit, coefficient, this.clipping);
    }
    for (let d = 0; d < n; d++) {
      if (!perStep) {
        unit.logp = this.logps[d]!;
        unit.delta = this.logps[d]! - arrays.unitLogp[step * K + d]!;
        unit.mark = mark ? mark[step * K + d]! : 0;
        plan.objective.coefficient(unit, plan.objectiveParams, coefficient);
        count(tally, w, unit, coefficient, this.clipping);
      }
      const j = this.prefixOf[d]!;
      const { first, count: words } = shape.grammar.prefixes[j]!;
      if (live.klCoef > 0) this.distribution(j, z, legal, now, 0);
      else this.softmax(j, z, legal, p, 0);
      const chosen = this.slotAt[d]! - first;
      const at = z + first;
      const kappa = coefficient.kappa * share;
      const { entropyCoef, klCoef } = live;
      const { klForm } = plan.control;
      const wInverse = w * inverse * (learning.policyWeight ?? 1);
      const { dLogits } = net;
      logitGradient(
        now,
        first,
        ref,
        at,
        words,
        chosen,
        wInverse,
        kappa,
        entropyCoef,
        klCoef,
        dLogits,
        at,
        terms,
        klForm,
      );
      tally.klRef += terms.kl;
    }
    if (target)
      tally.valueLoss += critic.learn(arrays, target[step]!, step, w, net.value, k * critic.values, net.dValue);
  }

  /** Shows the network the steps: outputs of the k-th in row k. */
  private answer({ arrays, theta, s, step, n }: Asking): void {
    this.readSteps(arrays, step, n);
    this.net.forward(theta, s * this.plan.layout.size);
  }

  logProbs(asking: Asking, out: Float32Array): void {
    const { arrays, step, n } = asking;
    this.answer(asking);
    for (let k = 0; k < n; k++) out[step[k]!] = this.commandLogp(arrays, step[k]!, k, null);
  }

  unitLogProbs(asking: Asking, out: Float64Array, seen?: Seen): void {
    const { arrays, s, step, n } = asking;
    this.answer(asking);
    for (let k = 0; k < n; k++) {
      this.commandLogp(arrays, step[k]!, k, null);
      out.set(this.logps, step[k]! * this.unitsMax);
      if (seen) this.keepSeen(arrays, step[k]!, k, step[k]! - s * this.plan.B * this.plan.T, seen);
    }
  }

  /** π of a step and entropy along its command, from row k of the last forward pass, at place `own` of `seen`. */
  private keepSeen(arrays: Arrays, step: number, k: number, own: number, seen: Seen): void {
    const { plan, net, shape, p, slots } = this;
    const { grammar } = shape;
    const [z, legal, inverse] = [k * slots, arrays.legal[step]!, 1 / plan.temperature];
    const K = grammar.decisions;
    const n = this.decisions(arrays.command[step]!);
    let total = 0;
    seen.unitEntropy.fill(0, own * K, (own + 1) * K);
    for (let d = 0; d < n; d++) {
      const { first, count: words } = grammar.prefixes[this.prefixOf[d]!]!;
      this.softmax(this.prefixOf[d]!, z, legal, p, 0);
      const H = entropyOf(p, first, words);
      seen.unitEntropy[own * K + d] = H;
      total += H;
    }
    seen.entropy[own] = total;
    actionProbs(grammar, net.logits, z, legal, inverse, p, this.reach, seen.probs, own * plan.actions);
  }

  stepProbs(asking: Asking, out: Float32Array): void {
    const { plan, net, shape, slots } = this;
    const { arrays, step, n } = asking;
    const inverse = 1 / plan.temperature;
    this.answer(asking);
    for (let k = 0; k < n; k++) {
      const legal = arrays.legal[step[k]!]!;
      const at = k * plan.actions;
      actionProbs(shape.grammar, net.logits, k * slots, legal, inverse, this.p, this.reach, out, at);
    }
  }

  addLogpGradient(asking: Asking, slope: Float64Array, gradient: Float32Array, layers: ScoreLayers = 'all'): void {
    const { net, plan } = this;
    const { arrays, theta, s, step, n } = asking;
    this.answer(asking);
    net.dLogits.fill(0, 0, n * this.slots);
    net.dValue.fill(0);
    for (let k = 0; k < n; k++) this.commandLogp(arrays, step[k]!, k, slope[k]! / plan.temperature);
    net.backward(theta, s * plan.layout.size, gradient, layers);
  }

  private readSteps(arrays: Arrays, step: Int32Array, n: number): void {
    this.net.seq.clear();
    for (let k = 0; k < n; k++) this.read(arrays, Math.floor(step[k]! / this.plan.T), step[k]! % this.plan.T);
  }

  /** log π of a written command, the sum over its decisions; with a slope also ∂/∂logits times it. */
  private commandLogp(arrays: Arrays, step: number, k: number, slope: number | null): number {
    const { plan, net, shape, p } = this;
    const z = k * this.slots;
    const legal = arrays.legal[step]!;
    const n = this.decisions(arrays.command[step]!);
    const inverse = 1 / plan.temperature;
    let logp = 0;
    for (let d = 0; d < n; d++) {
      const slot = this.slotAt[d]!;
      const logZ = this.softmax(this.prefixOf[d]!, z, legal, p, 0);
      this.logps[d] = net.logits[z + slot]! * inverse - logZ;
      logp += this.logps[d]!;
      if (slope === null) continue;
      const { first, count: words } = shape.grammar.prefixes[this.prefixOf[d]!]!;
      for (let c = first; c < first + words; c++) net.dLogits[z + c] = slope * ((c === slot ? 1 : 0) - p[c]!);
    }
    return logp;
  }

  probsOf(
    theta: Float32Array,
    obs: Uint32Array,
    legal: Uint32Array,
    n: number,
    out: Float32Array,
    outAt: number,
  ): void {
    const { plan, net, shape } = this;
    const { obsWords, actions } = plan;
    const inverse = 1 / plan.temperature;
    for (let from = 0; from < n; from += this.chunk) {
      const rows = Math.min(this.chunk, n - from);
      net.seq.clear();
      for (let k = 0; k < rows; k++) net.seq.add(obs, (from + k) * obsWords, NO_COMMANDS, 0, 0);
      net.forward(theta, 0);
      for (let k = 0; k < rows; k++) {
        const at = outAt + (from + k) * actions;
        const { logits } = net;
        const bits = legal[from + k]!;
        actionProbs(shape.grammar, logits, k * this.slots, bits, inverse, this.p, this.reach, out, at);
      }
    }
  }
}
